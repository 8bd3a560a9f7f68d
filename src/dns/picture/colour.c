// SPDX-License-Identifier: Apache-2.0
#include "dns/picture/colour.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "dns/derived.h"
#include "dns/launch.h"

// Ends of scales: |u| at so many times its root mean square, |w| at so many levels, what else has signs at so many
// standard deviations from its mean. Components of w and Q end at the level.
#define FASTEST   2.25
#define BRIGHTEST 2.0
#define DEVIATIONS 2.5

int pv_dns_picture_shows(const pv_dns_params *p)
{
    if (p->picture_colour != PV_COLOUR_AUTO) return p->picture_colour;
    return p->picture == PV_PICTURE_VORTICITY || p->picture == PV_PICTURE_Q ? PV_COLOUR_SPEED : PV_COLOUR_VORTICITY;
}

pv_status pv_dns_picture_derive(pv_dns_state *s, int field, int w, int *work_p)
{
    *work_p = w;
    switch (field) {
    case PV_COLOUR_U:
    case PV_COLOUR_V:
    case PV_COLOUR_W: return pv_dns_derive_component(s, field - PV_COLOUR_U, w);
    case PV_COLOUR_VORTICITY:
        PV_TRY(pv_dns_derive_vorticity(s, w));
        return pv_dns_derive_magnitude(s, w);
    case PV_COLOUR_VORTICITY_X:
    case PV_COLOUR_VORTICITY_Y:
    case PV_COLOUR_VORTICITY_Z: *work_p = w + field - PV_COLOUR_VORTICITY_X; return pv_dns_derive_vorticity(s, w);
    case PV_COLOUR_Q: return pv_dns_derive_q(s, w);
    case PV_COLOUR_PRESSURE: return pv_dns_derive_pressure(s, w);
    case PV_COLOUR_SCALAR: return pv_dns_derive_scalar(s, (int)s->params.picture_scalar, w);
    default:
        PV_TRY(pv_dns_derive_velocity(s, w));
        return pv_dns_derive_magnitude(s, w);
    }
}

static int turns(int field)
{
    return field >= PV_COLOUR_VORTICITY && field <= PV_COLOUR_Q;
}

static void name_scale(const pv_dns_params *p, int field, char title[48])
{
    if (field >= PV_COLOUR_U && field <= PV_COLOUR_W)
        snprintf(title, 48, "u_{%c}", 'x' + field - PV_COLOUR_U);
    else if (field >= PV_COLOUR_VORTICITY_X && field <= PV_COLOUR_VORTICITY_Z)
        snprintf(title, 48, "\u03c9_{%c}", 'x' + field - PV_COLOUR_VORTICITY_X);
    else if (field == PV_COLOUR_SCALAR && p->scalars > 1)
        snprintf(title, 48, "c_{%d}", (int)p->picture_scalar);
    else
        snprintf(title, 48, "%s",
                 field == PV_COLOUR_VORTICITY  ? "|\u03c9|"
                 : field == PV_COLOUR_Q        ? "Q"
                 : field == PV_COLOUR_PRESSURE ? "p"
                 : field == PV_COLOUR_SCALAR   ? "c"
                                               : "|u|");
}

static pv_status find_deviations(pv_dns_state *s, int work, pv_dns_colours *c)
{
    const double all = (double)s->grid[0] * (double)s->grid[1] * (double)s->grid[2];
    const dns_moment a = {.parts = pv_buffer_data(s->parts),
                          .g = pv_dns_work(s, work),
                          .columns = s->columns,
                          .pitch = s->pitch,
                          .per_columns = 1.0 / (double)s->columns};
    double sums[DNS_POWERS];
    PV_TRY(pv_dns_reduce(s->stream, DNS_MOMENT, s->params.precision, s->points, &a, s->parts, sums));
    PV_TRY(pv_comm_reduce_f64(s->comm, PV_SUM, DNS_POWERS, sums));
    const double mean = sums[3] / all, square = sums[0] / all, deviation = sqrt(fmax(square - mean * mean, 0.0));
    const double middle = fabs(mean) < 1e-3 * deviation ? 0.0 : mean; // most of these have none but for round-off
    // What is the same everywhere has no scale.
    const double reach = deviation > 1e-6 * sqrt(square) ? DEVIATIONS * deviation : 0.0;
    c->low = middle - reach;
    c->high = middle + reach;
    return PV_OK;
}

pv_status pv_dns_picture_colours(pv_dns_state *s, int field, int work, double rms_speed, double rms_vorticity,
                                 pv_dns_colours *c)
{
    const pv_dns_params *p = &s->params;
    const int has_range = p->picture_high > p->picture_low, is_size = field == PV_COLOUR_SPEED ||
                                                                      field == PV_COLOUR_VORTICITY;
    *c = (pv_dns_colours){.unit = 1.0, .map = is_size ? DNS_MAP_TINT : DNS_MAP_SIGNED};
    name_scale(p, field, c->title);
    if (is_size && p->picture == PV_PICTURE_SLICE) c->map = DNS_MAP_WHOLE;
    if (has_range) {
        c->low = p->picture_low;
        c->high = p->picture_high;
    } else if (field == PV_COLOUR_SPEED) {
        c->high = FASTEST * rms_speed;
    } else if (field == PV_COLOUR_VORTICITY) {
        c->high = BRIGHTEST * p->picture_level * rms_vorticity;
    } else if (turns(field)) {
        c->high = p->picture_level * (field == PV_COLOUR_Q ? 0.25 * rms_vorticity : 1.0) * rms_vorticity;
        c->low = -c->high;
    } else {
        PV_TRY(find_deviations(s, work, c));
    }
    if (has_range || !turns(field) || !(rms_vorticity > 0.0)) return PV_OK;
    // As levels are.
    c->unit = field == PV_COLOUR_Q ? rms_vorticity * rms_vorticity : rms_vorticity;
    const size_t length = strlen(c->title);
    snprintf(c->title + length, sizeof c->title - length, " / \u03c9_{rms}%s", field == PV_COLOUR_Q ? "^{2}" : "");
    return PV_OK;
}
