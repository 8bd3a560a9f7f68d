// SPDX-License-Identifier: Apache-2.0
// Bodies of vector.h for both compilers; included by vector.c and cuda/vector.cu alone.
#ifndef PV_DEVICE_VECTOR_KERNELS_H
#define PV_DEVICE_VECTOR_KERNELS_H

#include "device/kernel.h"

typedef struct scale_arguments {
    double factor;
    double *x;
} scale_arguments;

PV_KERNEL_FUNCTION void scale_at(scale_arguments a, int64_t i)
{
    a.x[i] *= a.factor;
}
PV_KERNEL(scale, scale_arguments, scale_at)

typedef struct scale_fp32_arguments {
    float factor;
    float *x;
} scale_fp32_arguments;

PV_KERNEL_FUNCTION void scale_fp32_at(scale_fp32_arguments a, int64_t i)
{
    a.x[i] *= a.factor;
}
PV_KERNEL(scale_fp32, scale_fp32_arguments, scale_fp32_at)

typedef struct axpy_arguments {
    double factor;
    const double *x;
    double *y;
} axpy_arguments;

PV_KERNEL_FUNCTION void axpy_at(axpy_arguments a, int64_t i)
{
    a.y[i] += a.factor * a.x[i];
}
PV_KERNEL(axpy, axpy_arguments, axpy_at)

#endif
