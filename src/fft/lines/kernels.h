// SPDX-License-Identifier: Apache-2.0
// The passes of the line transform: what a pass does, and the table of them for one precision.
//
// A tile holds `lanes` lines side by side, one vector of them. Between passes an element is a vector of real parts
// followed by a vector of imaginary parts ("split"); at the ends of a complex transform real and imaginary parts
// alternate ("paired"). Both take one slot of 2 * lanes reals.
#ifndef PV_FFT_LINES_KERNELS_H
#define PV_FFT_LINES_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include <parseval/fft.h>

#include "fft/lines/slots.h"

enum {
    PV_LINES_RADIX_MAX = 16,        // radices with a routine of their own
    PV_LINES_PRIME_MAX = 251        // odd primes of the direct routine
};

typedef enum pv_lines_form { PV_LINES_SPLIT, PV_LINES_PAIRED } pv_lines_form;

// `count` butterflies of `radix` points `stride` bytes apart, one after another.
//
// A leaf reads butterfly b from src + b * next and writes slot after slot, butterfly after butterfly. It has no twiddle
// factors. A combining pass works in place on split slots, butterfly b beginning at slot b; all butterflies but the
// first have twiddle factors.
typedef struct pv_lines_pass {
    int radix;
    pv_lines_form src_form, dst_form;
    int64_t count;
    ptrdiff_t stride;
    ptrdiff_t next;                 // of a leaf
    const void *factors;            // of butterflies 1, 2, ... of a combining pass; NULL when there are none
    const void *roots;              // of the direct routine
} pv_lines_pass;

// `wrap` is added to the place of point 0 of the first butterfly: a line read backwards begins with its point 0.
typedef void pv_lines_leaf_run(const pv_lines_pass *pass, const void *src, ptrdiff_t wrap, void *dst);
typedef void pv_lines_combine_run(const pv_lines_pass *pass, void *work);

typedef struct pv_lines_kernels {
    pv_precision precision;
    int lanes;
    size_t real_bytes, slot_bytes;
    pv_lines_leaf_run *leaf[2][2][PV_LINES_RADIX_MAX + 1];      // [form of src][form of dst][radix]
    pv_lines_combine_run *combine[2][PV_LINES_RADIX_MAX + 1];      // [form of dst][radix]
    pv_lines_leaf_run *prime_leaf;
    pv_lines_combine_run *prime_combine;
    int prime_block;                // outputs that the direct routine computes together
    // Rader, Bluestein: convolve.h. The pass is a leaf of one butterfly; weights are complex numbers.
    void (*permuted_load)(const pv_lines_pass *pass, const int64_t *order, int64_t count, const void *src, void *dst);
    void (*permuted_store)(const pv_lines_pass *pass, const int64_t *order, int64_t count, const void *src, void *dst);
    void (*weighted_load)(const pv_lines_pass *pass, const void *weights, int64_t count, int64_t cycle, const void *src,
                          ptrdiff_t wrap, void *dst);
    void (*weighted_store)(const pv_lines_pass *pass, const void *weights, int64_t count, int64_t cycle,
                           const void *src, void *dst);
    void (*multiply)(const void *weights, int64_t count, void *values);
    void (*multiply_apart)(const pv_lines_pass *pass, const void *weights, int64_t count, const void *src, void *values,
                           void *dst);
    // Real lines: recombine.h.
    void (*spectrum_finish)(int64_t half, const void *factors, void *tile);
    void (*spectrum_prepare)(int64_t half, const void *factors, void *tile);
    void (*reals_expand)(int64_t n, const void *src, void *dst);
    void (*spectrum_store)(int64_t n, const void *src, void *dst);
    void (*spectrum_expand)(int64_t n, const void *src, void *dst);
    void (*reals_store)(int64_t n, const void *src, void *dst);
    pv_slot_ops slots;
} pv_lines_kernels;

// One table for each instruction set that the program may meet: what the compiler's own target includes makes narrower
// ones needless.
#if defined(__x86_64__)
#define PV_LINES_HAS_AVX512 1
#else
#define PV_LINES_HAS_AVX512 0
#endif
#if defined(__x86_64__) && !defined(__AVX512F__)
#define PV_LINES_HAS_AVX2 1
#else
#define PV_LINES_HAS_AVX2 0
#endif
#if defined(__AVX2__) && defined(__FMA__)
#define PV_LINES_HAS_BASE 0
#else
#define PV_LINES_HAS_BASE 1
#endif
extern const pv_lines_kernels pv_lines_base_fp64, pv_lines_base_fp32, pv_lines_avx2_fp64, pv_lines_avx2_fp32;
extern const pv_lines_kernels pv_lines_avx512_fp64, pv_lines_avx512_fp32;

// Tables that this processor can run, widest vectors first; NULL after the last.
const pv_lines_kernels *pv_lines_kernels_at(pv_precision precision, int index);

// The direct routine computes outputs 1 .. half of a prime in equal blocks of at most prime_block; block b begins after
// output pv_lines_block_begin. Its roots: for each block, for each j from 1 to half, the cosines and then the sines of
// 2 pi j k / p for the outputs k of the block.
static inline int pv_lines_block_count(int half, int prime_block) { return (half + prime_block - 1) / prime_block; }
static inline int pv_lines_block_begin(int half, int blocks, int b) { return half * b / blocks; }

#endif
