// SPDX-License-Identifier: Apache-2.0
// What the pointwise steps of spheres on grids work on. Shared by C and CUDA sources.
#ifndef PV_FFT_SPHERE_ARGUMENTS_H
#define PV_FFT_SPHERE_ARGUMENTS_H

#include <stdint.h>

// Of the fields of some transforms: one each, or of a half sphere two, the last of which may be missing.
typedef struct sphere_arguments {
    int64_t n[3], points, count; // grid, its points, coefficients of a field
    int64_t fields;
    const int32_t *code;         // [points]: 2 p, or 2 p + 1 for the partner of coefficient p; -1: none there
    const int32_t *plus, *minus; // [count]: points of coefficients and partners
    int64_t single;
    const double *phase[3]; // complex; NULL where it is 1
    const double *in;       // coefficients
    double *out;
    int64_t stride; // coefficients from one field to the next
    double *grids;  // complex
    const double *reals;
    double *sums;
    double scale;
} sphere_arguments;

#endif
