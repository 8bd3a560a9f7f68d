// SPDX-License-Identifier: Apache-2.0
// Prescribed energy spectra.
#include <math.h>

#include "dns/flow.h"

// Comte-Bellot and Corrsin, J. Fluid Mech. 48 (1971), table 3, U0 t / M = 42: k in 1/cm, E in cm^3/s^2.
static const double cbc[][2] = {{0.20, 129},  {0.25, 230}, {0.30, 322},  {0.40, 435}, {0.50, 457},
                                {0.70, 380},  {1.00, 270}, {1.50, 168},  {2.00, 120}, {2.5, 89},
                                {3, 70.3},    {4, 47},     {6, 24.7},    {8, 12.6},   {10, 7.42},
                                {12.5, 3.96}, {15, 2.33},  {17.5, 1.34}, {20, 0.80}};
enum { CBC_POINTS = sizeof cbc / sizeof cbc[0] };

// Straight lines between the points of log E over log k; beyond them the slope of the nearest two.
static double cbc_at(double k)
{
    int i = 1;
    while (i < CBC_POINTS - 1 && k > cbc[i][0]) i++;
    const double x = log(k), x0 = log(cbc[i - 1][0]), x1 = log(cbc[i][0]), y0 = log(cbc[i - 1][1]), y1 = log(cbc[i][1]);
    return exp(y0 + (y1 - y0) * (x - x0) / (x1 - x0));
}

// Von Karman's k^4 and -5/3 with Pao's end (Hinze, Turbulence, 1975): highest near k_peak.
static double pao_at(double k, double k_peak, double k_kolmogorov)
{
    const double x = k / k_peak * sqrt(12.0 / 5.0); // the first factors are highest at k_peak
    return pow(x, 4.0) * pow(1.0 + x * x, -17.0 / 6.0) * exp(-2.25 * pow(k / k_kolmogorov, 4.0 / 3.0));
}

double pv_dns_spectrum_at(const pv_dns_params *p, double k)
{
    const double kolmogorov = p->k_kolmogorov > 0.0 ? p->k_kolmogorov : 2.0 / 3.0 * pv_dns_largest_wave_number(p);
    switch (p->spectrum) {
    case PV_SPECTRUM_PAO: return pao_at(k, p->k_peak, kolmogorov);
    case PV_SPECTRUM_CBC: return cbc_at(k);
    default: return pow(k / p->k_peak, 4.0) * exp(-2.0 * k * k / (p->k_peak * p->k_peak));
    }
}
