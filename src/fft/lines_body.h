// SPDX-License-Identifier: Apache-2.0
// The passes of one precision: loops of butterflies over elements in memory, and their table.
#include "fft/lines_convolve.h"
#include "fft/lines_prime.h"
#include "fft/lines_radix.h"
#include "fft/lines_recombine.h"

PV_INLINE void butterfly(int radix, const real *factors, pv_lines_form from, pv_lines_form to, const pv_lines_pass *p,
                         const char *src, ptrdiff_t wrap, char *dst)
{
    cvec x[PV_LINES_RADIX_MAX];
    x[0] = load(from, src + wrap);
    PV_UNROLL for (int q = 1; q < radix; q++) x[q] = load(from, src + q * p->src_stride);
    radix_any(radix, x, factors);
    PV_UNROLL for (int q = 0; q < radix; q++) store(to, dst + q * p->dst_stride, x[q]);
}

PV_INLINE void leaf(int radix, pv_lines_form from, pv_lines_form to, const pv_lines_pass *p, const char *src,
                    ptrdiff_t wrap, char *dst)
{
    for (int64_t b = 0; b < p->count; b++) {
        butterfly(radix, NULL, from, to, p, src, wrap, dst);
        wrap = 0;
        src += p->src_next;
        dst += p->dst_next;
    }
}

PV_INLINE void combine(int radix, int factor_count, pv_lines_form to, const pv_lines_pass *p, const char *src, char *dst)
{
    const real *factors = p->factors;
    butterfly(radix, NULL, PV_LINES_SPLIT, to, p, src, 0, dst);
    if (!factors) return;
    for (int64_t b = 1; b < p->count; b++) {
        src += p->src_next;
        dst += p->dst_next;
        butterfly(radix, factors, PV_LINES_SPLIT, to, p, src, 0, dst);
        factors += 2 * factor_count;
    }
}

#define PV_LINES_RADICES(X) \
    X(1, 0) X(2, 1) X(3, 2) X(4, 2) X(5, 4) X(6, 5) X(7, 6) X(8, 4) X(9, 8) X(10, 9) X(11, 10) X(12, 11) X(13, 12) \
    X(14, 13) X(15, 14) X(16, 8)

#define PV_LINES_DEFINE(radix, factor_count)                                                                           \
    static PV_WIDE void leaf_ss_##radix(const pv_lines_pass *p, const void *src, ptrdiff_t wrap, void *dst)                    \
    {                                                                                                                  \
        leaf(radix, PV_LINES_SPLIT, PV_LINES_SPLIT, p, src, wrap, dst);                                                \
    }                                                                                                                  \
    static PV_WIDE void leaf_ps_##radix(const pv_lines_pass *p, const void *src, ptrdiff_t wrap, void *dst)                    \
    {                                                                                                                  \
        leaf(radix, PV_LINES_PAIRED, PV_LINES_SPLIT, p, src, wrap, dst);                                               \
    }                                                                                                                  \
    static PV_WIDE void leaf_pp_##radix(const pv_lines_pass *p, const void *src, ptrdiff_t wrap, void *dst)                    \
    {                                                                                                                  \
        leaf(radix, PV_LINES_PAIRED, PV_LINES_PAIRED, p, src, wrap, dst);                                              \
    }                                                                                                                  \
    static PV_WIDE void combine_s_##radix(const pv_lines_pass *p, const void *src, ptrdiff_t wrap, void *dst)                  \
    {                                                                                                                  \
        (void)wrap;                                                                                                    \
        combine(radix, factor_count, PV_LINES_SPLIT, p, src, dst);                                                     \
    }                                                                                                                  \
    static PV_WIDE void combine_p_##radix(const pv_lines_pass *p, const void *src, ptrdiff_t wrap, void *dst)                  \
    {                                                                                                                  \
        (void)wrap;                                                                                                    \
        combine(radix, factor_count, PV_LINES_PAIRED, p, src, dst);                                                    \
    }
PV_LINES_RADICES(PV_LINES_DEFINE)

#define PV_LINES_LEAF_SS(radix, factor_count) [radix] = leaf_ss_##radix,
#define PV_LINES_LEAF_PS(radix, factor_count) [radix] = leaf_ps_##radix,
#define PV_LINES_LEAF_PP(radix, factor_count) [radix] = leaf_pp_##radix,
#define PV_LINES_COMBINE_S(radix, factor_count) [radix] = combine_s_##radix,
#define PV_LINES_COMBINE_P(radix, factor_count) [radix] = combine_p_##radix,

const pv_lines_kernels PV_LINES_TABLE = {
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
};
