// SPDX-License-Identifier: Apache-2.0
// Gradient corrections of PBE (J. P. Perdew, K. Burke and M. Ernzerhof, Phys. Rev. Lett. 77, 3865 (1996)) and PBEsol
// (J. P. Perdew et al., Phys. Rev. Lett. 100, 136406 (2008)) inside kernels: what they add to the uniform electron gas.
#ifndef PV_DFT_XC_PBE_H
#define PV_DFT_XC_PBE_H

#include "dft/terms/xc_local.h"

#define XC_KAPPA 0.804
#define XC_GAMMA 0.03109069086965489503 // (1 - log 2) / pi^2

// The enhancement of exchange less 1, by s2 = sigma / (4 fermi^2 rho^2).
PV_KERNEL_FUNCTION xc_slope xc_pbe_enhancement(double mu, double s2)
{
    const double divisor = 1.0 / (XC_KAPPA + mu * s2);
    const xc_slope f = {XC_KAPPA * mu * s2 * divisor, mu * XC_KAPPA * XC_KAPPA * divisor * divisor};
    return f;
}

// H of correlation, energy an electron, by what it depends on: the uniform gas's energy, phi = ((1 + z)^(2/3) + (1 -
// z)^(2/3)) / 2 and t2 = pi sigma / (16 phi^2 fermi rho^2), each for the others fixed.
typedef struct xc_pbe_h {
    double value, by_uniform, by_phi, by_t2;
} xc_pbe_h;

PV_KERNEL_FUNCTION xc_pbe_h xc_pbe_correlation(double beta, double uniform, double phi, double t2)
{
    const double g = XC_GAMMA * phi * phi * phi, ratio = beta / XC_GAMMA;
    const double exponent = -uniform / g, less = pv_exp(exponent) - 1.0, a = ratio / less;
    const double y = a * t2, divisor = 1.0 / (1.0 + y + y * y);
    const double q = t2 * (1.0 + y) * divisor, by_t2 = (1.0 + 2.0 * y) * divisor * divisor;
    const double by_a = -t2 * divisor * t2 * divisor * y * (2.0 + y);
    const double log = pv_log1p(ratio * q), outer = g * ratio / (1.0 + ratio * q);
    const double by_exponent = -outer * by_a * a * (less + 1.0) / less;
    xc_pbe_h h;
    h.value = g * log;
    h.by_t2 = outer * by_t2;
    h.by_uniform = -by_exponent / g;
    h.by_phi = 3.0 / phi * (h.value - by_exponent * exponent);
    return h;
}

#endif
