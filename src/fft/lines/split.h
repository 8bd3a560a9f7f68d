// SPDX-License-Identifier: Apache-2.0
// Line transforms between tiles of slots (slots.h): by the own engine as it is, by others on copies in the order of
// their tiles.
#ifndef PV_FFT_LINES_SPLIT_H
#define PV_FFT_LINES_SPLIT_H

#include "fft/engine/engine.h"
#include "fft/lines/kernels.h"
#include "fft/lines/transform.h"

typedef struct pv_split_line {
    const pv_lines_kernels *kernels;
    const pv_line_plan *plan;
    pv_lines_transform *own; // NULL: by the plan
    size_t scratch_bytes;
} pv_split_line;

// The same transform as `plan`, which is borrowed: PV_LINE_FORWARD or PV_LINE_INVERSE. Tiles are those of
// pv_lines_kernels_at(plan->precision, 0).
pv_status pv_split_line_create(const pv_line_plan *plan, pv_rigor rigor, pv_split_line *line_p);
void pv_split_line_destroy(pv_split_line *line);
// in is kept and is not out. scratch has scratch_bytes, aligned to 64.
void pv_split_line_run(const pv_split_line *line, const void *in, void *out, void *scratch);

#endif
