// SPDX-License-Identifier: Apache-2.0
// The pointwise steps of boxes that go through memory. Complex numbers are two reals. Included once by pairs.c
// and once by cuda/cubes_pairs.cu.
#ifndef PV_FFT_CUBES_KERNELS_H
#define PV_FFT_CUBES_KERNELS_H

#include "device/kernel.h"
#include "fft/pair.h"

typedef struct cubes_arguments {
    int64_t points, n1, n2, count; // of a box; pairs of this call
    const void *factor;
    const void *list; // [count] pairs
    const void *phase[3];
    void *boxes; // [count][points] complex
} cubes_arguments;

// Index i is a point of [count][points], fewer than 2^32 (multiply, products), or of a box (sums).
#define CUBES_KERNELS(suffix, real)                                                                                    \
    PV_KERNEL_FUNCTION void cubes_phase_##suffix(const cubes_arguments *a, uint32_t p, real phase[2])                  \
    {                                                                                                                  \
        const uint32_t line = p / (uint32_t)a->n2;                                                                     \
        const real *x = (const real *)a->phase[0] + 2 * (line / (uint32_t)a->n1);                                      \
        const real *y = (const real *)a->phase[1] + 2 * (line % (uint32_t)a->n1);                                      \
        const real *z = (const real *)a->phase[2] + 2 * (p % (uint32_t)a->n2);                                         \
        const real re = x[0] * y[0] - x[1] * y[1], im = x[0] * y[1] + x[1] * y[0];                                     \
        phase[0] = re * z[0] - im * z[1];                                                                              \
        phase[1] = re * z[1] + im * z[0];                                                                              \
    }                                                                                                                  \
    PV_KERNEL_FUNCTION void cubes_multiply_##suffix##_at(cubes_arguments a, int64_t i)                                 \
    {                                                                                                                  \
        const real factor = ((const real *)a.factor)[(uint32_t)i % (uint32_t)a.points];                                \
        real *x = (real *)a.boxes + 2 * i;                                                                             \
        x[0] *= factor;                                                                                                \
        x[1] *= factor;                                                                                                \
    }                                                                                                                  \
    PV_KERNEL_FUNCTION void cubes_product_##suffix##_at(cubes_arguments a, int64_t i)                                  \
    {                                                                                                                  \
        const int64_t b = (uint32_t)i / (uint32_t)a.points, p = i - b * a.points;                                      \
        const pv_complex_pair *pair = (const pv_complex_pair *)a.list + b;                                             \
        const real *s = (const real *)pair->source + 2 * p, *t = (const real *)pair->target + 2 * p;                   \
        real *x = (real *)a.boxes + 2 * i;                                                                             \
        x[0] = s[0] * t[0] + s[1] * t[1];                                                                              \
        x[1] = s[0] * t[1] - s[1] * t[0];                                                                              \
    }                                                                                                                  \
    PV_KERNEL_FUNCTION void cubes_real_product_##suffix##_at(cubes_arguments a, int64_t i)                             \
    {                                                                                                                  \
        const int64_t b = (uint32_t)i / (uint32_t)a.points, p = i - b * a.points;                                      \
        const pv_real_pair *pair = (const pv_real_pair *)a.list + b;                                                   \
        const real s = ((const real *)pair->source)[p], re = s * ((const real *)pair->target[0])[p];                   \
        const real im = pair->target[1] ? s * ((const real *)pair->target[1])[p] : 0;                                  \
        real phase[2] = {1, 0}, *x = (real *)a.boxes + 2 * i;                                                          \
        if (a.phase[0]) cubes_phase_##suffix(&a, (uint32_t)p, phase);                                                  \
        x[0] = re * phase[0] - im * phase[1];                                                                          \
        x[1] = re * phase[1] + im * phase[0];                                                                          \
    }                                                                                                                  \
    PV_KERNEL_FUNCTION void cubes_sum_##suffix##_at(cubes_arguments a, int64_t i)                                      \
    {                                                                                                                  \
        for (int64_t b = 0; b < a.count; b++) {                                                                        \
            const pv_complex_pair *pair = (const pv_complex_pair *)a.list + b;                                         \
            const real *v = (const real *)a.boxes + 2 * (b * a.points + i);                                            \
            const real *s = (const real *)pair->source + 2 * i, *t = (const real *)pair->target + 2 * i;               \
            const real w = (real)pair->target_weight, u = (real)pair->source_weight;                                   \
            real *to = (real *)pair->target_sum + 2 * i;                                                               \
            to[0] += w * (s[0] * v[0] - s[1] * v[1]);                                                                  \
            to[1] += w * (s[0] * v[1] + s[1] * v[0]);                                                                  \
            if (!pair->source_sum) continue;                                                                           \
            to = (real *)pair->source_sum + 2 * i;                                                                     \
            to[0] += u * (t[0] * v[0] + t[1] * v[1]);                                                                  \
            to[1] += u * (t[1] * v[0] - t[0] * v[1]);                                                                  \
        }                                                                                                              \
    }                                                                                                                  \
    PV_KERNEL_FUNCTION void cubes_real_sum_##suffix##_at(cubes_arguments a, int64_t i)                                 \
    {                                                                                                                  \
        real phase[2] = {1, 0};                                                                                        \
        if (a.phase[0]) cubes_phase_##suffix(&a, (uint32_t)i, phase);                                                  \
        for (int64_t b = 0; b < a.count; b++) {                                                                        \
            const pv_real_pair *pair = (const pv_real_pair *)a.list + b;                                               \
            const real *v = (const real *)a.boxes + 2 * (b * a.points + i), s = ((const real *)pair->source)[i];       \
            const real re = v[0] * phase[0] + v[1] * phase[1], im = v[1] * phase[0] - v[0] * phase[1];                 \
            const int two = pair->target[1] != 0;                                                                      \
            ((real *)pair->target_sum[0])[i] += (real)pair->target_weight[0] * s * re;                                 \
            if (two) ((real *)pair->target_sum[1])[i] += (real)pair->target_weight[1] * s * im;                        \
            if (!pair->source_sum) continue;                                                                           \
            real back = (real)pair->source_weight[0] * ((const real *)pair->target[0])[i] * re;                        \
            if (two) back += (real)pair->source_weight[1] * ((const real *)pair->target[1])[i] * im;                   \
            ((real *)pair->source_sum)[i] += back;                                                                     \
        }                                                                                                              \
    }                                                                                                                  \
    PV_KERNEL(cubes_multiply_##suffix, cubes_arguments, cubes_multiply_##suffix##_at)                                  \
    PV_KERNEL(cubes_product_##suffix, cubes_arguments, cubes_product_##suffix##_at)                                    \
    PV_KERNEL(cubes_real_product_##suffix, cubes_arguments, cubes_real_product_##suffix##_at)                          \
    PV_KERNEL(cubes_sum_##suffix, cubes_arguments, cubes_sum_##suffix##_at)                                            \
    PV_KERNEL(cubes_real_sum_##suffix, cubes_arguments, cubes_real_sum_##suffix##_at)

CUBES_KERNELS(fp32, float)
CUBES_KERNELS(fp64, double)

#endif
