// SPDX-License-Identifier: Apache-2.0
#include "fft/lines/plan.h"

#include "base/check.h"
#include "fft/lines/assemble.h"
#include "fft/lines/choose.h"
#include "fft/lines/real.h"

static int is_real(pv_line_kind kind) { return kind == PV_LINE_R2C || kind == PV_LINE_C2R; }

// Columns: element k of all lanes side by side. A real element has half the lanes' slot.
static void shape_fill(pv_line_plan *plan, const pv_lines_kernels *kernels)
{
    size_t slot = kernels->slot_bytes, n = (size_t)plan->n;
    plan->lanes = kernels->lanes;
    plan->in_step = plan->out_step = kernels->lanes;
    plan->in_lane = plan->out_lane = 1;
    size_t reals = n * slot / 2, spectrum = (n / 2 + 1) * slot, complexes = n * slot;
    plan->in_bytes = plan->kind == PV_LINE_R2C ? reals : plan->kind == PV_LINE_C2R ? spectrum : complexes;
    plan->out_bytes = plan->kind == PV_LINE_C2R ? reals : plan->kind == PV_LINE_R2C ? spectrum : complexes;
}

pv_status pv_lines_plan_create(const pv_lines_kernels *kernels, pv_rigor rigor, pv_line_plan *plan)
{
    pv_lines_recipe recipe;
    pv_lines_transform *transform = NULL;
    int64_t length = is_real(plan->kind) ? pv_lines_real_length(plan->n) : plan->n;
    pv_lines_ends ends = {PV_LINES_PAIRED, PV_LINES_PAIRED, plan->kind == PV_LINE_INVERSE};
    if (is_real(plan->kind)) ends = pv_lines_real_ends(plan->kind == PV_LINE_C2R);
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

void pv_lines_plan_destroy(pv_line_plan *plan)
{
    if (is_real(plan->kind))
        pv_lines_real_destroy(plan->state);
    else
        pv_lines_transform_destroy(plan->state);
    plan->state = NULL;
}

void pv_lines_plan_execute(const pv_line_plan *plan, void *in, void *out, void *scratch)
{
    if (is_real(plan->kind))
        pv_lines_real_run(plan->state, in, out, scratch);
    else
        pv_lines_transform_run(plan->state, in, out, scratch);
}
