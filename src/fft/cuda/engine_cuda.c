// SPDX-License-Identifier: Apache-2.0
// Line transforms on GPUs: `cuda`, our own kernels where they exist and cuFFT's elsewhere, and `cufft` alone, the
// oracle. An engine of a GPU only says what it has; the runner launches it.
#include <stdint.h>

#include "fft/cuda/pass_device.h"
#include "fft/engine/engine.h"

enum { ROW_LANES = 64 };    // of the kernels that gather lines for cuFFT

static int supports(pv_line_kind kind, int64_t n, pv_precision precision)
{
    (void)kind, (void)precision;
    return n >= 1 && n <= INT32_MAX / 2;
}

static pv_status create_rows(pv_line_plan *plan, pv_rigor rigor)
{
    (void)rigor;
    plan->lanes = ROW_LANES;
    plan->in_step = plan->out_step = plan->in_lane = plan->out_lane = 1;
    return PV_OK;
}

static pv_status create_lines(pv_line_plan *plan, pv_rigor rigor)
{
    pv_status status = create_rows(plan, rigor);
    int lanes = plan->kind == PV_LINE_FORWARD || plan->kind == PV_LINE_INVERSE
                    ? pv_cuda_own_lanes(plan->n, plan->precision == PV_FP64)
                    : 0;
    if (lanes > 0) plan->lanes = lanes;
    return status;
}

static void destroy(pv_line_plan *plan) { (void)plan; }

static void execute(const pv_line_plan *plan, void *in, void *out, void *scratch)
{
    (void)plan, (void)in, (void)out, (void)scratch;
}

static pv_status wisdom_export(char **text_p)
{
    *text_p = NULL;
    return PV_OK;
}

static pv_status wisdom_import(const char *text)
{
    (void)text;
    return PV_OK;
}

const pv_engine_ops pv_engine_cuda = {
    .name = "cuda", .on_gpu = 1, .supports = supports, .create = create_lines, .destroy = destroy, .execute = execute,
    .wisdom_export = wisdom_export, .wisdom_import = wisdom_import,
};

const pv_engine_ops pv_engine_cufft = {
    .name = "cufft", .on_gpu = 1, .supports = supports, .create = create_rows, .destroy = destroy, .execute = execute,
    .wisdom_export = wisdom_export, .wisdom_import = wisdom_import,
};
