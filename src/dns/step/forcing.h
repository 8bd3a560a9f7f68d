// SPDX-License-Identifier: Apache-2.0
// Large-scale forcing: what it adds to the equations, and the power that it brings in.
#ifndef PV_DNS_FORCING_H
#define PV_DNS_FORCING_H

#include "dns/step/rhs.h"
#include "dns/step/symmetry.h"

// Accelerations are constant over a step. At a time between two steps the power that they bring in is that of the mean.
enum { DNS_OF_LAST_STEP, DNS_OF_NEXT_STEP, DNS_OF_BOTH, DNS_ACCELERATIONS };

typedef struct pv_dns_forcing_state {
    pv_dns_symmetry symmetry; // FROZEN, POWER: of what is amplified
    int shells;               // FROZEN: shells below this one
    double *energy;           // [shells], kept
    double *now;              // what they have after a step, as pv_dns_shells_sum gives it
    int64_t edge;             // OU: largest index of a forced mode
    int64_t numbers;          // doubles of the accelerations of a time
    double *acceleration;     // [3][2 edge + 1][2 edge + 1][edge + 1][3][2] by time, iz, iy, ix: DNS_ACCELERATIONS
    pv_buffer *device;        // FROZEN: [shells], a of f = a u; OU: a copy of those of the step to come and of the mean
} pv_dns_forcing_state;

// The velocity is there: FROZEN takes its energies, OU begins in its stationary state. Collective.
pv_status pv_dns_forcing_create(pv_dns_state *state, pv_dns_forcing_state *forcing);
void pv_dns_forcing_destroy(pv_dns_forcing_state *forcing);

int pv_dns_forcing_is_on(const pv_dns_state *state);
// The velocity's term with its forcing, evaluated where it is not ready; the evaluation is used up. Collective.
pv_status pv_dns_forcing_term(pv_dns_state *state, const pv_dns_forcing_state *forcing, const pv_dns_now *now,
                              pv_dns_evaluation *evaluation);
// What accelerations of the term do to a velocity in a time dt, exactly; nothing without them. Local.
pv_status pv_dns_forcing_accelerate(pv_dns_state *state, const dns_term *term, pv_buffer *velocity, double dt);
// After a step of state->dt_before[0]: random accelerations move on, frozen shells get back what the step's error took of
// their energy, and what is amplified stays a real field. Collective.
pv_status pv_dns_forcing_advance(pv_dns_state *state, pv_dns_forcing_state *forcing);

// For pv_dns_sum_modes: the accelerations whose power those sums shall have. Then that of the forcing, <u.f>; shells as
// pv_dns_shells_sum gives them for the term without forcing. Local.
void pv_dns_forcing_show(const pv_dns_state *state, const pv_dns_forcing_state *forcing, dns_term *term);
double pv_dns_forcing_injection(const pv_dns_state *state, const pv_dns_forcing_state *forcing,
                                const double sums[DNS_SUMS], const double *shells, double next_dt);

// After accelerations of a checkpoint are there: of the last step, and of the next one unless the file is older. Local.
pv_status pv_dns_forcing_take_up(pv_dns_state *state, pv_dns_forcing_state *forcing, int has_next);

#endif
