// SPDX-License-Identifier: Apache-2.0
// A scaling study as figures of a paper.
#ifndef PV_SCALE_FIGURE_H
#define PV_SCALE_FIGURE_H

#include "scale/study.h"

// DIRECTORY/scaling_time.svg: time over the number of GPUs, both logarithmic, with the ideal line;
// scaling_speedup.svg: speed-up against the reference with the ideal line and lines at 70 and 50 % of it;
// scaling_efficiency.svg: parallel efficiency with lines at 70 and 50 % and the numbers at which it falls below. Runs
// are marks and whole lines; models are dashed, say so, and go on to settings.most. Local.
pv_status pv_scale_figures_write(const char *directory, const pv_scale_study *study);

#endif
