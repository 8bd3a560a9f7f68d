// SPDX-License-Identifier: Apache-2.0
// The passes of one precision: loops of butterflies over elements in memory, and their table.
//
// The file that includes this says in which precision and for vectors of how many bytes. Vectors beyond the compiler's
// own target are compiled for their instruction set, and run where pv_lines_kernels_at finds it.
#include <stddef.h>
#include <stdint.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "fft/lines/kernels.h"

#if defined(__clang__) && PV_LINES_VECTOR_BYTES == 64
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma"))), apply_to = function)
#elif defined(__clang__) && PV_LINES_VECTOR_BYTES == 32
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#elif PV_LINES_VECTOR_BYTES == 64
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512vl,avx2,fma")
#elif PV_LINES_VECTOR_BYTES == 32
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif

#include "fft/lines/convolve.h"
#include "fft/lines/prime.h"
#include "fft/lines/radix.h"
#include "fft/lines/recombine.h"
#include "fft/lines/slots_body.h"

// Strides in variables of their own: the compiler cannot know that no store changes the pass.
PV_INLINE void leaf(int radix, pv_lines_form from, pv_lines_form to, const pv_lines_pass *p, const char *src,
                    ptrdiff_t wrap, char *dst)
{
    points at = {src, dst, p->stride, SLOT_BYTES, wrap, from, to};
    const ptrdiff_t next = p->next;
    for (int64_t left = p->count; left > 0; left--) {
        whole(radix, &at, NULL);
        at.wrap = 0;
        at.src += next;
        at.dst += radix * SLOT_BYTES;
    }
}

PV_INLINE void combine(int radix, int factor_count, pv_lines_form to, const pv_lines_pass *p, char *work)
{
    points at = {work, work, p->stride, p->stride, 0, PV_LINES_SPLIT, to};
    const real *factors = p->factors;
    int64_t left = p->count - 1;
    whole(radix, &at, NULL);
    if (!factors) return;
    for (; left > 0; left--) {
        at.src = at.dst += SLOT_BYTES;
        whole(radix, &at, factors);
        factors += 2 * factor_count;
    }
}

#define PV_LINES_RADICES(X) \
    X(1, 0) X(2, 1) X(3, 2) X(4, 2) X(5, 4) X(6, 5) X(7, 6) X(8, 4) X(9, 8) X(10, 9) X(11, 10) X(12, 11) X(13, 12) \
    X(14, 13) X(15, 14) X(16, 8)

#define PV_LINES_DEFINE(radix, factor_count)                                                                           \
    static PV_WIDE void leaf_ss_##radix(const pv_lines_pass *p, const void *src, ptrdiff_t wrap, void *dst)            \
    {                                                                                                                  \
        leaf(radix, PV_LINES_SPLIT, PV_LINES_SPLIT, p, src, wrap, dst);                                                \
    }                                                                                                                  \
    static PV_WIDE void leaf_ps_##radix(const pv_lines_pass *p, const void *src, ptrdiff_t wrap, void *dst)            \
    {                                                                                                                  \
        leaf(radix, PV_LINES_PAIRED, PV_LINES_SPLIT, p, src, wrap, dst);                                               \
    }                                                                                                                  \
    static PV_WIDE void leaf_pp_##radix(const pv_lines_pass *p, const void *src, ptrdiff_t wrap, void *dst)            \
    {                                                                                                                  \
        leaf(radix, PV_LINES_PAIRED, PV_LINES_PAIRED, p, src, wrap, dst);                                              \
    }                                                                                                                  \
    static PV_WIDE void combine_s_##radix(const pv_lines_pass *p, void *work)                                          \
    {                                                                                                                  \
        combine(radix, factor_count, PV_LINES_SPLIT, p, work);                                                         \
    }                                                                                                                  \
    static PV_WIDE void combine_p_##radix(const pv_lines_pass *p, void *work)                                          \
    {                                                                                                                  \
        combine(radix, factor_count, PV_LINES_PAIRED, p, work);                                                        \
    }
PV_LINES_RADICES(PV_LINES_DEFINE)

#define PV_LINES_LEAF_SS(radix, factor_count) [radix] = leaf_ss_##radix,
#define PV_LINES_LEAF_PS(radix, factor_count) [radix] = leaf_ps_##radix,
#define PV_LINES_LEAF_PP(radix, factor_count) [radix] = leaf_pp_##radix,
#define PV_LINES_COMBINE_S(radix, factor_count) [radix] = combine_s_##radix,
#define PV_LINES_COMBINE_P(radix, factor_count) [radix] = combine_p_##radix,

const pv_lines_kernels PV_LINES_TABLE = {
    .precision = PV_LINES_IS_FP64 ? PV_FP64 : PV_FP32,
    .lanes = LANES,
    .real_bytes = sizeof(real),
    .slot_bytes = SLOT_BYTES,
    .leaf[PV_LINES_SPLIT][PV_LINES_SPLIT] = {PV_LINES_RADICES(PV_LINES_LEAF_SS)},
    .leaf[PV_LINES_PAIRED][PV_LINES_SPLIT] = {PV_LINES_RADICES(PV_LINES_LEAF_PS)},
    .leaf[PV_LINES_PAIRED][PV_LINES_PAIRED] = {PV_LINES_RADICES(PV_LINES_LEAF_PP)},
    .combine[PV_LINES_SPLIT] = {PV_LINES_RADICES(PV_LINES_COMBINE_S)},
    .combine[PV_LINES_PAIRED] = {PV_LINES_RADICES(PV_LINES_COMBINE_P)},
    .prime_leaf = prime_leaf,
    .prime_combine = prime_combine,
    .prime_block = PRIME_BLOCK,
    .permuted_load = permuted_load,
    .permuted_store = permuted_store,
    .weighted_load = weighted_load,
    .weighted_store = weighted_store,
    .multiply = multiply,
    .multiply_apart = multiply_apart,
    .spectrum_finish = spectrum_finish,
    .spectrum_prepare = spectrum_prepare,
    .reals_expand = reals_expand,
    .spectrum_store = spectrum_store,
    .spectrum_expand = spectrum_expand,
    .reals_store = reals_store,
    .slots = {
        .gather = slots_gather,
        .scatter = slots_scatter,
        .columns_load = slots_columns_load,
        .columns_store = slots_columns_store,
        .spectrum_load = slots_spectrum_load,
        .spectrum_store = slots_spectrum_store,
        .grid_load = slots_grid_load,
        .grid_store = slots_grid_store,
        .multiply = slots_multiply,
        .multiply_some = slots_multiply_some,
        .turn = slots_turn,
        .reals_load = slots_reals_load,
        .reals_store = slots_reals_store,
        .add_squares = slots_add_squares,
        .real_product = slots_real_product,
        .real_sums = slots_real_sums,
        .complex_product = slots_complex_product,
        .complex_sums = slots_complex_sums,
    },
};

#if defined(__clang__) && PV_LINES_VECTOR_BYTES > 16
#pragma clang attribute pop
#elif PV_LINES_VECTOR_BYTES > 16
#pragma GCC pop_options
#endif
