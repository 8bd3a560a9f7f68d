// SPDX-License-Identifier: Apache-2.0
// The bands of one rank as coefficients, state after state: what travels between ranks in a build of exact exchange.
// Its sizes are known on every rank.
#ifndef PV_DFT_FOCK_BUNDLE_H
#define PV_DFT_FOCK_BUNDLE_H

#include "dft/terms/fock_parts.h"

typedef struct pv_fock_bundle {
    int rank;
    int64_t *lower, *count, *offset; // [states], state = spin * kpoints + k: bands, and where they begin
    int64_t total;                   // coefficients
    pv_buffer *coefficients;         // [total] at least, of the home points' lists of plane waves, on the device
} pv_fock_bundle;

// Room for that many coefficients. Local.
pv_status pv_fock_bundle_make(const pv_fock *fock, int64_t room, pv_fock_bundle *bundle);
void pv_fock_bundle_free(pv_fock_bundle *bundle);

// Where a band of a state is, counted from the first of the rank.
double _Complex *pv_fock_bundle_at(const pv_fock *fock, const pv_fock_bundle *bundle, int state, int64_t band);

// Whether a rank's group works on a state. Pure.
int pv_fock_bundle_has(const pv_fock *fock, int rank, int state);
// Sets the sizes of a rank's bundle.
void pv_fock_bundle_measure(const pv_fock *fock, int rank, pv_fock_bundle *bundle);

#endif
