// SPDX-License-Identifier: Apache-2.0
#include "dns/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/message.h"
#include "device/reduce.h"
#include "dns/params.h"

int pv_dns_histories(int scheme)
{
    return scheme == PV_SCHEME_AB2 ? 1 : scheme == PV_SCHEME_AB3 ? 2 : 0;
}

size_t pv_dns_number_bytes(const pv_dns_state *s)
{
    return s->params.precision == PV_FP32 ? 4 : 8;
}
void *pv_dns_field(const pv_dns_state *s, int equation)
{
    return pv_buffer_data(s->equation[equation].field);
}
void *pv_dns_work(const pv_dns_state *s, int w)
{
    return pv_buffer_data(s->work[w]);
}

size_t pv_dns_equation_bytes(const pv_dns_state *s, int equation)
{
    return (size_t)s->equation[equation].components * (size_t)s->modes.total * 2 * pv_dns_number_bytes(s);
}

dns_damping pv_dns_damping(const pv_dns_state *s, int equation)
{
    const pv_dns_params *p = &s->params;
    const double per = equation == DNS_VELOCITY ? 1.0 : 1.0 / pv_dns_schmidt(p, equation);
    return (dns_damping){
        .viscosity = p->viscosity * per, .hyperviscosity = p->hyperviscosity * per, .hyper_order = p->hyper_order};
}

// Slabs of planes, or pencils of rows where there are more ranks than planes; rows are whole.
static pv_status make_layouts(const pv_dns_state *s, const int64_t shape[3], const int64_t kept[3], pv_layout **space_p,
                              pv_layout **spectrum_p)
{
    const int ranks = pv_comm_size(s->comm);
    const int order[3] = {1, 0, 2};
    const int64_t spectrum[3] = {kept[0] > 0 ? 2 * kept[0] + 1 : shape[0], kept[1] > 0 ? 2 * kept[1] + 1 : shape[1],
                                 shape[2]};
    const int columns = pv_dns_pencil_columns(shape[0], spectrum[1], ranks);
    if (columns == 0) {
        PV_TRY(pv_layout_slab(shape, ranks, 0, space_p));
        PV_TRY(pv_layout_slab(spectrum, ranks, 1, spectrum_p));
    } else {
        PV_TRY(pv_layout_pencil(shape, ranks / columns, columns, 2, space_p));
        PV_TRY(pv_layout_pencil(spectrum, ranks / columns, columns, 0, spectrum_p));
    }
    return pv_layout_set_order(*spectrum_p, order);
}

// Along y and z, of every kept wave number along x, with the normalisation in the forward direction: coefficients are
// those of the Fourier series.
static pv_status make_plan(pv_dns_state *s)
{
    const int64_t *grid = s->grid;
    const int64_t shape[3] = {grid[2], grid[1], pv_dns_row_modes(&s->params)};
    pv_fft_options options = pv_fft_options_defaults();
    pv_layout *space = NULL, *spectrum = NULL;
    for (int axis = 0; axis < 2; axis++) {
        const int64_t keep = pv_dns_keep(s->params.grid[2 - axis], s->params.dealias);
        options.kept[axis] = 2 * keep + 1 < shape[axis] ? keep : 0;
    }
    options.last_axis_as_is = 1;
    options.space_pitch = s->pitch / 2;
    options.scale_forward = 1.0 / ((double)grid[0] * (double)grid[1] * (double)grid[2]);
    pv_status status = pv_comm_agree(s->comm, make_layouts(s, shape, options.kept, &space, &spectrum));
    options.space = space;
    options.spectrum = spectrum;
    options.decomposition = pv_comm_size(s->comm) > shape[0] ? PV_DECOMPOSE_PENCIL : PV_DECOMPOSE_AUTO;
    if (status == PV_OK)
        status = pv_fft_plan_create(s->comm, shape, PV_C2C, (pv_precision)s->params.precision, &options, &s->plan);
    pv_layout_destroy(space);
    pv_layout_destroy(spectrum);
    return status;
}

