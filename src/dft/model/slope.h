// SPDX-License-Identifier: Apache-2.0
// Derivative of a form factor by q from its values at q - 2h, q - h, q + h, q + 2h: error h^4 f'''''/30. Form factors
// reach 10 bohr at most and are good to 1e-10, which at this h leaves about 1e-7 of them.
#ifndef PV_DFT_SLOPE_H
#define PV_DFT_SLOPE_H

#define PV_SLOPE_STEP 5e-3             // 1/bohr

static inline double pv_slope(double before2, double before, double after, double after2)
{
    return (before2 - after2 + 8.0 * (after - before)) / (12.0 * PV_SLOPE_STEP);
}

#endif
