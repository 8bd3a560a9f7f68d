// SPDX-License-Identifier: Apache-2.0
// What the parts of a build of exact exchange share: fock_build.c goes round the ranks, fock_meet.c works on what
// comes by.
#ifndef PV_DFT_FOCK_TASK_H
#define PV_DFT_FOCK_TASK_H

#include "dft/terms/fock_room.h"
#include "dft/terms/fock_trip.h"

typedef struct pv_fock_task {
    pv_fock *fock;
    pv_comm *comm;
    pv_stream *work, *wire; // of the device: all but messages, and messages
    pv_band_split *const *split;
    const unsigned char *rests; // [kpoints]
    int states, kpoints, bands;
    int64_t *order;      // [2][bands]: the band at each place (fock_deal.h), and scratch
    double *share;       // [states][bands], by place
    pv_fock_block *mine; // [states]; fields and sums of the tile at hand, NULL in others
    pv_fock_room room;
    pv_fock_trip *ahead, *back; // [steps]: bundles of others, and what was done for them
    int steps;                  // after the first, with this rank's own
    pv_fock_progress progress;
    void *context;
    double whole; // pairs that are this rank's, about
    int given_up; // this rank only passes on what is not its own from now on
} pv_fock_task;

static inline const pv_basis *pv_fock_basis_of(const pv_fock_task *b, int state)
{
    return b->fock->home[state % b->kpoints].basis;
}

static inline int pv_fock_is_mine(const pv_fock_task *b, int state)
{
    return pv_fock_bundle_has(b->fock, b->room.own.rank, state);
}

static inline double _Complex *pv_fock_result_at(const pv_fock_task *b, int state, int64_t band)
{
    return (double _Complex *)pv_buffer_data(b->room.result) + b->room.own.offset[state] +
           band * pv_fock_basis_of(b, state)->count;
}

// Pairs that all ranks together work on, once share is known. Pure.
double pv_fock_pairs_of_run(const pv_fock_task *b);

// All pairs of a bundle's bands with this rank's targets that are its to work on in this step, and what they do to each
// other: to the results, or the bundle that goes back. Local.
pv_status pv_fock_pair_bundle(pv_fock_task *b, const pv_fock_bundle *other, int step);

#endif
