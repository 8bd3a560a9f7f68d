// SPDX-License-Identifier: Apache-2.0
// Exchange and correlation of the uniform electron gas inside kernels: exchange, its short range, and correlation of
// Perdew and Zunger and of Perdew and Wang. No branches: a caller replaces what a point lacks by something harmless.
#ifndef PV_DFT_XC_LOCAL_H
#define PV_DFT_XC_LOCAL_H

#include "dft/terms/xc_special.h"

// Exchange energy a volume of both spins together and its derivative; fermi = (3 pi^2 rho)^(1/3).
typedef struct xc_slater {
    double fermi, energy, by_density;
} xc_slater;

PV_KERNEL_FUNCTION xc_slater xc_slater_at(double density)
{
    xc_slater x;
    x.fermi = pv_cbrt(3.0 * XC_PI * XC_PI * density);
    x.by_density = -x.fermi / XC_PI;
    x.energy = 0.75 * x.by_density * density;
    return x;
}

// A function of one argument with its derivative.
typedef struct xc_slope {
    double value, by;
} xc_slope;

// The share of exchange that erfc(w r)/r has, by nu = w / fermi: P. M. W. Gill, R. D. Adamson and J. A. Pople, Mol.
// Phys. 88, 1005 (1996), with a = nu / 2; above 1 its series in 1/a, which does not cancel.
PV_KERNEL_FUNCTION xc_slope xc_short_range_share(double nu)
{
    const double whole = 0.5 * nu, least = whole > 1e-9 ? whole : 1e-9, a = least < 1.0 ? least : 1.0;
    const double z = 0.5 / a, a2 = a * a;
    const double gauss = pv_exp(-z * z), error = 1.0 - xc_erfcx(z) * gauss;
    const double bracket = XC_SQRT_PI * error + (2.0 * a - 4.0 * a * a2) * gauss - 3.0 * a + 4.0 * a * a2;
    const double slope = 12.0 * a2 * (1.0 - gauss) - 3.0;
    const double b = whole > 1.0 ? whole : 1.0, v = 1.0 / (b * b);
    double sum = 1.0 / 300357209869516800.0, by = 11.0 / 300357209869516800.0; // sum / v and d sum / dv
#define XC_NEXT(k, divisor)               \
    sum = sum * v + 1.0 / (divisor);      \
    by = by * v + (k) / (divisor)
    XC_NEXT(10.0, -5273830608076800.0);
    XC_NEXT(9.0, 99407521382400.0);
    XC_NEXT(8.0, -2021444812800.0);
    XC_NEXT(7.0, 44590694400.0);
    XC_NEXT(6.0, -1073479680.0);
    XC_NEXT(5.0, 28385280.0);
    XC_NEXT(4.0, -829440.0);
    XC_NEXT(3.0, 26880.0);
    XC_NEXT(2.0, -960.0);
    XC_NEXT(1.0, 36.0);
#undef XC_NEXT
    const xc_slope near = {1.0 - 8.0 / 3.0 * a * bracket, -4.0 / 3.0 * (bracket + a * slope)};
    const xc_slope far = {sum * v, -by * v / b};
    const xc_slope s = {whole < 1.0 ? near.value : far.value, whole < 1.0 ? near.by : far.by};
    return s;
}

// ---- Correlation -------------------------------------------------------------------------------------------------

// Energy an electron, with derivatives by rs = (3 / (4 pi rho))^(1/3) and by the polarisation z = (up - down) / rho.
typedef struct xc_uniform {
    double energy, by_rs, by_z;
} xc_uniform;

// What interpolates between no and full polarisation: ((1 + z)^(4/3) + (1 - z)^(4/3) - 2) / (2^(4/3) - 2).
#define XC_BETWEEN 0.51984209978974632953

PV_KERNEL_FUNCTION xc_slope xc_between(double root_up, double root_down) // cube roots of 1 + z and 1 - z
{
    const double up = root_up * root_up * root_up * root_up, down = root_down * root_down * root_down * root_down;
    const xc_slope f = {(up + down - 2.0) / XC_BETWEEN, 4.0 / 3.0 * (root_up - root_down) / XC_BETWEEN};
    return f;
}

// G of J. P. Perdew and Y. Wang, Phys. Rev. B 45, 13244 (1992), equation 10, by rs.
typedef struct xc_pw_row {
    double a, alpha, beta1, beta2, beta3, beta4;
} xc_pw_row;

