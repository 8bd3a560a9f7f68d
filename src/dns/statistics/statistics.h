// SPDX-License-Identifier: Apache-2.0
// What a field is like: sums over modes and points, and the scales of turbulence made of them.
#ifndef PV_DNS_STATISTICS_H
#define PV_DNS_STATISTICS_H

#include "dns/kernels.h"
#include "dns/state.h"

// Over all ranks, of the velocity `field`. Collective.
pv_status pv_dns_sum_modes(pv_dns_state *state, const dns_term *term, const void *field, double sums[DNS_SUMS]);
// Energy of its modes with 0 < k^2 <= push_k2. Collective.
pv_status pv_dns_sum_pushed(pv_dns_state *state, double push_k2, const void *field, double *energy_p);
// max |k.u| / |k| over all ranks, and sums of a scalar. Collective.
pv_status pv_dns_largest_divergence(pv_dns_state *state, double *divergence_p);
pv_status pv_dns_sum_scalar(pv_dns_state *state, int equation, double sums[DNS_SCALAR_SUMS]);

// The scales that follow from energy, enstrophy, dissipation and E(k). Pure.
void pv_dns_scales(const pv_dns_state *state, const double *shell_energy, pv_dns_record *record);

#endif
