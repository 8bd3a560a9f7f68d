// SPDX-License-Identifier: Apache-2.0
// Real spherical harmonics up to l = 3, normalised to 1 on the sphere.
#ifndef PV_DFT_HARMONIC_H
#define PV_DFT_HARMONIC_H

#define PV_HARMONICS 16                // (3 + 1)^2

// value[l * l + m], m = 0 .. 2l, for l <= l_max <= 3, in the direction of r. At r = 0 only l = 0 is not zero: radial
// functions of higher l vanish there.
void pv_harmonics(int l_max, const double r[3], double value[PV_HARMONICS]);

// |r|^l times the same, polynomials in x, y, z, and their gradients: gradient[index][direction].
void pv_solid_harmonics(int l_max, const double r[3], double value[PV_HARMONICS], double gradient[PV_HARMONICS][3]);

#endif
