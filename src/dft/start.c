// SPDX-License-Identifier: Apache-2.0
#include "dft/start.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/log.h"
#include "dft/checkpoint.h"
#include "dft/files/chgcar_read.h"
#include "dft/model/units.h"
#include "dft/adopt_density.h"

#define SAME_LATTICE_BOHR 1e-4
#define SAME_PLACE_BOHR   1e-3

typedef enum density { DENSITY_ATOMS, DENSITY_ORBITALS, DENSITY_FILE } density;

typedef struct start {
    pv_scf *scf;
    const pv_start_files *files;
    pv_checkpoint *file; // NULL: none
    pv_saved *saved;
    int has_orbitals, exact; // taken from the file; all of them the run's own
    double moved_bohr;       // the farthest that an atom lies from where the file has it
} start;

// ---- Is it the same crystal? ---------------------------------------------------------------------------------------

static const char *another(const char *file, char text[256])
{
    snprintf(text, 256, "%s belongs to another crystal", file);
    return text;
}

static pv_status check_cell(const char *file, const pv_cell *there, const pv_cell *here, double *moved_p)
{
    char begin[256];
    static const char hint[] = "remove it, or set ISTART = 0 and ICHARG = 2";
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++)
            PV_REQUIRE(fabs(there->lattice_bohr[i][c] - here->lattice_bohr[i][c]) < SAME_LATTICE_BOHR, PV_ERR_INPUT,
                       "%s: component %d of lattice vector %d is %.6f Angstrom there, %.6f in POSCAR; %s",
                       another(file, begin), c + 1, i + 1, there->lattice_bohr[i][c] * PV_BOHR_ANGSTROM,
                       here->lattice_bohr[i][c] * PV_BOHR_ANGSTROM, hint);
    PV_REQUIRE(there->atoms == here->atoms, PV_ERR_INPUT, "%s: it has %d atoms, POSCAR %d; %s", another(file, begin),
               there->atoms, here->atoms, hint);
    double moved = 0.0;
    for (int a = 0; a < here->atoms; a++) {
        const char *old = there->species_name[there->species_of[a]], *new = here->species_name[here->species_of[a]];
        PV_REQUIRE(strcmp(old, new) == 0, PV_ERR_INPUT, "%s: atom %d is %s there, %s in POSCAR; %s",
                   another(file, begin), a + 1, old, new, hint);
        double step[3], way[3];
        for (int d = 0; d < 3; d++) {
            step[d] = here->fractional[a][d] - there->fractional[a][d];
            step[d] -= round(step[d]);
        }
        pv_cell_to_cartesian(here, step, way);
        moved = fmax(moved, sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]));
    }
    *moved_p = moved;
    return PV_OK;
}

// A density that is kept fixed must be of these atoms where they are.
static pv_status check_moved(const start *start, const char *file, double moved_bohr)
{
    PV_REQUIRE(
        start->scf->system->params.start_density < 10 || moved_bohr < SAME_PLACE_BOHR, PV_ERR_INPUT,
        "%s has an atom %.4f Angstrom from where POSCAR has it; ICHARG = %d keeps a density fixed, which must be "
        "of the same structure",
        file, moved_bohr * PV_BOHR_ANGSTROM, start->scf->system->params.start_density);
    return PV_OK;
}

// ---- The checkpoint ------------------------------------------------------------------------------------------------

static int file_is_there(const pv_comm *comm, const char *path)
{
    return pv_comm_rank(comm) == 0 && path && access(path, F_OK) == 0;
}

// Decided by rank 0, whose files count.
static pv_status agree_on(pv_comm *comm, int *flag)
{
    return pv_comm_broadcast(comm, 0, sizeof *flag, flag);
}

static pv_status open_checkpoint(start *start)
{
    const pv_system *system = start->scf->system;
    const pv_dft_params *params = &system->params;
    int there = file_is_there(system->comm, start->files->checkpoint);
    PV_TRY(agree_on(system->comm, &there));
    const int wanted = params->start_orbitals > 0 || params->start_density % 10 == 1;
    if (!there || !wanted) return PV_OK;
    if (!pv_checkpoint_is_built()) {
        if (pv_comm_rank(system->comm) == 0)
            pv_log(PV_LOG_WARN, "%s is there, but this build has no HDF5 and cannot read it", start->files->checkpoint);
        return PV_OK;
    }
    PV_TRY(pv_checkpoint_open(system->comm, start->files->checkpoint, &start->file));
    PV_TRY(pv_saved_read(start->file, &start->saved));
    PV_TRY(check_cell(start->files->checkpoint, start->saved->cell, system->cell, &start->moved_bohr));
    return PV_OK;
}

static void warn_of_differences(const start *start)
{
    const pv_dft_params *params = &start->scf->system->params;
    char functional[64];
    pv_saved_functional(params, functional);
    if (params->start_density >= 10 && strcmp(functional, start->saved->functional) != 0 &&
        pv_comm_rank(start->scf->system->comm) == 0)
        pv_log(PV_LOG_WARN, "the density of %s was made with %s; this run, which keeps it fixed, uses %s",
               start->files->checkpoint, start->saved->functional, functional);
}

