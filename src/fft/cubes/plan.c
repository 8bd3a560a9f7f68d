// SPDX-License-Identifier: Apache-2.0
// Boxes one after another through a plan's convolution: the reference, and the CPU's way.
#include "base/check.h"
#include "base/mem.h"
#include "fft/cubes/ops.h"

typedef struct plan_state {
    pv_comm *comm;
    pv_fft_plan *plan;
} plan_state;

typedef struct product {
    const pv_cubes *cubes;
    const void *factor;
} product;

static void supports(const pv_device *device, const int64_t shape[3], pv_precision precision, const char **why_p)
{
    (void)device, (void)shape, (void)precision;
    *why_p = NULL;
}

static void multiply(void *context, const pv_fft_points *points)
{
    const product *p = context;
    const int64_t *n = p->cubes->shape, *start = points->start, *step = points->step, *line_step = points->line_step;
    const int64_t first = (start[0] * n[1] + start[1]) * n[2] + start[2],
                  by = (step[0] * n[1] + step[1]) * n[2] + step[2];
    const int64_t line_by = (line_step[0] * n[1] + line_step[1]) * n[2] + line_step[2];
    for (int64_t i = 0; i < points->lines; i++)
        for (int64_t j = 0; j < points->count; j++) {
            const int64_t at = i * points->line_stride + j * points->stride, k = first + i * line_by + j * by;
            if (p->cubes->precision == PV_FP32)
                ((float _Complex *)points->values)[at] *= ((const float *)p->factor)[k];
            else
                ((double _Complex *)points->values)[at] *= ((const double *)p->factor)[k];
        }
}

static void destroy(pv_cubes *cubes)
{
    plan_state *state = cubes->state;
    if (!state) return;
    pv_fft_plan_destroy(state->plan);
    pv_comm_close(state->comm);
    pv_mem_free(state);
}

static pv_status create(pv_cubes *cubes)
{
    plan_state *state;
    pv_fft_options options = pv_fft_options_defaults();
    options.convolution = 1;
    PV_TRY(PV_ALLOC(1, &state));
    cubes->state = state;
    cubes->batch = 1;
    PV_TRY(pv_comm_open_self(cubes->device, &state->comm));
    return pv_fft_plan_create(state->comm, cubes->shape, PV_C2C, cubes->precision, &options, &state->plan);
}

static pv_status convolve(pv_cubes *cubes, pv_stream *stream, const void *factor, int64_t count, const void *in,
                          void *out)
{
    const plan_state *state = cubes->state;
    product p = {cubes, factor};
    const int64_t box_bytes = cubes->points * (cubes->precision == PV_FP32 ? 8 : 16);
    (void)stream;
    for (int64_t b = 0; b < count; b++)
        PV_TRY(
            pv_fft_convolve(state->plan, multiply, &p, (const char *)in + b * box_bytes, (char *)out + b * box_bytes));
    return PV_OK;
}

const pv_cubes_ops pv_cubes_plan = {
    .name = "plan",
    .on_gpu = 0,
    .supports = supports,
    .create = create,
    .destroy = destroy,
    .convolve = convolve,
};
