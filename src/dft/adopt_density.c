// SPDX-License-Identifier: Apache-2.0
#include "dft/adopt_density.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/log.h"
#include "base/mem.h"
#include "device/array.h"
#include "dft/model/grid_transfer.h"
#include "dft/model/units.h"
#include "dft/terms/atoms.h"

// ---- Slabs -------------------------------------------------------------------------------------------------------

// |G| up to which a grid of this shape holds plane waves, at most the run's.
static double reach_of(const pv_system *system, const int64_t shape[3])
{
    double reach = system->density_reach;
    for (int d = 0; d < 3; d++) {
        const double *a = system->cell->lattice_bohr[d];
        const double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        reach = fmin(reach, ((double)((shape[d] - 1) / 2) + 0.999) * 2.0 * PV_PI / length);
    }
    return reach;
}

pv_status pv_density_slabs_create(const pv_system *system, const int64_t shape[3], int spins, pv_density_slabs *slabs)
{
    const int same = memcmp(shape, system->grid->shape, 3 * sizeof *shape) == 0;
    const double reach = reach_of(system, shape);
    *slabs = (pv_density_slabs){.grid = system->grid, .spins = spins};
    if (!same) PV_TRY(pv_grid_create(system->comm, system->cell, shape, reach * reach, system->engine, &slabs->grid));
    const pv_status status = pv_comm_agree(system->comm, PV_ALLOC(spins * slabs->grid->local_points, &slabs->values));
    if (status != PV_OK) pv_density_slabs_release(system, slabs);
    return status;
}

void pv_density_slabs_release(const pv_system *system, pv_density_slabs *slabs)
{
    if (slabs->grid != system->grid) pv_grid_destroy(slabs->grid);
    pv_mem_free(slabs->values);
    *slabs = (pv_density_slabs){0};
}

// ---- Into the run ------------------------------------------------------------------------------------------------

// One field of the slabs in the run's plane waves; `there` has room for those of the slabs' grid.
static pv_status to_waves(const pv_system *system, const pv_density_slabs *slabs, int field, double _Complex *there,
                          double _Complex *waves)
{
    const double *values = slabs->values + field * slabs->grid->local_points;
    if (slabs->grid == system->grid) return pv_grid_to_waves(slabs->grid, values, waves);
    PV_TRY(pv_grid_to_waves(slabs->grid, values, there));
    return pv_grid_transfer(slabs->grid, there, system->grid, waves);
}

// total += the densities of the atoms where they are, less those of the atoms at `positions`.
static pv_status move_atoms(const pv_system *system, const double (*positions)[3], double _Complex *scratch,
                            double _Complex *total)
{
    const pv_grid *grid = system->grid;
    pv_cell old = *system->cell;
    old.fractional = (double (*)[3])positions;
    PV_TRY(pv_atoms_field(grid, system->cell, system->pseudo, pv_pseudo_density_form, scratch));
    for (int64_t i = 0; i < grid->waves; i++) total[i] += scratch[i];
    PV_TRY(pv_atoms_field(grid, &old, system->pseudo, pv_pseudo_density_form, scratch));
    for (int64_t i = 0; i < grid->waves; i++) total[i] -= scratch[i];
    return PV_OK;
}

static pv_status scale_to_electrons(const pv_system *system, double _Complex *total)
{
    const pv_grid *grid = system->grid;
    const double wanted = system->params.electrons;
    double electrons = grid->zero >= 0 ? creal(total[grid->zero]) * grid->volume_bohr3 : 0.0;
    PV_TRY(pv_comm_reduce_f64(grid->comm, PV_SUM, 1, &electrons));
    PV_REQUIRE(electrons > 0.0, PV_ERR_INPUT, "the density to start from holds %g electrons, must be positive",
               electrons);
    if (fabs(electrons - wanted) > 1e-3 * wanted && pv_comm_rank(grid->comm) == 0)
        pv_log(PV_LOG_WARN, "the density to start from holds %.4f electrons and is scaled to the %.4f of this run",
               electrons, wanted);
    for (int64_t i = 0; i < grid->waves; i++) total[i] *= wanted / electrons;
    return PV_OK;
}

static pv_status take_difference(const pv_scf *scf, double _Complex *difference)
{
    const int64_t waves = scf->system->grid->waves;
    const double _Complex *in;
    const pv_status status = pv_system_fetch_density(scf->system, scf->in, &in);
    for (int64_t i = 0; status == PV_OK && i < waves; i++) difference[i] = in[i] - in[waves + i];
    pv_array_release(scf->in, in);
    return status;
}

