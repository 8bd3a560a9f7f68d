// SPDX-License-Identifier: Apache-2.0
#include "dft/model/system.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "dft/model/system_memory.h"
#include "dft/model/system_read.h"
#include "dft/model/units.h"

static pv_status refuse_unsupported(const pv_system *system)
{
    PV_REQUIRE(!system->kpoints->is_path || system->params.start_density >= 10, PV_ERR_INPUT,
               "KPOINTS in line mode has no mesh to find a density with: ICHARG = 11 takes that of an earlier run "
               "(with LHFCALC give the points weight 0 in a list, behind those of a mesh)");
    PV_REQUIRE(
        !system->params.fock.on || system->params.start_density < 10, PV_ERR_INPUT,
        "ICHARG = %d (a fixed density) with LHFCALC: exact exchange needs the orbitals of a whole mesh; give the "
        "k-points of the bands weight 0 in KPOINTS, behind those of a mesh, or a KPOINTS_OPT",
        system->params.start_density);
    return PV_OK;
}

// Orbitals of one k-point cannot be more than its plane waves.
static pv_status check_bands(const pv_system *system)
{
    const int bands = system->params.bands;
    for (int k = 0; k < system->kpoints->count; k++) {
        const double *at = system->kpoints->fractional[k];
        const int64_t waves = pv_basis_count_waves(system->cell, at, system->params.cutoff_ha, bands);
        PV_REQUIRE(waves >= bands, PV_ERR_INPUT,
                   "NBANDS = %d (given, or chosen for %.6g electrons), but at k-point %d (%.6g %.6g %.6g) ENCUT = %.6g "
                   "eV allows %" PRId64 " plane waves; at most so many bands, or a larger ENCUT, are accepted",
                   bands, system->params.electrons, k + 1, at[0], at[1], at[2],
                   system->params.cutoff_ha * PV_HARTREE_EV, waves);
    }
    return PV_OK;
}

// ---- Grids ---------------------------------------------------------------------------------------------------------

// Orbitals, density and potentials share one grid: NGXF.. where given, else NGX.., else 2 G_cut.
static pv_status choose_grid(pv_system *system)
{
    int64_t *shape = system->shape;
    const pv_dft_params *params = &system->params;
    const double reach = 2.0 * sqrt(2.0 * params->cutoff_ha);
    pv_grid_choose_shape(system->cell, reach, system->grid_multiple, shape);
    system->density_reach = reach;
    for (int d = 0; d < 3; d++) {
        const int given = params->fine_grid[d] > 0 ? params->fine_grid[d] : params->grid[d];
        if (given > 0) shape[d] = given;
        const double *a = system->cell->lattice_bohr[d];
        const double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        // The largest index along d is at most reach * length / 2 pi and must stay below half the points.
        const double fits = ((double)((shape[d] - 1) / 2) + 0.999) * 2.0 * PV_PI / length;
        if (fits < system->density_reach) system->density_reach = fits;
    }
    const double g_cut = sqrt(2.0 * params->cutoff_ha);
    PV_REQUIRE(system->density_reach >= g_cut, PV_ERR_INPUT,
               "a grid of %" PRId64 " x %" PRId64 " x %" PRId64 " points holds plane waves up to |G| = %.3g 1/bohr; "
               "orbitals of ENCUT = %.1f eV reach %.3g",
               shape[0], shape[1], shape[2], system->density_reach, params->cutoff_ha * PV_HARTREE_EV, g_cut);
    return PV_OK;
}

static pv_status make_basis(pv_system *system, int k)
{
    const int64_t *whole = pv_system_owns(system, k) && !system->team_comm ? system->shape : NULL;
    PV_TRY(pv_basis_create(system->orbital_comm, system->cell, system->kpoints->fractional[k],
                           system->params.cutoff_ha, whole, 1, system->engine, &system->basis[k]));
    if (!pv_system_owns(system, k) || !system->team_comm) return PV_OK;
    return pv_basis_share_sphere(system->basis[k], system->team_comm, system->shape, system->engine);
}

