// SPDX-License-Identifier: Apache-2.0
// Our own line transforms, vectorised across the lanes of a tile: butterflies need no shuffles, any factor is as good
// as another, and every lane goes through the same instructions. What was tried: docs/decisions/0011-lines-engine.md.
#include "fft/engine/engine.h"

#include "fft/lines/plan.h"
#include "fft/lines/wisdom.h"

static int supports(pv_line_kind kind, int64_t n, pv_precision precision)
{
    (void)kind, (void)precision;
    return n >= 1 && n <= INT32_MAX;
}

static pv_status create(pv_line_plan *plan, pv_rigor rigor)
{
    return pv_lines_plan_create(pv_lines_kernels_at(plan->precision, 0), rigor, plan);
}

const pv_engine_ops pv_engine_lines = {
    .name = "lines",
    .supports = supports,
    .create = create,
    .destroy = pv_lines_plan_destroy,
    .execute = pv_lines_plan_execute,
    .wisdom_export = pv_lines_wisdom_export,
    .wisdom_import = pv_lines_wisdom_import,
    .wisdom_check = pv_lines_wisdom_check,
};
