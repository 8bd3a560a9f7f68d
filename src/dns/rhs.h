// SPDX-License-Identifier: Apache-2.0
// One evaluation of the right-hand side: to points, products, back. What it leaves are the spectra of products in the
// work fields and a dns_term that tells kernels how to read them.
//
//     begin (velocity at points) -> each scalar's term, used at once -> the velocity's term
#ifndef PV_DNS_RHS_H
#define PV_DNS_RHS_H

#include "dns/kernels.h"
#include "dns/state.h"

// What the present field is: kept modes of each equation, of the run or of a stage.
typedef struct pv_dns_now {
    const void *field[DNS_MOST_EQUATIONS];
} pv_dns_now;

pv_dns_now pv_dns_now_of(const pv_dns_state *state);

// Velocity at points, in work fields 0 to 2. Collective.
pv_status pv_dns_rhs_begin(pv_dns_state *state, const pv_dns_now *now);
// After begin: max(|u| / dx + |v| / dy + |w| / dz) and max |u| over all ranks. Collective.
pv_status pv_dns_rhs_speed(pv_dns_state *state, double *per_time_p, double *speed_p);
// After begin: <g^2>, <g^3>, <g^4> of du_i / dx_i, means over i too. Collective.
pv_status pv_dns_rhs_moments(pv_dns_state *state, const pv_dns_now *now, double moments[3]);
// After begin, before the velocity's. Collective.
pv_status pv_dns_rhs_scalar(pv_dns_state *state, const pv_dns_now *now, int equation, dns_term *term_p);
// Takes the velocity at points away. Collective.
pv_status pv_dns_rhs_velocity(pv_dns_state *state, const pv_dns_now *now, dns_term *term_p);

// One field at points, into a work field: of kept modes, a component of the velocity, of the vorticity, d u_c / d x_along. Collective.
pv_status pv_dns_rhs_kept(pv_dns_state *state, const void *kept, int work);
pv_status pv_dns_rhs_component(pv_dns_state *state, const pv_dns_now *now, int c, int work);
pv_status pv_dns_rhs_curl(pv_dns_state *state, const pv_dns_now *now, int c, int work);
pv_status pv_dns_rhs_gradient(pv_dns_state *state, const pv_dns_now *now, int c, int along, int work);

#endif
