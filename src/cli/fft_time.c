// SPDX-License-Identifier: Apache-2.0
#include "cli/fft_time.h"

#include "base/check.h"
#include "base/mem.h"

enum { WARM_UP = 2 };

typedef pv_status (*transform)(pv_fft_plan *plan, const void *in, void *out);

static pv_status time_one(pv_comm *comm, transform run, pv_fft_plan *plan, const void *in, void *out, double *seconds)
{
    PV_TRY(pv_comm_barrier(comm));
    double start = pv_clock_s();
    PV_TRY(run(plan, in, out));
    *seconds = pv_clock_s() - start;
    return PV_OK;
}

static pv_status time_all(pv_comm *comm, pv_fft_plan *plan, const pv_array *space, const pv_array *spectrum,
                          int repeat, double *forward, double *inverse)
{
    double points = (double)space->shape[0] * (double)space->shape[1] * (double)space->shape[2];
    for (int i = -WARM_UP; i < repeat; i++) {
        int slot = i < 0 ? 0 : i;
        PV_TRY(time_one(comm, pv_fft_forward, plan, space->data, spectrum->data, &forward[slot]));
        PV_TRY(time_one(comm, pv_fft_inverse, plan, spectrum->data, space->data, &inverse[slot]));
        // Not part of any time: without it, FP32 overflows after a few round trips.
        pv_array_scale(space, 1.0 / points);
    }
    PV_TRY(pv_comm_reduce_f64(comm, PV_MAX, repeat, forward));
    return pv_comm_reduce_f64(comm, PV_MAX, repeat, inverse);
}

pv_status pv_fft_time(pv_comm *comm, pv_fft_plan *plan, const pv_array *space, const pv_array *spectrum, int repeat,
                      pv_fft_times *times_p)
{
    double *seconds = NULL;
    pv_status status = pv_comm_agree(comm, PV_ALLOC(2 * repeat, &seconds));
    if (status == PV_OK) status = time_all(comm, plan, space, spectrum, repeat, seconds, seconds + repeat);
    if (status == PV_OK)
        *times_p = (pv_fft_times){.forward = pv_timing_of(seconds, repeat),
                                  .inverse = pv_timing_of(seconds + repeat, repeat)};
    pv_mem_free(seconds);
    return status;
}
