// SPDX-License-Identifier: Apache-2.0
#include "dns/step/time_step.h"

#include <math.h>
#include <stdio.h>

pv_dns_weights pv_dns_weights_of(int order, double dt, const double h[2])
{
    pv_dns_weights w = {.o = {1.0}};
    if (order == 1) return w;
    // The term at a time t from now is N_0 + a t + b t^2 through the earlier ones; its integral gives
    // dt phi1 N_0 + dt^2 phi2 a + 2 dt^3 phi3 b.
    const double a0 = 1.0 / h[0];
    double a[3] = {a0, -a0, 0.0}, b[3] = {0.0, 0.0, 0.0};
    if (order == 3) {
        const double a1 = 1.0 / h[1], across = 1.0 / (h[0] + h[1]);
        b[0] = a0 * across;
        b[1] = -(a0 + a1) * across;
        b[2] = a1 * across;
        for (int j = 0; j < 3; j++) a[j] += b[j] * h[0];
    }
    for (int j = 0; j < 3; j++) {
        w.p[j] = dt * a[j];
        w.q[j] = 2.0 * dt * dt * b[j];
    }
    return w;
}

double pv_dns_stable_cfl(const pv_dns_params *p)
{
    static const double turn[] = {[PV_SCHEME_AB2] = 0.25, [PV_SCHEME_AB3] = 0.72, [PV_SCHEME_RK4] = 2.8};
    const double kmax_dx = p->dealias == PV_DEALIAS_SHIFT ? 2.96192 : 2.0944;
    return turn[p->scheme] / kmax_dx;
}

const char *pv_dns_calmer_steps(const pv_dns_params *p, char text[128])
{
    static const char *const more[] = {
        [PV_SCHEME_AB2] = " or scheme = ab3", [PV_SCHEME_AB3] = " or scheme = rk4", [PV_SCHEME_RK4] = ""};
    snprintf(text, 128, "a shorter dt, cfl = %.2f%s", floor(100.0 * pv_dns_stable_cfl(p)) / 100.0, more[p->scheme]);
    return text;
}

double pv_dns_next_stop(const pv_dns_params *p, double time)
{
    double stop = p->time_end > time ? p->time_end : INFINITY;
    if (p->forcing != PV_FORCING_NONE && p->forcing_until > time) stop = fmin(stop, p->forcing_until);
    return stop;
}

double pv_dns_next_dt(const pv_dns_params *p, double time, double per_time)
{
    double dt = p->dt;
    if (p->cfl > 0.0 && per_time * dt > p->cfl) dt = p->cfl / per_time;
    // No last step of round-off's size, nor one much shorter than those before: where a run goes on from there, slopes
    // of terms that lie close together would be round-off.
    const double left = pv_dns_next_stop(p, time) - time, full = dt / (1.0 - 1e-9);
    if (left < full) return left;
    return left < 2.0 * dt * (1.0 - 1e-9) ? 0.5 * left : dt;
}
