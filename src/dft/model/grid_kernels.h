// SPDX-License-Identifier: Apache-2.0
// Plane waves and points of the density's grid, for both compilers; included by grid_fields.c and cuda/grid_fields.cu
// alone. Complex numbers are pairs of doubles.
#ifndef PV_DFT_GRID_KERNELS_H
#define PV_DFT_GRID_KERNELS_H

#include "device/reduce.h"

// Plane waves in their order, and the spectrum in which wave i stands at offset[i].
typedef struct grid_waves_arguments {
    const int64_t *offset;
    const double (*g)[3];
    int64_t axis;
    double *waves, *spectrum;
} grid_waves_arguments;

PV_KERNEL_FUNCTION void grid_take_at(grid_waves_arguments a, int64_t i)
{
    const int64_t o = 2 * a.offset[i];
    a.waves[2 * i] = a.spectrum[o];
    a.waves[2 * i + 1] = a.spectrum[o + 1];
}
PV_KERNEL(grid_take, grid_waves_arguments, grid_take_at)

PV_KERNEL_FUNCTION void grid_put_at(grid_waves_arguments a, int64_t i)
{
    const int64_t o = 2 * a.offset[i];
    a.spectrum[o] = a.waves[2 * i];
    a.spectrum[o + 1] = a.waves[2 * i + 1];
}
PV_KERNEL(grid_put, grid_waves_arguments, grid_put_at)

// The same of the derivative along an axis, i g u.
PV_KERNEL_FUNCTION void grid_put_slope_at(grid_waves_arguments a, int64_t i)
{
    const int64_t o = 2 * a.offset[i];
    const double g = a.g[i][a.axis];
    a.spectrum[o] = -g * a.waves[2 * i + 1];
    a.spectrum[o + 1] = g * a.waves[2 * i];
}
PV_KERNEL(grid_put_slope, grid_waves_arguments, grid_put_slope_at)

PV_KERNEL_FUNCTION void grid_add_slope_at(grid_waves_arguments a, int64_t i)
{
    const int64_t o = 2 * a.offset[i];
    const double g = a.g[i][a.axis];
    a.waves[2 * i] -= g * a.spectrum[o + 1];
    a.waves[2 * i + 1] += g * a.spectrum[o];
}
PV_KERNEL(grid_add_slope, grid_waves_arguments, grid_add_slope_at)

// ---- Sums --------------------------------------------------------------------------------------------------------

typedef struct grid_dot_arguments {
    double *parts;
    const double *weight, *a, *b;
} grid_dot_arguments;

PV_KERNEL_FUNCTION void grid_dot_at(grid_dot_arguments d, int64_t i, double term[1])
{
    term[0] = d.weight[i] * (d.a[2 * i] * d.b[2 * i] + d.a[2 * i + 1] * d.b[2 * i + 1]);
}
PV_REDUCTION(grid_dot, grid_dot_arguments, 1, PV_REDUCE_ADD, grid_dot_at)

typedef struct grid_integral_arguments {
    double *parts;
    const double *a, *b;
} grid_integral_arguments;

PV_KERNEL_FUNCTION void grid_integral_at(grid_integral_arguments s, int64_t i, double term[1])
{
    term[0] = s.a[i];
}
PV_REDUCTION(grid_integral, grid_integral_arguments, 1, PV_REDUCE_ADD, grid_integral_at)

PV_KERNEL_FUNCTION void grid_overlap_at(grid_integral_arguments s, int64_t i, double term[1])
{
    term[0] = s.a[i] * s.b[i];
}
PV_REDUCTION(grid_overlap, grid_integral_arguments, 1, PV_REDUCE_ADD, grid_overlap_at)

#endif
