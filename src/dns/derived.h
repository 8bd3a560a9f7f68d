// SPDX-License-Identifier: Apache-2.0
// Fields at points that follow from the present velocity, for people to look at: on the grid where it is, whatever
// shift an evaluation had. They take the work fields. Collective.
#ifndef PV_DNS_DERIVED_H
#define PV_DNS_DERIVED_H

#include "dns/state.h"

// Components in work fields w to w + 2.
pv_status pv_dns_derive_velocity(pv_dns_state *state, int w);
pv_status pv_dns_derive_vorticity(pv_dns_state *state, int w);
// Into work field w; of Q and p w + 1 and w + 2 are used, too. Q = - 1/2 sum_ij d_i u_j d_j u_i; lap p = 2 Q + 2 Omega
// w_z, the mean of p is 0.
pv_status pv_dns_derive_component(pv_dns_state *state, int c, int w);
pv_status pv_dns_derive_q(pv_dns_state *state, int w);
pv_status pv_dns_derive_pressure(pv_dns_state *state, int w);
pv_status pv_dns_derive_scalar(pv_dns_state *state, int equation, int w);

// |(w, w + 1, w + 2)| in work field w. Local.
pv_status pv_dns_derive_magnitude(pv_dns_state *state, int w);

#endif
