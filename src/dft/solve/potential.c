// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/potential.h"

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "dft/terms/atoms.h"
#include "dft/terms/hartree.h"

static pv_status make_core(pv_potential *potential)
{
    const pv_system *system = potential->system;
    int any = 0;
    for (int s = 0; s < system->cell->species; s++) any |= system->pseudo[s]->has_core;
    if (!any) return PV_OK;
    PV_TRY(PV_ALLOC(system->grid->waves, &potential->core));
    return pv_atoms_field(system->grid, system->cell, system->pseudo, pv_pseudo_core_form, potential->core);
}

pv_status pv_potential_create(pv_system *system, pv_potential **potential_p)
{
    const pv_grid *grid = system->grid;
    const int spins = system->params.spins;
    pv_potential *potential;
    PV_TRY(PV_ALLOC(1, &potential));
    potential->system = system;
    pv_status status = pv_potential_take_functional(potential, !system->params.fock.on);
    if (status == PV_OK) status = PV_ALLOC(grid->waves, &potential->local);
    if (status == PV_OK) status = PV_ALLOC(grid->waves, &potential->waves);
    if (status == PV_OK) status = PV_ALLOC(grid->waves, &potential->felt);
    if (status == PV_OK) status = PV_ALLOC(grid->local_points, &potential->slab);
    if (status == PV_OK) status = PV_ALLOC(grid->local_points * spins, &potential->xc_slab);
    potential->packed_count = pv_sphere_reals_count(pv_system_sphere(system));
    if (status == PV_OK) status = PV_ALLOC(grid->points, &potential->whole_ha);
    if (status == PV_OK)
        status = PV_ARRAY(system->device, "the potential", potential->packed_count * spins, &potential->packed_ha);
    if (status == PV_OK)
        status = pv_atoms_field(grid, system->cell, system->pseudo, pv_pseudo_local_form, potential->local);
    if (status == PV_OK) status = make_core(potential);
    status = pv_comm_agree(system->comm, status);
    if (status != PV_OK) {
        pv_potential_destroy(potential);
        return status;
    }
    *potential_p = potential;
    return PV_OK;
}

pv_status pv_potential_take_functional(pv_potential *potential, int whole)
{
    const pv_dft_params *params = &potential->system->params;
    const pv_functional functional = whole ? params->functional : pv_functional_of(params->functional.kind);
    pv_xc_destroy(potential->xc);
    potential->xc = NULL;
    return pv_xc_create(potential->system->grid, &functional, params->spins, &potential->xc);
}

void pv_potential_destroy(pv_potential *potential)
{
    if (!potential) return;
    pv_xc_destroy(potential->xc);
    pv_mem_free(potential->local);
    pv_mem_free(potential->core);
    pv_mem_free(potential->waves);
    pv_mem_free(potential->felt);
    pv_mem_free(potential->slab);
    pv_mem_free(potential->xc_slab);
    pv_mem_free(potential->whole_ha);
    pv_array_destroy(potential->system->device, potential->packed_ha);
    pv_mem_free(potential);
}

// The total density into potential->waves.
static void sum_spins(pv_potential *potential, const double _Complex *density)
{
    const int64_t waves = potential->system->grid->waves;
#pragma omp parallel for num_threads(pv_grid_threads(potential->system->grid)) schedule(static)
    for (int64_t i = 0; i < waves; i++)
        potential->waves[i] = potential->system->params.spins == 2 ? density[i] + density[waves + i] : density[i];
}

pv_status pv_potential_energies(pv_potential *potential, const double _Complex *density)
{
    sum_spins(potential, density);
    PV_TRY(pv_hartree(potential->system->grid, potential->waves, NULL, &potential->hartree_ha));
    return pv_xc_evaluate(potential->xc, density, potential->core, potential->xc_slab, &potential->xc_ha, NULL);
}

pv_status pv_potential_update(pv_potential *potential, const double _Complex *density)
{
    pv_grid *grid = potential->system->grid;
    const int spins = potential->system->params.spins;
    PV_TRY(pv_xc_evaluate(potential->xc, density, potential->core, potential->xc_slab, &potential->xc_ha, NULL));
    sum_spins(potential, density);
    PV_TRY(pv_hartree(grid, potential->waves, potential->felt, &potential->hartree_ha));
    potential->double_ha = 2.0 * potential->hartree_ha;
#pragma omp parallel for num_threads(pv_grid_threads(grid)) schedule(static)
    for (int64_t i = 0; i < grid->waves; i++) potential->waves[i] = potential->felt[i] + potential->local[i];
    PV_TRY(pv_grid_to_points(grid, potential->waves, potential->slab));
    potential->mean_ha = 0.0;
    for (int s = 0; s < spins; s++) {
        double *xc = potential->xc_slab + s * grid->local_points;
        double product, mean;
        PV_TRY(pv_grid_to_waves(grid, xc, potential->waves));
#pragma omp parallel for num_threads(pv_grid_threads(grid)) schedule(static)
        for (int64_t i = 0; i < grid->waves; i++) potential->felt[i] += potential->waves[i] / spins;
        PV_TRY(pv_grid_dot(grid, NULL, potential->waves, density + s * grid->waves, &product));
        potential->double_ha += product * grid->volume_bohr3;
#pragma omp parallel for num_threads(pv_grid_threads(grid)) schedule(static)
        for (int64_t i = 0; i < grid->local_points; i++) xc[i] += potential->slab[i];
        PV_TRY(pv_grid_integral(grid, xc, NULL, &mean));
        potential->mean_ha += mean / grid->volume_bohr3 / spins;
        PV_TRY(pv_grid_gather(grid, xc, potential->whole_ha));
        PV_TRY(pv_comm_agree(grid->comm, pv_system_pack(potential->system, potential->whole_ha,
                                                        potential->packed_ha + s * potential->packed_count)));
    }
    return PV_OK;
}
