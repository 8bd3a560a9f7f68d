// SPDX-License-Identifier: Apache-2.0
#include "dns/rhs.h"

#include <math.h>

#include "base/check.h"
#include "base/rng.h"
#include "dns/launch.h"

pv_dns_now pv_dns_now_of(const pv_dns_state *s)
{
    pv_dns_now now = {{0}};
    for (int e = 0; e < s->equations; e++) now.field[e] = pv_dns_field(s, e);
    return now;
}

static const void *component(const pv_dns_state *s, const pv_dns_now *now, int c)
{
    return (const char *)now->field[DNS_VELOCITY] + (size_t)(c * s->modes.total) * 2 * pv_dns_number_bytes(s);
}

static pv_status to_points(pv_dns_state *s, dns_spread spread, int w)
{
    spread.modes = s->modes;
    spread.spectrum = pv_dns_work(s, w);
    PV_TRY(pv_dns_launch(s->stream, DNS_SPREAD, s->params.precision, s->spectrum_points, &spread));
    return pv_fft_inverse(s->plan, pv_dns_work(s, w), pv_dns_work(s, w));
}

pv_status pv_dns_rhs_kept(pv_dns_state *s, const void *kept, int w)
{
    return to_points(s, (dns_spread){.field = kept}, w);
}

pv_status pv_dns_rhs_component(pv_dns_state *s, const pv_dns_now *now, int c, int w)
{
    return pv_dns_rhs_kept(s, component(s, now, c), w);
}

// w_x = i (k_y u_z - k_z u_y), and round
pv_status pv_dns_rhs_curl(pv_dns_state *s, const pv_dns_now *now, int c, int w)
{
    const int y = (c + 1) % 3, z = (c + 2) % 3;
    return to_points(s, (dns_spread){.a = component(s, now, z), .along_a = y, .b = component(s, now, y), .along_b = z},
                     w);
}

pv_status pv_dns_rhs_gradient(pv_dns_state *s, const pv_dns_now *now, int c, int along, int w)
{
    return to_points(s, (dns_spread){.a = component(s, now, c), .along_a = along}, w);
}

static pv_status to_modes(pv_dns_state *s, int first, int count)
{
    for (int w = first; w < first + count; w++) PV_TRY(pv_fft_forward(s->plan, pv_dns_work(s, w), pv_dns_work(s, w)));
    return PV_OK;
}

static pv_status multiply(pv_dns_state *s, dns_kernel kernel)
{
    dns_points points;
    for (int c = 0; c < 3; c++) {
        points.u[c] = pv_dns_work(s, c);
        points.f[c] = 3 + c < s->work_count ? pv_dns_work(s, 3 + c) : NULL;
    }
    // The padding of rows is multiplied too: one run of memory.
    const int64_t numbers = s->points / s->columns * s->pitch;
    return pv_dns_launch(s->stream, kernel, s->params.precision, numbers, &points);
}

// With shifted grids every evaluation has its own shift; the second of a pair lies half a cell from the first,
// where the
// aliases of the first order have the opposite sign (Patterson and Orszag 1971).
static void shift_grid(pv_dns_state *s)
{
    if (s->params.dealias != PV_DEALIAS_SHIFT) return;
    const double length[3] = {s->params.length_x, s->params.length_y, s->params.length_z};
    double shift[3];
    for (int d = 0; d < 3; d++) {
        const double at = pv_rng_uniform((uint64_t)s->params.seed, 77, 3 * (s->evaluation / 2) + (uint64_t)d);
        shift[d] = (at + 0.5 * (double)(s->evaluation % 2)) * length[d] / (double)s->params.grid[d];
    }
    s->modes.shift_x = shift[0];
    s->modes.shift_y = shift[1];
    s->modes.shift_z = shift[2];
    s->evaluation++;
}

pv_status pv_dns_rhs_begin(pv_dns_state *s, const pv_dns_now *now)
{
    shift_grid(s);
    for (int c = 0; c < 3; c++) PV_TRY(pv_dns_rhs_component(s, now, c, c));
    return PV_OK;
}

