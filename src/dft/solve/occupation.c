// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/occupation.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/model/units.h"
#include "dft/solve/smearing.h"

// States that share a chemical potential: [channels][kpoints][bands].
typedef struct states {
    const pv_dft_params *params;
    int channels, kpoints;
    const double *weight, *energies;
    const pv_tetrahedra *tetrahedra;
    double full, electrons;
} states;

static int64_t count_of(const states *s)
{
    return (int64_t)s->channels * s->kpoints * s->params->bands;
}

static double weight_of(const states *s, int64_t i)
{
    return s->weight[i / s->params->bands % s->kpoints];
}

// ---- Chemical potential ------------------------------------------------------------------------------------------

static double smeared_electrons(const states *s, const pv_dft_params *smearing, double mu)
{
    double sum = 0.0;
    for (int64_t i = 0; i < count_of(s); i++)
        sum +=
            s->full * weight_of(s, i) * pv_smearing_fraction(smearing, (mu - s->energies[i]) / smearing->smearing_ha);
    return sum;
}

static double electrons_at(const states *s, const pv_dft_params *smearing, double mu)
{
    if (!s->tetrahedra) return smeared_electrons(s, smearing, mu);
    const int bands = s->params->bands;
    double sum = 0.0;
    for (int c = 0; c < s->channels; c++)
        for (int b = 0; b < bands; b++)
            sum += s->full *
                   pv_tetrahedra_below(s->tetrahedra, s->energies + (int64_t)c * s->kpoints * bands + b, bands, mu);
    return sum;
}

