// SPDX-License-Identifier: Apache-2.0
// Pointwise steps of exact exchange in boxes. Included by fock_boxes.c and cuda/fock.cu alone.
#ifndef PV_DFT_FOCK_KERNELS_H
#define PV_DFT_FOCK_KERNELS_H

#include "device/kernel.h"

typedef struct fock_convert {
    const void *from;
    void *to;
} fock_convert;

PV_KERNEL_FUNCTION void fock_narrow_at(fock_convert a, int64_t i)
{
    ((float *)a.to)[i] = (float)((const double *)a.from)[i];
}
PV_KERNEL(fock_narrow, fock_convert, fock_narrow_at)

PV_KERNEL_FUNCTION void fock_widen_at(fock_convert a, int64_t i)
{
    ((double *)a.to)[i] = ((const float *)a.from)[i];
}
PV_KERNEL(fock_widen, fock_convert, fock_widen_at)

// A table on the grid of plane waves, whose wave g shall stand for g + shift, 0 <= shift < n.
typedef struct fock_shift {
    int64_t n[3], shift[3];
    const double *from;
    void *to;
    int is_single;
} fock_shift;

PV_KERNEL_FUNCTION void fock_shift_at(fock_shift a, int64_t i)
{
    const int64_t line = i / a.n[2];
    int64_t x = line / a.n[1] - a.shift[0], y = line % a.n[1] - a.shift[1], z = i - line * a.n[2] - a.shift[2];
    x += x < 0 ? a.n[0] : 0;
    y += y < 0 ? a.n[1] : 0;
    z += z < 0 ? a.n[2] : 0;
    const double value = a.from[(x * a.n[1] + y) * a.n[2] + z];
    if (a.is_single)
        ((float *)a.to)[i] = (float)value;
    else
        ((double *)a.to)[i] = value;
}
PV_KERNEL(fock_shift_table, fock_shift, fock_shift_at)

#endif
