// SPDX-License-Identifier: Apache-2.0
#include "fft/lines/real.h"

#include "base/check.h"
#include "base/mem.h"
#include "fft/lines/roots.h"

int64_t pv_lines_real_length(int64_t n) { return n % 2 == 0 ? n / 2 : n; }

// Two reals one after the other are a split slot: the complex transform of an even line reads or writes them there.
pv_lines_ends pv_lines_real_ends(int to_real) { return (pv_lines_ends){PV_LINES_SPLIT, PV_LINES_SPLIT, to_real}; }

static pv_status factors_fill(pv_lines_real *real)
{
    int64_t half = real->n / 2;
    if (real->n % 2 == 1) return PV_OK;
    PV_TRY(pv_mem_alloc((size_t)half, 2 * real->kernels->real_bytes, &real->factors));
    for (int64_t k = 1; k < half; k++) {
        pv_lines_number root = pv_lines_root(k, real->n), factor = {root.im / 2, -root.re / 2};     // root / 2 i
        if (real->to_real) factor = (pv_lines_number){root.im, root.re};                            // i / root
        pv_lines_number_store(real->kernels, real->factors, k - 1, factor);
    }
    return PV_OK;
}

pv_status pv_lines_real_create(const pv_lines_kernels *kernels, int64_t n, int to_real, pv_lines_transform *transform,
                               pv_lines_real **real_p)
{
    pv_lines_real *real;
    pv_status status = PV_ALLOC(1, &real);
    if (status != PV_OK) {
        pv_lines_transform_destroy(transform);
        return status;
    }
    *real = (pv_lines_real){n, kernels, to_real, NULL, transform, transform->scratch_bytes};
    if (n % 2 == 1) real->scratch_bytes += 2 * (size_t)n * kernels->slot_bytes;
    status = factors_fill(real);
    if (status != PV_OK) {
        pv_lines_real_destroy(real);
        return status;
    }
    *real_p = real;
    return PV_OK;
}

void pv_lines_real_destroy(pv_lines_real *real)
{
    if (!real) return;
    pv_lines_transform_destroy(real->transform);
    pv_mem_free(real->factors);
    pv_mem_free(real);
}

static void odd_run(const pv_lines_real *real, const void *in, void *out, char *scratch)
{
    const pv_lines_kernels *kernels = real->kernels;
    size_t bytes = (size_t)real->n * kernels->slot_bytes;
    char *line = scratch, *result = scratch + bytes, *rest = scratch + 2 * bytes;
    if (real->to_real)
        kernels->spectrum_expand(real->n, in, line);
    else
        kernels->reals_expand(real->n, in, line);
    pv_lines_transform_run(real->transform, line, result, rest);
    if (real->to_real)
        kernels->reals_store(real->n, result, out);
    else
        kernels->spectrum_store(real->n, result, out);
}

void pv_lines_real_run(const pv_lines_real *real, void *in, void *out, void *scratch)
{
    if (real->n % 2 == 1) {
        odd_run(real, in, out, scratch);
        return;
    }
    if (real->to_real) real->kernels->spectrum_prepare(real->n / 2, real->factors, in);
    pv_lines_transform_run(real->transform, in, out, scratch);
    if (!real->to_real) real->kernels->spectrum_finish(real->n / 2, real->factors, out);
}