// Between low, where there are too few, and high.
static double bisect(const states *s, const pv_dft_params *smearing, double low, double high)
{
    for (int step = 0; step < 200; step++) {
        const double middle = 0.5 * (low + high), error = electrons_at(s, smearing, middle) - s->electrons;
        if (fabs(error) < 1e-13 * s->electrons) return middle;
        if (error < 0.0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

// Middle between the states below and above a potential.
static double middle_at(const states *s, double mu)
{
    double below = -DBL_MAX, above = DBL_MAX;
    for (int64_t i = 0; i < count_of(s); i++) {
        const double e = s->energies[i];
        if (weight_of(s, i) == 0.0) continue;
        if (e <= mu)
            below = fmax(below, e);
        else
            above = fmin(above, e);
    }
    return below > -DBL_MAX && above < DBL_MAX ? 0.5 * (below + above) : mu;
}

// Functions that overshoot may fit the electrons at several potentials: the one wanted is nearest to that of Gaussians,
// or in the middle of the gap where that is wide enough for them.
static double find_overshooting(const states *s, double lowest, double highest)
{
    pv_dft_params gaussian = *s->params;
    gaussian.smearing = PV_SMEARING_GAUSSIAN;
    double low = bisect(s, &gaussian, lowest, highest), high = low;
    const double middle = middle_at(s, low), step = 0.1 * s->params->smearing_ha;
    if (fabs(electrons_at(s, s->params, middle) - s->electrons) < 1e-12 * s->electrons) return middle;
    const int too_few = electrons_at(s, s->params, low) < s->electrons;
    while (too_few ? high < highest : low > lowest) {
        const double next = too_few ? high + step : low - step;
        const int flips = (electrons_at(s, s->params, next) < s->electrons) != too_few;
        *(too_few ? &high : &low) = next;
        if (flips) break;
        *(too_few ? &low : &high) = next;
    }
    return bisect(s, s->params, low, high);
}

static double find_fermi(const states *s)
{
    double lowest = DBL_MAX, highest = -DBL_MAX;
    for (int64_t i = 0; i < count_of(s); i++) {
        lowest = fmin(lowest, s->energies[i]);
        highest = fmax(highest, s->energies[i]);
    }
    const double margin = 20.0 * s->params->smearing_ha + 1.0;
    return s->tetrahedra || pv_smearing_is_monotonic(s->params)
               ? bisect(s, s->params, lowest - margin, highest + margin)
               : find_overshooting(s, lowest - margin, highest + margin);
}

// ---- Filling -----------------------------------------------------------------------------------------------------

// Where no state is partly filled: between the filled and the empty ones; their edge where all are of one kind.
static double fermi_of_filled(double valence, double conduction)
{
    if (valence == -DBL_MAX) return conduction;
    return conduction == DBL_MAX ? valence : 0.5 * (valence + conduction);
}

// What the fillings say of the Fermi energy. Points of weight 0 say nothing: they may not have been solved yet.
static pv_occupation summary_of(const states *s, const double *filling, double fermi)
{
    double valence = -DBL_MAX, conduction = DBL_MAX, states_per_ha = 0.0;
    int partly = 0;
    for (int64_t i = 0; i < count_of(s); i++) {
        if (weight_of(s, i) == 0.0) continue;
        const double f = filling[i] / s->full;
        if (fabs(f) > 1e-6 && fabs(f - 1.0) > 1e-6) partly++;
        const double x = (fermi - s->energies[i]) / s->params->smearing_ha;
        states_per_ha += s->full * weight_of(s, i) * exp(-fmin(x * x, 200.0)) / (sqrt(PV_PI) * s->params->smearing_ha);
        if (f > 0.5)
            valence = fmax(valence, s->energies[i]);
        else
            conduction = fmin(conduction, s->energies[i]);
    }
    if (!partly) fermi = fermi_of_filled(valence, conduction);
    return (pv_occupation){.fermi_ha = fermi, .states_per_ha = states_per_ha, .partly_filled = partly};
}

static pv_occupation fill_smeared(const states *s, double fermi, double *filling)
{
    double entropy = 0.0;
    for (int64_t i = 0; i < count_of(s); i++) {
        const double x = (fermi - s->energies[i]) / s->params->smearing_ha;
        filling[i] = s->full * pv_smearing_fraction(s->params, x);
        entropy += s->full * weight_of(s, i) * pv_smearing_entropy(s->params, x) * s->params->smearing_ha;
    }
    pv_occupation occupation = summary_of(s, filling, fermi);
    occupation.smearing_energy_ha = entropy;
    return occupation;
}

static pv_status fill_tetrahedra(const states *s, double *filling, pv_occupation *occupation_p)
{
    const int bands = s->params->bands, corrected = s->params->smearing == PV_SMEARING_TETRAHEDRA_BLOECHL;
    const double fermi = find_fermi(s), missing = electrons_at(s, s->params, fermi) - s->electrons;
    PV_REQUIRE(
        fabs(missing) < 1e-8 * s->electrons, PV_ERR_INPUT,
        "the tetrahedra of this mesh of k-points can hold %.6g electrons or %.6g fewer, but not the %g that there "
        "are: a state is flat; smearing (ISMEAR = -1, 0, 1) or a denser mesh is accepted",
        s->electrons + missing, missing, s->electrons);
    double *weight;
    PV_TRY(PV_ALLOC(s->kpoints, &weight));
    for (int c = 0; c < s->channels; c++)
        for (int b = 0; b < bands; b++) {
            const int64_t first = (int64_t)c * s->kpoints * bands + b;
            pv_tetrahedra_weights(s->tetrahedra, s->energies + first, bands, fermi, corrected, weight);
            for (int k = 0; k < s->kpoints; k++) {
                const int64_t i = first + (int64_t)k * bands;
                const double x = (fermi - s->energies[i]) / s->params->smearing_ha;
                filling[i] = s->full * (s->weight[k] > 0.0 ? weight[k] / s->weight[k]
                                                           : pv_smearing_fraction(s->params, x));
            }
        }
    pv_mem_free(weight);
    *occupation_p = summary_of(s, filling, fermi);
    return PV_OK;
}

// FERWE and FERDO list all k-points or one for all; points of weight 0 that they leave out repeat the first ones.
static pv_occupation fill_fixed(const states *s, double *filling)
{
    const int64_t each = (int64_t)s->kpoints * s->params->bands;
    double highest = -DBL_MAX;
    for (int64_t i = 0; i < count_of(s); i++) {
        const int channel = (int)(i / each), listed = s->params->fixed_count[channel];
        filling[i] = s->full * s->params->fixed_filling[channel][i % each % listed];
        if (filling[i] > 0.0 && weight_of(s, i) > 0.0) highest = fmax(highest, s->energies[i]);
    }
    return summary_of(s, filling, highest);
}

static pv_status fill(const states *s, double *filling, pv_occupation *occupation_p)
{
    if (s->params->smearing == PV_SMEARING_FIXED)
        *occupation_p = fill_fixed(s, filling);
    else if (s->tetrahedra)
        return fill_tetrahedra(s, filling, occupation_p);
    else
        *occupation_p = fill_smeared(s, find_fermi(s), filling);
    return PV_OK;
}

pv_status pv_occupation_fill(const pv_dft_params *params, int kpoints, const double *weight,
                             const pv_tetrahedra *tetrahedra, const double *eigenvalues_ha, double *filling,
                             pv_occupation *occupation_p)
{
    const int64_t count = (int64_t)kpoints * params->bands;
    const int given = params->smearing == PV_SMEARING_FIXED;
    const int apart = !given && params->spins == 2 && params->spin_difference >= 0.0;
    const double most = 0.5 * (params->electrons + (apart ? params->spin_difference : 0.0));
    PV_REQUIRE(given || (most <= params->bands + 1e-9 && (!apart || params->spin_difference <= params->electrons)),
               PV_ERR_INPUT,
               "%d bands cannot hold %g electrons with a difference of %g between the spins: NBANDS must be at least "
               "%.0f",
               params->bands, params->electrons, apart ? params->spin_difference : 0.0, ceil(most));
    states s = {params, params->spins, kpoints, weight, eigenvalues_ha, tetrahedra, pv_dft_params_full(params),
                params->electrons};
    if (!apart) return fill(&s, filling, occupation_p);
    // Each spin has its own chemical potential; the mean of the two is reported.
    pv_occupation up, down;
    s.channels = 1;
    s.electrons = most;
    PV_TRY(fill(&s, filling, &up));
    s.energies += count;
    s.electrons = params->electrons - most;
    PV_TRY(fill(&s, filling + count, &down));
    *occupation_p =
        (pv_occupation){0.5 * (up.fermi_ha + down.fermi_ha), up.smearing_energy_ha + down.smearing_energy_ha,
                        up.states_per_ha + down.states_per_ha, up.partly_filled + down.partly_filled};
    return PV_OK;
}

void pv_occupation_hold(const pv_dft_params *params, int kpoints, const double *weight, const double *eigenvalues_ha,
                        double fermi_ha, double *filling, pv_occupation *occupation_p)
{
    const states s = {params, params->spins, kpoints, weight, eigenvalues_ha, NULL, pv_dft_params_full(params),
                      params->electrons};
    *occupation_p = fill_smeared(&s, fermi_ha, filling);
    occupation_p->fermi_ha = fermi_ha;
}
