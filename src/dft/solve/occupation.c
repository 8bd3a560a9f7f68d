// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/occupation.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "base/check.h"
#include "dft/model/units.h"

// x = (mu - e) / sigma. Corrections of Methfessel and Paxton: A_n H_2n-1(x) exp(-x^2), A_n = (-1)^n / (n! 4^n sqrt pi).
double pv_occupation_fraction(const pv_dft_params *params, double x)
{
    if (params->smearing == PV_SMEARING_FERMI) return x > 200.0 ? 1.0 : x < -200.0 ? 0.0 : 1.0 / (1.0 + exp(-x));
    double sum = 0.5 * erfc(-x);
    if (params->smearing == PV_SMEARING_GAUSSIAN) return sum;
    const double gauss = exp(-fmin(x * x, 200.0));
    double odd = 0.0, even = gauss, a = 1.0 / sqrt(PV_PI);
    int degree = 0;
    for (int n = 1; n <= params->smearing_order; n++) {
        odd = 2.0 * x * even - 2.0 * degree++ * odd;
        a /= -4.0 * n;
        sum -= a * odd;
        even = 2.0 * x * odd - 2.0 * degree++ * even;
    }
    return sum;
}

// -TS of one state in units of sigma.
static double entropy_of(const pv_dft_params *params, double x)
{
    if (params->smearing == PV_SMEARING_FERMI) {
        const double f = pv_occupation_fraction(params, x);
        return (f > 0.0 ? f * log(f) : 0.0) + (f < 1.0 ? (1.0 - f) * log(1.0 - f) : 0.0);
    }
    const double gauss = exp(-fmin(x * x, 200.0));
    double sum = -0.5 * gauss / sqrt(PV_PI);
    if (params->smearing == PV_SMEARING_GAUSSIAN) return sum;
    double odd = 0.0, even = gauss, a = 1.0 / sqrt(PV_PI);
    int degree = 0;
    for (int n = 1; n <= params->smearing_order; n++) {
        odd = 2.0 * x * even - 2.0 * degree++ * odd;
        const double before = even;
        even = 2.0 * x * odd - 2.0 * degree++ * even;
        a /= -4.0 * n;
        sum -= a * (0.5 * even + degree * before);
    }
    return sum;
}

// States that share a chemical potential.
typedef struct states {
    const pv_dft_params *params;
    int kpoints;
    const double *weight, *energies;
    int64_t count;
    double full, electrons;
} states;

static double weight_of(const states *s, int64_t i) { return s->weight[i / s->params->bands % s->kpoints]; }

static double electrons_at(const states *s, double mu)
{
    double sum = 0.0;
    for (int64_t i = 0; i < s->count; i++) {
        const double x = (mu - s->energies[i]) / s->params->smearing_ha;
        sum += s->full * weight_of(s, i) * pv_occupation_fraction(s->params, x);
    }
    return sum;
}

static double find_fermi(const states *s)
{
    double lowest = DBL_MAX, highest = -DBL_MAX;
    for (int64_t i = 0; i < s->count; i++) {
        lowest = fmin(lowest, s->energies[i]);
        highest = fmax(highest, s->energies[i]);
    }
    double low = lowest - 20.0 * s->params->smearing_ha - 1.0, high = highest + 20.0 * s->params->smearing_ha + 1.0;
    for (int step = 0; step < 200; step++) {
        const double middle = 0.5 * (low + high), error = electrons_at(s, middle) - s->electrons;
        if (fabs(error) < 1e-13 * s->electrons) return middle;
        if (error < 0.0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static pv_occupation fill(const states *s, double *filling)
{
    const pv_dft_params *params = s->params;
    double fermi = find_fermi(s), entropy = 0.0, valence = -DBL_MAX, conduction = DBL_MAX;
    int partly = 0;
    for (int64_t i = 0; i < s->count; i++) {
        const double x = (fermi - s->energies[i]) / params->smearing_ha, f = pv_occupation_fraction(params, x);
        filling[i] = s->full * f;
        entropy += s->full * weight_of(s, i) * entropy_of(params, x) * params->smearing_ha;
        if (f > 1e-6 && f < 1.0 - 1e-6) partly++;
        if (f > 0.5)
            valence = fmax(valence, s->energies[i]);
        else
            conduction = fmin(conduction, s->energies[i]);
    }
    if (!partly && conduction < DBL_MAX && valence > -DBL_MAX) fermi = 0.5 * (valence + conduction);
    return (pv_occupation){fermi, entropy, partly};
}

pv_status pv_occupation_fill(const pv_dft_params *params, int kpoints, const double *weight,
                             const double *eigenvalues_ha, double *filling, pv_occupation *occupation_p)
{
    const int64_t count = (int64_t)kpoints * params->bands;
    const int fixed = params->spins == 2 && params->spin_difference >= 0.0;
    const double most = 0.5 * (params->electrons + (fixed ? params->spin_difference : 0.0));
    PV_REQUIRE(most <= params->bands + 1e-9 && (!fixed || params->spin_difference <= params->electrons), PV_ERR_INPUT,
               "%d bands cannot hold %g electrons with a difference of %g between the spins: NBANDS must be at least "
               "%.0f",
               params->bands, params->electrons, fixed ? params->spin_difference : 0.0, ceil(most));
    states s = {params, kpoints, weight, eigenvalues_ha, params->spins * count, params->spins == 2 ? 1.0 : 2.0,
                params->electrons};
    if (!fixed) {
        *occupation_p = fill(&s, filling);
        return PV_OK;
    }
    // Each spin has its own chemical potential; the mean of the two is reported.
    s.count = count;
    s.electrons = most;
    const pv_occupation up = fill(&s, filling);
    s.energies += count;
    s.electrons = params->electrons - most;
    const pv_occupation down = fill(&s, filling + count);
    *occupation_p =
        (pv_occupation){0.5 * (up.fermi_ha + down.fermi_ha), up.smearing_energy_ha + down.smearing_energy_ha,
                        up.partly_filled + down.partly_filled};
    return PV_OK;
}
