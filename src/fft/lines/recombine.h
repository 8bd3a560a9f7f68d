// SPDX-License-Identifier: Apache-2.0
// Real lines. Of an even number of points: a complex transform of half the length over the pairs (x[2 j], x[2 j + 1]),
// and a pass that sorts out its result, or prepares it. Of an odd number: a complex transform of the whole line.
#ifndef PV_FFT_LINES_RECOMBINE_H
#define PV_FFT_LINES_RECOMBINE_H

#include "fft/lines/vector.h"

// Lanes of reals are in order, so they must stay so beside their paired spectrum.
#if PV_LINES_VECTOR_BYTES == 64
#define PV_FP64_PAIR_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define PV_FP64_PAIR_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#define PV_FP64_REALS 0, 2, 4, 6, 8, 10, 12, 14
#define PV_FP64_IMAGINARIES 1, 3, 5, 7, 9, 11, 13, 15
#define PV_FP32_PAIR_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define PV_FP32_PAIR_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define PV_FP32_REALS 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define PV_FP32_IMAGINARIES 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#elif PV_LINES_VECTOR_BYTES == 32
#define PV_FP64_PAIR_LOW 0, 4, 1, 5
#define PV_FP64_PAIR_HIGH 2, 6, 3, 7
#define PV_FP64_REALS 0, 2, 4, 6
#define PV_FP64_IMAGINARIES 1, 3, 5, 7
#define PV_FP32_PAIR_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define PV_FP32_PAIR_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#define PV_FP32_REALS 0, 2, 4, 6, 8, 10, 12, 14
#define PV_FP32_IMAGINARIES 1, 3, 5, 7, 9, 11, 13, 15
#else
#define PV_FP64_PAIR_LOW 0, 2
#define PV_FP64_PAIR_HIGH 1, 3
#define PV_FP64_REALS 0, 2
#define PV_FP64_IMAGINARIES 1, 3
#define PV_FP32_PAIR_LOW 0, 4, 1, 5
#define PV_FP32_PAIR_HIGH 2, 6, 3, 7
#define PV_FP32_REALS 0, 2, 4, 6
#define PV_FP32_IMAGINARIES 1, 3, 5, 7
#endif

#if PV_LINES_IS_FP64
#define PV_PAIR_LOW PV_FP64_PAIR_LOW
#define PV_PAIR_HIGH PV_FP64_PAIR_HIGH
#define PV_REALS PV_FP64_REALS
#define PV_IMAGINARIES PV_FP64_IMAGINARIES
#else
#define PV_PAIR_LOW PV_FP32_PAIR_LOW
#define PV_PAIR_HIGH PV_FP32_PAIR_HIGH
#define PV_REALS PV_FP32_REALS
#define PV_IMAGINARIES PV_FP32_IMAGINARIES
#endif

PV_INLINE cvec load_ordered(const char *p)
{
    vec a = ((const vec *)p)[0], b = ((const vec *)p)[1];
    return (cvec){__builtin_shufflevector(a, b, PV_REALS), __builtin_shufflevector(a, b, PV_IMAGINARIES)};
}

PV_INLINE void store_ordered(char *p, cvec x)
{
    ((vec *)p)[0] = __builtin_shufflevector(x.re, x.im, PV_PAIR_LOW);
    ((vec *)p)[1] = __builtin_shufflevector(x.re, x.im, PV_PAIR_HIGH);
}

PV_INLINE cvec conjugate(cvec a) { return (cvec){a.re, -a.im}; }
PV_INLINE cvec add_conjugate(cvec a, cvec b) { return (cvec){a.re + b.re, a.im - b.im}; }
PV_INLINE cvec sub_conjugate(cvec a, cvec b) { return (cvec){a.re - b.re, a.im + b.im}; }

