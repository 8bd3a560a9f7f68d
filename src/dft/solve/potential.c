// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/potential.h"

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "device/vector.h"
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

static pv_status room(const pv_potential *potential, int64_t count, double **field_p)
{
    return PV_ARRAY(potential->grid->device, "potentials", count, field_p);
}

// A list of waves on the device: the host's own there, else a copy.
static pv_status bring(const pv_potential *potential, double _Complex *waves, double _Complex **there_p)
{
    pv_device *device = potential->grid->device;
    *there_p = waves;
    if (pv_device_is_host(device) || !waves) return PV_OK;
    PV_TRY(PV_ARRAY(device, "potentials", potential->grid->waves, there_p));
    return pv_array_write(device, *there_p, waves, (size_t)potential->grid->waves * sizeof *waves);
}

static pv_status make_there(pv_potential *potential)
{
    const pv_grid *grid = potential->grid;
    const int spins = potential->system->params.spins;
    PV_TRY(bring(potential, potential->local, &potential->there.local));
    PV_TRY(bring(potential, potential->core, &potential->there.core));
    PV_TRY(bring(potential, potential->waves, &potential->there.waves));
    PV_TRY(bring(potential, potential->felt, &potential->there.felt));
    PV_TRY(room(potential, grid->local_points, &potential->there.slab));
    PV_TRY(room(potential, grid->local_points * spins, &potential->there.xc_slab));
    return room(potential, pv_comm_size(grid->comm) > 1 ? grid->points : 0, &potential->whole_ha);
}

static pv_status make_waves(pv_potential *potential)
{
    const pv_system *system = potential->system;
    const int64_t waves = system->grid->waves;
    PV_TRY(PV_ALLOC(waves, &potential->local));
    PV_TRY(PV_ALLOC(waves, &potential->waves));
    PV_TRY(PV_ALLOC(waves, &potential->felt));
    PV_TRY(PV_ALLOC(waves * system->params.spins, &potential->xc_waves));
    potential->packed_count = pv_sphere_reals_count(pv_system_sphere(system));
    PV_TRY(room(potential, potential->packed_count * system->params.spins, &potential->packed_ha));
    PV_TRY(pv_atoms_field(system->grid, system->cell, system->pseudo, pv_pseudo_local_form, potential->local));
    return make_core(potential);
}

pv_status pv_potential_create(pv_system *system, pv_potential **potential_p)
{
    pv_potential *potential;
    PV_TRY(PV_ALLOC(1, &potential));
    potential->system = system;
    potential->grid = system->device_grid;
    pv_status status = pv_potential_take_functional(potential, !system->params.fock.on);
    if (status == PV_OK) status = make_waves(potential);
    if (status == PV_OK) status = make_there(potential);
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
    return pv_xc_create(potential->grid, &functional, params->spins, &potential->xc);
}

void pv_potential_destroy(pv_potential *potential)
{
    if (!potential) return;
    pv_device *device = potential->grid->device;
    pv_xc_destroy(potential->xc);
    double _Complex *here[] = {potential->local, potential->core, potential->waves, potential->felt};
    double _Complex *there[] = {potential->there.local, potential->there.core, potential->there.waves,
                                potential->there.felt};
    for (int i = 0; i < 4; i++) {
        if (there[i] != here[i]) pv_array_destroy(device, there[i]);
        pv_mem_free(here[i]);
    }
    pv_array_destroy(device, potential->there.slab);
    pv_array_destroy(device, potential->there.xc_slab);
    pv_array_destroy(device, potential->packed_ha);
    pv_mem_free(potential->xc_waves);
    pv_array_destroy(device, potential->whole_ha);
    pv_mem_free(potential);
}

// ---- Steps -------------------------------------------------------------------------------------------------------

// What both spins have together, in the scratch waves.
static pv_status join_spins(pv_potential *potential, const double _Complex *density, const double _Complex **total_p)
{
    const pv_grid *grid = potential->grid;
    double _Complex *total = potential->there.waves;
    *total_p = density;
    if (potential->system->params.spins == 1) return PV_OK;
    *total_p = total;
    PV_TRY(pv_stream_copy(grid->stream, total, density, (size_t)grid->waves * sizeof *density));
    return pv_vector_axpy(grid->stream, 2 * grid->waves, 1.0, (const double *)(density + grid->waves), (double *)total);
}

