// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/forces.h"

#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "dft/terms/atoms.h"
#include "dft/terms/ewald.h"
#include "dft/terms/hartree.h"

static void total_density(const pv_system *system, const double _Complex *density, double _Complex *total)
{
    const int64_t waves = system->grid->waves;
    for (int64_t i = 0; i < waves; i++)
        total[i] = system->params.spins == 2 ? density[i] + density[waves + i] : density[i];
}

// Mean over the spins of the exchange-correlation potential, into potential->waves.
static void mean_xc(pv_potential *potential)
{
    const int64_t waves = potential->system->grid->waves;
    const double _Complex *xc = potential->xc_waves;
    for (int64_t i = 0; i < waves; i++)
        potential->waves[i] = potential->system->params.spins == 2 ? 0.5 * (xc[i] + xc[waves + i]) : xc[i];
}

// The ions' local potential feels the density, the core densities feel the exchange-correlation potential, and the
// density, which moves with its atoms, feels what its potential is more than the orbitals felt.
static pv_status add_local(pv_potential *potential, const double _Complex *density, double (*forces)[3])
{
    const pv_system *system = potential->system;
    const pv_cell *cell = system->cell;
    pv_grid *grid = system->grid;
    double _Complex *waves = potential->waves, *more = potential->felt;
    mean_xc(potential);
    if (potential->core)
        PV_TRY(pv_atoms_add_forces(grid, cell, system->pseudo, pv_pseudo_core_form, waves, forces));
    for (int64_t i = 0; i < grid->waves; i++) more[i] = waves[i] - more[i];
    total_density(system, density, waves);
    PV_TRY(pv_atoms_add_forces(grid, cell, system->pseudo, pv_pseudo_local_form, waves, forces));
    PV_TRY(pv_hartree(grid, waves, waves, NULL));
    for (int64_t i = 0; i < grid->waves; i++) more[i] += waves[i];
    return pv_atoms_add_forces(grid, cell, system->pseudo, pv_pseudo_density_form, more, forces);
}

static pv_status add_ions(const pv_system *system, double (*forces)[3])
{
    const pv_cell *cell = system->cell;
    double *charge, energy;
    PV_TRY(PV_ALLOC(cell->atoms, &charge));
    double (*ions)[3] = NULL;
    pv_status status = PV_ALLOC(cell->atoms, &ions);
    for (int a = 0; a < cell->atoms; a++) charge[a] = system->pseudo[cell->species_of[a]]->valence;
    if (status == PV_OK) status = pv_ewald(cell, charge, 0.0, &energy, ions, NULL);
    for (int a = 0; status == PV_OK && a < cell->atoms; a++)
        for (int d = 0; d < 3; d++) forces[a][d] += ions[a][d];
    pv_mem_free(ions);
    pv_mem_free(charge);
    return status;
}

static pv_status add_owned(pv_electrons *electrons, double (*forces)[3])
{
    const pv_system *system = electrons->system;
    const int bands = system->params.bands, kpoints = system->kpoints->count;
    for (int s = 0; s < electrons->states; s++) {
        if (!pv_electrons_owns(electrons, s)) continue;
        pv_electrons_weights(electrons, s, electrons->tolerance);
        PV_TRY(pv_nonlocal_add_forces(electrons->hamiltonian[s % kpoints].nonlocal, bands, electrons->tolerance,
                                      electrons->orbitals[s], forces));
    }
    return PV_OK;
}

static pv_status add_nonlocal(pv_electrons *electrons, double (*forces)[3])
{
    const pv_system *system = electrons->system;
    const int atoms = system->cell->atoms;
    double (*nonlocal)[3] = NULL;
    pv_status status = pv_comm_agree(system->comm, PV_ALLOC(atoms, &nonlocal));
    if (status == PV_OK) status = pv_comm_agree(system->comm, add_owned(electrons, nonlocal));
    if (status == PV_OK) status = pv_electrons_sum(electrons, 3 * (int64_t)atoms, &nonlocal[0][0]);
    for (int a = 0; status == PV_OK && a < atoms; a++)
        for (int d = 0; d < 3; d++) forces[a][d] += nonlocal[a][d];
    pv_mem_free(nonlocal);
    return status;
}

pv_status pv_forces(pv_electrons *electrons, pv_potential *potential, const double _Complex *density,
                    double (*forces_ha_bohr)[3])
{
    const pv_system *system = electrons->system;
    const int atoms = system->cell->atoms;
    memset(forces_ha_bohr, 0, (size_t)atoms * sizeof *forces_ha_bohr);
    const double _Complex *here;
    pv_status local = pv_system_fetch_density(system, density, &here);
    if (local == PV_OK) local = add_local(potential, here, forces_ha_bohr);
    pv_array_release(density, here);
    PV_TRY(pv_comm_agree(system->comm, local));
    PV_TRY(pv_comm_reduce_f64(system->comm, PV_SUM, 3 * (int64_t)atoms, &forces_ha_bohr[0][0]));
    PV_TRY(add_nonlocal(electrons, forces_ha_bohr));
    PV_TRY(add_ions(system, forces_ha_bohr));
    const pv_status status = pv_symmetrise_forces(pv_system_crystal_symmetry(system), system->cell, forces_ha_bohr);
    PV_TRY(pv_comm_agree(system->comm, status));
    for (int d = 0; d < 3; d++) {
        double mean = 0.0;
        for (int a = 0; a < atoms; a++) mean += forces_ha_bohr[a][d] / atoms;
        for (int a = 0; a < atoms; a++) forces_ha_bohr[a][d] -= mean;
    }
    return PV_OK;
}
