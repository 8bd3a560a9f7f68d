// SPDX-License-Identifier: Apache-2.0
#include "dft/model/params.h"

#include <math.h>

#include "base/check.h"
#include "base/log.h"
#include "base/mem.h"
#include "dft/model/units.h"

#define MOST_ELECTRONS 1e7

static pv_status complete_cutoff(pv_dft_params *params, const pv_cell *cell, const double *advised_ha)
{
    double largest = 0.0;
    int species = 0;
    for (int s = 0; s < cell->species; s++)
        if (advised_ha[s] > largest) {
            largest = advised_ha[s];
            species = s;
        }
    if (params->cutoff_ha > 0.0) {
        if (params->cutoff_ha < 0.999 * largest)
            pv_log(PV_LOG_WARN, "ENCUT = %.1f eV is less than the %.1f eV advised for the potential of %s",
                   params->cutoff_ha * PV_HARTREE_EV, largest * PV_HARTREE_EV, cell->species_name[species]);
        return PV_OK;
    }
    PV_REQUIRE(largest > 0.0, PV_ERR_INPUT,
               "ENCUT is missing and the potentials advise no cutoff; ENCUT in eV is needed");
    params->cutoff_ha = largest;
    params->cutoff_is_advised = 1;
    return PV_OK;
}

// VASP's default: NUPDOWN shared by the atoms where it is given, else one Bohr magneton an atom.
static pv_status complete_moments(pv_dft_params *params, const pv_cell *cell)
{
    if (params->spins == 1) return PV_OK;
    PV_REQUIRE(!params->magnetic_moments || params->magnetic_count == cell->atoms, PV_ERR_INPUT,
               "MAGMOM lists %d moments for %d atoms; one for each atom is needed (n*value repeats)",
               params->magnetic_count, cell->atoms);
    if (params->magnetic_moments) return PV_OK;
    PV_TRY(PV_ALLOC(cell->atoms, &params->magnetic_moments));
    params->magnetic_count = cell->atoms;
    const double each = params->spin_difference >= 0.0 ? params->spin_difference / cell->atoms : 1.0;
    for (int a = 0; a < cell->atoms; a++) params->magnetic_moments[a] = each;
    return PV_OK;
}

// Sum of the absolute moments, the most that the spins can differ by: NBANDS must not depend on the signs.
static double largest_moment(const pv_dft_params *params)
{
    double sum = 0.0;
    for (int i = 0; i < params->magnetic_count; i++) sum += fabs(params->magnetic_moments[i]);
    return fmin(sum, params->electrons);
}

// VASP's default: the larger of NELECT/2 + NIONS/2 and 0.6 NELECT, and room for the moment.
static int default_bands(const pv_dft_params *params, const pv_cell *cell)
{
    const int half = (int)lround(params->electrons + 2.0) / 2, ions = cell->atoms / 2 > 3 ? cell->atoms / 2 : 3;
    const int more = (int)(0.6 * params->electrons);
    int bands = half + ions > more ? half + ions : more;
    if (params->spins == 2) bands += ((int)largest_moment(params) + 1) / 2;
    return bands;
}

// Electrons of the fuller spin: all bands of one spin must hold them.
static double fullest(const pv_dft_params *params)
{
    const double difference = params->spins == 2 && params->spin_difference > 0.0 ? params->spin_difference : 0.0;
    return 0.5 * (params->electrons + difference);
}

pv_status pv_dft_params_complete(pv_dft_params *params, const pv_cell *cell, const double *valence,
                                 const double *advised_cutoff_ha)
{
    double neutral = 0.0;
    for (int s = 0; s < cell->species; s++) neutral += valence[s] * cell->count_of[s];
    PV_TRY(complete_cutoff(params, cell, advised_cutoff_ha));
    PV_REQUIRE(!params->fock.on || params->fock.cutoff_ha == 0.0 ||
                   params->fock.cutoff_ha >= 0.999999 * params->cutoff_ha,
               PV_ERR_INPUT,
               "ENCUTFOCK = %g eV is less than ENCUT = %g eV; 0 (PRECFOCK = Fast) and ENCUT or more are accepted",
               params->fock.cutoff_ha * PV_HARTREE_EV, params->cutoff_ha * PV_HARTREE_EV);
    if (!(params->electrons > 0.0)) params->electrons = neutral;
    PV_REQUIRE(params->electrons <= MOST_ELECTRONS, PV_ERR_INPUT,
               "the atoms have %g electrons; at most %g are accepted", params->electrons, MOST_ELECTRONS);
    if (fabs(params->electrons - neutral) > 1e-6)
        pv_log(PV_LOG_WARN,
               "NELECT = %g where the atoms have %g electrons: the cell is charged and a uniform background "
               "neutralises it",
               params->electrons, neutral);
    PV_REQUIRE(params->spins == 1 || params->spin_difference <= params->electrons + 1e-6, PV_ERR_INPUT,
               "NUPDOWN = %g for %g electrons; at most as many as there are electrons are accepted",
               params->spin_difference, params->electrons);
    PV_TRY(complete_moments(params, cell));
    if (params->bands == 0) params->bands = default_bands(params, cell);
    PV_REQUIRE(params->bands >= fullest(params) - 1e-9, PV_ERR_INPUT,
               "NBANDS = %d for %g electrons; at least %.0f bands are needed", params->bands, params->electrons,
               ceil(fullest(params) - 1e-9));
    return PV_OK;
}