PV_KERNEL_FUNCTION xc_slope xc_pw_g(xc_pw_row c, double rs, double root)
{
    const double q = 2.0 * c.a * root * (c.beta1 + root * (c.beta2 + root * (c.beta3 + root * c.beta4)));
    const double by = c.a * (c.beta1 / root + 2.0 * c.beta2 + root * (3.0 * c.beta3 + 4.0 * c.beta4 * root));
    const double log = pv_log1p(1.0 / q), front = -2.0 * c.a * (1.0 + c.alpha * rs);
    const xc_slope g = {front * log, -2.0 * c.a * c.alpha * log - front * by / (q * (q + 1.0))};
    return g;
}

// `digits`: 1 with the more digits that the makers of PBE took, 0 as published.
PV_KERNEL_FUNCTION xc_pw_row xc_pw_plain(int digits)
{
    const xc_pw_row c = {digits ? 0.0310907 : 0.031091, 0.21370, 7.5957, 3.5876, 1.6382, 0.49294};
    return c;
}
PV_KERNEL_FUNCTION xc_pw_row xc_pw_polarised(int digits)
{
    const xc_pw_row c = {digits ? 0.01554535 : 0.015545, 0.20548, 14.1189, 6.1977, 3.3662, 0.62517};
    return c;
}
PV_KERNEL_FUNCTION xc_pw_row xc_pw_stiffness(int digits)
{
    const xc_pw_row c = {digits ? 0.0168869 : 0.016887, 0.11125, 10.357, 3.6231, 0.88026, 0.49671};
    return c;
}

PV_KERNEL_FUNCTION xc_uniform xc_pw_unpolarised_at(int digits, double rs)
{
    const xc_slope g = xc_pw_g(xc_pw_plain(digits), rs, sqrt(rs));
    const xc_uniform u = {g.value, g.by, 0.0};
    return u;
}

PV_KERNEL_FUNCTION xc_uniform xc_pw_at(int digits, double rs, double z, xc_slope f)
{
    const double root = sqrt(rs), z3 = z * z * z, z4 = z3 * z;
    const double curvature = digits ? 1.709920934161365617563962776245 : 1.709921; // of `f` without polarisation
    const xc_slope plain = xc_pw_g(xc_pw_plain(digits), rs, root);
    const xc_slope polarised = xc_pw_g(xc_pw_polarised(digits), rs, root);
    const xc_slope minus_stiffness = xc_pw_g(xc_pw_stiffness(digits), rs, root);
    const double stiff = -minus_stiffness.value / curvature, stiff_by = -minus_stiffness.by / curvature;
    const double between = polarised.value - plain.value, between_by = polarised.by - plain.by;
    xc_uniform u;
    u.energy = plain.value + f.value * (stiff + z4 * (between - stiff));
    u.by_rs = plain.by + f.value * (stiff_by + z4 * (between_by - stiff_by));
    u.by_z = f.by * (stiff + z4 * (between - stiff)) + f.value * 4.0 * z3 * (between - stiff);
    return u;
}

// J. P. Perdew and A. Zunger, Phys. Rev. B 23, 5048 (1981), appendix C.
PV_KERNEL_FUNCTION xc_slope xc_pz_one(double gamma, double beta1, double beta2, double a, double b, double c, double d,
                                      double rs)
{
    const double low = rs > 1.0 ? rs : 1.0, root = sqrt(low), divisor = 1.0 / (1.0 + beta1 * root + beta2 * low);
    const double high = rs < 1.0 ? rs : 1.0, log = pv_log(high);
    const double dilute = gamma * divisor, dense = a * log + b + c * high * log + d * high;
    const double dilute_by = -gamma * divisor * divisor * (0.5 * beta1 / root + beta2);
    const double dense_by = a / high + c * (log + 1.0) + d;
    const xc_slope e = {rs >= 1.0 ? dilute : dense, rs >= 1.0 ? dilute_by : dense_by};
    return e;
}

PV_KERNEL_FUNCTION xc_slope xc_pz_plain(double rs)
{
    return xc_pz_one(-0.1423, 1.0529, 0.3334, 0.0311, -0.048, 0.0020, -0.0116, rs);
}

PV_KERNEL_FUNCTION xc_uniform xc_pz_unpolarised_at(double rs)
{
    const xc_slope plain = xc_pz_plain(rs);
    const xc_uniform u = {plain.value, plain.by, 0.0};
    return u;
}

PV_KERNEL_FUNCTION xc_uniform xc_pz_at(double rs, xc_slope f)
{
    const xc_slope plain = xc_pz_plain(rs);
    const xc_slope polarised = xc_pz_one(-0.0843, 1.3981, 0.2611, 0.01555, -0.0269, 0.0007, -0.0048, rs);
    const double between = polarised.value - plain.value;
    const double between_by = polarised.by - plain.by;
    const xc_uniform u = {plain.value + f.value * between, plain.by + f.value * between_by, f.by * between};
    return u;
}

#endif
