// SPDX-License-Identifier: Apache-2.0
#include "dft/model/system.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/log.h"
#include "base/mem.h"
#include "dft/files/kpoints.h"
#include "dft/files/poscar.h"
#include "dft/model/params_kpoints.h"
#include "dft/model/system_memory.h"
#include "dft/model/units.h"

// ---- Files: local, every rank reads ------------------------------------------------------------------------------

static pv_status read_params(const char *directory, pv_dft_params *params)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/INCAR", directory);
    pv_incar *incar;
    PV_TRY(pv_incar_read(path, &incar));
    const pv_status status = pv_dft_params_read(incar, params);
    pv_incar_destroy(incar);
    return status;
}

// The same grid for every ISYM: that of all translations of the crystal, or energies would differ.
static pv_status find_grid_multiples(pv_system *system, const double *moments)
{
    const pv_dft_params *params = &system->params;
    pv_symmetry *whole;
    PV_TRY(pv_symmetry_create(system->cell, moments, 2, params->symmetry_angstrom, &whole));
    pv_symmetry_grid_multiples(whole, system->grid_multiple);
    pv_symmetry_destroy(whole);
    return PV_OK;
}

// The cell is made as symmetric as its group, or fields and forces could not be.
static pv_status find_symmetry(pv_system *system)
{
    const pv_dft_params *params = &system->params;
    const double *moments = params->spins == 2 && params->magnetic_count == system->cell->atoms
                                ? params->magnetic_moments : NULL;
    double moved_bohr;
    PV_TRY(find_grid_multiples(system, moments));
    PV_TRY(pv_symmetry_create(system->cell, moments, params->symmetry, params->symmetry_angstrom, &system->symmetry));
    return pv_symmetry_refine_cell(system->symmetry, system->cell, &moved_bohr);
}

// Exact exchange sums over the mesh as it is: only what the mesh has too makes k-points of a hybrid calculation equal.
static pv_status take_part(pv_system *system, const unsigned char *keep)
{
    pv_symmetry *part;
    PV_TRY(pv_symmetry_create_part(system->symmetry, keep, &part));
    system->crystal_symmetry = system->symmetry;
    system->symmetry = part;
    return PV_OK;
}

// NKRED may thin the mesh of differences of k-points along some axes only: an operation counts where it keeps that, too.
static pv_status keep_thinned(const pv_system *system, const pv_kpoints *full, unsigned char *keep, int *kept)
{
    const double shift[3] = {0.0};
    const int *reduction = system->params.fock.reduction, count = system->symmetry->count;
    int mesh[3];
    for (int i = 0; i < 3; i++) mesh[i] = full->mesh[i] / reduction[i];
    if (!full->is_mesh || mesh[0] < 1 || mesh[1] < 1 || mesh[2] < 1) return PV_OK;
    unsigned char *keep_thin = NULL;
    pv_kpoints *thin;
    PV_TRY(pv_kpoints_create_mesh(mesh, shift, &thin));
    pv_status status = PV_ALLOC(count, &keep_thin);
    if (status == PV_OK) status = pv_symmetry_of_kpoints(system->symmetry, thin, keep_thin, kept);
    if (status == PV_OK) *kept = 0;
    for (int o = 0; status == PV_OK && o < count; o++) *kept += keep[o] &= keep_thin[o];
    pv_mem_free(keep_thin);
    pv_kpoints_destroy(thin);
    return status;
}

// A mesh need not have all of the crystal's symmetry: as in other programs the density is symmetrised with all of it.
static pv_status reduce_kpoints(pv_system *system, const pv_kpoints *full)
{
    const int count = system->symmetry->count, hybrid = system->params.fock.on;
    unsigned char *keep;
    int kept = 0;
    PV_TRY(PV_ALLOC(count, &keep));
    pv_status status = pv_symmetry_of_kpoints(system->symmetry, full, keep, &kept);
    if (status == PV_OK && hybrid) status = keep_thinned(system, full, keep, &kept);
    if (status == PV_OK && full->is_mesh && kept < count) {
        pv_log(PV_LOG_WARN, "the %d x %d x %d mesh of k-points has %d of the crystal's %d symmetry operations; "
               "density, forces and stress are symmetrised with all (with none for ISYM = 0)",
               full->mesh[0], full->mesh[1], full->mesh[2], kept, count);
        if (hybrid) status = take_part(system, keep);
    }
    pv_mem_free(keep);
    PV_TRY(status);
    PV_TRY(PV_ALLOC(full->count, &system->image));
    PV_TRY(pv_symmetry_reduce_kpoints(system->symmetry, full, system->image, &system->kpoints));
    const pv_dft_smearing smearing = system->params.smearing;
    if (smearing != PV_SMEARING_TETRAHEDRA && smearing != PV_SMEARING_TETRAHEDRA_BLOECHL) return PV_OK;
    return pv_tetrahedra_create(system->cell, full, system->image, system->kpoints->count, &system->tetrahedra);
}

