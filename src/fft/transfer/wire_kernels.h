// SPDX-License-Identifier: Apache-2.0
// Bodies of wire.h for both compilers; included by wire.c and cuda/wire.cu alone.
#ifndef PV_FFT_TRANSFER_WIRE_KERNELS_H
#define PV_FFT_TRANSFER_WIRE_KERNELS_H

#include <float.h>
#include <math.h>

#include "device/kernel.h"

// A block of 16 reals travels as 16 mantissas and an exponent e: value = mantissa 2^(e - 15).
#define PV_WIRE_BLOCK 16
#define PV_WIRE_WORDS 17
// Smaller exponents would need a scale beyond FP32; blocks below 2^-111 lose digits instead.
#define PV_WIRE_LEAST_EXPONENT (-111)
#define PV_WIRE_NOT_FINITE 32767

typedef struct narrow_arguments {
    const double *from;
    float *to;
} narrow_arguments;

PV_KERNEL_FUNCTION void narrow_at(narrow_arguments a, int64_t i)
{
    a.to[i] = (float)a.from[i];
}
PV_KERNEL(narrow, narrow_arguments, narrow_at)

typedef struct widen_arguments {
    const float *from;
    double *to;
} widen_arguments;

PV_KERNEL_FUNCTION void widen_at(widen_arguments a, int64_t i)
{
    a.to[i] = a.from[i];
}
PV_KERNEL(widen, widen_arguments, widen_at)

// Items of `blocks` blocks, of which the first `reals` reals count: what fills the last block up is not looked at.
typedef struct pack_arguments {
    const float *from;
    int16_t *to;
    int64_t reals, blocks;
} pack_arguments;

PV_KERNEL_FUNCTION void pack_at(pack_arguments a, int64_t i)
{
    const float *from = a.from + i * PV_WIRE_BLOCK;
    int16_t *to = a.to + i * PV_WIRE_WORDS;
    const int64_t left = a.reals - i % a.blocks * PV_WIRE_BLOCK;
    const int count = left < PV_WIRE_BLOCK ? (int)left : PV_WIRE_BLOCK;
    float most = 0.0f;
    int is_finite = 1, exponent = 0;
    for (int k = 0; k < count; k++) {
        const float size = fabsf(from[k]);
        is_finite &= size <= FLT_MAX;
        most = size > most ? size : most;
    }
    if (is_finite) (void)frexpf(most, &exponent);
    if (exponent < PV_WIRE_LEAST_EXPONENT) exponent = PV_WIRE_LEAST_EXPONENT;
    if (rintf(most * ldexpf(1.0f, 15 - exponent)) > 32767.0f) exponent++;
    const float scale = ldexpf(1.0f, 15 - exponent);
    for (int k = 0; k < PV_WIRE_BLOCK; k++) to[k] = is_finite && k < count ? (int16_t)rintf(from[k] * scale) : 0;
    to[PV_WIRE_BLOCK] = is_finite ? (int16_t)exponent : PV_WIRE_NOT_FINITE;
}
PV_KERNEL(pack, pack_arguments, pack_at)

typedef struct unpack_arguments {
    const int16_t *from;
    float *to;
} unpack_arguments;

PV_KERNEL_FUNCTION void unpack_at(unpack_arguments a, int64_t i)
{
    const int16_t *from = a.from + i * PV_WIRE_WORDS;
    float *to = a.to + i * PV_WIRE_BLOCK;
    const int exponent = from[PV_WIRE_BLOCK];
    const float scale = exponent == PV_WIRE_NOT_FINITE ? NAN : ldexpf(1.0f, exponent - 15);
    for (int k = 0; k < PV_WIRE_BLOCK; k++) to[k] = (float)from[k] * scale;
}
PV_KERNEL(unpack, unpack_arguments, unpack_at)

#endif
