// SPDX-License-Identifier: Apache-2.0
// Included by carry.c and cuda/carry.cu alone.
#ifndef PV_DFT_CARRY_KERNELS_H
#define PV_DFT_CARRY_KERNELS_H

#include "device/kernel.h"

typedef struct carry_arguments {
    int64_t count, single; // of a vector
    int64_t in_stride, out_stride;
    const int64_t *from;
    const double *factor; // complex
    const double *in;
    double *out;
} carry_arguments;

// Index: a coefficient of [vectors][count].
PV_KERNEL_FUNCTION void carry_at(carry_arguments a, int64_t i)
{
    const int64_t v = i / a.count, p = i - v * a.count, from = a.from[p];
    const double *x = a.in + 2 * (v * a.in_stride + (from < 0 ? ~from : from)), *f = a.factor + 2 * p;
    const double re = x[0], im = from < 0 ? -x[1] : x[1];
    double *to = a.out + 2 * (v * a.out_stride + p);
    to[0] = f[0] * re - f[1] * im;
    // An imaginary part, of rounding only, would be a direction that no operator knows.
    to[1] = p == a.single ? 0.0 : f[0] * im + f[1] * re;
}
PV_KERNEL(carry_vectors, carry_arguments, carry_at)

#endif
