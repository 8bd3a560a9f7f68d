// SPDX-License-Identifier: Apache-2.0
#include "dns/step/rhs.h"

#include <math.h>

#include "base/check.h"
#include "base/rng.h"
#include "dns/launch.h"
#include "dns/params.h"
#include "dns/step/products.h"

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

static int is_shifted(const pv_dns_state *s)
{
    return s->modes.shift_x != 0.0 || s->modes.shift_y != 0.0 || s->modes.shift_z != 0.0;
}

// Whether products are made of fields at points, not on the way of rows: several need the same velocity.
static int is_apart(const pv_dns_state *s)
{
    return s->equations > 1 && !pv_rows_keeps_inputs(s->rows);
}

static pv_status modes_to_rows(pv_dns_state *s, int w)
{
    return pv_fft_inverse(s->plan, pv_dns_work(s, w), pv_dns_work(s, w));
}

// Rows of spectra along x, at points along y and z.
static pv_status to_rows(pv_dns_state *s, dns_spread spread, int w)
{
    if (spread.field && !is_shifted(s)) return pv_fft_inverse(s->plan, spread.field, pv_dns_work(s, w));
    spread.modes = s->modes;
    spread.to = pv_dns_work(s, w);
    PV_TRY(pv_dns_launch(s->stream, DNS_SPREAD, s->params.precision, s->modes.total, &spread));
    return modes_to_rows(s, w);
}

pv_status pv_dns_rhs_kept(pv_dns_state *s, const void *kept, int w)
{
    PV_TRY(to_rows(s, (dns_spread){.field = kept}, w));
    return pv_rows_to_points(s->rows, pv_dns_work(s, w));
}

pv_status pv_dns_rhs_component(pv_dns_state *s, const pv_dns_now *now, int c, int w)
{
    return pv_dns_rhs_kept(s, component(s, now, c), w);
}

pv_status pv_dns_rhs_gradient(pv_dns_state *s, const pv_dns_now *now, int c, int along, int w)
{
    PV_TRY(to_rows(s, (dns_spread){.a = component(s, now, c), .along = along}, w));
    return pv_rows_to_points(s->rows, pv_dns_work(s, w));
}

static pv_status vorticity_to_rows(pv_dns_state *s, const pv_dns_now *now, int w)
{
    dns_curl curl = {.modes = s->modes, .u = now->field[DNS_VELOCITY]};
    for (int c = 0; c < 3; c++) curl.to[c] = pv_dns_work(s, w + c);
    PV_TRY(pv_dns_launch(s->stream, DNS_CURL, s->params.precision, s->modes.total, &curl));
    for (int c = 0; c < 3; c++) PV_TRY(modes_to_rows(s, w + c));
    return PV_OK;
}

pv_status pv_dns_rhs_vorticity(pv_dns_state *s, const pv_dns_now *now, int w)
{
    PV_TRY(vorticity_to_rows(s, now, w));
    for (int c = 0; c < 3; c++) PV_TRY(pv_rows_to_points(s->rows, pv_dns_work(s, w + c)));
    return PV_OK;
}

pv_status pv_dns_rhs_to_points(pv_dns_state *s, int w)
{
    PV_TRY(modes_to_rows(s, w));
    return pv_rows_to_points(s->rows, pv_dns_work(s, w));
}

static pv_status rows_to_modes(pv_dns_state *s, int first, int count)
{
    for (int w = first; w < first + count; w++) PV_TRY(pv_fft_forward(s->plan, pv_dns_work(s, w), pv_dns_work(s, w)));
    return PV_OK;
}

pv_status pv_dns_rhs_to_modes(pv_dns_state *s, int w)
{
    PV_TRY(pv_rows_to_modes(s->rows, pv_dns_work(s, w)));
    return rows_to_modes(s, w, 1);
}

