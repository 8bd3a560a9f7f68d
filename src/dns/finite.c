// SPDX-License-Identifier: Apache-2.0
#include "dns/finite.h"

#include <math.h>
#include <stdio.h>

#include "base/check.h"
#include "dns/statistics.h"
#include "dns/time_step.h"

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

pv_status pv_dns_require_finite_scalars(pv_dns_state *s)
{
    for (int e = 1; e < s->equations; e++) {
        char what[32];
        double sums[DNS_SCALAR_SUMS];
        snprintf(what, sizeof what, "scalar %d", e);
        PV_TRY(pv_dns_sum_scalar(s, e, sums));
        PV_TRY(pv_dns_require_finite(s, what, sums[0]));
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
    return pv_dns_require_finite_scalars(s);
}
