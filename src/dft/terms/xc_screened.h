// SPDX-License-Identifier: Apache-2.0
// Short-range exchange of PBE and PBEsol inside kernels: the share of the uniform gas's exchange that erfc(w r)/r has,
//
//   F(nu, s2) = -8/9 integral of y J(y) erfc(nu y),   nu = w / fermi,   s2 = sigma / (4 fermi^2 rho^2),
//
// with the exchange hole J = [A f(y) + (B + c y^2 + e y^4) exp(-D y^2)] exp(-p y^2), where p, c and e depend on s2:
// of M. Ernzerhof and J. P. Perdew, J. Chem. Phys. 109, 3313 (1998), for PBE, as J. Heyd, G. E. Scuseria and M.
// Ernzerhof, J. Chem. Phys. 118, 8207 (2003), screened it; of T. M. Henderson, B. G. Janesko and G. E. Scuseria, J.
// Chem. Phys. 128, 194105 (2008), for PBEsol.
#ifndef PV_DFT_XC_SCREENED_H
#define PV_DFT_XC_SCREENED_H

#include "dft/terms/xc_special.h"

typedef struct xc_screened {
    double value, by_nu, by_s2;
} xc_screened;

// The hole's parameters at an s2, and their derivatives by it.
typedef struct xc_hole {
    double p, c, e, p_by, c_by, e_by;
} xc_hole;

// ---- Moments -----------------------------------------------------------------------------------------------------

// Integral of y (B + c y^2 + e y^4) exp(-q y^2) erfc(nu y) and its derivatives. With chi = nu / sqrt(q + nu^2) the
// moments are (1 - chi)^k / q^k times polynomials; (1 - chi) / q = 1 / ((q + nu^2) (1 + chi)) does not cancel.
typedef struct xc_moments {
    double value, by_q, by_nu, by_c, by_e;
} xc_moments;

PV_KERNEL_FUNCTION xc_moments xc_moments_at(double b, double c, double e, double q, double nu)
{
    const double sum = q + nu * nu, root = sqrt(sum), inverse = 1.0 / root, chi = nu * inverse;
    const double r = inverse * inverse / (1.0 + chi), r2 = r * r, r3 = r2 * r;
    const double first = 0.5 * r, third = 0.25 * r2 * (2.0 + chi);
    const double fifth = 0.125 * r3 * (8.0 + chi * (9.0 + 3.0 * chi));
    const double seventh = 0.1875 * r2 * r2 * (16.0 + chi * (29.0 + chi * (20.0 + 5.0 * chi)));
    const double gauss = inverse * inverse * inverse, next = inverse * inverse;
    xc_moments m;
    m.value = b * first + c * third + e * fifth;
    m.by_q = -(b * third + c * fifth + e * seventh);
    m.by_nu = -gauss * (0.5 * b + next * (0.75 * c + next * 1.875 * e));
    m.by_c = third;
    m.by_e = fifth;
    return m;
}

// ---- The hole of Ernzerhof and Perdew ----------------------------------------------------------------------------

#define XC_EP_A 1.0161144
#define XC_EP_ROOT_A 1.00802499968998784748
#define XC_EP_B -0.37170836
#define XC_EP_C -0.077215461
#define XC_EP_D 0.57786348
#define XC_EP_E -0.051955731

// p = s^2 H(s), c = C (1 + s^2 F(s)), e = E + s^2 E G(s). G makes the hole hold one electron; below s = 0.08 by its
// makers' polynomial.
PV_KERNEL_FUNCTION xc_hole xc_ep_hole(double s2)
{
    const double s = sqrt(s2);
    const double top = s2 * s2 * (0.00979681 + 0.0410834 * s2), top_by = s2 * (2.0 * 0.00979681 + 3.0 * 0.0410834 * s2);
    const double below = 1.0 / (1.0 + s2 * s2 * (0.187440 + 0.00120824 * s + 0.0347188 * s2));
    const double below_by = s2 * (2.0 * 0.187440 + 2.5 * 0.00120824 * s + 3.0 * 0.0347188 * s2);
    xc_hole h;
    h.p = top * below;
    h.p_by = (top_by - h.p * below_by) * below;
    h.c = XC_EP_C * (1.0 + 6.4753871 * h.p + 0.47965830 * s2);
    h.c_by = XC_EP_C * (6.4753871 * h.p_by + 0.47965830);
    const double q = XC_EP_D + h.p, x = 9.0 / (4.0 * XC_EP_A) * h.p, safe = x > 1e-12 ? x : 1e-12, root = sqrt(safe);
    const double root_a = XC_EP_ROOT_A, erfcx = xc_erfcx(root), missing = 1.0 - root_a * erfcx;
    const double erfcx_by = 9.0 / (4.0 * XC_EP_A) * (erfcx - 1.0 / (XC_SQRT_PI * root)); // by p
    const double power = 0.8 * XC_SQRT_PI * q * q * sqrt(q);
    const double e = -q * (6.0 * h.c + q * (4.0 * XC_EP_B + 8.0 * XC_EP_A * q)) / 15.0 - power * q * missing;
    const double by_p = -(6.0 * h.c + q * (8.0 * XC_EP_B + 24.0 * XC_EP_A * q)) / 15.0
                        - power * (3.5 * missing - q * root_a * erfcx_by);
    const double small = XC_EP_E + s2 * (-0.02628417880 + s2 * (-0.07117647788 + 0.08534541323 * s2));
    const double small_by = -0.02628417880 + s2 * (-2.0 * 0.07117647788 + 3.0 * 0.08534541323 * s2);
    h.e = s2 > 0.08 * 0.08 ? e : small;
    h.e_by = s2 > 0.08 * 0.08 ? by_p * h.p_by - 0.4 * q * h.c_by : small_by;
    return h;
}