// As rows of spectra are spread, with a row's points in their place.
static pv_status make_space(pv_dns_state *s)
{
    PV_TRY(pv_layout_copy(pv_fft_plan_space(s->plan), &s->space));
    s->space->shape[2] = s->grid[0];
    for (int rank = 0; rank < s->space->ranks; rank++)
        if (pv_box_count(&s->space->boxes[rank]) > 0) s->space->boxes[rank].upper[2] = s->grid[0];
    return PV_OK;
}

static pv_status make_transforms(pv_dns_state *s)
{
    const int64_t *grid = s->grid;
    const int rank = pv_comm_rank(s->comm);
    s->columns = grid[0];
    s->pitch = (2 * (grid[0] / 2 + 1) + 7) / 8 * 8; // rows begin at whole sectors of memory
    PV_TRY(make_plan(s));
    PV_TRY(pv_comm_agree(s->comm, make_space(s)));
    s->points = pv_layout_count(s->space, rank);
    s->modes = pv_dns_modes_of(&s->params, pv_fft_plan_spectrum(s->plan), rank);
    PV_TRY(pv_rows_create(&(pv_rows_desc){.comm = s->comm,
                                          .n = grid[0],
                                          .kept = pv_dns_keep(s->params.grid[0], s->params.dealias) + 1,
                                          .pitch = s->pitch,
                                          .count = s->points / s->columns,
                                          .precision = (pv_precision)s->params.precision},
                          &s->rows));
    const size_t at_points = pv_fft_plan_space_bytes(s->plan), at_modes = pv_fft_plan_spectrum_bytes(s->plan);
    s->field_bytes = at_points > at_modes ? at_points : at_modes;
    return PV_OK;
}

static pv_status make_zeroed(pv_dns_state *s, size_t bytes, pv_buffer **buffer_p)
{
    PV_TRY(pv_buffer_create(s->device, bytes, buffer_p));
    return bytes > 0 ? pv_stream_zero(s->stream, pv_buffer_data(*buffer_p), bytes) : PV_OK;
}

static pv_status make_work(pv_dns_state *s, int count)
{
    s->work_count = count;
    for (int w = 0; w < count; w++) PV_TRY(make_zeroed(s, s->field_bytes, &s->work[w]));
    PV_TRY(make_zeroed(s, sizeof(double) * PV_REDUCE_PARTS * 2, &s->found));
    return pv_buffer_create(s->device, sizeof(double) * PV_REDUCE_PARTS * DNS_MOST_SUMS, &s->parts);
}

static pv_status make_fields(pv_dns_state *s)
{
    s->equations = 1 + (int)s->params.scalars;
    for (int e = 0; e < s->equations; e++) {
        pv_dns_equation *q = &s->equation[e];
        q->components = e == DNS_VELOCITY ? 3 : 1;
        PV_TRY(make_zeroed(s, pv_dns_equation_bytes(s, e), &q->field));
        for (int h = 0; h < pv_dns_histories(s->params.scheme); h++)
            PV_TRY(make_zeroed(s, pv_dns_equation_bytes(s, e), &q->before[h]));
    }
    return make_work(s, s->params.form == PV_FORM_DIVERGENCE && s->params.scalars == 0 ? 5 : 6);
}

static void number_shells(pv_dns_state *s)
{
    const dns_modes *m = &s->modes;
    const double x = m->unit_x, y = m->unit_y, z = m->unit_z;
    s->shell_width = fmin(x, fmin(y, z));
    double corner = 0.0;
    const double unit[3] = {x, y, z};
    for (int d = 0; d < 3; d++) {
        double k = unit[d] * (double)pv_dns_keep(s->params.grid[d], s->params.dealias);
        corner += k * k;
    }
    s->shell_count = (int)(sqrt(corner) / s->shell_width + 0.5) + 1;
}

static pv_status make(pv_dns_state *s)
{
    PV_TRY(make_transforms(s));
    number_shells(s);
    return pv_comm_agree(s->comm, make_fields(s));
}