static pv_status take_orbitals(start *start)
{
    const pv_dft_params *params = &start->scf->system->params;
    if (!start->saved || !start->saved->has_orbitals || params->start_orbitals == 0) return PV_OK;
    PV_TRY(pv_saved_take_orbitals(start->file, start->saved, start->scf->electrons, &start->exact));
    start->has_orbitals = 1;
    return PV_OK;
}

// ---- Density -------------------------------------------------------------------------------------------------------

static pv_status density_of_checkpoint(start *start)
{
    const pv_saved *saved = start->saved;
    const pv_system *system = start->scf->system;
    const int moved = start->moved_bohr > SAME_PLACE_BOHR;
    pv_density_slabs slabs;
    PV_TRY(check_moved(start, start->files->checkpoint, start->moved_bohr));
    warn_of_differences(start);
    PV_TRY(pv_density_slabs_create(system, saved->grid, saved->spins, &slabs));
    pv_status status = pv_saved_take_density(start->file, saved, slabs.grid, slabs.values);
    if (status == PV_OK)
        status = pv_density_adopt(start->scf, &slabs, moved ? (const double (*)[3])saved->cell->fractional : NULL);
    pv_density_slabs_release(system, &slabs);
    PV_TRY(status);
    start->scf->fermi_is_known = !moved;
    start->scf->known_fermi_ha = saved->fermi_ha;
    return PV_OK;
}

static pv_status density_of_chgcar(start *start)
{
    pv_scf *scf = start->scf;
    const pv_system *system = scf->system;
    const int is_root = pv_comm_rank(system->comm) == 0;
    pv_chgcar *chgcar = NULL;
    double moved = 0.0;
    pv_status status = PV_OK;
    if (is_root) {
        status = pv_chgcar_read(start->files->chgcar, &chgcar);
        if (status == PV_OK) status = check_cell(start->files->chgcar, chgcar->cell, system->cell, &moved);
        if (status == PV_OK) status = check_moved(start, start->files->chgcar, moved);
    }
    status = pv_comm_agree(system->comm, status);
    if (status == PV_OK) status = pv_density_adopt_chgcar(scf, chgcar, moved > SAME_PLACE_BOHR);
    pv_chgcar_destroy(chgcar);
    return status;
}

static pv_status no_density(const start *start)
{
    const pv_dft_params *params = &start->scf->system->params;
    const char *checkpoint = start->files->checkpoint ? start->files->checkpoint : "a checkpoint";
    PV_REQUIRE(params->start_density < 10, PV_ERR_INPUT,
               "ICHARG = %d keeps a density fixed, and there is none: neither %s%s nor %s is there with one",
               params->start_density, checkpoint, pv_checkpoint_is_built() ? "" : " (not readable without HDF5)",
               start->files->chgcar);
    if (pv_comm_rank(start->scf->system->comm) == 0)
        pv_log(PV_LOG_WARN, "ICHARG = %d, but neither %s nor %s has a density: the atoms' densities are taken instead",
               params->start_density, checkpoint, start->files->chgcar);
    return PV_OK;
}

static density choose_density(const start *start)
{
    const pv_dft_params *params = &start->scf->system->params;
    switch (params->start_density % 10) {
    case 0: return start->has_orbitals ? DENSITY_ORBITALS : DENSITY_ATOMS;
    case 1: return DENSITY_FILE;
    case 2: return DENSITY_ATOMS;
    default: break;
    }
    if (start->saved && start->saved->has_density) return DENSITY_FILE;
    return start->has_orbitals ? DENSITY_ORBITALS : DENSITY_ATOMS;
}

static pv_status take_density(start *start, const char **from_p)
{
    pv_scf *scf = start->scf;
    const density choice = choose_density(start);
    *from_p = choice == DENSITY_ORBITALS ? "the orbitals" : "the atoms";
    if (choice == DENSITY_ORBITALS) return pv_electrons_density(scf->electrons, scf->in);
    if (choice == DENSITY_ATOMS) return PV_OK; // as created
    if (start->saved && start->saved->has_density) {
        *from_p = start->files->checkpoint;
        return density_of_checkpoint(start);
    }
    int there = file_is_there(scf->system->comm, start->files->chgcar);
    PV_TRY(agree_on(scf->system->comm, &there));
    if (!there) return no_density(start);
    *from_p = start->files->chgcar;
    return density_of_chgcar(start);
}

// ---- Together ------------------------------------------------------------------------------------------------------

static pv_status take_all(start *start, char said[256])
{
    const char *density = "";
    PV_TRY(open_checkpoint(start));
    PV_TRY(take_orbitals(start));
    PV_TRY(take_density(start, &density));
    pv_scf *scf = start->scf;
    if (choose_density(start) != DENSITY_ATOMS) scf->first_residual = PV_SCF_RESIDUAL_OF_A_DENSITY;
    if (start->exact) scf->first_residual = 0.0;
    snprintf(said, 256, "orbitals of %s%s, density of %s",
             start->has_orbitals ? start->files->checkpoint : "random numbers",
             start->has_orbitals && !start->exact ? " (other k-points, bands or cutoff)" : "", density);
    return PV_OK;
}

pv_status pv_start(pv_scf *scf, const pv_start_files *files, char said[256])
{
    start start = {.scf = scf, .files = files};
    const pv_status status = take_all(&start, said);
    pv_saved_destroy(start.saved);
    pv_checkpoint_destroy(start.file);
    return status;
}
