// SPDX-License-Identifier: Apache-2.0
// Monotonic time, and what repeated timings say.
#ifndef PV_BASE_CLOCK_H
#define PV_BASE_CLOCK_H

double pv_clock_s(void);

typedef struct pv_timing {
    double min_s, median_s, max_s;
    int count;
} pv_timing;
// Sorts `seconds` in place.
pv_timing pv_timing_of(double *seconds, int count);

#endif
