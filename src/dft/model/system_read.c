// SPDX-License-Identifier: Apache-2.0
#include "dft/model/system_read.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/log.h"
#include "base/mem.h"
#include "dft/files/kpoints.h"
#include "dft/files/poscar.h"
#include "dft/model/params_kpoints.h"
#include "dft/model/pseudo_cutoff.h"
#include "dft/model/units.h"

#define FAR_BELOW 0.7 // share of a potential's cutoff below which ENCUT is worth a warning

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

// NKRED may thin the mesh of differences of k-points along some axes only: an operation counts where it keeps that,
// too.
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

// Where a file names no cutoff the potential does. A lower ENCUT is a choice, for differences of energies say, unless
// it is far from any use.
static pv_status find_cutoff(const pv_dft_params *params, pv_pseudo *pseudo)
{
    if (!pseudo->radial || pseudo->cutoff_ha > 0.0) return PV_OK;
    PV_TRY(pv_pseudo_find_cutoff(pseudo, &pseudo->cutoff_ha));
    pseudo->cutoff_is_found = 1;
    if (params->cutoff_ha > 0.0 && params->cutoff_ha < FAR_BELOW * pseudo->cutoff_ha)
        pv_log(
            PV_LOG_WARN,
            "ENCUT = %.1f eV is far less than the %.1f eV at which the orbitals of %s are complete (to %g Ha an atom)",
            params->cutoff_ha * PV_HARTREE_EV, pseudo->cutoff_ha * PV_HARTREE_EV, pseudo->element,
            PV_PSEUDO_CUTOFF_ERROR_HA);
    return PV_OK;
}

static pv_status open_pseudos(pv_system *system, const char *pseudo_directory)
{
    const pv_cell *cell = system->cell;
    const int is_silent = !(system->params.cutoff_ha > 0.0);
    PV_TRY(PV_ALLOC(cell->species, &system->pseudo));
    for (int s = 0; s < cell->species; s++) {
        PV_TRY(pv_pseudo_open(cell->species_name[s], pseudo_directory, &system->pseudo[s]));
        PV_TRY(find_cutoff(&system->params, system->pseudo[s]));
    }
    double *numbers;
    PV_TRY(PV_ALLOC(2 * cell->species, &numbers));
    for (int s = 0; s < cell->species; s++) {
        numbers[s] = system->pseudo[s]->valence;
        numbers[cell->species + s] =
            is_silent || !system->pseudo[s]->cutoff_is_found ? system->pseudo[s]->cutoff_ha : 0.0;
    }
    const pv_status status = pv_dft_params_complete(&system->params, cell, numbers, numbers + cell->species);
    pv_mem_free(numbers);
    return status;
}

// Without SYSTEM: what POSCAR says, or VASP's words.
static void name_system(pv_system *system)
{
    char *name = system->params.system;
    if (!*name) snprintf(name, sizeof system->params.system, "%.63s", system->cell->comment);
    if (!*name) snprintf(name, sizeof system->params.system, "unknown system");
}

pv_status pv_system_read_files(pv_system *system, const char *directory, const char *poscar,
                               const char *pseudo_directory)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/POSCAR", directory);
    PV_TRY(pv_poscar_read(poscar ? poscar : path, &system->cell));
    PV_TRY(read_params(directory, &system->params));
    name_system(system);
    PV_TRY(find_symmetry(system));
    PV_TRY(read_kpoints(directory, system));
    PV_TRY(open_pseudos(system, pseudo_directory));
    compare_functionals(system);
    return pv_dft_params_check_kpoints(&system->params, system->kpoints);
}
