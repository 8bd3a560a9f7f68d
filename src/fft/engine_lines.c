// SPDX-License-Identifier: Apache-2.0
// Our own line transforms: vectorised across the lanes of a tile, so that no butterfly shuffles and every lane gets the
// same instructions. See docs/decisions/0011-lines-engine.md.
#include "fft/engine.h"

#include <inttypes.h>

#include "base/check.h"
#include "base/mem.h"
#include "fft/lines_transform.h"

static const pv_lines_kernels *kernels_of(pv_precision precision)
{
    return precision == PV_FP64 ? &pv_lines_kernels_fp64 : &pv_lines_kernels_fp32;
}

static int supports(pv_line_kind kind, int64_t n, pv_precision precision)
{
    (void)precision;
    pv_lines_recipe recipes[PV_LINES_RECIPES_MAX];
    int count;
    if (kind == PV_LINE_R2C || kind == PV_LINE_C2R) return 0;
    pv_lines_recipes_list(n, recipes, &count);
    return count > 0;
}

static pv_status create(pv_line_plan *plan, pv_rigor rigor)
{
    (void)rigor;
    const pv_lines_kernels *kernels = kernels_of(plan->precision);
    pv_lines_recipe recipes[PV_LINES_RECIPES_MAX];
    int count;
    pv_lines_recipes_list(plan->n, recipes, &count);
    pv_lines_transform *transform = NULL;
    pv_lines_ends ends = {PV_LINES_PAIRED, PV_LINES_PAIRED, plan->kind == PV_LINE_INVERSE};
    PV_TRY(pv_lines_transform_create(kernels, &recipes[0], ends, &transform));
    plan->state = transform;
    plan->lanes = kernels->lanes;
    plan->in_step = plan->out_step = kernels->lanes;
    plan->in_lane = plan->out_lane = 1;
    plan->in_bytes = plan->out_bytes = (size_t)plan->n * kernels->slot_bytes;
    plan->scratch_bytes = transform->scratch_bytes;
    return PV_OK;
}

static void destroy(pv_line_plan *plan)
{
    pv_lines_transform_destroy(plan->state);
    plan->state = NULL;
}

static void execute(const pv_line_plan *plan, void *in, void *out, void *scratch)
{
    pv_lines_transform_run(plan->state, in, out, scratch);
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

const pv_engine_ops pv_engine_lines = {
    .name = "lines",
    .supports = supports,
    .create = create,
    .destroy = destroy,
    .execute = execute,
    .wisdom_export = wisdom_export,
    .wisdom_import = wisdom_import,
};
