// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/stress.h"

#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "dft/terms/atoms.h"
#include "dft/terms/ewald.h"
#include "dft/terms/hartree.h"

static pv_status add_kinetic(pv_electrons *electrons, int state, double (*strain)[3])
{
    const pv_basis *basis = electrons->system->basis[state % electrons->system->kpoints->count];
    double *weights;
    PV_TRY(PV_ALLOC(basis->local, &weights));
    const pv_status status = pv_electrons_wave_weights(electrons, state, weights);
    for (int64_t g = 0; status == PV_OK && g < basis->local; g++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) strain[i][j] -= weights[g] * basis->q[g][i] * basis->q[g][j];
    pv_mem_free(weights);
    return status;
}

// The total density into potential->waves.
static void join_spins(pv_potential *potential, const double _Complex *density)
{
    const int64_t waves = potential->system->grid->waves;
    for (int64_t i = 0; i < waves; i++)
        potential->waves[i] = potential->system->params.spins == 2 ? density[i] + density[waves + i] : density[i];
}

// Exchange and correlation, as potential->xc_waves has them: by the valence density as it thins out, by the core
// densities.
static pv_status add_xc(pv_potential *potential, const double _Complex *density, double (*strain)[3])
{
    const pv_system *system = potential->system;
    const pv_grid *grid = system->grid;
    const int spins = system->params.spins;
    for (int s = 0; s < spins; s++) {
        const double _Complex *xc = potential->xc_waves + s * grid->waves;
        for (int64_t i = 0; i < grid->waves; i++) {
            const double _Complex product = conj(xc[i]) * density[s * grid->waves + i];
            for (int d = 0; d < 3; d++) strain[d][d] -= grid->volume_bohr3 * grid->weight[i] * creal(product);
        }
        for (int64_t i = 0; i < grid->waves; i++) potential->waves[i] = xc[i] / spins;
        if (potential->core)
            PV_TRY(
                pv_atoms_add_strain(grid, system->cell, system->pseudo, pv_pseudo_core_form, potential->waves, strain));
    }
    return PV_OK;
}

static pv_status add_ions(const pv_system *system, double (*strain)[3])
{
    const pv_cell *cell = system->cell;
    double *charge, energy, ions[3][3];
    PV_TRY(PV_ALLOC(cell->atoms, &charge));
    for (int a = 0; a < cell->atoms; a++) charge[a] = system->pseudo[cell->species_of[a]]->valence;
    const pv_status status = pv_ewald(cell, charge, 0.0, &energy, NULL, ions);
    for (int i = 0; status == PV_OK && i < 9; i++) strain[i / 3][i % 3] += ions[i / 3][i % 3];
    pv_mem_free(charge);
    return status;
}

// What follows from the density on the host.
static pv_status add_density(pv_potential *potential, const double _Complex *density, double (*strain)[3])
{
    const pv_system *system = potential->system;
    join_spins(potential, density);
    pv_hartree_add_strain(system->grid, potential->waves, strain);
    PV_TRY(pv_atoms_add_strain(system->grid, system->cell, system->pseudo, pv_pseudo_local_form, potential->waves,
                               strain));
    return add_xc(potential, density, strain);
}

// What ranks share out, before it is summed.
static pv_status add_shares(pv_electrons *electrons, pv_potential *potential, const double _Complex *density,
                            double (*strain)[3])
{
    const double _Complex *here;
    for (int s = 0; s < electrons->states; s++) {
        if (pv_electrons_owns(electrons, s)) PV_TRY(add_kinetic(electrons, s, strain));
    }
    PV_TRY(pv_potential_xc_strain(potential, density, strain)); // by volume and gradients
    pv_status status = pv_system_fetch_density(electrons->system, density, &here);
    if (status == PV_OK) status = add_density(potential, here, strain);
    pv_array_release(density, here);
    return status;
}

// Of this group's states, whole on each of its ranks.
static pv_status add_nonlocal(pv_electrons *electrons, double (*strain)[3])
{
    const pv_system *system = electrons->system;
    for (int s = 0; s < electrons->states; s++) {
        if (!pv_electrons_owns(electrons, s)) continue;
        pv_electrons_weights(electrons, s, electrons->tolerance);
        PV_TRY(pv_nonlocal_add_strain(electrons->hamiltonian[s % system->kpoints->count].nonlocal, system->cell,
                                      system->pseudo, system->params.bands, electrons->tolerance,
                                      electrons->orbitals[s], strain));
    }
    return PV_OK;
}

pv_status pv_stress(pv_electrons *electrons, pv_potential *potential, const double _Complex *density,
                    double (*stress_ha_bohr3)[3])
{
    const pv_system *system = electrons->system;
    double strain[3][3] = {{0.0}};
    PV_TRY(pv_comm_agree(system->comm, add_shares(electrons, potential, density, strain)));
    PV_TRY(pv_comm_reduce_f64(system->comm, PV_SUM, 9, &strain[0][0]));
    double nonlocal[3][3] = {{0.0}};
    PV_TRY(pv_comm_agree(system->comm, add_nonlocal(electrons, nonlocal)));
    PV_TRY(pv_electrons_sum(electrons, 9, &nonlocal[0][0]));
    for (int i = 0; i < 9; i++) strain[i / 3][i % 3] += nonlocal[i / 3][i % 3];
    PV_TRY(add_ions(system, strain));
    pv_symmetrise_tensor(pv_system_crystal_symmetry(system), system->cell, strain);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            stress_ha_bohr3[i][j] = -0.5 * (strain[i][j] + strain[j][i]) / system->cell->volume_bohr3;
    return PV_OK;
}
