// SPDX-License-Identifier: Apache-2.0
// The steps of Rader's and Bluestein's transforms between their two inner transforms.
#ifndef PV_FFT_LINES_CONVOLVE_H
#define PV_FFT_LINES_CONVOLVE_H

#include "fft/lines/vector.h"

static PV_WIDE void permuted_load(const pv_lines_pass *p, const int64_t *order, int64_t count, const void *src,
                                  void *dst)
{
    for (int64_t i = 0; i < count; i++)
        store_split((char *)dst + i * SLOT_BYTES, load(p->src_form, (const char *)src + order[i] * p->stride));
}

static PV_WIDE void permuted_store(const pv_lines_pass *p, const int64_t *order, int64_t count, const void *src,
                                   void *dst)
{
    for (int64_t i = 0; i < count; i++)
        store(p->dst_form, (char *)dst + order[i] * SLOT_BYTES, load_split((const char *)src + i * SLOT_BYTES));
}

// Zeros fill the cycle.
static PV_WIDE void weighted_load(const pv_lines_pass *p, const void *weights, int64_t count, int64_t cycle,
                                  const void *src, ptrdiff_t wrap, void *dst)
{
    for (int64_t i = 0; i < count; i++) {
        cvec x = load(p->src_form, (const char *)src + (i == 0 ? wrap : i * p->stride));
        store_split((char *)dst + i * SLOT_BYTES, times(x, (const real *)weights + 2 * i));
    }
    for (int64_t i = count; i < cycle; i++) store_split((char *)dst + i * SLOT_BYTES, (cvec){(vec){0}, (vec){0}});
}

// Takes element -i of a cycle of `cycle` elements.
static PV_WIDE void weighted_store(const pv_lines_pass *p, const void *weights, int64_t count, int64_t cycle,
                                   const void *src, void *dst)
{
    for (int64_t i = 0; i < count; i++) {
        cvec x = load_split((const char *)src + (i == 0 ? 0 : cycle - i) * SLOT_BYTES);
        store(p->dst_form, (char *)dst + i * SLOT_BYTES, times(x, (const real *)weights + 2 * i));
    }
}

static PV_WIDE void multiply(const void *weights, int64_t count, void *values)
{
    for (int64_t i = 0; i < count; i++) {
        char *slot = (char *)values + i * SLOT_BYTES;
        store_split(slot, times(load_split(slot), (const real *)weights + 2 * i));
    }
}

// Element 0 of Rader's transform stands apart: it enters every sum through the mean of the spectrum, whose old value
// completes output 0.
static PV_WIDE void multiply_apart(const pv_lines_pass *p, const void *weights, int64_t count, const void *src,
                                   void *values, void *dst)
{
    cvec apart = load(p->src_form, src), mean = load_split(values);
    multiply(weights, count, values);
    store_split(values, add(load_split(values), apart));
    store(p->dst_form, dst, add(mean, apart));
}

#endif
