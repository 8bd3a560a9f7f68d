// SPDX-License-Identifier: Apache-2.0
#include "dft/model/bessel.h"

#include <math.h>

// x^l / (2l+1)!! sum_k (-x^2/2)^k / (k! (2l+3)(2l+5)...(2l+2k+1)): for small x, where the closed forms cancel.
static double series(int l, double x)
{
    double term = 1.0;
    for (int m = 1; m <= l; m++) term *= x / (2 * m + 1);
    double sum = term;
    for (int k = 1; k <= 9; k++) {
        term *= -0.5 * x * x / (k * (2 * l + 2 * k + 1));
        sum += term;
    }
    return sum;
}

double pv_bessel_from(int l, double x, double sine, double cosine)
{
    if (x < 1.0) return series(l, x);
    const double u = 1.0 / x;
    switch (l) {
    case 0: return sine * u;
    case 1: return (sine * u - cosine) * u;
    case 2: return ((3.0 * u * u - 1.0) * sine - 3.0 * u * cosine) * u;
    default: return ((15.0 * u * u - 6.0) * u * sine - (15.0 * u * u - 1.0) * cosine) * u;
    }
}

double pv_bessel(int l, double x)
{
    return pv_bessel_from(l, x, sin(x), cos(x));
}
