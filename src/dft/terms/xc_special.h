// SPDX-License-Identifier: Apache-2.0
// Special functions of the screened functionals, without branches, inside kernels.
#ifndef PV_DFT_XC_SPECIAL_H
#define PV_DFT_XC_SPECIAL_H

#include "device/kernel_math.h"

#define XC_PI 3.14159265358979323846
#define XC_SQRT_PI 1.77245385090551602730

// exp(z^2) erfc(z), z >= 0: (1 + 2 z) times it as a polynomial of (z - 3) / (z + 3) (M. M. Shepherd and J. G.
// Laframboise, Math. Comp. 36, 249 (1981)), here of degree 28, to the rounding.
PV_KERNEL_FUNCTION double xc_erfcx(double z)
{
    const double t = (z - 3.0) / (z + 3.0);
    double sum = 3.25119546385459556e-11;
    sum = sum * t - 3.73323437907818775e-11;
    sum = sum * t - 4.15809656039511884e-10;
    sum = sum * t + 2.17474653257736235e-10;
    sum = sum * t + 2.77404591098518572e-9;
    sum = sum * t + 4.46020350391496949e-10;
    sum = sum * t - 1.30436977683072242e-8;
    sum = sum * t - 1.25780225164226991e-8;
    sum = sum * t + 4.85264264182050944e-8;
    sum = sum * t + 1.01264242783533921e-7;
    sum = sum * t - 1.48133515645704368e-7;
    sum = sum * t - 6.16383688307446847e-7;
    sum = sum * t + 3.61145695904152368e-7;
    sum = sum * t + 3.4723884155838866e-6;
    sum = sum * t - 7.33451337208202471e-7;
    sum = sum * t - 0.0000201006047036160222;
    sum = sum * t + 4.95007629483950758e-6;
    sum = sum * t + 0.000125099374409710652;
    sum = sum * t - 0.000105159918003552587;
    sum = sum * t - 0.000779832278100811359;
    sum = sum * t + 0.00188869037380591268;
    sum = sum * t + 0.00252939181694835029;
    sum = sum * t - 0.0237705149196652529;
    sum = sum * t + 0.0683080273439107248;
    sum = sum * t - 0.119273663415274035;
    sum = sum * t + 0.12964515870276292;
    sum = sum * t - 0.0475622943534511876;
    sum = sum * t - 0.135621106124581195;
    sum = sum * t + 1.25300805826972965;
    return sum / (1.0 + 2.0 * z);
}

// exp(x) E1(x), x > 0, given log(x). From 1 on x times it is a quotient of polynomials of 1/x (fitted to 5e-16), below
// 1 E1(x) = -gamma - log(x) + x - x^2 / (2 2!) + ...
PV_KERNEL_FUNCTION double xc_exp_e1(double x, double log_x)
{
    const double v = 1.0 / (x > 1.0 ? x : 1.0);
    double p = 2.05046141792704221, q = 117.904697217284377;
    p = p * v + 420.016448217874157;
    p = p * v + 5879.39815605600195;
    p = p * v + 24917.6667346882774;
    p = p * v + 44468.3616153794613;
    p = p * v + 38758.430723414229;
    p = p * v + 17788.4776932016557;
    p = p * v + 4431.55171549819086;
    p = p * v + 592.048979273727986;
    p = p * v + 39.2534683278319128;
    p = p * v + 1.0;
    q = q * v + 2857.2733114644599;
    q = q * v + 19281.4024898114758;
    q = q * v + 53769.2494262857216;
    q = q * v + 73362.3345170334652;
    q = q * v + 53452.2084720031495;
    q = q * v + 21732.7408351127631;
    q = q * v + 4987.34722644120884;
    q = q * v + 630.302447601563136;
    q = q * v + 40.2534683278319126;
    q = q * v + 1.0;
    const double far = v * p / q, y = x < 1.0 ? x : 1.0;
    double sum = -1.0 / 334764638208000.0; // 1 / (16 16!)
    sum = sum * y + 1.0 / 19615115520000.0;
    sum = sum * y - 1.0 / 1220496076800.0;
    sum = sum * y + 1.0 / 80951270400.0;
    sum = sum * y - 1.0 / 5748019200.0;
    sum = sum * y + 1.0 / 439084800.0;
    sum = sum * y - 1.0 / 36288000.0;
    sum = sum * y + 1.0 / 3265920.0;
    sum = sum * y - 1.0 / 322560.0;
    sum = sum * y + 1.0 / 35280.0;
    sum = sum * y - 1.0 / 4320.0;
    sum = sum * y + 1.0 / 600.0;
    sum = sum * y - 1.0 / 96.0;
    sum = sum * y + 1.0 / 18.0;
    sum = sum * y - 0.25;
    sum = sum * y + 1.0;
    const double near = pv_exp(y) * (y * sum - 0.57721566490153286061 - log_x);
    return x < 1.0 ? near : far;
}

#endif
