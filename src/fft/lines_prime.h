// SPDX-License-Identifier: Apache-2.0
// Any odd prime directly: sums and differences of the points j and p - j, times the matrices of cosines and sines, in
// blocks of outputs that stay in registers. (p - 1)^2 / 4 times four fused multiply-adds for p outputs.
#ifndef PV_FFT_LINES_PRIME_H
#define PV_FFT_LINES_PRIME_H

#include "fft/lines_radix.h"

#if PV_LINES_VECTOR_BYTES == 64
enum { PRIME_BLOCK = 6 };           // 24 sums of 32 registers
#else
enum { PRIME_BLOCK = 2 };
#endif

typedef struct prime_terms {
    cvec zero, s[PV_LINES_PRIME_MAX / 2], d[PV_LINES_PRIME_MAX / 2];
} prime_terms;

PV_INLINE const real *prime_block(int width, int half, int first, const real *roots, const prime_terms *terms,
                                  const pv_lines_pass *p, char *dst)
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
        int k = first + 1 + i;
        store(p->dst_form, dst + k * p->dst_stride, sub_i(a[i], b[i]));
        store(p->dst_form, dst + (p->radix - k) * p->dst_stride, add_i(a[i], b[i]));
    }
    return roots;
}

// The terms are complete before the first output is written: dst may be src.
PV_INLINE void prime_butterfly(const pv_lines_pass *p, const real *w, const char *src, ptrdiff_t wrap, char *dst)
{
    const int half = (p->radix - 1) / 2, blocks = pv_lines_block_count(half, PRIME_BLOCK);
    prime_terms terms;
    terms.zero = load(p->src_form, src + wrap);
    cvec sum = terms.zero;
    for (int j = 1; j <= half; j++) {
        cvec x = load(p->src_form, src + j * p->src_stride), y = load(p->src_form, src + (p->radix - j) * p->src_stride);
        pair(x, w ? w + 2 * (j - 1) : NULL, y, w ? w + 2 * (p->radix - j - 1) : NULL, &terms.s[j - 1], &terms.d[j - 1]);
        sum = add(sum, terms.s[j - 1]);
    }
    store(p->dst_form, dst, sum);
    const real *roots = p->roots;
    for (int b = 0; b < blocks; b++) {
        int first = pv_lines_block_begin(half, blocks, b);
        switch (pv_lines_block_begin(half, blocks, b + 1) - first) {
        case 1: roots = prime_block(1, half, first, roots, &terms, p, dst); break;
        case 2: roots = prime_block(2, half, first, roots, &terms, p, dst); break;
#if PV_LINES_VECTOR_BYTES == 64
        case 3: roots = prime_block(3, half, first, roots, &terms, p, dst); break;
        case 4: roots = prime_block(4, half, first, roots, &terms, p, dst); break;
        case 5: roots = prime_block(5, half, first, roots, &terms, p, dst); break;
        case 6: roots = prime_block(6, half, first, roots, &terms, p, dst); break;
#endif
        }
    }
}

static PV_WIDE void prime_leaf(const pv_lines_pass *p, const void *src, ptrdiff_t wrap, void *dst)
{
    for (int64_t b = 0; b < p->count; b++)
        prime_butterfly(p, NULL, (const char *)src + b * p->src_next, b == 0 ? wrap : 0, (char *)dst + b * p->dst_next);
}

static PV_WIDE void prime_combine(const pv_lines_pass *p, const void *src, ptrdiff_t wrap, void *dst)
{
    const real *factors = p->factors;
    prime_butterfly(p, NULL, src, wrap, dst);
    for (int64_t b = 1; b < p->count; b++) {
        prime_butterfly(p, factors, (const char *)src + b * p->src_next, 0, (char *)dst + b * p->dst_next);
        factors += 2 * (p->radix - 1);
    }
}

#endif
