// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/dos.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/solve/smearing.h"

// What is shown beyond the eigenvalues: part of their range, and widths of the smearing.
static const double margin_range = 0.05, margin_widths = 10.0;

static void find_range(const pv_dft_params *params, int64_t count, const double *eigenvalues_ha, double *lowest_p,
                       double *highest_p)
{
    *lowest_p = params->dos.lowest_ha;
    *highest_p = params->dos.highest_ha;
    if (*highest_p > *lowest_p) return;
    double lowest = DBL_MAX, highest = -DBL_MAX;
    for (int64_t i = 0; i < count; i++) {
        lowest = fmin(lowest, eigenvalues_ha[i]);
        highest = fmax(highest, eigenvalues_ha[i]);
    }
    const double margin = margin_range * (highest - lowest) + margin_widths * params->smearing_ha;
    *lowest_p = lowest - margin;
    *highest_p = highest + margin;
}

static pv_status allocate(int points, int spins, pv_dos **dos_p)
{
    pv_dos *dos;
    PV_TRY(PV_ALLOC(1, &dos));
    dos->points = points;
    dos->spins = spins;
    pv_status status = PV_ALLOC(points, &dos->energy_ha);
    if (status == PV_OK) status = PV_ALLOC((size_t)spins * (size_t)points, &dos->density);
    if (status == PV_OK) status = PV_ALLOC((size_t)spins * (size_t)points, &dos->integral);
    if (status == PV_OK) *dos_p = dos;
    else pv_dos_destroy(dos);
    return status;
}

// eigenvalues_ha [kpoints][bands], of one spin.
static double states_below(const pv_dft_params *params, int kpoints, const double *weight,
                           const pv_tetrahedra *tetrahedra, const double *eigenvalues_ha, double energy_ha)
{
    const double full = pv_dft_params_full(params);
    double states = 0.0;
    for (int b = 0; tetrahedra && b < params->bands; b++)
        states += full * pv_tetrahedra_below(tetrahedra, eigenvalues_ha + b, params->bands, energy_ha);
    if (tetrahedra) return states;
    for (int k = 0; k < kpoints; k++) {
        double filled = 0.0;
        for (int b = 0; b < params->bands; b++)
            filled += pv_smearing_fraction(params, (energy_ha - *eigenvalues_ha++) / params->smearing_ha);
        states += full * weight[k] * filled;
    }
    return states;
}

pv_status pv_dos_create(const pv_dft_params *params, int kpoints, const double *weight, const pv_tetrahedra *tetrahedra,
                        const double *eigenvalues_ha, pv_dos **dos_p)
{
    const int points = params->dos.points, spins = params->spins;
    PV_REQUIRE(points >= 2, PV_ERR_ARGUMENT, "a density of states on %d points (NEDOS); at least 2 are needed", points);
    const int64_t states = (int64_t)kpoints * params->bands;
    double lowest, highest;
    find_range(params, spins * states, eigenvalues_ha, &lowest, &highest);
    const double step = (highest - lowest) / (points - 1);
    pv_dos *dos;
    PV_TRY(allocate(points, spins, &dos));
    for (int i = 0; i < points; i++) dos->energy_ha[i] = lowest + i * step;
    for (int spin = 0; spin < spins; spin++) {
        const double *eigenvalues = eigenvalues_ha + spin * states;
        double before = states_below(params, kpoints, weight, tetrahedra, eigenvalues, lowest - step);
        for (int i = 0; i < points; i++) {
            const double below = states_below(params, kpoints, weight, tetrahedra, eigenvalues, dos->energy_ha[i]);
            dos->integral[spin * points + i] = below;
            dos->density[spin * points + i] = (below - before) / step;
            before = below;
        }
    }
    *dos_p = dos;
    return PV_OK;
}

void pv_dos_destroy(pv_dos *dos)
{
    if (!dos) return;
    pv_mem_free(dos->energy_ha);
    pv_mem_free(dos->density);
    pv_mem_free(dos->integral);
    pv_mem_free(dos);
}