// Plane waves of every k-point, transforms of this group's.
static pv_status make_bases(pv_system *system)
{
    PV_TRY(pv_comm_agree(system->comm, PV_ALLOC(system->kpoints->count, &system->basis)));
    pv_status status = PV_OK;
    for (int k = 0; status == PV_OK && k < system->kpoints->count; k++)
        status = make_basis(system, k);
    return pv_comm_agree(system->comm, status);
}

// Fields go between the two grids wave by wave.
static pv_status make_device_grid(pv_system *system)
{
    const pv_grid *here = system->grid;
    system->device_grid = system->grid;
    if (pv_device_is_host(system->device)) return PV_OK;
    system->device_grid = NULL;
    PV_TRY(pv_grid_create(system->all_orbital_comm, system->cell, system->shape,
                          system->density_reach * system->density_reach, "auto", &system->device_grid));
    const pv_grid *there = system->device_grid;
    const int alike = here->waves == there->waves && here->first_point == there->first_point
                      && here->local_points == there->local_points
                      && (here->waves == 0
                          || memcmp(here->miller, there->miller, (size_t)here->waves * sizeof *here->miller) == 0);
    return pv_comm_agree(system->comm, alike ? PV_OK
                                             : pv_fail(PV_ERR_INTERNAL, __func__,
                                                       "device %s orders plane waves differently from the host",
                                                       pv_device_name(system->device)));
}

static pv_status make_grids(pv_system *system)
{
    PV_TRY(pv_grid_create(system->comm, system->cell, system->shape, system->density_reach * system->density_reach,
                          system->engine, &system->grid));
    PV_TRY(make_device_grid(system));
    PV_TRY(pv_grid_symmetry_create(system->device_grid, pv_system_crystal_symmetry(system), &system->symmetriser));
    PV_TRY(make_bases(system));
    return pv_comm_agree(system->comm, pv_system_forecast_memory(system));
}

// ---- Groups --------------------------------------------------------------------------------------------------------

static pv_status join_team(pv_system *system)
{
    const int each = system->groups.band_ranks, rank = pv_comm_rank(system->orbital_comm);
    if (each == system->groups.size && each > 1)
        system->team_comm = system->orbital_comm;
    else if (each > 1)
        PV_TRY(pv_comm_split(system->orbital_comm, rank / each, rank, &system->team_comm));
    return PV_OK;
}

static pv_status join_group(pv_system *system)
{
    pv_comm *comm = system->comm;
    system->group = pv_kpoint_groups_of_rank(&system->groups, pv_comm_rank(comm));
    if (system->groups.count == 1)
        system->group_comm = comm;
    else
        PV_TRY(pv_comm_split(comm, system->group, pv_comm_rank(comm), &system->group_comm));
    if (system->all_orbital_comm == comm)
        system->orbital_comm = system->group_comm;
    else if (system->groups.count == 1)
        system->orbital_comm = system->all_orbital_comm;
    else
        PV_TRY(pv_comm_split(system->all_orbital_comm, system->group, pv_comm_rank(comm), &system->orbital_comm));
    PV_TRY(join_team(system));
    return pv_comm_agree(comm, pv_dense_open(system->orbital_comm, &system->group_dense));
}

const pv_sphere *pv_system_sphere(const pv_system *system)
{
    int k = 0;
    while (!pv_system_owns(system, k)) k++;
    return system->basis[k]->sphere;
}

static pv_status read_and_check(pv_comm *comm, const char *directory, const char *poscar, const char *pseudo_directory,
                                pv_system **system_p)
{
    pv_system *system;
    PV_TRY(PV_ALLOC(1, &system));
    system->comm = comm;
    pv_status status = pv_system_read_files(system, directory, poscar, pseudo_directory);
    if (status == PV_OK) status = refuse_unsupported(system);
    if (status == PV_OK) status = check_bands(system);
    PV_TRY_GOTO(pv_comm_agree(comm, status), status, failed);
    *system_p = system;
    return PV_OK;
failed:
    pv_system_destroy(system);
    return status;
}

pv_status pv_system_read(pv_comm *comm, const char *directory, const char *pseudo_directory, pv_system **system_p)
{
    return read_and_check(comm, directory, NULL, pseudo_directory, system_p);
}

