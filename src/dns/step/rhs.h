// SPDX-License-Identifier: Apache-2.0
// One evaluation of the right-hand side: rows of spectra along x, products on their way to points and back, modes. What
// it leaves are the products' modes in the work fields and a dns_term that tells kernels how to read them.
//
//     begin -> each scalar's term, used at once -> the velocity's term
#ifndef PV_DNS_RHS_H
#define PV_DNS_RHS_H

#include "dns/kernels.h"
#include "dns/state.h"

// What the present field is: kept modes of each equation, of the run or of a stage.
typedef struct pv_dns_now {
    const void *field[DNS_MOST_EQUATIONS];
} pv_dns_now;

pv_dns_now pv_dns_now_of(const pv_dns_state *state);

// Of the state's field at its time; work fields hold the velocity's products while it is `ready`, those of the first
// scalar while it `has_scalar`.
typedef struct pv_dns_evaluation {
    int ready, has_scalar;
    dns_term term;          // without forcing
    dns_term scalar;
    double per_time, speed; // max(|u| / dx + |v| / dy + |w| / dz) and max |u| over all ranks
} pv_dns_evaluation;

// Velocity in work fields 0 to 2: as rows of spectra, or, with scalars whose products would lose rows, at points.
// Collective.
pv_status pv_dns_rhs_begin(pv_dns_state *state, const pv_dns_now *now);
// After begin: <g^2>, <g^3>, <g^4> of g = du_i / dx_i, of each scalar <h^2> and <g h^2> of h = dc / dx_i, means over i
// too. Collective.
typedef struct pv_dns_moments {
    double velocity[3], scalar[PV_DNS_MOST_SCALARS][DNS_MIXED_MOMENTS];
} pv_dns_moments;
pv_status pv_dns_rhs_moments(pv_dns_state *state, const pv_dns_now *now, pv_dns_moments *moments);
// After begin, before the velocity's. Collective.
pv_status pv_dns_rhs_scalar(pv_dns_state *state, const pv_dns_now *now, int equation, dns_term *term_p);
// The same, of what an evaluation may have already. Collective.
pv_status pv_dns_rhs_take_scalar(pv_dns_state *state, const pv_dns_now *now, int equation,
                                 pv_dns_evaluation *evaluation, dns_term *term_p);
// Takes work fields 0 to 2 away. Collective.
pv_status pv_dns_rhs_velocity(pv_dns_state *state, const pv_dns_now *now, dns_term *term_p);
// After begin: the velocity's term and the speeds; ready for a step unless there are scalars. Collective.
pv_status pv_dns_rhs_evaluate(pv_dns_state *state, const pv_dns_now *now, pv_dns_evaluation *evaluation);
// After begin: the first term that a step takes, and the speeds. Without `measures` the speeds may stay what they were,
// and the host does not wait. Collective.
pv_status pv_dns_rhs_evaluate_first(pv_dns_state *state, const pv_dns_now *now, int measures,
                                    pv_dns_evaluation *evaluation);

// At points, into a work field: a field of kept modes, a component of the velocity, d u_c / d x_along; into three the
// vorticity. Collective.
pv_status pv_dns_rhs_kept(pv_dns_state *state, const void *kept, int work);
pv_status pv_dns_rhs_component(pv_dns_state *state, const pv_dns_now *now, int c, int work);
pv_status pv_dns_rhs_gradient(pv_dns_state *state, const pv_dns_now *now, int c, int along, int work);
pv_status pv_dns_rhs_vorticity(pv_dns_state *state, const pv_dns_now *now, int work);
// A work field at points and one of kept modes, in place. Collective.
pv_status pv_dns_rhs_to_modes(pv_dns_state *state, int work);
pv_status pv_dns_rhs_to_points(pv_dns_state *state, int work);

#endif