// total and difference: [waves] of the run's grid each, one behind the other, with room behind.
static pv_status adopt(pv_scf *scf, const pv_density_slabs *slabs, const double (*positions)[3], double _Complex *total,
                       double _Complex *difference, double _Complex *scratch)
{
    const pv_system *system = scf->system;
    const int64_t waves = system->grid->waves;
    const int spins = system->params.spins;
    PV_TRY(to_waves(system, slabs, 0, scratch, total));
    if (spins == 2 && slabs->spins == 2) PV_TRY(to_waves(system, slabs, 1, scratch, difference));
    if (spins == 2 && slabs->spins == 1) PV_TRY(take_difference(scf, difference));
    if (positions) PV_TRY(move_atoms(system, positions, scratch, total));
    PV_TRY(scale_to_electrons(system, total));
    for (int64_t i = 0; spins == 2 && i < waves; i++) {
        const double _Complex up = 0.5 * (total[i] + difference[i]);
        difference[i] = 0.5 * (total[i] - difference[i]);
        total[i] = up;
    }
    PV_TRY(pv_system_put_density(system, total, scf->in));
    for (int s = 0; s < spins; s++) PV_TRY(pv_grid_symmetry_apply(system->symmetriser, scf->in + s * waves));
    return PV_OK;
}

pv_status pv_density_adopt(pv_scf *scf, const pv_density_slabs *slabs, const double (*positions)[3])
{
    const int64_t waves = scf->system->grid->waves;
    const int64_t most = waves > slabs->grid->waves ? waves : slabs->grid->waves;
    double _Complex *room = NULL;
    pv_status status = pv_comm_agree(scf->system->comm, PV_ALLOC(2 * waves + most, &room));
    if (status == PV_OK) status = adopt(scf, slabs, positions, room, room + waves, room + 2 * waves);
    pv_mem_free(room);
    return status;
}

// ---- CHGCAR ------------------------------------------------------------------------------------------------------

typedef struct head {
    int64_t grid[3];
    int spins, has_moved;
} head;

// Everybody takes its slab of each field, which rank 0 sends whole.
static pv_status share_fields(const pv_comm *comm, const pv_chgcar *chgcar, double *whole, pv_density_slabs *slabs)
{
    const pv_grid *grid = slabs->grid;
    const size_t bytes = (size_t)grid->points * sizeof *whole, part = (size_t)grid->local_points * sizeof *whole;
    for (int s = 0; s < slabs->spins; s++) {
        if (chgcar) memcpy(whole, chgcar->density + s * grid->points, bytes);
        PV_TRY(pv_comm_broadcast((pv_comm *)comm, 0, bytes, whole));
        if (part > 0) memcpy(slabs->values + s * grid->local_points, whole + grid->first_point, part);
    }
    return PV_OK;
}

pv_status pv_density_adopt_chgcar(pv_scf *scf, const pv_chgcar *chgcar, int has_moved)
{
    const pv_system *system = scf->system;
    const int atoms = system->cell->atoms;
    head head = {{0}, 0, has_moved};
    if (chgcar) {
        memcpy(head.grid, chgcar->grid, sizeof head.grid);
        head.spins = chgcar->spins;
    }
    PV_TRY(pv_comm_broadcast(system->comm, 0, sizeof head, &head));
    pv_density_slabs slabs;
    double (*positions)[3] = NULL, *whole = NULL;
    PV_TRY(pv_density_slabs_create(system, head.grid, head.spins, &slabs));
    pv_status status = PV_ALLOC(atoms, &positions);
    if (status == PV_OK) status = PV_ALLOC(slabs.grid->points, &whole);
    status = pv_comm_agree(system->comm, status);
    if (status == PV_OK) status = share_fields(system->comm, chgcar, whole, &slabs);
    if (status == PV_OK && chgcar) memcpy(positions, chgcar->cell->fractional, (size_t)atoms * sizeof *positions);
    if (status == PV_OK) status = pv_comm_broadcast(system->comm, 0, (size_t)atoms * sizeof *positions, positions);
    if (status == PV_OK) status = pv_density_adopt(scf, &slabs, head.has_moved ? (const double (*)[3])positions : NULL);
    pv_mem_free(whole);
    pv_mem_free(positions);
    pv_density_slabs_release(system, &slabs);
    return status;
}
