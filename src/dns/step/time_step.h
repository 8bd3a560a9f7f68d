// SPDX-License-Identifier: Apache-2.0
// How long a step may be, and how it weighs terms of earlier ones. Pure.
#ifndef PV_DNS_TIME_STEP_H
#define PV_DNS_TIME_STEP_H

#include <parseval/dns.h>

// How a step weighs terms of earlier steps, for steps dt, h[0], h[1] (newest first; 0: none): kernels.h,
// dns_advance.
typedef struct pv_dns_weights {
    double o[3], p[3], q[3];
} pv_dns_weights;
pv_dns_weights pv_dns_weights_of(int order, double dt, const double h[2]);

// The largest Courant number, sum of |u_i| dt / dx_i, that the scheme bears: advection turns the highest kept mode by
// k_max dx times it, 2 pi / 3 with cubes of two thirds, and the schemes are stable on the imaginary axis up to 0.72
// (AB3) and 2.8 (RK4). AB2 never is: its growth (w dt)^4 / 4 a step stays below a thousandth at the number given here.
double pv_dns_stable_cfl(const pv_dns_params *params);

// Steps that it bears for certain, in words: "a shorter dt, cfl = 0.12 or scheme = ab3". Returns text.
const char *pv_dns_calmer_steps(const pv_dns_params *params, char text[128]);

// The next time that a step has to meet: time_end or forcing_until; INFINITY: none.
double pv_dns_next_stop(const pv_dns_params *params, double time);

// The step that comes: fixed, by CFL, or all or half of what is left to the next stop.
double pv_dns_next_dt(const pv_dns_params *params, double time, double per_time);

#endif
