// SPDX-License-Identifier: Apache-2.0
// Lines of a study: the runs of a transport by rising count, the model that is fitted to them, and where efficiency
// falls too low on it.
#ifndef PV_SCALE_LINES_H
#define PV_SCALE_LINES_H

#include "scale/study.h"

// Of runs in order and with their predictions: who stands for its count and transport, and the lines. Local.
pv_status pv_scale_lines_make(pv_scale_study *study);
// Speed-up and efficiency of runs against the study's reference, models and crossings of lines. Pure.
void pv_scale_lines_rate(pv_scale_study *study);

// Two runs and more, of which something got faster with more: else no model tells what is beyond them. Pure.
int pv_scale_line_has_model(const pv_scale_line *line);

// On the same number of the same transport. Pure.
int pv_scale_same_machine(const pv_scale_run *a, const pv_scale_run *b);

#endif
