// SPDX-License-Identifier: Apache-2.0
// The pointwise steps of boxes that go through memory. Complex numbers are two reals. Included once by cubes_pairs.c
// and once by cuda/cubes_pairs.cu.
#ifndef PV_FFT_CUBES_KERNELS_H
#define PV_FFT_CUBES_KERNELS_H

#include "device/kernel.h"

typedef struct cubes_arguments {
    int64_t points, sources;         // sources: of this call
    const void *factor;
    const void *source, *weight;
    const void *target[2];           // one complex, or two real; the second may be NULL
    void *boxes;                     // [sources][points] complex
    void *sum[2];
} cubes_arguments;

// Index i is a point of [sources][points], fewer than 2^32 (product, multiply), or of a box (sums).
#define CUBES_KERNELS(suffix, real)                                                                                    \
    PV_KERNEL_FUNCTION void cubes_multiply_##suffix##_at(cubes_arguments a, int64_t i)                                 \
    {                                                                                                                  \
        const real factor = ((const real *)a.factor)[(uint32_t)i % (uint32_t)a.points];                                \
        real *x = (real *)a.boxes + 2 * i;                                                                             \
        x[0] *= factor;                                                                                                \
        x[1] *= factor;                                                                                                \
    }                                                                                                                  \
    PV_KERNEL_FUNCTION void cubes_product_##suffix##_at(cubes_arguments a, int64_t i)                                  \
    {                                                                                                                  \
        const int64_t p = (uint32_t)i % (uint32_t)a.points;                                                            \
        const real *s = (const real *)a.source + 2 * i, *t = (const real *)a.target[0] + 2 * p;                        \
        real *x = (real *)a.boxes + 2 * i;                                                                             \
        x[0] = s[0] * t[0] + s[1] * t[1];                                                                              \
        x[1] = s[0] * t[1] - s[1] * t[0];                                                                              \
    }                                                                                                                  \
    PV_KERNEL_FUNCTION void cubes_real_product_##suffix##_at(cubes_arguments a, int64_t i)                             \
    {                                                                                                                  \
        const int64_t p = (uint32_t)i % (uint32_t)a.points;                                                            \
        const real s = ((const real *)a.source)[i];                                                                    \
        real *x = (real *)a.boxes + 2 * i;                                                                             \
        x[0] = s * ((const real *)a.target[0])[p];                                                                     \
        x[1] = a.target[1] ? s * ((const real *)a.target[1])[p] : 0;                                                   \
    }                                                                                                                  \
    PV_KERNEL_FUNCTION void cubes_sum_##suffix##_at(cubes_arguments a, int64_t i)                                      \
    {                                                                                                                  \
        real *sum = (real *)a.sum[0] + 2 * i, re = sum[0], im = sum[1];                                                \
        for (int64_t j = 0; j < a.sources; j++) {                                                                      \
            const real *s = (const real *)a.source + 2 * (j * a.points + i);                                           \
            const real *v = (const real *)a.boxes + 2 * (j * a.points + i), w = ((const real *)a.weight)[j];           \
            re += w * (s[0] * v[0] - s[1] * v[1]);                                                                     \
            im += w * (s[0] * v[1] + s[1] * v[0]);                                                                     \
        }                                                                                                              \
        sum[0] = re;                                                                                                   \
        sum[1] = im;                                                                                                   \
    }                                                                                                                  \
    PV_KERNEL_FUNCTION void cubes_real_sum_##suffix##_at(cubes_arguments a, int64_t i)                                 \
    {                                                                                                                  \
        real sums[2] = {0, 0};                                                                                         \
        for (int64_t j = 0; j < a.sources; j++) {                                                                      \
            const real *v = (const real *)a.boxes + 2 * (j * a.points + i);                                            \
            const real s = ((const real *)a.weight)[j] * ((const real *)a.source)[j * a.points + i];                   \
            sums[0] += s * v[0];                                                                                       \
            sums[1] += s * v[1];                                                                                       \
        }                                                                                                              \
        ((real *)a.sum[0])[i] += sums[0];                                                                              \
        if (a.sum[1]) ((real *)a.sum[1])[i] += sums[1];                                                                \
    }                                                                                                                  \
    PV_KERNEL(cubes_multiply_##suffix, cubes_arguments, cubes_multiply_##suffix##_at)                                  \
    PV_KERNEL(cubes_product_##suffix, cubes_arguments, cubes_product_##suffix##_at)                                    \
    PV_KERNEL(cubes_real_product_##suffix, cubes_arguments, cubes_real_product_##suffix##_at)                          \
    PV_KERNEL(cubes_sum_##suffix, cubes_arguments, cubes_sum_##suffix##_at)                                            \
    PV_KERNEL(cubes_real_sum_##suffix, cubes_arguments, cubes_real_sum_##suffix##_at)

CUBES_KERNELS(fp32, float)
CUBES_KERNELS(fp64, double)

#endif
