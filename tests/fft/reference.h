// SPDX-License-Identifier: Apache-2.0
// A random field on the whole grid, its spectrum and that of its real part, by FFTW in FP64, on every rank.
#ifndef PV_TESTS_FFT_REFERENCE_H
#define PV_TESTS_FFT_REFERENCE_H

#include <complex.h>
#include <string.h>

#include <fftw3.h>

#include "array.h"

enum { REFERENCE_BATCH = 3 };

typedef struct reference {
    double complex *space;                  // [REFERENCE_BATCH][points]
    double complex *spectrum[2];            // by pv_fft_type, [REFERENCE_BATCH][coefficients]
} reference;

static inline void reference_transform(const int64_t shape[3], pv_fft_type type, double complex *space,
                                       double complex *spectrum)
{
    int n[3] = {(int)shape[0], (int)shape[1], (int)shape[2]};
    unsigned flags = FFTW_ESTIMATE | FFTW_PRESERVE_INPUT;
    double *reals = NULL;
    int64_t points = shape[0] * shape[1] * shape[2];
    assert_ok(PV_ALLOC(points, &reals));
    for (int64_t i = 0; i < points; i++) reals[i] = creal(space[i]);
    fftw_plan plan = type == PV_R2C ? fftw_plan_dft_r2c_3d(n[0], n[1], n[2], reals, spectrum, flags)
                                    : fftw_plan_dft_3d(n[0], n[1], n[2], space, spectrum, FFTW_FORWARD, flags);
    assert_non_null(plan);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
    pv_mem_free(reals);
}

static inline void reference_create(const int64_t shape[3], uint64_t seed, reference *r)
{
    int64_t points = shape[0] * shape[1] * shape[2], point[3];
    array grid = {.box = {{0, 0, 0}, {shape[0], shape[1], shape[2]}}};
    assert_ok(PV_ALLOC(REFERENCE_BATCH * points, &r->space));
    for (int64_t item = 0; item < REFERENCE_BATCH; item++) {
        for (int64_t i = 0; i < points; i++) {
            array_point(&grid, i, point);
            r->space[item * points + i] = field_random(&seed, item, point, shape);
        }
    }
    for (int type = PV_C2C; type <= PV_R2C; type++) {
        int64_t coefficients = points / shape[2] * (type == PV_R2C ? shape[2] / 2 + 1 : shape[2]);
        assert_ok(PV_ALLOC(REFERENCE_BATCH * coefficients, &r->spectrum[type]));
        for (int64_t item = 0; item < REFERENCE_BATCH; item++)
            reference_transform(shape, (pv_fft_type)type, r->space + item * points,
                                r->spectrum[type] + item * coefficients);
    }
}

static inline void reference_destroy(reference *r)
{
    pv_mem_free(r->space);
    pv_mem_free(r->spectrum[PV_C2C]);
    pv_mem_free(r->spectrum[PV_R2C]);
}

#endif
