// SPDX-License-Identifier: Apache-2.0
// Between the coefficients that a sphere keeps and the full spectrum of one transform: of a whole sphere a change of
// order, of a half sphere two real fields a and b that become the spectrum of a + i b.
#ifndef PV_FFT_SPHERE_FOLD_H
#define PV_FFT_SPHERE_FOLD_H

#include <complex.h>
#include <stdint.h>

typedef struct pv_sphere_fold {
    int half;
    int64_t count;                     // coefficients of a field
    int64_t *plus, *minus;             // [count], where a point and (half) its partner sit in the full spectrum
    int64_t single;                    // the point that is its own partner, -1: none
} pv_sphere_fold;

// Fields `first` and, of a half sphere that has it, first + 1 of `fields` into a spectrum.
void pv_sphere_unfold(const pv_sphere_fold *fold, int64_t fields, int64_t first, const double _Complex *coefficients,
                      int64_t stride, double _Complex *spectrum);
// scale times a spectrum, back into these fields.
void pv_sphere_refold(const pv_sphere_fold *fold, double scale, int64_t fields, int64_t first,
                      const double _Complex *spectrum, double _Complex *coefficients, int64_t stride);

#endif