static pv_status fetch(const pv_potential *potential, const double _Complex *there, double _Complex *waves)
{
    if (there == waves) return PV_OK;
    return pv_array_read(potential->grid->device, there, waves, (size_t)potential->grid->waves * sizeof *waves);
}

static pv_status fetch_xc(pv_potential *potential)
{
    pv_grid *grid = potential->grid;
    for (int s = 0; s < potential->system->params.spins; s++) {
        PV_TRY(pv_grid_to_waves(grid, potential->there.xc_slab + s * grid->local_points, potential->there.waves));
        PV_TRY(fetch(potential, potential->there.waves, potential->xc_waves + s * grid->waves));
    }
    return PV_OK;
}

pv_status pv_potential_xc_strain(pv_potential *potential, const double _Complex *density, double (*strain_ha)[3])
{
    PV_TRY(pv_xc_evaluate(potential->xc, density, potential->there.core, potential->there.xc_slab, &potential->xc_ha,
                          strain_ha));
    return fetch_xc(potential);
}

pv_status pv_potential_energies(pv_potential *potential, const double _Complex *density)
{
    const double _Complex *total;
    PV_TRY(join_spins(potential, density, &total));
    PV_TRY(pv_hartree(potential->grid, total, NULL, &potential->hartree_ha));
    PV_TRY(fetch(potential, potential->there.felt, potential->felt));
    return pv_potential_xc_strain(potential, density, NULL);
}

static pv_status pack(pv_potential *potential, const double *slab, double *packed)
{
    const pv_grid *grid = potential->grid;
    const double *whole = slab;
    if (potential->whole_ha) {
        PV_TRY(pv_grid_gather(grid, slab, potential->whole_ha));
        whole = potential->whole_ha;
    }
    return pv_sphere_pack(pv_system_sphere(potential->system), whole, packed);
}

// What one spin's xc potential adds to the mean and to the energies, and the potential that this spin feels.
static pv_status add_spin(pv_potential *potential, const double _Complex *density, int spin)
{
    pv_grid *grid = potential->grid;
    const int spins = potential->system->params.spins;
    double *xc = potential->there.xc_slab + spin * grid->local_points, *waves = (double *)potential->there.waves;
    double product, mean;
    PV_TRY(pv_grid_to_waves(grid, xc, potential->there.waves));
    PV_TRY(pv_vector_axpy(grid->stream, 2 * grid->waves, 1.0 / spins, waves, (double *)potential->there.felt));
    PV_TRY(pv_grid_dot(grid, potential->there.waves, density + spin * grid->waves, &product));
    potential->double_ha += product * grid->volume_bohr3;
    PV_TRY(pv_vector_axpy(grid->stream, grid->local_points, 1.0, potential->there.slab, xc));
    PV_TRY(pv_grid_integral(grid, xc, NULL, &mean));
    potential->mean_ha += mean / grid->volume_bohr3 / spins;
    return pack(potential, xc, potential->packed_ha + spin * potential->packed_count);
}

pv_status pv_potential_update(pv_potential *potential, const double _Complex *density)
{
    pv_grid *grid = potential->grid;
    const size_t bytes = (size_t)grid->waves * sizeof(double _Complex);
    const double _Complex *total;
    PV_TRY(join_spins(potential, density, &total));
    PV_TRY(pv_hartree(grid, total, potential->there.felt, &potential->hartree_ha));
    PV_TRY(pv_xc_evaluate(potential->xc, density, potential->there.core, potential->there.xc_slab, &potential->xc_ha,
                          NULL));
    potential->double_ha = 2.0 * potential->hartree_ha;
    potential->mean_ha = 0.0;
    PV_TRY(pv_stream_copy(grid->stream, potential->there.waves, potential->there.felt, bytes));
    PV_TRY(pv_vector_axpy(grid->stream, 2 * grid->waves, 1.0, (const double *)potential->there.local,
                          (double *)potential->there.waves));
    PV_TRY(pv_grid_to_points(grid, potential->there.waves, potential->there.slab));
    for (int s = 0; s < potential->system->params.spins; s++) PV_TRY(add_spin(potential, density, s));
    return pv_comm_agree(grid->comm, pv_stream_wait(grid->stream));
}
