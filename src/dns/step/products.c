// SPDX-License-Identifier: Apache-2.0
#include "dns/step/products.h"

#include "base/check.h"
#include "device/reduce.h"
#if PV_HAVE_CUDA
#include <parseval/device_cuda.h>

#include "dns/cuda/products.h"
#endif

static dns_made made_of_velocity(const pv_dns_state *s)
{
    return s->params.form == PV_FORM_VORTICITY ? DNS_MAKE_CROSS : DNS_MAKE_PRODUCTS;
}

static dns_product product_of(const pv_dns_state *s)
{
    const double length[3] = {s->params.length_x, s->params.length_y, s->params.length_z};
    dns_product p = {.parts = pv_buffer_data(s->found)};
    for (int d = 0; d < 3; d++) p.per_dx[d] = (double)s->params.grid[d] / length[d];
    return p;
}

pv_status pv_dns_products_launch(pv_dns_state *s, dns_kernel kernel)
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

pv_status pv_dns_products_measure(pv_dns_state *s, int work, double largest[2])
{
    const dns_product p = product_of(s);
    dns_speed a = {.parts = pv_buffer_data(s->parts),
                   .columns = s->columns,
                   .pitch = s->pitch,
                   .per_columns = 1.0 / (double)s->columns};
    for (int c = 0; c < 3; c++) {
        a.u[c] = pv_dns_work(s, work + c);
        a.per_dx[c] = p.per_dx[c];
    }
    return pv_dns_reduce(s->stream, DNS_SPEED, s->params.precision, s->points, &a, s->parts, largest);
}

pv_status pv_dns_products_found(pv_dns_state *s, double largest[2])
{
    double parts[2 * PV_REDUCE_PARTS];
    largest[0] = largest[1] = 0.0;
    PV_TRY(pv_stream_wait(s->stream));
    PV_TRY(pv_buffer_read(s->found, 0, parts, sizeof parts));
    for (int part = 0; part < PV_REDUCE_PARTS; part++)
        for (int i = 0; i < 2; i++) largest[i] = PV_REDUCE_MAX(largest[i], parts[2 * part + i]);
    return PV_OK;
}

// ---- On the way of rows ---------------------------------------------------------------------------------------------

typedef struct job {
    pv_dns_state *state;
    dns_made made;
} job;

static void on_host(void *context, int thread, int64_t count, void *const *fields)
{
    const job *j = context;
    const dns_product p = product_of(j->state);
    pv_dns_product_on_host(j->made, j->state->params.precision, &p, thread % PV_REDUCE_PARTS, count, fields);
}

static pv_status fused(void *context, const pv_rows *rows, void *const *fields, int *done_p)
{
    *done_p = 0;
#if PV_HAVE_CUDA
    const job *j = context;
    const pv_rows_desc *d = &rows->desc;
    dns_rows_call call = {.n = d->n,
                          .pitch = d->pitch / 2,
                          .count = d->count,
                          .kept = d->kept,
                          .fp64 = d->precision == PV_FP64,
                          .made = j->made,
                          .roots = rows->roots,
                          .product = product_of(j->state)};
    for (int f = 0; f < PV_ROWS_MOST_FIELDS; f++) call.fields[f] = fields[f];
    const int error = pv_dns_products_on_cuda(&call, pv_stream_cuda(j->state->stream));
    PV_REQUIRE(error <= 0, PV_ERR_DEVICE, "products of rows of %lld points: CUDA error %d", (long long)d->n, error);
    *done_p = error == 0;
#else
    (void)context, (void)rows, (void)fields;
#endif
    return PV_OK;
}

static pv_status at_points(void *context, void *const *fields)
{
    static const dns_kernel kernels[] = {
        [DNS_MAKE_CROSS] = DNS_CROSS, [DNS_MAKE_PRODUCTS] = DNS_PRODUCTS, [DNS_MAKE_FLUXES] = DNS_FLUXES};
    const job *j = context;
    double largest[2];
    (void)fields;
    PV_TRY(pv_dns_products_measure(j->state, 0, largest));
    PV_TRY(pv_buffer_write(j->state->found, 0, largest, sizeof largest));
    return pv_dns_products_launch(j->state, kernels[j->made]);
}

static pv_status run(pv_dns_state *s, dns_made made)
{
    static const struct {
        int inputs, first_output, outputs;
    } shapes[] = {[DNS_MAKE_CROSS] = {6, 3, 3}, [DNS_MAKE_PRODUCTS] = {3, 0, 5}, [DNS_MAKE_FLUXES] = {4, 3, 3}};
    job j = {s, made};
    const pv_rows_product product = {.inputs = shapes[made].inputs,
                                     .first_output = shapes[made].first_output,
                                     .outputs = shapes[made].outputs,
                                     .context = &j,
                                     .on_host = on_host,
                                     .fused = fused,
                                     .at_points = at_points};
    void *fields[PV_ROWS_MOST_FIELDS] = {NULL};
    for (int w = 0; w < s->work_count; w++) fields[w] = pv_dns_work(s, w);
    PV_TRY(pv_stream_zero(s->stream, pv_buffer_data(s->found), pv_buffer_bytes(s->found)));
    return pv_rows_multiply(s->rows, &product, fields);
}

pv_status pv_dns_products_run(pv_dns_state *s)
{
    return run(s, made_of_velocity(s));
}

pv_status pv_dns_products_fluxes(pv_dns_state *s)
{
    return run(s, DNS_MAKE_FLUXES);
}