// The first term, A [exp(-D y^2) - 1 / (1 + 4 A y^2 / 9)] exp(-p y^2) / y^2, with a fit of Heyd, Scuseria and
// Ernzerhof: erfc(x) = (1 + sum a_i x^i) exp(-b x^2), for nu > 14 exp(-2 x^2). With g = p + b nu^2 and l = D + g the
// term is A sum a_i nu^i I_i, where
//
//   I_i = integral of y^(i-1) [exp(-l y^2) - exp(-g y^2) / (1 + 4 A y^2 / 9)],   d I_i / dg = -I_(i+2),
//
// and the second part of I_(i+2) follows from that of I_i.
typedef struct xc_ep_first {
    double value, by_nu, by_p;
} xc_ep_first;

PV_KERNEL_FUNCTION xc_ep_first xc_ep_first_at(double p, double nu)
{
    const double fitted = nu > 14.0 ? 0.0 : 1.0, b = nu > 14.0 ? 2.0 : 1.455915450052607;
    const double g = p + b * nu * nu, l = XC_EP_D + g, rise = 4.0 * XC_EP_A / 9.0, fall = 1.0 / rise, x = g * fall;
    const double log_x = pv_log(x), root = sqrt(x), ratio = g / l;
    // log(g / l) = log(1 - D / l), exact towards 1.
    const double log_ratio = pv_log(ratio) + (ratio > 0.5 ? (1.0 - XC_EP_D / l - ratio) / ratio : 0.0);
    const double e1 = xc_exp_e1(x, log_x), root_rise = 2.0 / 3.0 * XC_EP_ROOT_A;
    const double vg = 1.0 / g, vl = 1.0 / l, half_vg = sqrt(vg), half_vl = sqrt(vl);
    // Second parts, odd and even; integrals of y^(i-1) exp(-g y^2) and exp(-l y^2).
    double odd = 0.5 * XC_PI / root_rise * xc_erfcx(root), even = 0.5 * fall * e1;
    double g_odd = 0.5 * XC_SQRT_PI * half_vg, g_even = 0.5 * vg, l_odd = 0.5 * XC_SQRT_PI * half_vl, l_even = 0.5 * vl;
    const double zeroth = 0.5 * (log_ratio + e1);
    const double nu2 = nu * nu;
    double i_odd = l_odd - odd, i_even = l_even - even, power = fitted, value = zeroth, by_g = -i_even, by_nu = 0.0;
    // An odd and an even term at a time: nu^(i-1) is `power`.
#define XC_PAIR(i, a_odd, a_even)                                                \
    value += power * nu * ((a_odd) * i_odd + (a_even) * nu * i_even);            \
    by_nu += power * ((i) * (a_odd) * i_odd + ((i) + 1) * (a_even) * nu * i_even); \
    odd = (g_odd - odd) * fall;                                                  \
    even = (g_even - even) * fall;                                               \
    g_odd *= 0.5 * (i) * vg;                                                     \
    g_even *= 0.5 * ((i) + 1) * vg;                                              \
    l_odd *= 0.5 * (i) * vl;                                                     \
    l_even *= 0.5 * ((i) + 1) * vl;                                              \
    i_odd = l_odd - odd;                                                         \
    i_even = l_even - even;                                                      \
    by_g -= power * nu * ((a_odd) * i_odd + (a_even) * nu * i_even);             \
    power *= nu2
    XC_PAIR(1, -1.128223946706117, 1.452736265762971);
    XC_PAIR(3, -1.243162299390327, 0.971824836115601);
    XC_PAIR(5, -0.568861079687373, 0.246880514820192);
    XC_PAIR(7, -0.065032363850763, 0.008401793031216);
#undef XC_PAIR
    const xc_ep_first t = {XC_EP_A * value, XC_EP_A * (by_nu + 2.0 * b * nu * by_g), XC_EP_A * by_g};
    return t;
}