// A path beside the mesh: points of weight 0.
static pv_status append_path(const char *directory, pv_system *system)
{
    char path[4096];
    pv_kpoints *lines, *mesh = system->kpoints;
    snprintf(path, sizeof path, "%s/KPOINTS_OPT", directory);
    if (mesh->is_path || !system->params.read_path || access(path, F_OK) != 0) return PV_OK;
    PV_TRY(pv_kpoints_read(path, system->cell, system->params.spacing, system->params.gamma_centred, &lines));
    const pv_status status = pv_kpoints_append(mesh, lines, &system->kpoints);
    pv_kpoints_destroy(lines);
    if (status == PV_OK) pv_kpoints_destroy(mesh);
    return status;
}

static pv_status read_kpoints(const char *directory, pv_system *system)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/KPOINTS", directory);
    PV_TRY(pv_kpoints_read(path, system->cell, system->params.spacing, system->params.gamma_centred,
                           &system->full_kpoints));
    PV_TRY(reduce_kpoints(system, system->full_kpoints));
    return append_path(directory, system);
}

// A hybrid goes with potentials of its semilocal functional, as is usual.
static void compare_functionals(const pv_system *system)
{
    const pv_functional semilocal = pv_functional_of(system->params.functional.kind);
    char wanted[96];
    pv_functional_text(&semilocal, sizeof wanted, wanted);
    for (int s = 0; s < system->cell->species; s++) {
        const pv_pseudo *pseudo = system->pseudo[s];
        if (*pseudo->functional && strcmp(pseudo->functional, wanted) != 0)
            pv_log(PV_LOG_WARN, "GGA = %s (%s), but the potential of %s was made for %s (%s)",
                   pv_functional_tag(&semilocal), wanted, system->cell->species_name[s], pseudo->functional,
                   pseudo->source);
    }
}

static pv_status open_pseudos(pv_system *system, const char *pseudo_directory)
{
    const pv_cell *cell = system->cell;
    PV_TRY(PV_ALLOC(cell->species, &system->pseudo));
    for (int s = 0; s < cell->species; s++)
        PV_TRY(pv_pseudo_open(cell->species_name[s], pseudo_directory, &system->pseudo[s]));
    double *numbers;
    PV_TRY(PV_ALLOC(2 * cell->species, &numbers));
    for (int s = 0; s < cell->species; s++) {
        numbers[s] = system->pseudo[s]->valence;
        numbers[cell->species + s] = system->pseudo[s]->cutoff_ha;
    }
    const pv_status status = pv_dft_params_complete(&system->params, cell, numbers, numbers + cell->species);
    pv_mem_free(numbers);
    return status;
}

// poscar: NULL for the folder's.
static pv_status read_files(pv_system *system, const char *directory, const char *poscar, const char *pseudo_directory)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/POSCAR", directory);
    PV_TRY(pv_poscar_read(poscar ? poscar : path, &system->cell));
    PV_TRY(read_params(directory, &system->params));
    PV_TRY(find_symmetry(system));
    PV_TRY(read_kpoints(directory, system));
    PV_TRY(open_pseudos(system, pseudo_directory));
    compare_functionals(system);
    return pv_dft_params_check_kpoints(&system->params, system->kpoints);
}

static pv_status refuse_unsupported(const pv_system *system)
{
    PV_REQUIRE(!system->kpoints->is_path || system->params.start_density >= 10, PV_ERR_INPUT,
               "KPOINTS in line mode has no mesh to find a density with: ICHARG = 11 takes that of an earlier run "
               "(with LHFCALC give the points weight 0 in a list, behind those of a mesh)");
    PV_REQUIRE(!system->params.fock.on || system->params.start_density < 10, PV_ERR_INPUT,
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
                   bands, system->params.electrons, k + 1, at[0], at[1], at[2], system->params.cutoff_ha * PV_HARTREE_EV,
                   waves);
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
    PV_TRY(pv_grid_symmetry_create(system->grid, pv_system_crystal_symmetry(system), &system->symmetriser));
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

pv_status pv_system_unpack(const pv_system *system, const double *packed, double *grid)
{
    PV_TRY(pv_sphere_unpack(pv_system_sphere(system), packed, grid));
    return pv_stream_wait(pv_device_stream(system->device));
}

static pv_status read_and_check(pv_comm *comm, const char *directory, const char *poscar, const char *pseudo_directory,
                                pv_system **system_p)
{
    pv_system *system;
    PV_TRY(PV_ALLOC(1, &system));
    system->comm = comm;
    pv_status status = read_files(system, directory, poscar, pseudo_directory);
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
