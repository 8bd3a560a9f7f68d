// SPDX-License-Identifier: Apache-2.0
// The work on slots (slots.h) in the precision and with the vectors of lines/body.h.
#ifndef PV_FFT_LINES_SLOTS_BODY_H
#define PV_FFT_LINES_SLOTS_BODY_H

#include <complex.h>

#include "fft/lines/vector.h"

// A row of reals, wherever it lies.
typedef real __attribute__((vector_size(PV_LINES_VECTOR_BYTES), aligned(sizeof(real)), may_alias)) row;

PV_INLINE vec row_at(const void *rows, int64_t i) { return ((const row *)rows)[i]; }
PV_INLINE cvec slot_at(const void *tile, int64_t i) { return load_split((const char *)tile + i * SLOT_BYTES); }
PV_INLINE void put_slot(void *tile, int64_t i, cvec x) { store_split((char *)tile + i * SLOT_BYTES, x); }
PV_INLINE void add_to_row(void *rows, int64_t i, vec x) { ((row *)rows)[i] += x; }

// A slot of a field in memory that may lie anywhere.
PV_INLINE cvec loose_slot_at(const void *slots, int64_t i)
{
    return (cvec){row_at(slots, 2 * i), row_at(slots, 2 * i + 1)};
}

// ---- To and fro --------------------------------------------------------------------------------------------------

static PV_WIDE void slots_gather(int64_t n, const int32_t *from, const void *places, ptrdiff_t stride, void *tile)
{
    const cvec zero = {(vec){0}, (vec){0}};
    for (int64_t i = 0; i < n; i++)
        put_slot(tile, i, from[i] < 0 ? zero : load_split((const char *)places + from[i] * stride));
}

static PV_WIDE void slots_scatter(int64_t n, const int32_t *from, const void *tile, void *places, ptrdiff_t stride)
{
    for (int64_t i = 0; i < n; i++)
        if (from[i] >= 0) store_split((char *)places + from[i] * stride, slot_at(tile, i));
}

// One step of a transposition in place: of vectors i and i + half, halves change places in blocks of `half` lanes.
#define PV_EXCHANGE(half, low, high, ...)                                                                              \
    PV_UNROLL for (int i = 0; i < LANES; i++)                                                                          \
    {                                                                                                                  \
        if (i & half) continue;                                                                                        \
        const vec a = v[i], b = v[i + half];                                                                           \
        v[i] = __builtin_shufflevector(a, b, PV_LANES_OF low);                                                         \
        v[i + half] = __builtin_shufflevector(a, b, PV_LANES_OF high);                                                 \
    }
#define PV_LANES_OF(...) __VA_ARGS__

