// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/xc_gradient_cap.h"

#include <math.h>

#include "dft/model/units.h"

// What libxc bends to t: it takes u - log(1 + exp(u - LARGEST)) between 1 and 15, LARGEST above.
#define LARGEST 8.572844
#define UNCHANGED_BELOW 1.0
#define CAPPED_FROM 8.3
#define CAP_SLOPE 18.79622316
#define BENDS_TO_LARGEST 14.999

pv_xc_capped pv_xc_cap_gradient(int spins, double density, double sigma)
{
    const double fermi = cbrt((spins == 2 ? 6.0 : 3.0) * PV_PI * PV_PI * density);
    const double unit = 2.0 * fermi * density, s = sqrt(sigma) / unit; // |gradient| = s unit
    if (!(s >= UNCHANGED_BELOW)) return (pv_xc_capped){sigma, 1.0, 0.0};
    const double t = s < CAPPED_FROM ? s : LARGEST - CAP_SLOPE / (s * s);
    const double rest = -expm1(t - LARGEST), u = t - log(rest);
    const double most = BENDS_TO_LARGEST * BENDS_TO_LARGEST * unit * unit;
    if (u > BENDS_TO_LARGEST) return (pv_xc_capped){most, 0.0, 8.0 / 3.0 * most / density};
    const double slope = (s < CAPPED_FROM ? 1.0 : 2.0 * CAP_SLOPE / (s * s * s)) / rest; // du/ds
    return (pv_xc_capped){u * u * unit * unit, u * slope / s, 8.0 / 3.0 * u * (u - slope * s) * unit * unit / density};
}
