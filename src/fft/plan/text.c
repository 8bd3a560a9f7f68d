// SPDX-License-Identifier: Apache-2.0
// A plan prints itself: the same text in a log, a bug report and a test.
#include "fft/plan/plan.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "fft/layout/layout.h"

static const char *kind_name(pv_line_kind kind)
{
    static const char *const names[] = {"forward", "inverse", "r2c", "c2r"};
    return names[kind];
}

static void print_stage(FILE *out, const pv_program *program, int s)
{
    const pv_stage *stage = &program->stages[s];
    const pv_route_stage *route = &program->route.stages[s];
    char layout[PV_LAYOUT_TEXT_BYTES];
    pv_layout_describe(route->load, layout, sizeof layout);
    fprintf(out, "    %d. %s:", s + 1, layout);
    if (route->step_count == 0) fprintf(out, " move");
    for (int p = 0; p < route->step_count; p++) {
        const pv_pass *pass = &stage->passes[p];
        fprintf(out, "%s %s along %c, %lld points, %lld lines a tile, engine %s%s", p > 0 ? ";" : "",
                kind_name(pass->lines->kind), "xyz"[pass->axis], (long long)pass->lines->n, (long long)pass->lanes,
                pass->lines->ops->name, pass->back ? ", pointwise step and back" : "");
    }
    if (stage->has_transfer)
        fprintf(out, "; then %zu bytes to other ranks in %d chunk%s%s", stage->transfer.sent_bytes,
                stage->transfer.chunks, stage->transfer.chunks == 1 ? "" : "s",
                stage->transfer.messages ? " of messages" : " of stores");
    if (stage->has_transfer && program->wire && stage->transfer.messages)
        fprintf(out, ", %s", program->precision == PV_FP64 ? "FP32 for FP64" : "block float of 16 bits for FP32");
    fprintf(out, "; memory %zu bytes", stage->moved_bytes);
    if (stage->forecast_seconds > 0) fprintf(out, "; forecast %.3e s", stage->forecast_seconds);
    if (stage->seconds > 0) fprintf(out, "; measured %.3e s", stage->seconds);
    fputc('\n', out);
}

static void print_program(FILE *out, const char *name, const pv_program *program)
{
    if (!program) return;
    fprintf(out, "  %s:\n", name);
    for (int s = 0; s < program->stage_count; s++) print_stage(out, program, s);
}

const char *pv_fft_plan_text(pv_fft_plan *plan)
{
    static const char *const streams[] = {"through the caches", "past the caches into windows",
                                          "past the caches into arrays", "past the caches"};
    char *text = NULL, space[PV_LAYOUT_TEXT_BYTES], spectrum[PV_LAYOUT_TEXT_BYTES];
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return "";
    pv_layout_describe(plan->space, space, sizeof space);
    pv_layout_describe(plan->spectrum, spectrum, sizeof spectrum);
    fprintf(out, "transform %lld x %lld x %lld %s %s, batch %lld, %d rank%s, transport %s, device %s\n",
            (long long)plan->shape[0], (long long)plan->shape[1], (long long)plan->shape[2],
            plan->type == PV_R2C ? "r2c" : "c2c", plan->problem.precision == PV_FP64 ? "fp64" : "fp32",
            (long long)plan->batch, plan->problem.ranks, plan->problem.ranks == 1 ? "" : "s",
            pv_comm_transport(plan->comm), pv_device_name(pv_comm_device(plan->comm)));
    fprintf(out, "  space: %s; spectrum: %s; workspace %zu bytes a rank; stores %s\n", space, spectrum,
            plan->workspace_bytes, streams[plan->candidate.stream & PV_STREAM_ALL]);
    print_program(out, "forward", plan->forward);
    print_program(out, "inverse", plan->inverse);
    print_program(out, "convolution", plan->convolve);
    fclose(out);
    pv_mem_free(plan->text);
    plan->text = NULL;
    pv_status status = pv_mem_strdup(text, &plan->text);
    free(text);
    return status == PV_OK ? plan->text : "";
}
