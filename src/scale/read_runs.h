// SPDX-License-Identifier: Apache-2.0
// The runs of a study, read, checked by themselves and against the first.
#ifndef PV_SCALE_READ_RUNS_H
#define PV_SCALE_READ_RUNS_H

#include "scale/study.h"

// study->run has room for `count`; study->runs counts what is there to be released. Errors as pv_scale_study_open.
// Local.
pv_status pv_scale_read_runs(int count, const char *const *names, pv_scale_study *study);

#endif
