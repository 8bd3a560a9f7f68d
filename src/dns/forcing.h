// SPDX-License-Identifier: Apache-2.0
// Large-scale forcing: what it adds to the equations, and the power that it brings in.
#ifndef PV_DNS_FORCING_H
#define PV_DNS_FORCING_H

#include "dns/rhs.h"

typedef struct pv_dns_forcing_state {
    int shells;           // FROZEN: shells below this one
    double *energy;       // [shells], kept
    double *now;          // what they have after a step, as pv_dns_shells_sum gives it
    double injection;     // FROZEN: power of the last step
    int64_t edge;         // OU: largest index of a forced mode
    int64_t numbers;      // doubles of the accelerations
    double *acceleration; // [2 edge + 1][2 edge + 1][edge + 1][3][2] by iz, iy, ix
    pv_buffer *device;    // its copy
} pv_dns_forcing_state;

// The velocity is there: FROZEN takes its energies, OU begins in its stationary state. Collective.
pv_status pv_dns_forcing_create(pv_dns_state *state, pv_dns_forcing_state *forcing);
void pv_dns_forcing_destroy(pv_dns_forcing_state *forcing);

int pv_dns_forcing_is_on(const pv_dns_state *state);
// What the forcing adds to the term of the present velocity. Collective.
pv_status pv_dns_forcing_add(pv_dns_state *state, const pv_dns_forcing_state *forcing, dns_term *term);
// The velocity's term with its forcing, evaluated where it is not ready; the evaluation is used up. Collective.
pv_status pv_dns_forcing_term(pv_dns_state *state, const pv_dns_forcing_state *forcing, const pv_dns_now *now,
                              pv_dns_evaluation *evaluation);
// Before a step of state->dt: the random accelerations move on. Local.
pv_status pv_dns_forcing_advance(pv_dns_state *state, pv_dns_forcing_state *forcing);
// After a step: frozen shells get their energy back. Collective.
pv_status pv_dns_forcing_restore(pv_dns_state *state, pv_dns_forcing_state *forcing);

#endif
