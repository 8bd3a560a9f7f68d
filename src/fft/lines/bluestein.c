// SPDX-License-Identifier: Apache-2.0
// Bluestein's transform of any number n of points (L. I. Bluestein, IEEE Trans. Audio Electroacoust. 18, 451, 1970):
// j k = (j^2 + k^2 - (k - j)^2) / 2 makes it a convolution with the chirp exp(i pi j^2 / n), padded to a kind length.
#include "fft/lines/convolution.h"

#include <string.h>

#include "base/check.h"
#include "base/mem.h"

typedef struct bluestein {
    pv_lines_leaf leaf;
    const pv_lines_kernels *kernels;
    int64_t n, points;              // of the convolution
    void *chirp;                    // exp(-i pi j^2 / n)
    void *spectrum;                 // of the conjugate chirp, over `points`
    pv_lines_transform *inner;
} bluestein;

static void run(const pv_lines_leaf *leaf, const pv_lines_pass *p, const char *src, ptrdiff_t wrap, char *dst,
                char *scratch)
{
    const bluestein *b = (const bluestein *)leaf;
    size_t bytes = (size_t)b->points * b->kernels->slot_bytes;
    char *values = scratch, *spectrum = scratch + bytes, *rest = scratch + 2 * bytes;
    b->kernels->weighted_load(p, b->chirp, b->n, b->points, src, wrap, values);
    pv_lines_transform_run(b->inner, values, spectrum, rest);
    b->kernels->multiply(b->spectrum, b->points, spectrum);
    // Forward again: the result comes out in reverse order.
    pv_lines_transform_run(b->inner, spectrum, values, rest);
    b->kernels->weighted_store(p, b->chirp, b->n, b->points, values, dst);
}

static void destroy(pv_lines_leaf *leaf)
{
    bluestein *b = (bluestein *)leaf;
    pv_lines_transform_destroy(b->inner);
    pv_mem_free(b->chirp);
    pv_mem_free(b->spectrum);
    pv_mem_free(b);
}

pv_status pv_lines_bluestein_tables(int64_t n, int64_t points, pv_lines_number *chirp, pv_lines_number *spectrum)
{
    int64_t turn = 0;               // j^2 modulo 2 n
    memset(spectrum, 0, (size_t)points * sizeof *spectrum);
    for (int64_t j = 0; j < n; turn = (turn + 2 * j + 1) % (2 * n), j++) {
        chirp[j] = pv_lines_root(turn, 2 * n);
        spectrum[j] = (pv_lines_number){chirp[j].re, -chirp[j].im};
        if (j > 0) spectrum[points - j] = spectrum[j];
    }
    return pv_lines_numbers_transform(points, 1.0L / (long double)points, spectrum);
}

static pv_status tables_fill(bluestein *b)
{
    pv_lines_number *chirp;
    PV_TRY(pv_mem_alloc((size_t)b->n, 2 * b->kernels->real_bytes, &b->chirp));
    PV_TRY(pv_mem_alloc((size_t)b->points, 2 * b->kernels->real_bytes, &b->spectrum));
    PV_TRY(PV_ALLOC(b->n + b->points, &chirp));
    pv_lines_number *spectrum = chirp + b->n;
    pv_status status = pv_lines_bluestein_tables(b->n, b->points, chirp, spectrum);
    for (int64_t i = 0; i < b->n; i++) pv_lines_number_store(b->kernels, b->chirp, i, chirp[i]);
    for (int64_t i = 0; i < b->points; i++) pv_lines_number_store(b->kernels, b->spectrum, i, spectrum[i]);
    pv_mem_free(chirp);
    return status;
}

pv_status pv_lines_bluestein_create(const pv_lines_kernels *kernels, int64_t n, int64_t inner_n,
                                    pv_lines_transform *inner, pv_lines_leaf **leaf_p)
{
    bluestein *b;
    pv_status status = PV_ALLOC(1, &b);
    if (status != PV_OK) {
        pv_lines_transform_destroy(inner);
        return status;
    }
    size_t scratch_bytes = 2 * (size_t)inner_n * kernels->slot_bytes + inner->scratch_bytes;
    *b = (bluestein){{run, destroy, scratch_bytes}, kernels, n, inner_n, NULL, NULL, inner};
    status = tables_fill(b);
    if (status != PV_OK) {
        destroy(&b->leaf);
        return status;
    }
    *leaf_p = &b->leaf;
    return PV_OK;
}
