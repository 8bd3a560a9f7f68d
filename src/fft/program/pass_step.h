// SPDX-License-Identifier: Apache-2.0
// The pointwise step of a convolution: some lines of a pass, handed to the caller under the caller's indices.
#ifndef PV_FFT_PROGRAM_PASS_STEP_H
#define PV_FFT_PROGRAM_PASS_STEP_H

#include "fft/program/pass.h"

// Lines side by side along the lane axis, at one index of the outer axis; strides are in complex elements.
typedef struct pv_step_lines {
    int64_t batch, outer, lane_lower, lanes;
    int lane_axis, outer_axis;
    int64_t line_stride, stride;
    void *values;
} pv_step_lines;

void pv_pass_step(const pv_pass *pass, const pv_step_lines *lines, pv_fft_pointwise step, void *context);

#endif
