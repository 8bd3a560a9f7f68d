// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <stdlib.h>
#include <time.h>

double pv_clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

pv_timing pv_timing_of(double *seconds, int count)
{
    if (count <= 0) return (pv_timing){0};
    qsort(seconds, (size_t)count, sizeof *seconds, compare);
    int half = count / 2;
    double median = count % 2 ? seconds[half] : 0.5 * (seconds[half - 1] + seconds[half]);
    return (pv_timing){.min_s = seconds[0], .median_s = median, .max_s = seconds[count - 1], .count = count};
}