// With shifted grids every evaluation that a step uses has its own shift; the second of a pair lies half a cell from
// the first, where the aliases of the first order have the opposite sign (Patterson and Orszag 1971). One that is made
// again, after somebody looked at the flow, has the same.
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
}

pv_status pv_dns_rhs_begin(pv_dns_state *s, const pv_dns_now *now)
{
    shift_grid(s);
    for (int c = 0; c < 3; c++) {
        PV_TRY(to_rows(s, (dns_spread){.field = component(s, now, c)}, c));
        if (is_apart(s)) PV_TRY(pv_rows_to_points(s->rows, pv_dns_work(s, c)));
    }
    return PV_OK;
}

static pv_status over_ranks(const pv_dns_state *s, double largest[2], double *per_time_p, double *speed_p)
{
    for (int i = 0; i < 2; i++)
        if (largest[i] != largest[i]) largest[i] = HUGE_VAL; // a NaN would be lost among the ranks
    PV_TRY(pv_comm_reduce_f64(s->comm, PV_MAX, 2, largest));
    *per_time_p = largest[0];
    *speed_p = sqrt(largest[1]);
    return PV_OK;
}

static pv_status speeds_at_points(pv_dns_state *s, pv_dns_evaluation *e)
{
    double largest[2];
    PV_TRY(pv_dns_products_measure(s, 0, largest));
    return over_ranks(s, largest, &e->per_time, &e->speed);
}

static pv_status speeds_of_products(pv_dns_state *s, pv_dns_evaluation *e)
{
    double largest[2];
    PV_TRY(pv_dns_products_found(s, largest));
    return over_ranks(s, largest, &e->per_time, &e->speed);
}

// Along an axis, with du_i / dx_i in work field 3.
static pv_status add_mixed(pv_dns_state *s, const pv_dns_now *now, int axis, double share, pv_dns_moments *m)
{
    const dns_mixed a = {.parts = pv_buffer_data(s->parts),
                         .g = pv_dns_work(s, 3),
                         .h = pv_dns_work(s, 4),
                         .columns = s->columns,
                         .pitch = s->pitch,
                         .per_columns = 1.0 / (double)s->columns};
    for (int e = 1; e < s->equations; e++) {
        double sum[DNS_MIXED_MOMENTS];
        PV_TRY(to_rows(s, (dns_spread){.a = now->field[e], .along = axis}, 4));
        PV_TRY(pv_rows_to_points(s->rows, pv_dns_work(s, 4)));
        PV_TRY(pv_dns_reduce(s->stream, DNS_MIXED, s->params.precision, s->points, &a, s->parts, sum));
        for (int i = 0; i < DNS_MIXED_MOMENTS; i++) m->scalar[e - 1][i] += share * sum[i];
    }
    return PV_OK;
}

pv_status pv_dns_rhs_moments(pv_dns_state *s, const pv_dns_now *now, pv_dns_moments *m)
{
    const double all = (double)s->params.grid[0] * (double)s->params.grid[1] * (double)s->params.grid[2];
    dns_moment a = {.parts = pv_buffer_data(s->parts),
                    .g = pv_dns_work(s, 3),
                    .columns = s->columns,
                    .pitch = s->pitch,
                    .per_columns = 1.0 / (double)s->columns};
    *m = (pv_dns_moments){.velocity = {0.0}};
    for (int c = 0; c < 3; c++) {
        double sum[DNS_POWERS];
        PV_TRY(pv_dns_rhs_gradient(s, now, c, c, 3));
        PV_TRY(pv_dns_reduce(s->stream, DNS_MOMENT, s->params.precision, s->points, &a, s->parts, sum));
        for (int i = 0; i < 3; i++) m->velocity[i] += sum[i] / (3.0 * all);
        PV_TRY(add_mixed(s, now, c, 1.0 / (3.0 * all), m));
    }
    return pv_comm_reduce_f64(s->comm, PV_SUM, (int64_t)(sizeof *m / sizeof(double)), (double *)m);
}

