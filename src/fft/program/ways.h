// SPDX-License-Identifier: Apache-2.0
// The part of a program's making that decides: how stages walk through their boxes, which of them the device does as
// planes, whose transfer goes by copies and which one scales.
#ifndef PV_FFT_PROGRAM_WAYS_H
#define PV_FFT_PROGRAM_WAYS_H

#include "fft/program/program.h"

typedef struct pv_walk {
    int axis, lane, outer;
} pv_walk;

// Of step `step` of a stage, or of a stage without steps.
pv_walk pv_program_walk(const pv_route_stage *stage, int step);
const pv_line_plan *pv_program_lines(const pv_program_desc *desc, int axis, int inverse);
// Fills as_planes of the stages, as_one, copies and scaling.
void pv_program_choose_ways(const pv_program_desc *desc, pv_program *program);
// Of the transfer behind stage s, which goes by copies.
int pv_program_early_percent(const pv_program_desc *desc, const pv_route_stage *from);
pv_copy_keep pv_program_keep(const pv_program *program, int s);

#endif
