// SPDX-License-Identifier: Apache-2.0
// The pointwise steps of spheres on whole grids. Complex numbers are two reals. Included by grids.c and
// cuda/sphere.cu alone.
#ifndef PV_FFT_SPHERE_KERNELS_H
#define PV_FFT_SPHERE_KERNELS_H

#include "device/kernel.h"
#include "fft/sphere/arguments.h"

#define SPHERE_MOST_WEIGHTS 128

#define SPHERE_HALF 0.70710678118654752440

typedef struct sphere_weights {
    sphere_arguments a;
    int64_t transforms;
    double weight[SPHERE_MOST_WEIGHTS]; // of real and imaginary part
} sphere_weights;

// exp(i k r) at a point of the grid.
PV_KERNEL_FUNCTION void sphere_phase(const sphere_arguments *a, uint32_t p, double phase[2])
{
    const uint32_t n1 = (uint32_t)a->n[1], n2 = (uint32_t)a->n[2], line = p / n2;
    const double *x = a->phase[0] + 2 * (line / n1), *y = a->phase[1] + 2 * (line % n1),
                 *z = a->phase[2] + 2 * (p % n2);
    const double re = x[0] * y[0] - x[1] * y[1], im = x[0] * y[1] + x[1] * y[0];
    phase[0] = re * z[0] - im * z[1];
    phase[1] = re * z[1] + im * z[0];
}

// ---- Coefficients and spectra. Index: a point of a grid of [transforms], fewer than 2^32 --------------------------

PV_KERNEL_FUNCTION void sphere_spread_at(sphere_arguments a, int64_t i)
{
    const int64_t t = (uint32_t)i / (uint32_t)a.points, p = a.code[(uint32_t)i - t * a.points];
    const double *u = a.in + 2 * (t * a.stride + p / 2);
    a.grids[2 * i] = p < 0 ? 0.0 : u[0];
    a.grids[2 * i + 1] = p < 0 ? 0.0 : u[1];
}
PV_KERNEL(sphere_spread, sphere_arguments, sphere_spread_at)

// a + i b of the fields of a transform, as fold.h says.
PV_KERNEL_FUNCTION void sphere_unfold_at(sphere_arguments a, int64_t i)
{
    const int64_t t = (uint32_t)i / (uint32_t)a.points, code = a.code[(uint32_t)i - t * a.points];
    double re = 0.0, im = 0.0;
    if (code >= 0) {
        const int64_t p = code / 2;
        const double *u = a.in + 2 * (2 * t * a.stride + p), *v = u + 2 * a.stride;
        const int two = 2 * t + 1 < a.fields;
        const double br = two ? v[0] : 0.0, bi = two ? v[1] : 0.0;
        if (p == a.single) {
            re = u[0];
            im = br;
        } else {
            const double sign = code % 2 ? -1.0 : 1.0;
            re = SPHERE_HALF * (u[0] - sign * bi);
            im = SPHERE_HALF * (sign * u[1] + br);
        }
    }
    a.grids[2 * i] = re;
    a.grids[2 * i + 1] = im;
}
PV_KERNEL(sphere_unfold, sphere_arguments, sphere_unfold_at)

// Index: a coefficient of [transforms][count].
PV_KERNEL_FUNCTION void sphere_collect_at(sphere_arguments a, int64_t i)
{
    const int64_t t = (uint32_t)i / (uint32_t)a.count, p = (uint32_t)i - t * a.count;
    const double *from = a.grids + 2 * (t * a.points + a.plus[p]);
    double *to = a.out + 2 * (t * a.stride + p);
    to[0] = a.scale * from[0];
    to[1] = a.scale * from[1];
}
PV_KERNEL(sphere_collect, sphere_arguments, sphere_collect_at)

PV_KERNEL_FUNCTION void sphere_refold_at(sphere_arguments a, int64_t i)
{
    const int64_t t = (uint32_t)i / (uint32_t)a.count, p = (uint32_t)i - t * a.count;
    const double *plus = a.grids + 2 * (t * a.points + a.plus[p]), *minus = a.grids + 2 * (t * a.points + a.minus[p]);
    const double half = p == a.single ? 0.5 * a.scale : SPHERE_HALF * a.scale;
    double *u = a.out + 2 * (2 * t * a.stride + p), *v = u + 2 * a.stride;
    u[0] = half * (plus[0] + minus[0]);
    u[1] = half * (plus[1] - minus[1]);
    if (2 * t + 1 < a.fields) {
        v[0] = half * (plus[1] + minus[1]);
        v[1] = half * (minus[0] - plus[0]);
    }
}
PV_KERNEL(sphere_refold, sphere_arguments, sphere_refold_at)

// ---- On the grid ---------------------------------------------------------------------------------------------------

PV_KERNEL_FUNCTION void sphere_times_at(sphere_arguments a, int64_t i)
{
    const double factor = a.reals[(uint32_t)i % (uint32_t)a.points];
    a.grids[2 * i] *= factor;
    a.grids[2 * i + 1] *= factor;
}
PV_KERNEL(sphere_times, sphere_arguments, sphere_times_at)

// Index: a point of one grid; sums in the order of transforms.
PV_KERNEL_FUNCTION void sphere_squares_at(sphere_weights w, int64_t i)
{
    double phase[2] = {1.0, 0.0}, sum = w.a.sums[i];
    if (w.a.phase[0]) sphere_phase(&w.a, (uint32_t)i, phase);
    for (int64_t t = 0; t < w.transforms; t++) {
        const double *u = w.a.grids + 2 * (t * w.a.points + i);
        const double re = phase[0] * u[0] - phase[1] * u[1], im = phase[0] * u[1] + phase[1] * u[0];
        sum += w.weight[2 * t] * re * re + w.weight[2 * t + 1] * im * im;
    }
    w.a.sums[i] = sum;
}
PV_KERNEL(sphere_squares, sphere_weights, sphere_squares_at)

// Index: a point of a grid of [transforms]; real fields lie one after another.
PV_KERNEL_FUNCTION void sphere_to_reals_at(sphere_arguments a, int64_t i)
{
    const int64_t t = (uint32_t)i / (uint32_t)a.points, p = (uint32_t)i - t * a.points;
    const double *u = a.grids + 2 * i;
    double phase[2] = {1.0, 0.0}, *to = a.out + 2 * t * a.points + p;
    if (a.phase[0]) sphere_phase(&a, (uint32_t)p, phase);
    to[0] = phase[0] * u[0] - phase[1] * u[1];
    if (2 * t + 1 < a.fields) to[a.points] = phase[0] * u[1] + phase[1] * u[0];
}
PV_KERNEL(sphere_to_reals, sphere_arguments, sphere_to_reals_at)

PV_KERNEL_FUNCTION void sphere_from_reals_at(sphere_arguments a, int64_t i)
{
    const int64_t t = (uint32_t)i / (uint32_t)a.points, p = (uint32_t)i - t * a.points;
    const double *from = a.reals + 2 * t * a.points + p;
    const double re = from[0], im = 2 * t + 1 < a.fields ? from[a.points] : 0.0;
    double phase[2] = {1.0, 0.0};
    if (a.phase[0]) sphere_phase(&a, (uint32_t)p, phase);
    a.grids[2 * i] = phase[0] * re + phase[1] * im;
    a.grids[2 * i + 1] = phase[0] * im - phase[1] * re;
}
PV_KERNEL(sphere_from_reals, sphere_arguments, sphere_from_reals_at)

#endif
