// SPDX-License-Identifier: Apache-2.0
#include "dns/statistics/shells.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dns/launch.h"

enum { HOST_PARTS = 64, DEVICE_PARTS = 4096 };

// As large as they have been, with their copy on the host: no memory is taken in every step.
static pv_status make_bins(pv_dns_state *s, int64_t numbers)
{
    const size_t bytes = (size_t)numbers * sizeof(double);
    if (s->bins && pv_buffer_bytes(s->bins) >= bytes) return PV_OK;
    pv_buffer_destroy(s->bins);
    pv_mem_free(s->host_bins);
    s->bins = NULL;
    s->host_bins = NULL;
    PV_TRY(PV_ALLOC(numbers, &s->host_bins));
    return pv_buffer_create(s->device, bytes, &s->bins);
}

// A few low shells lie in a small box.
static dns_box box_of(const pv_dns_state *s, int shells)
{
    const dns_modes *m = &s->modes;
    double edge[3];
    for (int d = 0; d < 3; d++)
        edge[d] = floor(shells * s->shell_width / (d == m->x ? m->unit_x : d == m->y ? m->unit_y : m->unit_z));
    return pv_dns_box_of(m, edge);
}

// Into the first of the parts on the host, in their order.
static pv_status sum_local(pv_dns_state *s, dns_kernel kernel, int64_t numbers, dns_shell_sums *a)
{
    const size_t bytes = (size_t)(a->parts * numbers) * sizeof(double);
    PV_TRY(make_bins(s, a->parts * numbers));
    a->bins = pv_buffer_data(s->bins);
    memset(s->host_bins, 0, (size_t)numbers * sizeof(double));
    if (s->modes.total == 0) return PV_OK;
    PV_TRY(pv_stream_zero(s->stream, a->bins, bytes));
    PV_TRY(pv_dns_launch(s->stream, kernel, s->params.precision, a->parts, a));
    PV_TRY(pv_stream_wait(s->stream));
    PV_TRY(pv_buffer_read(s->bins, 0, s->host_bins, bytes));
    for (int64_t part = 1; part < a->parts; part++)
        for (int64_t i = 0; i < numbers; i++) s->host_bins[i] += s->host_bins[part * numbers + i];
    return PV_OK;
}

// The present field of an equation, without transfer.
static dns_shell_sums sums_of(const pv_dns_state *s, int equation, int shells)
{
    dns_shell_sums a = {.term = {.modes = s->modes, .form = -1},
                        .damping = pv_dns_damping(s, equation),
                        .u = pv_dns_field(s, equation),
                        .shells = shells,
                        .parts = pv_device_is_host(s->device) ? HOST_PARTS : DEVICE_PARTS,
                        .box = box_of(s, shells),
                        .per_width = 1.0 / s->shell_width};
    if (a.box.count < a.parts) a.parts = a.box.count > 0 ? a.box.count : 1;
    return a;
}

// Of all ranks at host_bins.
static pv_status sum_all(pv_dns_state *s, dns_kernel kernel, dns_shell_sums *a)
{
    const int64_t numbers = DNS_SHELL_VALUES * a->shells;
    PV_TRY(pv_comm_agree(s->comm, sum_local(s, kernel, numbers, a)));
    return pv_comm_reduce_f64(s->comm, PV_SUM, numbers, s->host_bins);
}

pv_status pv_dns_shells_sum(pv_dns_state *s, const dns_term *term, int shells, double *values)
{
    dns_shell_sums a = sums_of(s, DNS_VELOCITY, shells);
    if (term) {
        a.term = *term;
        a.u = term->now;
    }
    PV_TRY(sum_all(s, DNS_SHELL_SUMS, &a));
    memset(values, 0, sizeof(double) * DNS_SHELL_VALUES * (size_t)s->shell_count);
    for (int v = 0; v < DNS_SHELL_VALUES; v++)
        memcpy(values + v * s->shell_count, s->host_bins + (int64_t)v * shells, sizeof(double) * (size_t)shells);
    return PV_OK;
}

pv_status pv_dns_shells_sum_scalar(pv_dns_state *s, int equation, const dns_term *term,
                                   double *const values[DNS_SHELL_VALUES])
{
    dns_shell_sums a = sums_of(s, equation, s->shell_count);
    if (term) a.term = *term;
    PV_TRY(sum_all(s, DNS_SCALAR_SHELLS, &a));
    for (int v = 0; v < DNS_SHELL_VALUES; v++) {
        memcpy(values[v], s->host_bins + v * a.shells, sizeof(double) * (size_t)a.shells);
        values[v][0] = 0.0; // nothing but the mean
    }
    return PV_OK;
}

pv_status pv_dns_shells_scale(pv_dns_state *s, int shells, const double *factor)
{
    PV_TRY(make_bins(s, shells));
    PV_TRY(pv_buffer_write(s->bins, 0, factor, (size_t)shells * sizeof(double)));
    const dns_rescale a = {.modes = s->modes,
                           .box = box_of(s, shells),
                           .u = pv_dns_field(s, DNS_VELOCITY),
                           .factor = pv_buffer_data(s->bins),
                           .shells = shells,
                           .per_width = 1.0 / s->shell_width};
    PV_TRY(pv_dns_launch(s->stream, DNS_RESCALE, s->params.precision, a.box.count, &a));
    return pv_stream_wait(s->stream);
}
