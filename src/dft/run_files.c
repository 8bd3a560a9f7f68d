// SPDX-License-Identifier: Apache-2.0
#include "dft/run_files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/report.h"
#include "dft/files/poscar.h"
#include "dft/model/units.h"
#include "dft/solve/dos.h"

// What a run borrows while it is written.
typedef struct lent {
    double *numbers; // everything below in one piece
    double *dos_energy_ev, *dos, *dos_integral;
    pv_run_results made;
    int64_t *plane_waves;
    const char **potential;
    double *valence;
    double *density; // [spins][points]
    pv_dos *states;
    pv_incar *incar;
    char date[16], time[16], ranks_text[96];
} lent;

static void release(lent *lent)
{
    pv_mem_free(lent->numbers);
    pv_run_results_release(&lent->made);
    pv_mem_free(lent->plane_waves);
    pv_mem_free(lent->potential);
    pv_mem_free(lent->density);
    pv_dos_destroy(lent->states);
    pv_incar_destroy(lent->incar);
}

// ---- Density: collective -----------------------------------------------------------------------------------------

// Sum of the spins and their difference, on every rank.
static pv_status gather_density(const pv_finished_run *finished, double **density_p)
{
    const pv_system *system = finished->scf->system;
    pv_grid *grid = system->grid;
    const int spins = system->params.spins;
    double *density = NULL, *slab = NULL;
    pv_status status = PV_ALLOC(spins * grid->points, &density);
    if (status == PV_OK) status = PV_ALLOC(grid->local_points, &slab);
    status = pv_comm_agree(system->comm, status);
    for (int s = 0; s < spins && status == PV_OK; s++) {
        status = pv_grid_to_points(grid, finished->scf->out + s * grid->waves, slab);
        if (status == PV_OK) status = pv_grid_gather(grid, slab, density + s * grid->points);
    }
    pv_mem_free(slab);
    if (status != PV_OK) {
        pv_mem_free(density);
        return status;
    }
    for (int64_t i = 0; spins == 2 && i < grid->points; i++) {
        const double up = density[i], down = density[grid->points + i];
        density[i] = up + down;
        density[grid->points + i] = up - down;
    }
    *density_p = density;
    return PV_OK;
}

// ---- Numbers in the files' units -----------------------------------------------------------------------------------

static pv_status allocate(const pv_finished_run *finished, lent *lent)
{
    const pv_dft_summary *summary = finished->summary;
    const pv_system *system = finished->scf->system;
    const int points = system->params.dos.points, spins = summary->spins;
    PV_TRY(PV_ALLOC((1 + 2 * (int64_t)spins) * points + system->cell->species, &lent->numbers));
    lent->dos_energy_ev = lent->numbers;
    lent->dos = lent->dos_energy_ev + points;
    lent->dos_integral = lent->dos + (int64_t)spins * points;
    lent->valence = lent->dos_integral + (int64_t)spins * points;
    PV_TRY(PV_ALLOC(summary->kpoints, &lent->plane_waves));
    return PV_ALLOC(system->cell->species, &lent->potential);
}

static void describe_input(const pv_finished_run *finished, lent *lent)
{
    const pv_system *system = finished->scf->system;
    for (int k = 0; k < system->kpoints->count; k++) lent->plane_waves[k] = system->basis[k]->count;
    for (int s = 0; s < system->cell->species; s++) {
        lent->potential[s] = system->pseudo[s]->source;
        lent->valence[s] = system->pseudo[s]->valence;
    }
}

static pv_status make_dos(const pv_finished_run *finished, lent *lent)
{
    const pv_dft_summary *summary = finished->summary;
    const pv_system *system = finished->scf->system;
    PV_TRY(pv_dos_create(&system->params, summary->kpoints, summary->weight, system->tetrahedra,
                         summary->eigenvalues_ha, &lent->states));
    const pv_dos *states = lent->states;
    for (int i = 0; i < states->points; i++) lent->dos_energy_ev[i] = states->energy_ha[i] * PV_HARTREE_EV;
    for (int i = 0; i < states->spins * states->points; i++) {
        lent->dos[i] = states->density[i] / PV_HARTREE_EV;
        lent->dos_integral[i] = states->integral[i];
    }
    return PV_OK;
}

