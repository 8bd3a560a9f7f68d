// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/forces.h"

#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/terms/atoms.h"
#include "dft/terms/ewald.h"

// Mean of the spins' fields, or their sum.
static void join_spins(int spins, int64_t waves, double factor, const double _Complex *field, double _Complex *joined)
{
    for (int64_t i = 0; i < waves; i++)
        joined[i] = spins == 2 ? factor * (field[i] + field[waves + i]) : field[i];
}

// The ions' local potential feels the density, the core densities the exchange-correlation potential.
static pv_status add_local(pv_potential *potential, const double _Complex *density, double (*forces)[3])
{
    const pv_system *system = potential->system;
    pv_grid *grid = system->grid;
    const int spins = system->params.spins;
    join_spins(spins, grid->waves, 1.0, density, potential->waves);
    PV_TRY(pv_atoms_add_forces(grid, system->cell, system->pseudo, pv_pseudo_local_form, potential->waves, forces));
    if (!potential->core) return PV_OK;
    for (int64_t i = 0; i < grid->local_points; i++)
        potential->slab[i] = spins == 2 ? 0.5 * (potential->xc_slab[i] + potential->xc_slab[grid->local_points + i])
                                        : potential->xc_slab[i];
    PV_TRY(pv_grid_to_waves(grid, potential->slab, potential->waves));
    return pv_atoms_add_forces(grid, system->cell, system->pseudo, pv_pseudo_core_form, potential->waves, forces);
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

pv_status pv_forces(pv_electrons *electrons, pv_potential *potential, const double _Complex *density,
                    double (*forces_ha_bohr)[3])
{
    const pv_system *system = electrons->system;
    const int atoms = system->cell->atoms, bands = system->params.bands, kpoints = system->kpoints->count;
    memset(forces_ha_bohr, 0, (size_t)atoms * sizeof *forces_ha_bohr);
    PV_TRY(pv_comm_agree(system->comm, add_local(potential, density, forces_ha_bohr)));
    PV_TRY(pv_comm_reduce_f64(system->comm, PV_SUM, 3 * (int64_t)atoms, &forces_ha_bohr[0][0]));
    for (int s = 0; s < electrons->states; s++) {
        double *weights = electrons->tolerance;
        pv_electrons_weights(electrons, s, weights);
        PV_TRY(pv_nonlocal_add_forces(electrons->hamiltonian[s % kpoints].nonlocal, bands, weights,
                                      electrons->orbitals[s], forces_ha_bohr));
    }
    PV_TRY(add_ions(system, forces_ha_bohr));
    PV_TRY(pv_comm_agree(system->comm, pv_symmetrise_forces(system->symmetry, system->cell, forces_ha_bohr)));
    for (int d = 0; d < 3; d++) {
        double mean = 0.0;
        for (int a = 0; a < atoms; a++) mean += forces_ha_bohr[a][d] / atoms;
        for (int a = 0; a < atoms; a++) forces_ha_bohr[a][d] -= mean;
    }
    return PV_OK;
}
