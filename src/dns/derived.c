// SPDX-License-Identifier: Apache-2.0
#include "dns/derived.h"

#include "base/check.h"
#include "dns/launch.h"
#include "dns/step/rhs.h"

// The next evaluation chooses its own shift.
static pv_dns_now unshifted(pv_dns_state *s)
{
    s->modes.shift_x = s->modes.shift_y = s->modes.shift_z = 0.0;
    return pv_dns_now_of(s);
}

static int64_t numbers(const pv_dns_state *s)
{
    return s->points / s->columns * s->pitch;
}

pv_status pv_dns_derive_velocity(pv_dns_state *s, int w)
{
    const pv_dns_now now = unshifted(s);
    for (int c = 0; c < 3; c++) PV_TRY(pv_dns_rhs_component(s, &now, c, w + c));
    return PV_OK;
}

pv_status pv_dns_derive_component(pv_dns_state *s, int c, int w)
{
    const pv_dns_now now = unshifted(s);
    return pv_dns_rhs_component(s, &now, c, w);
}

pv_status pv_dns_derive_vorticity(pv_dns_state *s, int w)
{
    const pv_dns_now now = unshifted(s);
    return pv_dns_rhs_vorticity(s, &now, w);
}

// Pair by pair.
pv_status pv_dns_derive_q(pv_dns_state *s, int w)
{
    const pv_dns_now now = unshifted(s);
    dns_pair pair = {.sum = pv_dns_work(s, w), .a = pv_dns_work(s, w + 1), .first = 1};
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            PV_TRY(pv_dns_rhs_gradient(s, &now, j, i, w + 1));
            if (j > i) PV_TRY(pv_dns_rhs_gradient(s, &now, i, j, w + 2));
            pair.b = pv_dns_work(s, j > i ? w + 2 : w + 1);
            pair.weight = j > i ? -1.0 : -0.5;
            PV_TRY(pv_dns_launch(s->stream, DNS_PAIR, s->params.precision, numbers(s), &pair));
            pair.first = 0;
        }
    return PV_OK;
}

pv_status pv_dns_derive_pressure(pv_dns_state *s, int w)
{
    PV_TRY(pv_dns_derive_q(s, w));
    PV_TRY(pv_dns_rhs_to_modes(s, w));
    const dns_poisson a = {.modes = s->modes,
                           .spectrum = pv_dns_work(s, w),
                           .u = pv_dns_field(s, DNS_VELOCITY),
                           .rotation = s->params.rotation};
    PV_TRY(pv_dns_launch(s->stream, DNS_POISSON, s->params.precision, s->modes.total, &a));
    return pv_dns_rhs_to_points(s, w);
}

pv_status pv_dns_derive_scalar(pv_dns_state *s, int equation, int w)
{
    const pv_dns_now now = unshifted(s);
    return pv_dns_rhs_kept(s, now.field[equation], w);
}

pv_status pv_dns_derive_magnitude(pv_dns_state *s, int w)
{
    dns_points points = {.f = {pv_dns_work(s, w)}};
    for (int c = 0; c < 3; c++) points.u[c] = pv_dns_work(s, w + c);
    return pv_dns_launch(s->stream, DNS_MAGNITUDE, s->params.precision, numbers(s), &points);
}