static pv_status prepare(const pv_finished_run *finished, lent *lent)
{
    char path[4096];
    pv_comm *comm = finished->scf->system->comm;
    PV_TRY(allocate(finished, lent));
    PV_TRY(pv_run_results_make(finished, &lent->made));
    describe_input(finished, lent);
    PV_TRY(make_dos(finished, lent));
    struct tm start;
    localtime_r(&finished->started, &start);
    strftime(lent->date, sizeof lent->date, "%Y.%m.%d", &start);
    strftime(lent->time, sizeof lent->time, "%H:%M:%S", &start);
    snprintf(lent->ranks_text, sizeof lent->ranks_text, "bands and plane waves over %d ranks (%s)",
             finished->scf->system->groups.size, pv_comm_transport(comm));
    snprintf(path, sizeof path, "%s/INCAR", finished->input);
    return access(path, R_OK) == 0 ? pv_incar_read_again(path, &lent->incar) : PV_OK;
}

// ---- The run -----------------------------------------------------------------------------------------------------

static pv_run run_of(const pv_finished_run *finished, const lent *lent, double peak_bytes)
{
    const pv_system *system = finished->scf->system;
    pv_run run = {
        .version = finished->version,
        .date = lent->date,
        .time = lent->time,
        .ranks = pv_comm_size(system->comm),
        .threads = pv_device_threads(pv_comm_device(system->comm)),
        .groups = system->groups.count,
        .nodes = finished->machine.nodes,
        .gpus = finished->machine.gpus,
        .device = pv_device_name(system->device),
        .transport = pv_comm_transport(system->all_orbital_comm),
        .ranks_text = lent->ranks_text,
        .cell = system->cell,
        .params = &system->params,
        .incar = lent->incar,
        .kpoints = system->kpoints,
        .plane_waves = lent->plane_waves,
        .potential = lent->potential,
        .valence = lent->valence,
        .step = finished->history->step,
        .steps = finished->history->count,
        .results = &lent->made.results,
        .smearing_ev = finished->summary->energies.smearing_ha * PV_HARTREE_EV,
        .drift_ev_angstrom = {NAN, NAN, NAN},
        .density = lent->density,
        .dos = {lent->states->points, lent->dos_energy_ev, lent->dos, lent->dos_integral},
        .seconds = finished->seconds,
        .cpu_seconds = finished->cpu_seconds,
        .setup_s = finished->setup_s,
        .forces_s = finished->forces_s,
        .comm_s = pv_comm_seconds(),
        .peak_bytes = (int64_t)peak_bytes,
    };
    memcpy(run.grid, system->grid->shape, sizeof run.grid);
    memcpy(run.orbital_grid, system->grid->shape, sizeof run.orbital_grid);
    return run;
}

// The largest comes last: a full disk leaves the others.
static const struct {
    const char *name;
    pv_status (*write)(const char *path, const pv_run *run);
} formats[] = {{"OSZICAR", pv_oszicar_write}, {"OUTCAR", pv_outcar_write},       {"EIGENVAL", pv_eigenval_write},
               {"DOSCAR", pv_doscar_write},   {"vasprun.xml", pv_vasprun_write}, {"CHGCAR", pv_chgcar_write}};
enum { FORMATS = sizeof formats / sizeof *formats };

static pv_status write_formats(const pv_run *run, const char *directory)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/CONTCAR", directory);
    PV_TRY(pv_poscar_write(path, run->cell));
    for (int f = 0; f < FORMATS; f++) {
        if (formats[f].write == pv_chgcar_write && !run->density) continue;
        snprintf(path, sizeof path, "%s/%s", directory, formats[f].name);
        PV_TRY(formats[f].write(path, run));
    }
    return PV_OK;
}

pv_status pv_run_files_check(const char *directory)
{
    char path[4096];
    for (int f = 0; f < FORMATS; f++) {
        snprintf(path, sizeof path, "%s/%s", directory, formats[f].name);
        PV_TRY(pv_file_check_replace(path));
    }
    snprintf(path, sizeof path, "%s/CONTCAR", directory);
    return pv_file_check_replace(path);
}

// Rank 0 alone.
static pv_status write_all(const pv_finished_run *finished, lent *lent, double peak_bytes, const char *directory)
{
    PV_TRY(prepare(finished, lent));
    const pv_run run = run_of(finished, lent, peak_bytes);
    return write_formats(&run, directory);
}

pv_status pv_run_files_write(const pv_finished_run *finished, const char *directory)
{
    const pv_system *system = finished->scf->system;
    lent lent = {0};
    double peak_bytes = pv_history_peak_bytes();
    PV_TRY(pv_comm_reduce_f64(system->comm, PV_MAX, 1, &peak_bytes));
    // A fixed density is where it was read from.
    if (system->params.write_density && system->params.start_density < 10)
        PV_TRY(gather_density(finished, &lent.density));
    pv_status status = PV_OK;
    if (pv_comm_rank(system->comm) == 0) status = write_all(finished, &lent, peak_bytes, directory);
    release(&lent);
    return pv_comm_agree(system->comm, status);
}
