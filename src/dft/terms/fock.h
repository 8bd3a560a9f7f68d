// SPDX-License-Identifier: Apache-2.0
// Exact exchange: what the Fock operator makes of a set of orbitals,
//   (V psi_kj)(r) = -fraction sum_q w_q sum_i f_qi psi_qi(r) integral v(r - r') conj(psi_qi(r')) psi_kj(r') dr',
// summed over the whole mesh of q-points that symmetry unfolds from the k-points of the run. Pair densities live on a
// grid of their own and on the plane waves |k - q + G| <= pair_reach. Where orbitals are real, two of them go through
// one transform, and a pair of orbitals of the run is worked on once for both.
#ifndef PV_DFT_FOCK_H
#define PV_DFT_FOCK_H

#include "dft/model/band_split.h"
#include "dft/model/system.h"
#include "dft/terms/coulomb.h"

typedef struct pv_fock pv_fock;

// system is kept, with params.fock. Collective.
pv_status pv_fock_create(const pv_system *system, pv_fock **fock_p);
void pv_fock_destroy(pv_fock *fock);
// Grid, plane waves of pairs, kind of fields, transforms of one build: lines of text, with a newline each. Belongs to
// fock.
const char *pv_fock_text(const pv_fock *fock);
const int64_t *pv_fock_grid(const pv_fock *fock);

// What this rank did in the last build.
typedef struct pv_fock_effort {
    int64_t pairs;      // products of two orbitals
    int64_t transforms; // there and back; two products of real orbitals share one
    double build_s;     // in all
    double way_s;       // bands of other ranks, and what was done for them, under way
    double waited_s;    // of that: while nothing was worked on
} pv_fock_effort;
pv_fock_effort pv_fock_effort_of(const pv_fock *fock);

// The precision of pairs in builds from now on; at first PV_FP64. PV_FP32 needs params.fock.single. Results are double,
// with errors of some 1e-7 of their size.
void pv_fock_set_precision(pv_fock *fock, pv_precision precision);
// The lowest bands of every state that take part in builds from now on; at first all. No fewer than are felt.
void pv_fock_set_bands(pv_fock *fock, int64_t bands);
// How many of the lowest bands hold all that others feel, in every state; at least one. Pure.
int64_t pv_fock_felt_bands(const pv_fock *fock, const double *filling);

// Heard from during a build, on every rank: the share that is done, 0 to 1. What it returns on any rank, unless it is
// 0, has the build given up.
typedef int (*pv_fock_progress)(void *context, double done);

// Orbitals and out are in memory of the run's device. orbitals, out: [states], state = spin * kpoints + k:
// [bands][local], sliced, where this rank's group owns the state; filling [states][bands], 0 to 2 without spin, 0 to
// 1 with; split [kpoints], likewise. out: the operator on every band that takes part. rests [kpoints]: where it is not
// 0 the operator is not wanted (and out is scratch), though others may feel the orbitals there. energy_ha_p: exchange
// energy of the bands that it is wanted for. progress may be NULL. PV_ERR_STOPPED on all ranks, without a message, when
// it was given up: out is undefined then. Collective.
pv_status pv_fock_build(pv_fock *fock, pv_band_split *const *split, double _Complex *const *orbitals,
                        const double *filling, const unsigned char *rests, pv_fock_progress progress, void *context,
                        double _Complex *const *out, double *energy_ha_p);

#endif
