// SPDX-License-Identifier: Apache-2.0
#include "cli/fft/time.h"

#include "base/check.h"
#include "base/mem.h"

enum { WARM_UP = 2, MOST_RUNS = 20 };
static const double least_s = 1e-3; // of one timing on a GPU

typedef pv_status (*transform)(pv_fft_plan *plan, const void *in, void *out);

typedef struct trial {
    pv_comm *comm;
    pv_fft_plan *plan;
    pv_stream *stream;
    pv_event *begin, *end;
    int runs; // of one timing
} trial;

static pv_status time_one(const trial *t, transform run, const void *in, void *out, double *seconds_p)
{
    double seconds;
    PV_TRY(pv_comm_barrier(t->comm));
    PV_TRY(pv_event_record(t->begin, t->stream));
    for (int i = 0; i < t->runs; i++) PV_TRY(run(t->plan, in, out));
    PV_TRY(pv_event_record(t->end, t->stream));
    PV_TRY(pv_stream_wait(t->stream));
    PV_TRY(pv_event_seconds(t->begin, t->end, &seconds));
    *seconds_p = seconds / t->runs;
    return PV_OK;
}

// From the slowest rank's last warm-up.
static pv_status choose_runs(trial *t, const pv_fft_array *space, const pv_fft_array *spectrum, double seconds)
{
    const int may_repeat = !pv_device_is_host(space->device) && space->buffer != spectrum->buffer;
    PV_TRY(pv_comm_reduce_f64(t->comm, PV_MAX, 1, &seconds));
    t->runs = !may_repeat || seconds > least_s ? 1
              : seconds > least_s / MOST_RUNS  ? (int)(least_s / seconds) + 1
                                               : MOST_RUNS;
    return PV_OK;
}

static pv_status time_all(trial *t, const pv_fft_array *space, const pv_fft_array *spectrum, int repeat,
                          double *forward, double *inverse)
{
    double points = (double)space->shape[0] * (double)space->shape[1] * (double)space->shape[2];
    for (int i = -WARM_UP; i < repeat; i++) {
        int slot = i < 0 ? 0 : i;
        if (i == 0) PV_TRY(choose_runs(t, space, spectrum, forward[0]));
        PV_TRY(time_one(t, pv_fft_forward, pv_fft_array_data(space), pv_fft_array_data(spectrum), &forward[slot]));
        PV_TRY(time_one(t, pv_fft_inverse, pv_fft_array_data(spectrum), pv_fft_array_data(space), &inverse[slot]));
        // Not part of any time: without it, FP32 overflows after a few round trips.
        PV_TRY(pv_fft_array_scale(space, t->stream, 1.0 / points));
    }
    PV_TRY(pv_comm_reduce_f64(t->comm, PV_MAX, repeat, forward));
    return pv_comm_reduce_f64(t->comm, PV_MAX, repeat, inverse);
}

pv_status pv_fft_time(pv_comm *comm, pv_fft_plan *plan, const pv_fft_array *space, const pv_fft_array *spectrum,
                      int repeat, pv_fft_times *times_p)
{
    pv_device *device = pv_comm_device(comm);
    trial t = {.comm = comm, .plan = plan, .stream = pv_device_stream(device), .runs = 1};
    double *seconds = NULL;
    pv_status status = PV_ALLOC(2 * repeat, &seconds);
    if (status == PV_OK) status = pv_event_create(device, &t.begin);
    if (status == PV_OK) status = pv_event_create(device, &t.end);
    status = pv_comm_agree(comm, status);
    if (status == PV_OK) status = time_all(&t, space, spectrum, repeat, seconds, seconds + repeat);
    if (status == PV_OK)
        *times_p =
            (pv_fft_times){.forward = pv_timing_of(seconds, repeat), .inverse = pv_timing_of(seconds + repeat, repeat)};
    pv_event_destroy(t.begin);
    pv_event_destroy(t.end);
    pv_mem_free(seconds);
    return status;
}