pv_status pv_system_read_for_plan(pv_comm *comm, const char *directory, const char *poscar,
                                  const char *pseudo_directory, pv_system **system_p)
{
    pv_system *system;
    PV_TRY(read_and_check(comm, directory, poscar, pseudo_directory, &system));
    const pv_status status = pv_comm_agree(comm, choose_grid(system));
    system->held_bytes = (double)pv_mem_live_bytes();
    if (status == PV_OK) *system_p = system;
    else pv_system_destroy(system);
    return status;
}

pv_status pv_system_create(pv_comm *comm, const char *directory, const char *pseudo_directory, const char *engine,
                           pv_system **system_p)
{
    return pv_system_create_on(comm, NULL, directory, pseudo_directory, engine, system_p);
}

pv_status pv_system_create_on(pv_comm *comm, pv_comm *orbital_comm, const char *directory,
                              const char *pseudo_directory, const char *engine, pv_system **system_p)
{
    pv_system *system;
    PV_REQUIRE(pv_device_is_host(pv_comm_device(comm)), PV_ERR_UNSUPPORTED,
               "files and symmetry on device %s; the host is accepted, and orbitals and potentials may be elsewhere",
               pv_device_name(pv_comm_device(comm)));
    PV_TRY(pv_system_read(comm, directory, pseudo_directory, &system));
    system->engine = engine;
    system->all_orbital_comm = orbital_comm ? orbital_comm : comm;
    system->device = pv_comm_device(system->all_orbital_comm);
    // On GPUs three to ten times as fast, and builds in double precision have the last word.
    if (!pv_device_is_host(system->device)) system->params.fock.single = 1;
    pv_status status;
    PV_TRY_GOTO(pv_comm_agree(comm, pv_dense_open(comm, &system->dense)), status, failed);
    PV_TRY_GOTO(pv_comm_agree(comm, choose_grid(system)), status, failed);
    PV_TRY_GOTO(pv_system_make_groups(system), status, failed);
    PV_TRY_GOTO(join_group(system), status, failed);
    PV_TRY_GOTO(make_grids(system), status, failed);
    *system_p = system;
    return PV_OK;
failed:
    pv_system_destroy(system);
    return status;
}

static size_t density_bytes(const pv_system *system)
{
    return (size_t)(system->params.spins * system->grid->waves) * sizeof(double _Complex);
}

pv_status pv_system_fetch_density(const pv_system *system, const double _Complex *density,
                                  const double _Complex **here_p)
{
    return pv_array_fetch(system->device, density, density_bytes(system), (const void **)here_p);
}

pv_status pv_system_put_density(const pv_system *system, const double _Complex *here, double _Complex *density)
{
    return here == density ? PV_OK : pv_array_write(system->device, density, here, density_bytes(system));
}

void pv_system_destroy(pv_system *system)
{
    if (!system) return;
    for (int k = 0; system->basis && k < system->kpoints->count; k++) pv_basis_destroy(system->basis[k]);
    pv_mem_free(system->basis);
    pv_grid_symmetry_destroy(system->symmetriser);
    if (system->device_grid != system->grid) pv_grid_destroy(system->device_grid);
    pv_grid_destroy(system->grid);
    pv_dense_close(system->group_dense);
    if (system->team_comm != system->orbital_comm) pv_comm_close(system->team_comm);
    if (system->orbital_comm != system->group_comm && system->orbital_comm != system->all_orbital_comm)
        pv_comm_close(system->orbital_comm);
    if (system->group_comm != system->comm) pv_comm_close(system->group_comm);
    pv_kpoint_groups_release(&system->groups);
    pv_dense_close(system->dense);
    for (int s = 0; system->pseudo && s < system->cell->species; s++) pv_pseudo_destroy(system->pseudo[s]);
    pv_mem_free(system->pseudo);
    pv_kpoints_destroy(system->kpoints);
    pv_tetrahedra_destroy(system->tetrahedra);
    pv_kpoints_destroy(system->full_kpoints);
    pv_mem_free(system->image);
    pv_symmetry_destroy(system->symmetry);
    pv_symmetry_destroy(system->crystal_symmetry);
    pv_dft_params_release(&system->params);
    pv_cell_destroy(system->cell);
    pv_mem_free(system);
}
