// SPDX-License-Identifier: Apache-2.0
// Any odd prime directly: sums and differences of the points j and p - j, times the matrices of cosines and sines, in
// blocks of outputs that stay in registers. (p - 1)^2 / 4 times four fused multiply-adds for p outputs.
#ifndef PV_FFT_LINES_PRIME_H
#define PV_FFT_LINES_PRIME_H

#include "fft/lines/radix.h"

#if PV_LINES_VECTOR_BYTES == 64
enum { PRIME_BLOCK = 6 };           // 24 sums of 32 registers
#else
enum { PRIME_BLOCK = 2 };
#endif

typedef struct prime_terms {
    cvec zero, s[PV_LINES_PRIME_MAX / 2], d[PV_LINES_PRIME_MAX / 2];
} prime_terms;

PV_INLINE const real *prime_block(int width, int half, int first, const real *roots, const prime_terms *terms,
                                  const points *p)
{
    cvec a[PRIME_BLOCK], b[PRIME_BLOCK];
    PV_UNROLL for (int i = 0; i < width; i++) {
        a[i] = terms->zero;
        b[i] = (cvec){(vec){0}, (vec){0}};
    }
    for (int j = 0; j < half; j++) {
        PV_UNROLL for (int i = 0; i < width; i++) {
            a[i] = add_scaled(a[i], roots[i], terms->s[j]);
            b[i] = add_scaled(b[i], roots[width + i], terms->d[j]);
        }
        roots += 2 * width;
    }
    PV_UNROLL for (int i = 0; i < width; i++) {
        give(p, first + 1 + i, sub_i(a[i], b[i]));
        give(p, 2 * half - first - i, add_i(a[i], b[i]));
    }
    return roots;
}

// The terms are complete before the first output is written: in place, if need be.
PV_INLINE void prime_butterfly(int prime, const points *p, const real *w, const real *roots)
{
    const int half = (prime - 1) / 2, blocks = pv_lines_block_count(half, PRIME_BLOCK);
    prime_terms terms;
    terms.zero = take(p, 0);
    cvec sum = terms.zero;
    for (int j = 1; j <= half; j++) {
        cvec x = take(p, j), y = take(p, prime - j);
        pair(x, w ? w + 2 * (j - 1) : NULL, y, w ? w + 2 * (prime - j - 1) : NULL, &terms.s[j - 1], &terms.d[j - 1]);
        sum = add(sum, terms.s[j - 1]);
    }
    give(p, 0, sum);
    for (int b = 0; b < blocks; b++) {
        int first = pv_lines_block_begin(half, blocks, b);
        switch (pv_lines_block_begin(half, blocks, b + 1) - first) {
        case 1: roots = prime_block(1, half, first, roots, &terms, p); break;
        case 2: roots = prime_block(2, half, first, roots, &terms, p); break;
#if PV_LINES_VECTOR_BYTES == 64
        case 3: roots = prime_block(3, half, first, roots, &terms, p); break;
        case 4: roots = prime_block(4, half, first, roots, &terms, p); break;
        case 5: roots = prime_block(5, half, first, roots, &terms, p); break;
        case 6: roots = prime_block(6, half, first, roots, &terms, p); break;
#endif
        }
    }
}

static PV_WIDE void prime_leaf(const pv_lines_pass *p, const void *src, ptrdiff_t wrap, void *dst)
{
    points at = {src, dst, p->stride, SLOT_BYTES, wrap, p->src_form, p->dst_form};
    for (int64_t b = 0; b < p->count; b++) {
        prime_butterfly(p->radix, &at, NULL, p->roots);
        at.wrap = 0;
        at.src += p->next;
        at.dst += p->radix * SLOT_BYTES;
    }
}

static PV_WIDE void prime_combine(const pv_lines_pass *p, void *work)
{
    points at = {work, work, p->stride, p->stride, 0, PV_LINES_SPLIT, p->dst_form};
    const real *factors = p->factors;
    prime_butterfly(p->radix, &at, NULL, p->roots);
    for (int64_t b = 1; b < p->count; b++) {
        at.src = at.dst += SLOT_BYTES;
        prime_butterfly(p->radix, &at, factors, p->roots);
        factors += 2 * (p->radix - 1);
    }
}

#endif
