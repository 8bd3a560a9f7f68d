// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/smearing.h"

#include <math.h>

#include "dft/model/units.h"

static double gauss(double x)
{
    return exp(-fmin(x * x, 200.0));
}

// Corrections of Methfessel and Paxton: A_n H_2n-1(x) exp(-x^2), A_n = (-1)^n / (n! 4^n sqrt pi).
static double methfessel_fraction(int order, double x)
{
    double sum = 0.5 * erfc(-x), odd = 0.0, even = gauss(x), a = 1.0 / sqrt(PV_PI);
    int degree = 0;
    for (int n = 1; n <= order; n++) {
        odd = 2.0 * x * even - 2.0 * degree++ * odd;
        a /= -4.0 * n;
        sum -= a * odd;
        even = 2.0 * x * odd - 2.0 * degree++ * even;
    }
    return sum;
}

static double methfessel_entropy(int order, double x)
{
    double odd = 0.0, even = gauss(x), a = 1.0 / sqrt(PV_PI), sum = -0.5 * even * a;
    int degree = 0;
    for (int n = 1; n <= order; n++) {
        odd = 2.0 * x * even - 2.0 * degree++ * odd;
        const double before = even;
        even = 2.0 * x * odd - 2.0 * degree++ * even;
        a /= -4.0 * n;
        sum -= a * (0.5 * even + degree * before);
    }
    return sum;
}

static double fermi_fraction(double x)
{
    return x > 200.0 ? 1.0 : x < -200.0 ? 0.0 : 1.0 / (1.0 + exp(-x));
}

double pv_smearing_fraction(const pv_dft_params *params, double x)
{
    const double shifted = x - sqrt(0.5);
    switch (params->smearing) {
    case PV_SMEARING_FERMI: return fermi_fraction(x);
    case PV_SMEARING_COLD: return 0.5 * erfc(-shifted) + gauss(shifted) / sqrt(2.0 * PV_PI);
    case PV_SMEARING_METHFESSEL: return methfessel_fraction(params->smearing_order, x);
    default: return methfessel_fraction(0, x);
    }
}

double pv_smearing_entropy(const pv_dft_params *params, double x)
{
    const double shifted = x - sqrt(0.5), f = fermi_fraction(x);
    switch (params->smearing) {
    case PV_SMEARING_FERMI: return (f > 0.0 ? f * log(f) : 0.0) + (f < 1.0 ? (1.0 - f) * log(1.0 - f) : 0.0);
    case PV_SMEARING_COLD: return shifted * gauss(shifted) / sqrt(2.0 * PV_PI);
    case PV_SMEARING_METHFESSEL: return methfessel_entropy(params->smearing_order, x);
    default: return methfessel_entropy(0, x);
    }
}

int pv_smearing_is_monotonic(const pv_dft_params *params)
{
    return params->smearing != PV_SMEARING_METHFESSEL && params->smearing != PV_SMEARING_COLD;
}

double pv_smearing_beyond_sigma0(const pv_dft_params *params, double smearing_ha)
{
    const int order = params->smearing == PV_SMEARING_METHFESSEL ? params->smearing_order
                      : params->smearing == PV_SMEARING_COLD     ? 1
                                                                 : 0;
    return smearing_ha / (order + 2.0);
}