// v[i] lane j <-> v[j] lane i
PV_INLINE void transpose(vec *v)
{
#if PV_LINES_VECTOR_BYTES == 64 && !PV_LINES_IS_FP64
    PV_EXCHANGE(8, (0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
                (8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31))
    PV_EXCHANGE(4, (0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27),
                (4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31))
    PV_EXCHANGE(2, (0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29),
                (2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31))
    PV_EXCHANGE(1, (0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30),
                (1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31))
#elif PV_LINES_VECTOR_BYTES == 64 || (PV_LINES_VECTOR_BYTES == 32 && !PV_LINES_IS_FP64)
    PV_EXCHANGE(4, (0, 1, 2, 3, 8, 9, 10, 11), (4, 5, 6, 7, 12, 13, 14, 15))
    PV_EXCHANGE(2, (0, 1, 8, 9, 4, 5, 12, 13), (2, 3, 10, 11, 6, 7, 14, 15))
    PV_EXCHANGE(1, (0, 8, 2, 10, 4, 12, 6, 14), (1, 9, 3, 11, 5, 13, 7, 15))
#elif PV_LINES_VECTOR_BYTES == 32 || !PV_LINES_IS_FP64
    PV_EXCHANGE(2, (0, 1, 4, 5), (2, 3, 6, 7))
    PV_EXCHANGE(1, (0, 4, 2, 6), (1, 5, 3, 7))
#else
    PV_EXCHANGE(1, (0, 2), (1, 3))
#endif
}

static PV_WIDE void slots_columns_load(int64_t slices, const void *columns, ptrdiff_t stride, void *tile)
{
    for (int64_t s = 0; s < slices; s++) {
        const char *from = (const char *)columns + s * SLOT_BYTES;
        char *to = (char *)tile + s * LANES * SLOT_BYTES;
        for (int part = 0; part < 2; part++) {
            vec v[LANES];
            PV_UNROLL for (int w = 0; w < LANES; w++) v[w] = ((const vec *)(from + w * stride))[part];
            transpose(v);
            PV_UNROLL for (int j = 0; j < LANES; j++) ((vec *)(to + j * SLOT_BYTES))[part] = v[j];
        }
    }
}

static PV_WIDE void slots_columns_store(int64_t slices, int64_t n, const void *tile, void *columns, ptrdiff_t stride)
{
    for (int64_t s = 0; s < slices; s++) {
        const char *from = (const char *)tile + s * LANES * SLOT_BYTES;
        char *to = (char *)columns + s * SLOT_BYTES;
        const int64_t depth = n - s * LANES;
        for (int part = 0; part < 2; part++) {
            vec v[LANES];
            PV_UNROLL for (int j = 0; j < LANES; j++)
                v[j] = j < depth ? ((const vec *)(from + j * SLOT_BYTES))[part] : (vec){0};
            transpose(v);
            PV_UNROLL for (int w = 0; w < LANES; w++) ((vec *)(to + w * stride))[part] = v[w];
        }
    }
}

static PV_WIDE void slots_spectrum_load(int64_t first, int64_t last, const int32_t *z, const double _Complex *spectrum,
                                        int64_t w, void *tile)
{
    for (int64_t p = first; p < last; p++) {
        real_in_memory *slot = (real_in_memory *)((char *)tile + z[p] * SLOT_BYTES) + w;
        slot[0] = (real)creal(spectrum[p]);
        slot[LANES] = (real)cimag(spectrum[p]);
    }
}

static PV_WIDE void slots_spectrum_store(int64_t first, int64_t last, const int32_t *z, const void *tile, int64_t w,
                                         double _Complex *spectrum)
{
    for (int64_t p = first; p < last; p++) {
        const real_in_memory *slot = (const real_in_memory *)((const char *)tile + z[p] * SLOT_BYTES) + w;
        spectrum[p] = CMPLX(slot[0], slot[LANES]);
    }
}

static PV_WIDE void slots_grid_load(int64_t n, int64_t depth, const double _Complex *grid, int64_t stride, void *tile)
{
    for (int64_t i = 0; i < n; i++) {
        real_in_memory *slot = (real_in_memory *)((char *)tile + i * SLOT_BYTES);
        for (int64_t w = 0; w < LANES; w++) {
            slot[w] = w < depth ? (real)creal(grid[i * stride + w]) : 0;
            slot[LANES + w] = w < depth ? (real)cimag(grid[i * stride + w]) : 0;
        }
    }
}

static PV_WIDE void slots_grid_store(int64_t n, int64_t depth, const void *tile, double _Complex *grid, int64_t stride)
{
    for (int64_t i = 0; i < n; i++) {
        const real_in_memory *slot = (const real_in_memory *)((const char *)tile + i * SLOT_BYTES);
        for (int64_t w = 0; w < depth; w++) grid[i * stride + w] = CMPLX(slot[w], slot[LANES + w]);
    }
}

static PV_WIDE void slots_reals_load(int64_t n, const void *a, const void *b, void *tile)
{
    for (int64_t i = 0; i < n; i++) put_slot(tile, i, (cvec){row_at(a, i), b ? row_at(b, i) : (vec){0}});
}

static PV_WIDE void slots_reals_store(int64_t n, const void *tile, void *a, void *b)
{
    for (int64_t i = 0; i < n; i++) {
        const cvec x = slot_at(tile, i);
        ((row *)a)[i] = x.re;
        if (b) ((row *)b)[i] = x.im;
    }
}

// ---- Point by point ----------------------------------------------------------------------------------------------

static PV_WIDE void slots_multiply(int64_t n, const void *rows, void *tile)
{
    for (int64_t i = 0; i < n; i++) {
        const vec factor = row_at(rows, i);
        const cvec x = slot_at(tile, i);
        put_slot(tile, i, (cvec){factor * x.re, factor * x.im});
    }
}

static PV_WIDE void slots_multiply_some(int64_t n, const int32_t *from, const void *rows, void *tile)
{
    const cvec zero = {(vec){0}, (vec){0}};
    for (int64_t i = 0; i < n; i++) {
        if (from[i] < 0) {
            put_slot(tile, i, zero);
            continue;
        }
        const vec factor = row_at(rows, from[i]);
        const cvec x = slot_at(tile, i);
        put_slot(tile, i, (cvec){factor * x.re, factor * x.im});
    }
}

static PV_WIDE void slots_turn(int64_t n, int conjugate, const double _Complex *along, const double _Complex *across,
                               void *tile)
{
    const real sign = conjugate ? -1 : 1;
    cvec lanes;
    for (int w = 0; w < LANES; w++) {
        lanes.re[w] = (real)creal(across[w]);
        lanes.im[w] = sign * (real)cimag(across[w]);
    }
    for (int64_t i = 0; i < n; i++) {
        const real factor[2] = {(real)creal(along[i]), sign * (real)cimag(along[i])};
        const cvec turn = times(lanes, factor), x = slot_at(tile, i);
        put_slot(tile, i, (cvec){turn.re * x.re - turn.im * x.im, turn.re * x.im + turn.im * x.re});
    }
}

static PV_WIDE void slots_add_squares(int64_t n, const double weight[2], const void *tile, void *sums)
{
    const real weight_re = (real)weight[0], weight_im = (real)weight[1];
    for (int64_t i = 0; i < n; i++) {
        const cvec x = slot_at(tile, i);
        add_to_row(sums, i, weight_re * (x.re * x.re) + weight_im * (x.im * x.im));
    }
}

// ---- Pairs -------------------------------------------------------------------------------------------------------
//
// Fields of many bands come from the third cache or memory. Each line asks for the next one, which then arrives while
// this one is transformed.

PV_INLINE void ask_row(const void *rows, int64_t i) { __builtin_prefetch((const row *)rows + i, 0, 2); }
PV_INLINE void ask_slot(const void *slots, int64_t i)
{
    ask_row(slots, 2 * i);
    ask_row(slots, 2 * i + 1);
}

static PV_WIDE void slots_real_product(int64_t n, int64_t at, const pv_real_pair *pair, void *tile)
{
    const void *source = pair->source, *a = pair->target[0], *b = pair->target[1];
    if (b)
        for (int64_t i = 0; i < n; i++) {
            const vec s = row_at(source, at + i);
            ask_row(source, at + n + i);
            ask_row(a, at + n + i);
            ask_row(b, at + n + i);
            put_slot(tile, i, (cvec){s * row_at(a, at + i), s * row_at(b, at + i)});
        }
    else
        for (int64_t i = 0; i < n; i++)
            put_slot(tile, i, (cvec){row_at(source, at + i) * row_at(a, at + i), (vec){0}});
}

PV_INLINE void real_sums(int two, int back, int64_t n, int64_t at, const pv_real_pair *pair, const void *tile)
{
    const real to_a = (real)pair->target_weight[0], to_b = (real)pair->target_weight[1];
    const real from_a = (real)pair->source_weight[0], from_b = (real)pair->source_weight[1];
    const void *source = pair->source, *a = pair->target[0], *b = pair->target[1];
    void *source_sum = pair->source_sum, *a_sum = pair->target_sum[0], *b_sum = pair->target_sum[1];
    for (int64_t i = 0; i < n; i++) {
        const cvec v = slot_at(tile, i);
        const vec s = row_at(source, at + i);
        vec acted = (vec){0};
        ask_row(source, at + n + i);
        ask_row(a_sum, at + n + i);
        if (two) ask_row(b_sum, at + n + i);
        if (back) {
            ask_row(a, at + n + i);
            ask_row(source_sum, at + n + i);
            if (two) ask_row(b, at + n + i);
        }
        if (back) acted = from_a * row_at(a, at + i) * v.re;
        if (back && two) acted += from_b * row_at(b, at + i) * v.im;
        add_to_row(a_sum, at + i, to_a * s * v.re);
        if (two) add_to_row(b_sum, at + i, to_b * s * v.im);
        if (back) add_to_row(source_sum, at + i, acted);
    }
}

static PV_WIDE void slots_real_sums(int64_t n, int64_t at, const pv_real_pair *pair, const void *tile)
{
    const int two = pair->target[1] != NULL, back = pair->source_sum != NULL;
    if (two && back)
        real_sums(1, 1, n, at, pair, tile);
    else if (two)
        real_sums(1, 0, n, at, pair, tile);
    else
        real_sums(0, back, n, at, pair, tile);
}

static PV_WIDE void slots_complex_product(int64_t n, int64_t at, const pv_complex_pair *pair, void *tile)
{
    for (int64_t i = 0; i < n; i++) {
        const cvec s = loose_slot_at(pair->source, at + i), t = loose_slot_at(pair->target, at + i);
        ask_slot(pair->source, at + n + i);
        ask_slot(pair->target, at + n + i);
        put_slot(tile, i, (cvec){s.re * t.re + s.im * t.im, s.re * t.im - s.im * t.re});
    }
}

PV_INLINE void complex_sums(int back, int64_t n, int64_t at, const pv_complex_pair *pair, const void *tile)
{
    const real to = (real)pair->target_weight, from = (real)pair->source_weight;
    for (int64_t i = 0; i < n; i++) {
        const int64_t re = 2 * (at + i), im = re + 1;
        const cvec v = slot_at(tile, i), s = loose_slot_at(pair->source, at + i), u = scaled(to, v);
        ask_slot(pair->source, at + n + i);
        ask_slot(pair->target_sum, at + n + i);
        if (back) {
            ask_slot(pair->target, at + n + i);
            ask_slot(pair->source_sum, at + n + i);
            const cvec t = loose_slot_at(pair->target, at + i), w = scaled(from, v);
            add_to_row(pair->source_sum, re, t.re * w.re + t.im * w.im);
            add_to_row(pair->source_sum, im, t.im * w.re - t.re * w.im);
        }
        add_to_row(pair->target_sum, re, s.re * u.re - s.im * u.im);
        add_to_row(pair->target_sum, im, s.re * u.im + s.im * u.re);
    }
}

static PV_WIDE void slots_complex_sums(int64_t n, int64_t at, const pv_complex_pair *pair, const void *tile)
{
    if (pair->source_sum)
        complex_sums(1, n, at, pair, tile);
    else
        complex_sums(0, n, at, pair, tile);
}

#endif
