// SPDX-License-Identifier: Apache-2.0
#include "dft/run_files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/file_replace.h"
#include "base/mem.h"
#include "device/array.h"
#include "dft/files/poscar.h"
#include "dft/model/units.h"
#include "dft/solve/dos.h"

// What a run borrows while it is written.
typedef struct lent {
    pv_run_results made;
    double *density; // [spins][points]
    pv_dos *states;
    double *dos_numbers; // all below
    double *dos_energy_ev, *dos, *dos_integral;
} lent;

static void release(lent *lent)
{
    pv_run_results_release(&lent->made);
    pv_mem_free(lent->density);
    pv_dos_destroy(lent->states);
    pv_mem_free(lent->dos_numbers);
}

// ---- Density: collective -----------------------------------------------------------------------------------------

// Sum of the spins and their difference, on every rank.
static pv_status gather_density(const pv_finished_run *finished, double **density_p)
{
    const pv_system *system = finished->scf->system;
    pv_grid *grid = system->grid;
    const int spins = system->params.spins;
    const double _Complex *waves;
    double *density = NULL, *slab = NULL;
    pv_status status = pv_system_fetch_density(system, finished->scf->out, &waves);
    if (status == PV_OK) status = PV_ALLOC(spins * grid->points, &density);
    if (status == PV_OK) status = PV_ALLOC(grid->local_points, &slab);
    status = pv_comm_agree(system->comm, status);
    for (int s = 0; s < spins && status == PV_OK; s++) {
        status = pv_grid_to_points(grid, waves + s * grid->waves, slab);
        if (status == PV_OK) status = pv_grid_gather(grid, slab, density + s * grid->points);
    }
    pv_mem_free(slab);
    pv_array_release(finished->scf->out, waves);
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

// ---- The finished run --------------------------------------------------------------------------------------------

static pv_status make_dos(const pv_finished_run *finished, lent *lent)
{
    const pv_dft_summary *summary = finished->summary;
    const pv_system *system = finished->scf->system;
    const int points = system->params.dos.points, spins = summary->spins;
    PV_TRY(PV_ALLOC((1 + 2 * (int64_t)spins) * points, &lent->dos_numbers));
    lent->dos_energy_ev = lent->dos_numbers;
    lent->dos = lent->dos_energy_ev + points;
    lent->dos_integral = lent->dos + (int64_t)spins * points;
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

static pv_run run_of(const pv_finished_run *finished, const lent *lent, double peak_bytes)
{
    pv_run run = finished->described->run;
    run.step = finished->history->step;
    run.steps = finished->history->count;
    run.results = &lent->made.results;
    run.smearing_ev = finished->summary->energies.smearing_ha * PV_HARTREE_EV;
    run.density = lent->density;
    run.dos = (pv_run_dos){lent->states->points, lent->dos_energy_ev, lent->dos, lent->dos_integral};
    run.seconds = finished->seconds;
    run.cpu_seconds = finished->cpu_seconds;
    run.setup_s = finished->setup_s;
    run.forces_s = finished->forces_s;
    run.comm_s = pv_comm_seconds();
    run.peak_bytes = (int64_t)peak_bytes;
    return run;
}

// ---- The files ---------------------------------------------------------------------------------------------------

static const pv_run_text *const growing[PV_RUN_GROWING] = {&pv_oszicar_text, &pv_outcar_text};

// The largest comes last: a full disk leaves the others.
static const struct {
    const char *name;
    pv_status (*write)(const char *path, const pv_run *run);
} formats[] = {{"EIGENVAL", pv_eigenval_write},
               {"DOSCAR", pv_doscar_write},
               {"vasprun.xml", pv_vasprun_write},
               {"CHGCAR", pv_chgcar_write}};
enum { FORMATS = sizeof formats / sizeof *formats, MOST_PATH = 4096 };

static void path_of(const char *directory, const char *name, char path[MOST_PATH])
{
    snprintf(path, MOST_PATH, "%s/%s", directory, name);
}

static pv_status write_formats(const pv_run *run, const char *directory, const pv_run_growth *growth)
{
    char path[MOST_PATH];
    path_of(directory, "CONTCAR", path);
    PV_TRY(pv_poscar_write(path, run->cell));
    for (int g = 0; g < PV_RUN_GROWING; g++) {
        path_of(directory, growing[g]->name, path);
        PV_TRY(pv_run_text_finish(growing[g], path, run, growth ? growth->grown[g] : -1));
    }
    for (int f = 0; f < FORMATS; f++) {
        if (formats[f].write == pv_chgcar_write && !run->density) continue;
        path_of(directory, formats[f].name, path);
        PV_TRY(formats[f].write(path, run));
    }
    return PV_OK;
}

pv_status pv_run_files_check(const char *directory)
{
    char path[MOST_PATH];
    for (int g = 0; g < PV_RUN_GROWING; g++) {
        path_of(directory, growing[g]->name, path);
        PV_TRY(pv_file_check_replace(path));
    }
    for (int f = 0; f < FORMATS; f++) {
        path_of(directory, formats[f].name, path);
        PV_TRY(pv_file_check_replace(path));
    }
    path_of(directory, "CONTCAR", path);
    return pv_file_check_replace(path);
}

pv_status pv_run_input_check_apart(const char *path, const char *directory)
{
    static const char *const names[] = {"POSCAR", "INCAR", "KPOINTS", "CHGCAR", "parseval.h5"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) PV_TRY(pv_file_check_apart(path, directory, names[i]));
    return PV_OK;
}

// ---- A run that begins -------------------------------------------------------------------------------------------

static int is_there(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

// By the lines that VASP's end with, too.
static int has_end(const char *path)
{
    char tail[1 << 14] = "";
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    if (fseek(file, 1 - (long)sizeof tail, SEEK_END) != 0) rewind(file);
    tail[fread(tail, 1, sizeof tail - 1, file)] = '\0';
    fclose(file);
    return strstr(tail, "General timing and accounting") != NULL;
}

static pv_status set_aside(const char *directory, int *aside_p)
{
    static const char *const names[] = {"OUTCAR", "OSZICAR", "CONTCAR", "EIGENVAL", "DOSCAR", "vasprun.xml",
                                        "results.json"};
    char outcar[MOST_PATH], before[MOST_PATH], path[MOST_PATH];
    int was_there;
    path_of(directory, "OUTCAR", outcar);
    path_of(directory, "OUTCAR.before", before);
    const int first = is_there(before) && is_there(outcar) && !has_end(outcar) ? 2 : 0;
    *aside_p = 0;
    for (size_t i = (size_t)first; i < sizeof names / sizeof *names; i++) {
        path_of(directory, names[i], path);
        PV_TRY(pv_file_set_aside(path, &was_there));
        *aside_p += was_there;
    }
    return PV_OK;
}

pv_status pv_run_files_begin(const pv_run *run, const char *directory, int *aside_p, pv_run_growth *growth_p)
{
    char path[MOST_PATH];
    PV_TRY(set_aside(directory, aside_p));
    for (int g = 0; g < PV_RUN_GROWING; g++) {
        path_of(directory, growing[g]->name, path);
        PV_TRY(pv_run_text_begin(growing[g], path, run, &growth_p->grown[g]));
    }
    return PV_OK;
}

pv_status pv_run_files_add(const pv_run *run, const char *directory, pv_run_growth *growth)
{
    char path[MOST_PATH];
    for (int g = 0; g < PV_RUN_GROWING; g++) {
        path_of(directory, growing[g]->name, path);
        PV_TRY(pv_run_text_add(growing[g], path, run, &growth->grown[g]));
    }
    return PV_OK;
}

// ---- A run that ends ---------------------------------------------------------------------------------------------

// Rank 0 alone.
static pv_status write_all(const pv_finished_run *finished, lent *lent, double peak_bytes, const char *directory,
                           const pv_run_growth *growth)
{
    PV_TRY(pv_run_results_make(finished, &lent->made));
    PV_TRY(make_dos(finished, lent));
    const pv_run run = run_of(finished, lent, peak_bytes);
    return write_formats(&run, directory, growth);
}

pv_status pv_run_files_write(const pv_finished_run *finished, const char *directory, const pv_run_growth *growth)
{
    const pv_system *system = finished->scf->system;
    lent lent = {0};
    double peak_bytes = pv_history_peak_bytes();
    PV_TRY(pv_comm_reduce_f64(system->comm, PV_MAX, 1, &peak_bytes));
    // A fixed density is where it was read from.
    if (system->params.write_density && system->params.start_density < 10)
        PV_TRY(gather_density(finished, &lent.density));
    pv_status status = PV_OK;
    if (pv_comm_rank(system->comm) == 0) status = write_all(finished, &lent, peak_bytes, directory, growth);
    release(&lent);
    return pv_comm_agree(system->comm, status);
}