pv_status pv_dns_rhs_scalar(pv_dns_state *s, const pv_dns_now *now, int equation, dns_term *term_p)
{
    if (is_apart(s)) {
        PV_TRY(pv_dns_rhs_kept(s, now->field[equation], 3));
        PV_TRY(pv_dns_products_launch(s, DNS_FLUXES));
        for (int w = 3; w < 6; w++) PV_TRY(pv_rows_to_modes(s->rows, pv_dns_work(s, w)));
    } else {
        PV_TRY(to_rows(s, (dns_spread){.field = now->field[equation]}, 3));
        PV_TRY(pv_dns_products_fluxes(s));
    }
    PV_TRY(rows_to_modes(s, 3, 3));
    *term_p = (dns_term){.modes = s->modes,
                         .form = -1,
                         .now = now->field[DNS_VELOCITY]};
    for (int c = 0; c < 3; c++) {
        term_p->product[c] = pv_dns_work(s, 3 + c);
        term_p->gradient[c] = pv_dns_scalar_gradient(&s->params, equation, c);
    }
    return PV_OK;
}

// With the velocity at points already.
static pv_status multiply_at_points(pv_dns_state *s, const pv_dns_now *now, int first, int count)
{
    if (s->params.form == PV_FORM_VORTICITY) PV_TRY(pv_dns_rhs_vorticity(s, now, 3));
    PV_TRY(pv_dns_products_launch(s, s->params.form == PV_FORM_VORTICITY ? DNS_CROSS : DNS_PRODUCTS));
    for (int w = first; w < first + count; w++) PV_TRY(pv_dns_rhs_to_modes(s, w));
    return PV_OK;
}

pv_status pv_dns_rhs_velocity(pv_dns_state *s, const pv_dns_now *now, dns_term *term_p)
{
    const int is_cross = s->params.form == PV_FORM_VORTICITY, first = is_cross ? 3 : 0, count = is_cross ? 3 : 5;
    *term_p = (dns_term){
        .modes = s->modes, .form = s->params.form, .now = now->field[DNS_VELOCITY], .rotation = s->params.rotation};
    for (int p = 0; p < count; p++) term_p->product[p] = pv_dns_work(s, first + p);
    if (is_apart(s)) return multiply_at_points(s, now, first, count);
    if (is_cross) PV_TRY(vorticity_to_rows(s, now, 3));
    PV_TRY(pv_dns_products_run(s));
    return rows_to_modes(s, first, count);
}

pv_status pv_dns_rhs_evaluate(pv_dns_state *s, const pv_dns_now *now, pv_dns_evaluation *e)
{
    e->ready = s->equations == 1;
    e->has_scalar = 0;
    if (is_apart(s)) PV_TRY(speeds_at_points(s, e));
    PV_TRY(pv_dns_rhs_velocity(s, now, &e->term));
    return is_apart(s) ? PV_OK : speeds_of_products(s, e);
}

pv_status pv_dns_rhs_evaluate_first(pv_dns_state *s, const pv_dns_now *now, int measures, pv_dns_evaluation *e)
{
    if (is_apart(s)) return speeds_at_points(s, e);
    e->ready = s->equations == 1;
    e->has_scalar = !e->ready;
    PV_TRY(e->ready ? pv_dns_rhs_velocity(s, now, &e->term) : pv_dns_rhs_scalar(s, now, 1, &e->scalar));
    return measures ? speeds_of_products(s, e) : PV_OK;
}

pv_status pv_dns_rhs_take_scalar(pv_dns_state *s, const pv_dns_now *now, int equation, pv_dns_evaluation *e,
                                 dns_term *term_p)
{
    if (equation > 1 || !e->has_scalar) return pv_dns_rhs_scalar(s, now, equation, term_p);
    e->has_scalar = 0;
    *term_p = e->scalar;
    return PV_OK;
}
