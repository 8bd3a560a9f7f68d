// SPDX-License-Identifier: Apache-2.0
#include "fft/engine/engine.h"

#include <inttypes.h>

#include "base/check.h"

static const char *const kind_names[] = {"forward", "inverse", "real-to-complex", "complex-to-real"};

pv_status pv_line_plan_create(const pv_engine_ops *engine, pv_line_kind kind, int64_t n, pv_precision precision,
                              pv_rigor rigor, pv_line_plan *plan)
{
    PV_REQUIRE(n >= 1, PV_ERR_SHAPE, "a line of %" PRId64 " points, must be at least 1", n);
    PV_REQUIRE(engine->supports(kind, n, precision), PV_ERR_UNSUPPORTED,
               "engine %s has no %s transform of %" PRId64 " points in %s", engine->name, kind_names[kind], n,
               precision == PV_FP64 ? "FP64" : "FP32");
    pv_line_plan made = {.ops = engine, .kind = kind, .n = n, .precision = precision};
    PV_TRY(engine->create(&made, rigor));
    PV_ASSERT(made.lanes >= 1);
    PV_ASSERT((made.in_step == 1 || made.in_lane == 1) && (made.out_step == 1 || made.out_lane == 1));
    *plan = made;
    return PV_OK;
}

void pv_line_plan_destroy(pv_line_plan *plan)
{
    if (!plan || !plan->ops) return;
    plan->ops->destroy(plan);
    *plan = (pv_line_plan){0};
}
