// SPDX-License-Identifier: Apache-2.0
// seeds: tests/scale/data/si.results.json
#include <math.h>

#include "fuzz.h"

#include "scale/predict.h"
#include "scale/results_times.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pv_run_times times;
    if (pv_results_times_parse((const char *)data, size, "results.json", &times) != PV_OK) return 0;
    MUST(times.steps > 0 && times.threads >= 0 && times.cores >= 0);
    MUST(pv_run_times_steps(&times) >= 0.0 && pv_predict(&times, NULL, times.steps, 0).steps_s >= 0.0);
    pv_run_times_release(&times);
    return 0;
}
