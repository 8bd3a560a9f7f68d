// SPDX-License-Identifier: Apache-2.0
// Steps in time. An evaluation that an observer has already made is used instead of a new one.
#ifndef PV_DNS_STEP_H
#define PV_DNS_STEP_H

#include "dns/forcing.h"
#include "dns/rhs.h"

// How a step weighs terms of earlier steps, for steps dt, h[0], h[1] (newest first; 0: none): kernels.h,
// dns_advance. Pure.
typedef struct pv_dns_weights {
    double o[3], p[3], q[3];
} pv_dns_weights;
pv_dns_weights pv_dns_weights_of(int order, double dt, const double h[2]);

// The largest Courant number, sum of |u_i| dt / dx_i, that the scheme bears: advection turns the highest kept mode by
// k_max dx times it, 2 pi / 3 with cubes of two thirds, and the schemes are stable on the imaginary axis up to 0.72 (AB3) and
// 2.8 (RK4). AB2 never is: its growth (w dt)^4 / 4 a step stays below a thousandth at the number given here. Pure.
double pv_dns_stable_cfl(const pv_dns_params *params);

// Steps that it bears for certain, in words: "a shorter dt, cfl = 0.12 or scheme = ab3". Returns text. Pure.
const char *pv_dns_calmer_steps(const pv_dns_params *params, char text[128]);

// The step that comes: fixed, by CFL, or what is left to time_end. Pure.
double pv_dns_next_dt(const pv_dns_params *params, double time, double per_time);

// The velocity's term with its forcing, evaluated where it is not ready; the evaluation is used up. Collective.
pv_status pv_dns_step_term(pv_dns_state *state, const pv_dns_forcing_state *forcing, const pv_dns_now *now,
                           pv_dns_evaluation *evaluation);

// Takes one step and leaves `evaluation` not ready. Collective.
pv_status pv_dns_step_take(pv_dns_state *state, pv_dns_forcing_state *forcing, pv_dns_evaluation *evaluation);

#endif