PV_KERNEL_FUNCTION xc_screened xc_ep_screened(double nu, double s2)
{
    const xc_hole h = xc_ep_hole(s2);
    const xc_ep_first t = xc_ep_first_at(h.p, nu);
    const xc_moments m = xc_moments_at(XC_EP_B, h.c, h.e, XC_EP_D + h.p, nu);
    const double front = -8.0 / 9.0;
    const xc_screened f = {front * (t.value + m.value), front * (t.by_nu + m.by_nu),
                           front * ((t.by_p + m.by_q) * h.p_by + m.by_c * h.c_by + m.by_e * h.e_by)};
    return f;
}

// ---- The hole of Henderson, Janesko and Scuseria -----------------------------------------------------------------

#define XC_HJS_A 0.757211
#define XC_HJS_B -0.106364
#define XC_HJS_C -0.118649
#define XC_HJS_D 0.609650
#define XC_HJS_LEAST 1e-10             // of p: roots of it are differentiated

// p = s^2 H(s) with the constants for PBEsol.
PV_KERNEL_FUNCTION xc_hole xc_hjs_hole(double s2)
{
    const double s = sqrt(s2);
    const double top =
        0.0047333 + s * (0.0403304 + s * (-0.0574615 + s * (0.0435395 + s * (-0.0216251 + s * 0.0063721))));
    const double top_by =
        0.0403304 + s * (-2.0 * 0.0574615 + s * (3.0 * 0.0435395 + s * (-4.0 * 0.0216251 + s * 5.0 * 0.0063721)));
    const double b1 = 8.52056, b2 = -13.9885, b3 = 9.28583, b4 = -3.27287, b5 = 0.843499, b6 = -0.235543,
                 b7 = 0.0847074, b8 = -0.0171561, b9 = 0.0050552;
    const double below =
        1.0 + s * (b1 + s * (b2 + s * (b3 + s * (b4 + s * (b5 + s * (b6 + s * (b7 + s * (b8 + s * b9))))))));
    const double below_by =
        b1 + s * (2.0 * b2 + s * (3.0 * b3 + s * (4.0 * b4 + s * (5.0 * b5 + s * (6.0 * b6 + s * (7.0 * b7
                                                                            + s * (8.0 * b8 + s * 9.0 * b9)))))));
    const double share = top / below, p = s2 * s2 * share;
    const double p_by = s2 * (2.0 * share + 0.5 * s * (top_by - share * below_by) / below);
    const int tiny = p < XC_HJS_LEAST;
    xc_hole h;
    h.p = tiny ? XC_HJS_LEAST : p;
    h.p_by = tiny ? 0.0 : p_by;
    const double eighth = 1.0 / (1.0 + 0.25 * s2), q = XC_HJS_D + h.p, eta = XC_HJS_A + h.p;
    h.c = XC_HJS_C - s2 * eighth / 27.0 - 0.5 * h.p;
    h.c_by = -eighth * eighth / 27.0 - 0.5 * h.p_by;
    const double root_p = sqrt(h.p), root_eta = sqrt(eta), power = q * q * sqrt(q);
    const double missing = 0.8 * XC_SQRT_PI + 2.4 * (root_p - root_eta);
    h.e = -q * (0.4 * h.c + q * (4.0 / 15.0 * XC_HJS_B + q * 1.2 * XC_HJS_A)) - power * q * missing;
    const double by_p = -(0.4 * h.c + q * (8.0 / 15.0 * XC_HJS_B + q * 3.6 * XC_HJS_A))
                        - power * (3.5 * missing + 1.2 * q * (1.0 / root_p - 1.0 / root_eta));
    h.e_by = by_p * h.p_by - 0.4 * q * h.c_by;
    return h;
}

PV_KERNEL_FUNCTION xc_screened xc_hjs_screened(double nu, double s2)
{
    const xc_hole h = xc_hjs_hole(s2);
    const double nu2 = nu * nu, eta = XC_HJS_A + h.p, q = XC_HJS_D + h.p;
    const double a = sqrt(h.p + nu2), b = sqrt(eta + nu2), c = sqrt(q + nu2);
    const double difference = -XC_HJS_A / (a + b);                        // a - b
    const double log_ac = pv_log((nu + a) / (nu + c)), log_bc = pv_log((nu + b) / (nu + c));
    const xc_moments m = xc_moments_at(XC_HJS_B, h.c, h.e, q, nu);
    const double front = -8.0 / 9.0;
    xc_screened f;
    f.value = XC_HJS_A + 2.0 * nu * difference + 2.0 * (h.p * log_ac - eta * log_bc) + front * m.value;
    f.by_nu = 4.0 * difference + 2.0 * XC_HJS_A / c + front * m.by_nu;
    const double by_p = 2.0 * (log_ac - log_bc) + XC_HJS_A / (c * (nu + c)) + front * m.by_q;
    f.by_s2 = by_p * h.p_by + front * (m.by_c * h.c_by + m.by_e * h.e_by);
    return f;
}

#endif
