// SPDX-License-Identifier: Apache-2.0
#include "fft/program/pass_step.h"

// Where the values lie in the spectrum, as the caller counts.
static pv_fft_points points_of(const pv_pass *pass, const pv_step_lines *lines)
{
    pv_fft_points points = {
        .batch = lines->batch,
        .lines = lines->lanes,
        .count = pass->lines->kind == PV_LINE_R2C ? pass->lines->n / 2 + 1 : pass->lines->n,
        .line_stride = lines->line_stride,
        .stride = lines->stride,
        .values = lines->values,
    };
    points.start[lines->outer_axis] = lines->outer;
    points.start[lines->lane_axis] = lines->lane_lower;
    points.line_step[lines->lane_axis] = 1;
    points.step[pass->axis] = 1;
    if (pass->long_line) {
        points.start[2] = points.start[1] + pass->long_line * points.start[2];
        points.line_step[2] = points.line_step[1] + pass->long_line * points.line_step[2];
        points.step[2] = points.step[1] + pass->long_line * points.step[2];
        points.start[1] = points.line_step[1] = points.step[1] = 0;
    }
    return points;
}

// A folded batch is an axis to us, but not to the caller.
void pv_pass_step(const pv_pass *pass, const pv_step_lines *lines, pv_fft_pointwise step, void *context)
{
    pv_fft_points points = points_of(pass, lines);
    const int fold = pass->fold_axis;
    const int64_t calls = fold >= 0 && fold == lines->lane_axis ? points.lines : 1;
    if (fold >= 0) {
        points.batch = points.start[fold];
        points.start[fold] = points.line_step[fold] = 0;
    }
    if (calls > 1) points.lines = 1;
    const size_t line_bytes = (size_t)points.line_stride * 2 * pv_real_bytes(pass->lines->precision);
    for (int64_t i = 0; i < calls; i++) {
        step(context, &points);
        points.batch++;
        points.values = (char *)points.values + line_bytes;
    }
}
