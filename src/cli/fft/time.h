// SPDX-License-Identifier: Apache-2.0
// Repeated timings of one plan.
#ifndef PV_CLI_FFT_TIME_H
#define PV_CLI_FFT_TIME_H

#include "base/clock.h"
#include "cli/fft/array.h"

typedef struct pv_fft_times {
    pv_timing forward, inverse;
} pv_fft_times;

// Forward and inverse in turn, `repeat` times after a warm-up, by events of the device's stream. Each timing starts at
// a barrier and counts as long as on the slowest rank. On a GPU, out of place, one timing is of several transforms of
// the same input one after another, as many as last a millisecond or so, or else it would be of launching them. The
// array in space holds the input and holds it again, up to round-off, at the end. Collective.
pv_status pv_fft_time(pv_comm *comm, pv_fft_plan *plan, const pv_fft_array *space, const pv_fft_array *spectrum,
                      int repeat, pv_fft_times *times_p);

#endif
