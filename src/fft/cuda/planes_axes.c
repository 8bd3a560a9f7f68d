// SPDX-License-Identifier: Apache-2.0
#include "fft/cuda/planes_axes.h"

#include <math.h>

#include "base/check.h"
#include "base/mem.h"

// n as a product of so many radices up to the largest.
static int split(int n, int steps, int largest, int *radix)
{
    if (steps == 0) return n == 1;
    for (int r = largest; r >= 2; r--)
        if (r != 11 && n % r == 0 && split(n / r, steps - 1, largest, radix + 1)) {
            radix[0] = r;
            return 1;
        }
    return 0;
}

// The fewest steps for lines of n points, and of these the most alike: 60 in steps of 10 and 6. Beyond the most: there
// are none.
static int choose_steps(int n, int radix[PV_PLANES_STEPS])
{
    enum { LARGEST = 12 };
    for (int steps = 0; steps <= PV_PLANES_STEPS; steps++)
        for (int largest = 2; largest <= LARGEST; largest++)
            if (split(n, steps, largest, radix)) return steps;
    return PV_PLANES_STEPS + 1;
}

int pv_planes_have_steps(int64_t n)
{
    int radix[PV_PLANES_STEPS];
    return n >= 1 && n < INT32_MAX && choose_steps((int)n, radix) <= PV_PLANES_STEPS;
}

// exp(-2 pi i k / n) of all axes, one after another.
static pv_status list_roots(const int64_t shape[3], pv_precision precision, int64_t total, void **list_p)
{
    const double pi = 3.14159265358979323846;
    void *list;
    PV_TRY(pv_mem_alloc(2 * (size_t)total, precision == PV_FP32 ? sizeof(float) : sizeof(double), &list));
    for (int64_t d = 0, at = 0; d < 3; at += shape[d++])
        for (int64_t i = 0; i < 2 * shape[d]; i++) {
            const double angle = 2.0 * pi * (double)(i / 2) / (double)shape[d];
            const double value = i % 2 ? -sin(angle) : cos(angle);
            if (precision == PV_FP32)
                ((float *)list)[2 * at + i] = (float)value;
            else
                ((double *)list)[2 * at + i] = value;
        }
    *list_p = list;
    return PV_OK;
}

pv_status pv_planes_make_axes(pv_device *device, const int64_t shape[3], pv_precision precision, pv_planes_axis axis[3],
                              pv_buffer **roots_p)
{
    const int64_t total = shape[0] + shape[1] + shape[2];
    const size_t complex_bytes = precision == PV_FP32 ? 8 : 16;
    void *list;
    PV_TRY(list_roots(shape, precision, total, &list));
    pv_status status = pv_buffer_create(device, (size_t)total * complex_bytes, roots_p);
    if (status == PV_OK) status = pv_buffer_write(*roots_p, 0, list, (size_t)total * complex_bytes);
    pv_mem_free(list);
    if (status != PV_OK) return status;
    const char *roots = pv_buffer_data(*roots_p);
    for (int64_t d = 0, at = 0; d < 3; at += shape[d++]) {
        axis[d].n = (int)shape[d];
        axis[d].steps = choose_steps(axis[d].n, axis[d].radix);
        axis[d].roots = roots + (size_t)at * complex_bytes;
    }
    return PV_OK;
}
