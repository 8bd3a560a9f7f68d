// SPDX-License-Identifier: Apache-2.0
#include "dft/model/gth.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "dft/model/units.h"

const pv_gth *pv_gth_find(const char *element)
{
    for (int i = 0; i < pv_gth_count; i++)
        if (strcmp(pv_gth_table[i].element, element) == 0) return &pv_gth_table[i];
    return NULL;
}

// V_loc(r) = -Z/r erf(r / (sqrt 2 a)) + exp(-(r/a)^2 / 2) sum_i c_i (r/a)^(2 i), i from 0; x = q a.
double pv_gth_local_form(const pv_gth *gth, double q)
{
    const double a = gth->r_local, *c = gth->c_local;
    const double y = q * a * q * a;
    const double polynomial = c[0] + c[1] * (3.0 - y) + c[2] * (15.0 - y * (10.0 - y)) +
                              c[3] * (105.0 - y * (105.0 - y * (21.0 - y)));
    const double gaussian = pow(2.0 * PV_PI, 1.5) * a * a * a * exp(-0.5 * y) * polynomial;
    if (q == 0.0) return gaussian + 2.0 * PV_PI * gth->valence * a * a;
    return gaussian - 4.0 * PV_PI * gth->valence * exp(-0.5 * y) / (q * q);
}

// p(r) = sqrt 2 r^(l + 2 i) exp(-(r/a)^2 / 2) / (a^(l + 2 i + 3/2) sqrt Gamma(l + 2 i + 3/2)), i from 0. Its transform
// is a Gaussian times x^l times the Laguerre polynomial L_i^(l + 1/2)(x^2 / 2); x = q a.
double pv_gth_projector_form(const pv_gth *gth, int l, int i, double q)
{
    static const double factor[PV_GTH_PROJECTORS] = {1.0, 2.0, 8.0}; // 2^i i!
    const double a = gth->channel[l].r, x = q * a, y = 0.5 * x * x, k = l + 0.5;
    const double laguerre[PV_GTH_PROJECTORS] = {1.0, 1.0 + k - y,
                                                0.5 * (y * y - 2.0 * (k + 2.0) * y + (k + 1.0) * (k + 2.0))};
    double power = 1.0;
    for (int m = 0; m < l; m++) power *= x;
    return 4.0 * pow(PV_PI, 1.5) * factor[i] * pow(a, 1.5) / sqrt(tgamma(l + 2 * i + 1.5)) * power * laguerre[i] *
           exp(-y);
}
