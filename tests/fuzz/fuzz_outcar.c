// SPDX-License-Identifier: Apache-2.0
// seeds: tests/scale/data/vasp_8_mpi.OUTCAR tests/scale/data/hfo2_24_r2_nelm3.OUTCAR
#include <math.h>

#include "fuzz.h"

#include "scale/outcar_times.h"
#include "scale/predict.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pv_run_times times;
    if (pv_outcar_times_parse((const char *)data, size, "OUTCAR", &times) != PV_OK) return 0;
    MUST(times.steps >= 0 && times.parts <= PV_TIMES_PARTS && times.threads > 0);
    MUST(pv_run_times_steps(&times) >= 0.0 && pv_run_times_before(&times) >= 0.0 && pv_run_times_after(&times) >= 0.0);
    if (times.steps > 0) MUST(pv_predict(&times, NULL, times.steps, 0).total_s >= 0.0);
    pv_run_times_release(&times);
    return 0;
}