pv_status pv_dns_rhs_speed(pv_dns_state *s, double *per_time_p, double *speed_p)
{
    dns_speed a = {.parts = pv_buffer_data(s->parts),
                   .columns = s->columns,
                   .pitch = s->pitch,
                   .per_columns = 1.0 / (double)s->columns};
    const double length[3] = {s->params.length_x, s->params.length_y, s->params.length_z};
    for (int c = 0; c < 3; c++) {
        a.u[c] = pv_dns_work(s, c);
        a.per_dx[c] = (double)s->params.grid[c] / length[c];
    }
    double largest[2];
    PV_TRY(pv_dns_reduce(s->stream, DNS_SPEED, s->params.precision, s->points, &a, s->parts, largest));
    for (int i = 0; i < 2; i++)
        if (largest[i] != largest[i]) largest[i] = HUGE_VAL; // a NaN would be lost among the ranks
    PV_TRY(pv_comm_reduce_f64(s->comm, PV_MAX, 2, largest));
    *per_time_p = largest[0];
    *speed_p = sqrt(largest[1]);
    return PV_OK;
}

pv_status pv_dns_rhs_moments(pv_dns_state *s, const pv_dns_now *now, double moments[3])
{
    const double all = (double)s->params.grid[0] * (double)s->params.grid[1] * (double)s->params.grid[2];
    dns_moment a = {.parts = pv_buffer_data(s->parts),
                    .g = pv_dns_work(s, 3),
                    .columns = s->columns,
                    .pitch = s->pitch,
                    .per_columns = 1.0 / (double)s->columns};
    moments[0] = moments[1] = moments[2] = 0.0;
    for (int c = 0; c < 3; c++) {
        double sum[3];
        PV_TRY(pv_dns_rhs_gradient(s, now, c, c, 3));
        PV_TRY(pv_dns_reduce(s->stream, DNS_MOMENT, s->params.precision, s->points, &a, s->parts, sum));
        for (int m = 0; m < 3; m++) moments[m] += sum[m] / (3.0 * all);
    }
    return pv_comm_reduce_f64(s->comm, PV_SUM, 3, moments);
}

pv_status pv_dns_rhs_scalar(pv_dns_state *s, const pv_dns_now *now, int equation, dns_term *term_p)
{
    PV_TRY(to_points(s, (dns_spread){.field = now->field[equation]}, 3));
    PV_TRY(multiply(s, DNS_FLUXES));
    PV_TRY(to_modes(s, 3, 3));
    *term_p = (dns_term){
        .modes = s->modes, .form = -1, .now = now->field[DNS_VELOCITY], .gradient = s->params.scalar_gradient};
    for (int c = 0; c < 3; c++) term_p->product[c] = pv_dns_work(s, 3 + c);
    return PV_OK;
}

static pv_status cross_vorticity(pv_dns_state *s, const pv_dns_now *now)
{
    for (int c = 0; c < 3; c++) PV_TRY(pv_dns_rhs_curl(s, now, c, 3 + c));
    PV_TRY(multiply(s, DNS_CROSS));
    return to_modes(s, 3, 3);
}

pv_status pv_dns_rhs_velocity(pv_dns_state *s, const pv_dns_now *now, dns_term *term_p)
{
    *term_p = (dns_term){
        .modes = s->modes, .form = s->params.form, .now = now->field[DNS_VELOCITY], .rotation = s->params.rotation};
    const int divergence = s->params.form == PV_FORM_DIVERGENCE;
    if (divergence) {
        PV_TRY(multiply(s, DNS_PRODUCTS));
        PV_TRY(to_modes(s, 0, 5));
    } else {
        PV_TRY(cross_vorticity(s, now));
    }
    for (int p = 0; p < (divergence ? 5 : 3); p++) term_p->product[p] = pv_dns_work(s, divergence ? p : 3 + p);
    return PV_OK;
}
