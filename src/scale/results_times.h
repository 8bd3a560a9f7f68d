// SPDX-License-Identifier: Apache-2.0
// The same as outcar_times.h from a results.json, for runs that wrote nothing else (parseval dft --results).
#ifndef PV_SCALE_RESULTS_TIMES_H
#define PV_SCALE_RESULTS_TIMES_H

#include "scale/run_times.h"

// PV_ERR_INPUT where it is no JSON, or says nothing of the iterations' seconds. Local.
pv_status pv_results_times_parse(const char *data, size_t length, const char *name, pv_run_times *times_p);
pv_status pv_results_times_read(const char *path, pv_run_times *times_p);

#endif
