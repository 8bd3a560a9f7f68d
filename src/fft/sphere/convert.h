// SPDX-License-Identifier: Apache-2.0
// Fields in sliced order from double to single precision and back: slices of one have as many lanes as two of the
// other.
#ifndef PV_FFT_SPHERE_CONVERT_H
#define PV_FFT_SPHERE_CONVERT_H

#include "fft/sphere/sphere.h"

// wide and narrow: spheres on one grid, of PV_FP64 and PV_FP32. parts: 1 for real fields, 2 for slots (slots.h). Fields
// have parts * pv_sphere_reals_count() reals. Local.
void pv_sphere_narrow(const pv_sphere *wide, const pv_sphere *narrow, int parts, const double *from, float *to);
void pv_sphere_widen(const pv_sphere *narrow, const pv_sphere *wide, int parts, const float *from, double *to);

#endif