// What a transform or a buffer says about memory, with the advice that a run can follow.
static pv_status explain_memory(const pv_dns_state *s, pv_status status)
{
    char reason[512];
    if (status != PV_ERR_MEMORY) return status;
    snprintf(reason, sizeof reason, "%s", pv_message_without_function(pv_last_error()));
    reason[strcspn(reason, ";")] = '\0';
    return pv_fail(status, __func__,
                   "grid = %lldx%lldx%lld on %d rank%s: %s; a smaller grid, %smore ranks on more nodes are accepted",
                   (long long)s->params.grid[0], (long long)s->params.grid[1], (long long)s->params.grid[2],
                   pv_comm_size(s->comm), pv_comm_size(s->comm) == 1 ? "" : "s", reason,
                   s->params.precision == PV_FP32 ? "" : "precision = fp32, ");
}

static pv_status begin(pv_comm *comm, const pv_dns_params *params, int factor, pv_dns_state **state_p)
{
    pv_dns_state *s = NULL;
    PV_TRY(PV_ALLOC(1, &s));
    s->params = *params;
    s->comm = comm;
    s->device = pv_comm_device(comm);
    s->stream = pv_device_stream(s->device);
    s->dt = params->dt;
    for (int d = 0; d < 3; d++) s->grid[d] = factor * params->grid[d];
    *state_p = s;
    return PV_OK;
}

static pv_status hand_over(pv_status status, pv_dns_state *s, pv_dns_state **state_p)
{
    if (status != PV_OK)
        pv_dns_state_destroy(s);
    else
        *state_p = s;
    return status;
}

pv_status pv_dns_state_create(pv_comm *comm, const pv_dns_params *params, pv_dns_state **state_p)
{
    pv_dns_state *s = NULL;
    PV_TRY(begin(comm, params, 1, &s));
    return hand_over(explain_memory(s, make(s)), s, state_p);
}

pv_status pv_dns_state_view(const pv_dns_state *run, int factor, pv_dns_state **view_p)
{
    pv_dns_state *s = NULL;
    PV_TRY(begin(run->comm, &run->params, factor, &s));
    s->is_view = 1;
    s->time = run->time;
    s->equations = run->equations;
    for (int e = 0; e < s->equations; e++)
        s->equation[e] =
            (pv_dns_equation){.components = run->equation[e].components, .field = run->equation[e].field};
    pv_status status = make_transforms(s);
    if (status == PV_OK) status = pv_comm_agree(s->comm, make_work(s, 4));
    return hand_over(status, s, view_p);
}

void pv_dns_state_destroy(pv_dns_state *s)
{
    if (!s) return;
    for (int e = 0; e < DNS_MOST_EQUATIONS; e++) {
        if (!s->is_view) pv_buffer_destroy(s->equation[e].field);
        pv_buffer_destroy(s->equation[e].sum);
        pv_buffer_destroy(s->equation[e].next);
        for (int h = 0; h < 2; h++) pv_buffer_destroy(s->equation[e].before[h]);
    }
    for (int w = 0; w < DNS_MOST_WORK; w++) pv_buffer_destroy(s->work[w]);
    pv_buffer_destroy(s->parts);
    pv_buffer_destroy(s->found);
    pv_buffer_destroy(s->bins);
    pv_mem_free(s->host_bins);
    pv_rows_destroy(s->rows);
    pv_layout_destroy(s->space);
    pv_fft_plan_destroy(s->plan);
    pv_mem_free(s);
}

pv_dns_memory pv_dns_memory_of(const pv_dns_state *s)
{
    pv_dns_memory m = {.work = (size_t)s->work_count * s->field_bytes, .plan = pv_fft_plan_workspace_bytes(s->plan)};
    for (int e = 0; e < s->equations; e++)
        m.modes += pv_dns_equation_bytes(s, e) * (size_t)(1 + pv_dns_histories(s->params.scheme));
    return m;
}
