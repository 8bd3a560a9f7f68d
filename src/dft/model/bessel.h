// SPDX-License-Identifier: Apache-2.0
// Spherical Bessel functions j_l(x), l from 0 to 3.
#ifndef PV_DFT_BESSEL_H
#define PV_DFT_BESSEL_H

double pv_bessel(int l, double x);
// The same where sin x and cos x are known.
double pv_bessel_from(int l, double x, double sine, double cosine);

#endif
