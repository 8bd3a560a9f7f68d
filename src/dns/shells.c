// SPDX-License-Identifier: Apache-2.0
#include "dns/shells.h"

#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dns/launch.h"

enum { HOST_PARTS = 64, DEVICE_PARTS = 4096 };

// The bins of all parts on the host, folded in their order.
static pv_status fold(const pv_buffer *bins, int64_t parts, int64_t numbers, double *sum)
{
    double *host;
    PV_TRY(PV_ALLOC(parts * numbers, &host));
    const pv_status status = pv_buffer_read(bins, 0, host, (size_t)(parts * numbers) * sizeof *host);
    for (int64_t part = 0; status == PV_OK && part < parts; part++)
        for (int64_t i = 0; i < numbers; i++) sum[i] += host[part * numbers + i];
    pv_mem_free(host);
    return status;
}

// As large as they have been: no memory is taken in every step.
static pv_status make_bins(pv_dns_state *s, size_t bytes)
{
    if (s->bins && pv_buffer_bytes(s->bins) >= bytes) return PV_OK;
    pv_buffer_destroy(s->bins);
    s->bins = NULL;
    return pv_buffer_create(s->device, bytes, &s->bins);
}

static pv_status sum_local(pv_dns_state *s, dns_shell_sums *a, double *sum)
{
    const size_t bytes = (size_t)(a->parts * DNS_SHELL_VALUES * a->shells) * sizeof(double);
    PV_TRY(make_bins(s, bytes));
    a->bins = pv_buffer_data(s->bins);
    if (s->modes.total == 0) return PV_OK;
    PV_TRY(pv_stream_zero(s->stream, a->bins, bytes));
    PV_TRY(pv_dns_launch(s->stream, DNS_SHELL_SUMS, s->params.precision, a->parts, a));
    PV_TRY(pv_stream_wait(s->stream));
    return fold(s->bins, a->parts, DNS_SHELL_VALUES * a->shells, sum);
}

pv_status pv_dns_shells_sum(pv_dns_state *s, const dns_term *term, int shells, double *values)
{
    const int64_t numbers = (int64_t)DNS_SHELL_VALUES * shells;
    dns_shell_sums a = {.damping = pv_dns_damping(s, DNS_VELOCITY),
                        .u = pv_dns_field(s, DNS_VELOCITY),
                        .shells = shells,
                        .per_width = 1.0 / s->shell_width};
    a.parts = pv_device_is_host(s->device) ? HOST_PARTS : DEVICE_PARTS;
    if (term)
        a.term = *term;
    else
        a.term = (dns_term){.modes = s->modes, .form = -1};
    double *sum = NULL;
    pv_status status = PV_ALLOC(numbers, &sum);
    if (status == PV_OK) status = sum_local(s, &a, sum);
    status = pv_comm_agree(s->comm, status);
    if (status == PV_OK) status = pv_comm_reduce_f64(s->comm, PV_SUM, numbers, sum);
    memset(values, 0, sizeof(double) * DNS_SHELL_VALUES * (size_t)s->shell_count);
    for (int v = 0; status == PV_OK && v < DNS_SHELL_VALUES; v++)
        memcpy(values + v * s->shell_count, sum + (int64_t)v * shells, sizeof(double) * (size_t)shells);
    pv_mem_free(sum);
    return status;
}

pv_status pv_dns_shells_scale(pv_dns_state *s, int shells, const double *factor)
{
    PV_TRY(make_bins(s, (size_t)shells * sizeof(double)));
    PV_TRY(pv_buffer_write(s->bins, 0, factor, (size_t)shells * sizeof(double)));
    const dns_rescale a = {.modes = s->modes,
                           .u = pv_dns_field(s, DNS_VELOCITY),
                           .factor = pv_buffer_data(s->bins),
                           .shells = shells,
                           .per_width = 1.0 / s->shell_width};
    PV_TRY(pv_dns_launch(s->stream, DNS_RESCALE, s->params.precision, s->modes.total, &a));
    return pv_stream_wait(s->stream);
}
