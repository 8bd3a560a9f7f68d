// SPDX-License-Identifier: Apache-2.0
// Large gradients in screened exchange. The enhancement over the exchange hole of Ernzerhof and Perdew is wrong above a
// reduced gradient s of 8.57, so its makers hold s below that (J. Heyd, G. E. Scuseria and M. Ernzerhof, J. Chem. Phys.
// 118, 8207 (2003), and their code, which Quantum ESPRESSO has): s to 8.3, 8.572844 - 18.79622316 / s^2 above. libxc
// bends s from 1 on instead, which moves states in a vacuum by 25 meV.
#ifndef PV_DFT_XC_GRADIENT_CAP_H
#define PV_DFT_XC_GRADIENT_CAP_H

#include "dft/terms/xc_local.h"

#define XC_CAPPED_FROM 8.3
#define XC_CAP_LARGEST 8.572844
#define XC_CAP_SLOPE 18.79622316

// The s^2 that the hole is asked for, by the one that the density has.
PV_KERNEL_FUNCTION xc_slope xc_cap_gradient(double s2)
{
    const int capped = s2 >= XC_CAPPED_FROM * XC_CAPPED_FROM;
    const double inverse = 1.0 / (capped ? s2 : 1.0), s = XC_CAP_LARGEST - XC_CAP_SLOPE * inverse;
    const xc_slope cap = {capped ? s * s : s2, capped ? 2.0 * s * XC_CAP_SLOPE * inverse * inverse : 1.0};
    return cap;
}

#endif