// Z, split, becomes X, paired: X[k] = E + c O and X[h - k] = conj(E - c O) with E = (Z[k] + conj Z[h - k]) / 2,
// O = Z[k] - conj Z[h - k] and c = exp(-2 pi i k / 2 h) / 2 i.
static PV_WIDE void spectrum_finish(int64_t half, const void *factors, void *tile)
{
    char *low = tile, *high = low + half * SLOT_BYTES;
    const real *c = factors;
    cvec z = load_split(low);
    store_ordered(low, (cvec){z.re + z.im, (vec){0}});
    store_ordered(high, (cvec){z.re - z.im, (vec){0}});
    for (low += SLOT_BYTES, high -= SLOT_BYTES; low < high; low += SLOT_BYTES, high -= SLOT_BYTES, c += 2) {
        cvec a = load_split(low), b = load_split(high);
        cvec even = add_conjugate(a, b), odd = sub_conjugate(a, b), halved = scaled((real)0.5, even), x;
        x.re = halved.re + c[0] * odd.re - c[1] * odd.im;
        x.im = halved.im + c[0] * odd.im + c[1] * odd.re;
        store_ordered(low, x);
        store_ordered(high, (cvec){even.re - x.re, x.im - even.im});
    }
    if (low == high) store_ordered(low, conjugate(load_split(low)));
}

// The way back, twice as large: Z[k] = E + c O, Z[h - k] = conj(E - c O) with E = X[k] + conj X[h - k],
// O = X[k] - conj X[h - k] and c = i exp(2 pi i k / 2 h).
static PV_WIDE void spectrum_prepare(int64_t half, const void *factors, void *tile)
{
    char *low = tile, *high = low + half * SLOT_BYTES;
    const real *c = factors;
    vec first = load_ordered(low).re, last = load_ordered(high).re;
    store_split(low, (cvec){first + last, first - last});
    for (low += SLOT_BYTES, high -= SLOT_BYTES; low < high; low += SLOT_BYTES, high -= SLOT_BYTES, c += 2) {
        cvec a = load_ordered(low), b = load_ordered(high);
        cvec even = add_conjugate(a, b), odd = sub_conjugate(a, b), z;
        z.re = even.re + c[0] * odd.re - c[1] * odd.im;
        z.im = even.im + c[0] * odd.im + c[1] * odd.re;
        store_split(low, z);
        store_split(high, (cvec){twice_minus(even.re, z.re), minus_twice(z.im, even.im)});
    }
    if (low == high) {
        cvec x = load_ordered(low);
        store_split(low, (cvec){2 * x.re, -2 * x.im});
    }
}

// An odd line: reals to split slots, the first half of the spectrum to the tile, and the ways back.
static PV_WIDE void reals_expand(int64_t n, const void *src, void *dst)
{
    for (int64_t i = 0; i < n; i++)
        store_split((char *)dst + i * SLOT_BYTES, (cvec){((const vec *)src)[i], (vec){0}});
}

static PV_WIDE void spectrum_store(int64_t n, const void *src, void *dst)
{
    store_ordered(dst, (cvec){load_split(src).re, (vec){0}});
    for (int64_t i = 1; i <= n / 2; i++)
        store_ordered((char *)dst + i * SLOT_BYTES, load_split((const char *)src + i * SLOT_BYTES));
}

static PV_WIDE void spectrum_expand(int64_t n, const void *src, void *dst)
{
    store_split(dst, (cvec){load_ordered(src).re, (vec){0}});
    for (int64_t i = 1; i <= n / 2; i++) {
        cvec x = load_ordered((const char *)src + i * SLOT_BYTES);
        store_split((char *)dst + i * SLOT_BYTES, x);
        store_split((char *)dst + (n - i) * SLOT_BYTES, conjugate(x));
    }
}

static PV_WIDE void reals_store(int64_t n, const void *src, void *dst)
{
    for (int64_t i = 0; i < n; i++) ((vec *)dst)[i] = load_split((const char *)src + i * SLOT_BYTES).re;
}

#endif
