// SPDX-License-Identifier: Apache-2.0
// Our own line transforms, vectorised across the lanes of a tile: butterflies need no shuffles, any factor is as good as
// another, and every lane goes through the same instructions. docs/decisions/0011-lines-engine.md says what was tried.
#include "fft/engine.h"

#include "base/check.h"
#include "base/mem.h"
#include "fft/lines_assemble.h"
#include "fft/lines_choose.h"
#include "fft/lines_real.h"
#include "fft/lines_wisdom.h"

static int supports(pv_line_kind kind, int64_t n, pv_precision precision)
{
    (void)kind, (void)precision;
    return n >= 1 && n <= INT32_MAX;
}

static int is_real(pv_line_kind kind) { return kind == PV_LINE_R2C || kind == PV_LINE_C2R; }

// Columns: element k of all lanes side by side. A real element has half the lanes' slot.
static void shape_fill(pv_line_plan *plan, const pv_lines_kernels *kernels)
{
    size_t slot = kernels->slot_bytes, n = (size_t)plan->n;
    plan->lanes = kernels->lanes;
    plan->in_step = plan->out_step = kernels->lanes;
    plan->in_lane = plan->out_lane = 1;
    plan->in_bytes = plan->kind == PV_LINE_R2C ? n * slot / 2 : plan->kind == PV_LINE_C2R ? (n / 2 + 1) * slot : n * slot;
    plan->out_bytes = plan->kind == PV_LINE_C2R ? n * slot / 2 : plan->kind == PV_LINE_R2C ? (n / 2 + 1) * slot : n * slot;
}

static pv_status create(pv_line_plan *plan, pv_rigor rigor)
{
    const pv_lines_kernels *kernels = pv_lines_kernels_at(plan->precision, 0);
    pv_lines_recipe recipe;
    pv_lines_transform *transform = NULL;
    int64_t length = is_real(plan->kind) ? pv_lines_real_length(plan->n) : plan->n;
    pv_lines_ends ends = is_real(plan->kind) ? pv_lines_real_ends(plan->kind == PV_LINE_C2R)
                                             : (pv_lines_ends){PV_LINES_PAIRED, PV_LINES_PAIRED, plan->kind == PV_LINE_INVERSE};
    PV_TRY(pv_lines_choose(kernels, length, rigor, &recipe));
    PV_TRY(pv_lines_assemble(kernels, &recipe, rigor, ends, &transform));
    if (is_real(plan->kind)) {
        pv_lines_real *real = NULL;
        PV_TRY(pv_lines_real_create(kernels, plan->n, plan->kind == PV_LINE_C2R, transform, &real));
        plan->state = real;
        plan->scratch_bytes = real->scratch_bytes;
    } else {
        plan->state = transform;
        plan->scratch_bytes = transform->scratch_bytes;
    }
    shape_fill(plan, kernels);
    return PV_OK;
}

static void destroy(pv_line_plan *plan)
{
    if (is_real(plan->kind))
        pv_lines_real_destroy(plan->state);
    else
        pv_lines_transform_destroy(plan->state);
    plan->state = NULL;
}

static void execute(const pv_line_plan *plan, void *in, void *out, void *scratch)
{
    if (is_real(plan->kind))
        pv_lines_real_run(plan->state, in, out, scratch);
    else
        pv_lines_transform_run(plan->state, in, out, scratch);
}

const pv_engine_ops pv_engine_lines = {
    .name = "lines",
    .supports = supports,
    .create = create,
    .destroy = destroy,
    .execute = execute,
    .wisdom_export = pv_lines_wisdom_export,
    .wisdom_import = pv_lines_wisdom_import,
};
