// SPDX-License-Identifier: Apache-2.0
#include "dns/finite.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/check.h"
#include "dns/statistics/statistics.h"
#include "dns/step/time_step.h"

pv_status pv_dns_require_finite(const pv_dns_state *s, const char *what, double value)
{
    char remedy[128];
    PV_REQUIRE(
        isfinite(value), PV_ERR_CONVERGENCE,
        "the %s is not finite at step %lld, time %g, with steps of up to %g: the run has blown up. Accepted: %s; "
        "where that does not help, a smaller amplitude or forcing, more viscosity, or precision = fp64",
        what, (long long)s->step, s->time, s->params.dt, pv_dns_calmer_steps(&s->params, remedy));
    return PV_OK;
}

pv_status pv_dns_require_finite_scalars(pv_dns_state *s, const double *variance)
{
    for (int e = 1; e < s->equations; e++) {
        char what[32];
        double sums[DNS_SCALAR_SUMS] = {0.0};
        snprintf(what, sizeof what, "scalar %d", e);
        if (!variance) PV_TRY(pv_dns_sum_scalar(s, e, sums));
        PV_TRY(pv_dns_require_finite(s, what, variance ? variance[e - 1] : sums[0]));
    }
    s->known_finite = s->step + 1;
    return PV_OK;
}

pv_status pv_dns_require_finite_fields(pv_dns_state *s)
{
    const dns_term none = {.modes = s->modes};
    double sums[DNS_SUMS];
    if (s->known_finite == s->step + 1) return PV_OK;
    PV_TRY(pv_dns_sum_modes(s, &none, pv_dns_field(s, DNS_VELOCITY), sums));
    PV_TRY(pv_dns_require_finite(s, "velocity", sums[0]));
    return pv_dns_require_finite_scalars(s, NULL);
}

// `product`: of what the run begins with, as advection makes it at points.
static pv_status require_reach(const pv_dns_params *p, const char *what, double product)
{
    const int is_single = p->precision == PV_FP32;
    PV_REQUIRE(product <= (is_single ? (double)FLT_MAX : DBL_MAX), PV_ERR_INPUT,
               "amplitude = %g: products of the %s that the run begins with are beyond what numbers of %s reach; a smaller "
               "amplitude%s is accepted",
               p->amplitude, what, is_single ? "fp32" : "fp64", is_single ? ", or precision = fp64," : "");
    return PV_OK;
}

pv_status pv_dns_require_finite_start(pv_dns_state *s)
{
    const dns_term none = {.modes = s->modes};
    double sums[DNS_SUMS], scalar[DNS_SCALAR_SUMS];
    PV_TRY(pv_dns_sum_modes(s, &none, pv_dns_field(s, DNS_VELOCITY), sums));
    const double velocity = sqrt(2.0 * sums[0]), vorticity = sqrt(2.0 * sums[1]);
    PV_TRY(require_reach(&s->params, "velocity", velocity * fmax(velocity, vorticity)));
    for (int e = 1; e < s->equations; e++) {
        PV_TRY(pv_dns_sum_scalar(s, e, scalar));
        PV_TRY(require_reach(&s->params, "scalars", sqrt(scalar[0]) * fmax(velocity, sqrt(scalar[0]))));
    }
    return PV_OK;
}
