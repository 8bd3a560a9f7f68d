// SPDX-License-Identifier: Apache-2.0
// Line plans of the lines engine, with the kernels of any instruction set.
#ifndef PV_FFT_LINES_PLAN_H
#define PV_FFT_LINES_PLAN_H

#include "fft/engine/engine.h"
#include "fft/lines/kernels.h"

// As create, destroy and execute of pv_engine_ops.
pv_status pv_lines_plan_create(const pv_lines_kernels *kernels, pv_rigor rigor, pv_line_plan *plan);
void pv_lines_plan_destroy(pv_line_plan *plan);
void pv_lines_plan_execute(const pv_line_plan *plan, void *in, void *out, void *scratch);

#endif
