// SPDX-License-Identifier: Apache-2.0
#include "fft/sphere/fold.h"

#include <math.h>
#include <stddef.h>

typedef double _Complex pv_c64;

// b = NULL: the imaginary field is zero.
static void unfold(const pv_sphere_fold *fold, const pv_c64 *restrict a, const pv_c64 *restrict b,
                   pv_c64 *restrict spectrum)
{
    const double scale = sqrt(0.5);
    for (int64_t p = 0; p < fold->count; p++) {
        const double ar = scale * creal(a[p]), ai = scale * cimag(a[p]);
        const double br = b ? scale * creal(b[p]) : 0.0, bi = b ? scale * cimag(b[p]) : 0.0;
        spectrum[fold->plus[p]] = CMPLX(ar - bi, ai + br);
        spectrum[fold->minus[p]] = CMPLX(ar + bi, br - ai);
    }
    if (fold->single >= 0) {
        const int64_t p = fold->single;
        spectrum[fold->plus[p]] = CMPLX(creal(a[p]), b ? creal(b[p]) : 0.0);
    }
}

static void refold(const pv_sphere_fold *fold, double scale, const pv_c64 *restrict spectrum, pv_c64 *restrict a,
                   pv_c64 *restrict b)
{
    const double half = scale * sqrt(0.5);
    for (int64_t p = 0; p < fold->count; p++) {
        const pv_c64 plus = spectrum[fold->plus[p]], minus = spectrum[fold->minus[p]];
        a[p] = half * CMPLX(creal(plus) + creal(minus), cimag(plus) - cimag(minus));
        if (b) b[p] = half * CMPLX(cimag(plus) + cimag(minus), creal(minus) - creal(plus));
    }
    if (fold->single >= 0) {
        const int64_t p = fold->single;
        const pv_c64 mean = scale * spectrum[fold->plus[p]];
        a[p] = creal(mean);
        if (b) b[p] = cimag(mean);
    }
}

void pv_sphere_unfold(const pv_sphere_fold *fold, int64_t fields, int64_t first, const double _Complex *coefficients,
                      int64_t stride, double _Complex *spectrum)
{
    const pv_c64 *a = coefficients + first * stride;
    if (fold->half)
        unfold(fold, a, first + 1 < fields ? a + stride : NULL, spectrum);
    else
        for (int64_t p = 0; p < fold->count; p++) spectrum[fold->plus[p]] = a[p];
}

void pv_sphere_refold(const pv_sphere_fold *fold, double scale, int64_t fields, int64_t first,
                      const double _Complex *spectrum, double _Complex *coefficients, int64_t stride)
{
    pv_c64 *a = coefficients + first * stride;
    if (fold->half)
        refold(fold, scale, spectrum, a, first + 1 < fields ? a + stride : NULL);
    else
        for (int64_t p = 0; p < fold->count; p++) a[p] = scale * spectrum[fold->plus[p]];
}
