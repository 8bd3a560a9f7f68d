// SPDX-License-Identifier: Apache-2.0
#include "fft/lines/split.h"

#include "base/check.h"
#include "fft/lines/assemble.h"
#include "fft/lines/choose.h"

static size_t whole_lines(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static pv_status make_own(const pv_line_plan *plan, pv_rigor rigor, pv_split_line *line)
{
    const pv_lines_ends ends = {PV_LINES_SPLIT, PV_LINES_SPLIT, plan->kind == PV_LINE_INVERSE};
    pv_lines_recipe recipe;
    PV_TRY(pv_lines_choose(line->kernels, plan->n, rigor, &recipe));
    PV_TRY(pv_lines_assemble(line->kernels, &recipe, rigor, ends, &line->own));
    line->scratch_bytes = line->own->scratch_bytes;
    return PV_OK;
}

pv_status pv_split_line_create(const pv_line_plan *plan, pv_rigor rigor, pv_split_line *line_p)
{
    pv_split_line line = {.kernels = pv_lines_kernels_at(plan->precision, 0), .plan = plan};
    if (plan->ops == &pv_engine_lines)
        PV_TRY(make_own(plan, rigor, &line));
    else
        line.scratch_bytes = whole_lines(plan->in_bytes) + whole_lines(plan->out_bytes) + plan->scratch_bytes;
    *line_p = line;
    return PV_OK;
}

void pv_split_line_destroy(pv_split_line *line)
{
    pv_lines_transform_destroy(line->own);
    *line = (pv_split_line){0};
}

// Lanes from `first` on of a tile of slots with `lanes` lanes, to a tile of the plan or back.
#define DEFINE_COPIES(name, real)                                                                                      \
    static void name##_take(const pv_line_plan *plan, int64_t lanes, int64_t first, const real *slots, real *tile)     \
    {                                                                                                                  \
        for (int64_t w = 0; w < plan->lanes; w++)                                                                      \
            for (int64_t k = 0; k < plan->n; k++) {                                                                    \
                const int64_t to = 2 * (k * plan->in_step + w * plan->in_lane), from = 2 * k * lanes + first + w;      \
                tile[to] = first + w < lanes ? slots[from] : 0;                                                        \
                tile[to + 1] = first + w < lanes ? slots[from + lanes] : 0;                                            \
            }                                                                                                          \
    }                                                                                                                  \
    static void name##_give(const pv_line_plan *plan, int64_t lanes, int64_t first, const real *tile, real *slots)     \
    {                                                                                                                  \
        for (int64_t w = 0; w < plan->lanes && first + w < lanes; w++)                                                 \
            for (int64_t k = 0; k < plan->n; k++) {                                                                    \
                const int64_t from = 2 * (k * plan->out_step + w * plan->out_lane), to = 2 * k * lanes + first + w;    \
                slots[to] = tile[from];                                                                                \
                slots[to + lanes] = tile[from + 1];                                                                    \
            }                                                                                                          \
    }
DEFINE_COPIES(fp64, double)
DEFINE_COPIES(fp32, float)

static void run_copies(const pv_split_line *line, const void *in, void *out, char *scratch)
{
    const pv_line_plan *plan = line->plan;
    const int lanes = line->kernels->lanes;
    char *from = scratch, *to = from + whole_lines(plan->in_bytes), *rest = to + whole_lines(plan->out_bytes);
    for (int first = 0; first < lanes; first += plan->lanes) {
        if (plan->precision == PV_FP64)
            fp64_take(plan, lanes, first, in, (double *)from);
        else
            fp32_take(plan, lanes, first, in, (float *)from);
        plan->ops->execute(plan, from, to, rest);
        if (plan->precision == PV_FP64)
            fp64_give(plan, lanes, first, (const double *)to, out);
        else
            fp32_give(plan, lanes, first, (const float *)to, out);
    }
}

void pv_split_line_run(const pv_split_line *line, const void *in, void *out, void *scratch)
{
    if (line->own)
        pv_lines_transform_run(line->own, in, out, scratch);
    else
        run_copies(line, in, out, scratch);
}
