// SPDX-License-Identifier: Apache-2.0
// What rounding the constants of LDA's correlation makes, without spin: J. P. Perdew and Y. Wang, Phys. Rev. B 45, 13244
// (1992), who published A = 0.031091 where libxc's gradient-corrected functionals have 0.0310907.
#ifndef PV_DFT_XC_CONSTANTS_H
#define PV_DFT_XC_CONSTANTS_H

#include <math.h>

#include "dft/model/units.h"

// Correlation with the published A less that with the other, an electron, at a density; and its derivative by log(r_s):
// -2 A (1 + alpha r_s) log(1 + 1 / (2 A q(r_s))) of each, by the logarithm of what their arguments differ.
static inline double pv_xc_published_less_exact(double density, double *by_log_rs_p)
{
    static const double a = 0.031091, b = 0.0310907, alpha = 0.21370;
    static const double beta[4] = {7.5957, 3.5876, 1.6382, 0.49294}; // of r_s^(1/2), r_s, ...
    const double rs = cbrt(3.0 / (4.0 * PV_PI * density)), root = sqrt(rs);
    const double q = root * (beta[0] + root * (beta[1] + root * (beta[2] + root * beta[3])));
    const double q_slope = 0.5 * beta[0] / root + beta[1] + root * (1.5 * beta[2] + root * 2.0 * beta[3]);
    const double log_b = log1p(1.0 / (2.0 * b * q));
    // log(1 + 1 / (2 a q)) - log(1 + 1 / (2 b q))
    const double log_less = log1p((b - a) / (a * (1.0 + 2.0 * b * q)));
    const double logs = (a - b) * log_b + a * log_less; // a log_a - b log_b
    // A d log(1 + 1 / (2 A q)) / dq = -A / (q (1 + 2 A q))
    const double logs_slope = -((a - b) / ((1.0 + 2.0 * a * q) * (1.0 + 2.0 * b * q))) / q * q_slope;
    *by_log_rs_p = -2.0 * rs * (alpha * logs + (1.0 + alpha * rs) * logs_slope);
    return -2.0 * (1.0 + alpha * rs) * logs;
}

#endif
