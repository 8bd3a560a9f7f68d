// SPDX-License-Identifier: Apache-2.0
#include <parseval/dft.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/message.h"
#include "dft/keep.h"
#include "dft/outcome.h"
#include "dft/plan_text.h"
#include "dft/progress.h"
#include "dft/run_files.h"
#include "dft/solve/bands.h"
#include "dft/solve/energy.h"
#include "dft/solve/forces.h"
#include "dft/solve/grid_error.h"
#include "dft/solve/stress.h"
#include "dft/start.h"
#include "dft/terms/fock_room.h"

struct pv_dft {
    pv_comm *comm;
    pv_dft_options options;
    pv_system *system;
    pv_scf *scf;
    char *plan;
    pv_dft_energies energies;
    double (*forces)[3];
    double stress_ha_bohr3[3][3];
    pv_grid_error grid_error;
    pv_progress progress;
    pv_keep keep;
    pv_run_description *described; // on rank 0
    double start_s, setup_s, forces_s, solved_s;
};

static int is_fixed(const pv_dft *dft) { return dft->system->params.start_density >= 10; }

pv_dft_options pv_dft_options_defaults(void)
{
    return (pv_dft_options){.directory = ".", .engine = "auto", .version = "", .checkpoint_interval_s = 300.0};
}

static pv_status describe(pv_dft *dft, time_t started)
{
    pv_run_origin origin = {dft->system, dft->options.directory, dft->options.version, started, {0}};
    PV_TRY(pv_dft_machine_count(dft->system->all_orbital_comm, &origin.machine));
    const int is_root = pv_comm_rank(dft->comm) == 0;
    return pv_comm_agree(dft->comm, is_root ? pv_run_describe(&origin, &dft->described) : PV_OK);
}

pv_status pv_dft_create(pv_comm *comm, const pv_dft_options *options, pv_dft **dft_p)
{
    pv_dft *dft;
    PV_TRY(PV_ALLOC(1, &dft));
    dft->start_s = pv_clock_s();
    const time_t started = time(NULL);
    dft->comm = comm;
    dft->options = options ? *options : pv_dft_options_defaults();
    pv_status status;
    PV_TRY_GOTO(pv_system_create_on(comm, dft->options.orbital_comm, dft->options.directory,
                                    dft->options.pseudo_directory, dft->options.engine, &dft->system),
                status, failed);
    PV_TRY_GOTO(describe(dft, started), status, failed);
    status = pv_dft_plan_write(dft->system, &dft->plan);
    if (status == PV_OK) status = PV_ALLOC(dft->system->cell->atoms, &dft->forces);
    PV_TRY_GOTO(pv_comm_agree(comm, status), status, failed);
    PV_TRY_GOTO(pv_keep_check(&dft->options, dft->system, !is_fixed(dft)), status, failed);
    *dft_p = dft;
    return PV_OK;
failed:
    pv_dft_destroy(dft);
    return status;
}

void pv_dft_destroy(pv_dft *dft)
{
    if (!dft) return;
    pv_scf_destroy(dft->scf);
    pv_run_description_destroy(dft->described);
    pv_system_destroy(dft->system);
    pv_mem_free(dft->plan);
    pv_mem_free(dft->forces);
    pv_progress_close(&dft->progress);
    pv_mem_free(dft);
}

const char *pv_dft_plan_text(const pv_dft *dft) { return dft->plan; }

// ---- Steps -------------------------------------------------------------------------------------------------------

static void say(const pv_dft *dft, const char *line) { pv_progress_say(&dft->progress, line); }

static pv_status note(pv_dft *dft, const pv_scf_step *step, void (*tell)(pv_progress *, const pv_scf_step *))
{
    if (step->interrupted)
        pv_progress_skip(&dft->progress);
    else
        tell(&dft->progress, step);
    return pv_keep_after_step(&dft->keep, step);
}

static pv_status note_step(void *context, const pv_scf_step *step) { return note(context, step, pv_progress_step); }

static pv_status note_bands(void *context, const pv_scf_step *step) { return note(context, step, pv_progress_bands); }

static int note_build(void *context, double done)
{
    pv_dft *dft = context;
    pv_progress_build(&dft->progress, done);
    return pv_keep_hears_stop(&dft->keep);
}

static int hears_stop(void *context)
{
    pv_dft *dft = context;
    pv_progress_orbitals(&dft->progress);
    return pv_keep_hears_stop(&dft->keep);
}

// ---- Solving -----------------------------------------------------------------------------------------------------

// The folder's files for a start.
static pv_status start(pv_dft *dft)
{
    char chgcar[4096], said[256], line[320];
    snprintf(chgcar, sizeof chgcar, "%s/CHGCAR", dft->options.directory);
    const pv_start_files files = {dft->options.checkpoint, chgcar};
    PV_TRY(pv_start(dft->scf, &files, said));
    snprintf(line, sizeof line, "start       %s", said);
    say(dft, line);
    const char *obstacle = pv_keep_obstacle(&dft->keep);
    if (!obstacle) return PV_OK;
    snprintf(line, sizeof line, "checkpoint  none: %s", obstacle);
    say(dft, line);
    return PV_OK;
}

static pv_status find_bands(pv_dft *dft)
{
    pv_scf *scf = dft->scf;
    say(dft, "step       energy (Ha)      change  residual  it  gap(eV)       s");
    PV_TRY(pv_bands_run(scf, 0, note_step, dft));
    return pv_electrons_density(scf->electrons, scf->out);
}

static pv_status say_exchange(pv_dft *dft)
{
    char room[160], text[1024];
    pv_fock *fock = dft->scf->hybrid->fock;
    PV_TRY(pv_fock_room_describe(fock, room, sizeof room));
    snprintf(text, sizeof text, "%s%s", pv_fock_text(fock), room);
    say(dft, text);
    return PV_OK;
}

static pv_status find_ground_state(pv_dft *dft)
{
    pv_scf *scf = dft->scf;
    if (scf->hybrid) PV_TRY(say_exchange(dft));
    say(dft, "step       energy (Ha)      change   density  it  gap(eV)       s");
    PV_TRY(pv_scf_run(scf, note_step, dft));
    if (scf->converged && scf->is_loose) PV_TRY(pv_bands_settle(scf));
    return pv_kpoints_weightless(dft->system->kpoints) > 0 ? pv_bands_run(scf, 1, note_bands, dft) : PV_OK;
}

static pv_status find_derivatives(pv_dft *dft)
{
    pv_scf *scf = dft->scf;
    PV_TRY(pv_forces(scf->electrons, scf->potential, scf->out, dft->forces));
    if (!dft->system->params.stress) return PV_OK;
    return pv_stress(scf->electrons, scf->potential, scf->out, dft->stress_ha_bohr3);
}

// A run that has come to its end is not lost by what is beside it.
static void compare_grids(pv_dft *dft)
{
    dft->grid_error = (pv_grid_error){0};
    if (!dft->scf->hybrid || pv_grid_error_find(dft->scf->hybrid, &dft->grid_error) == PV_OK) return;
    dft->grid_error.answer.known = 0;
    if (pv_comm_rank(dft->comm) == 0)
        pv_log(PV_LOG_WARN, "the grid of exact exchange was not compared with the full one (%s)",
               pv_message_without_function(pv_last_error()));
}

pv_status pv_dft_solve(pv_dft *dft)
{
    pv_scf_destroy(dft->scf);
    dft->scf = NULL;
    PV_TRY(pv_scf_create(dft->system, &dft->scf));
    pv_scf *scf = dft->scf;
    pv_progress_close(&dft->progress);
    dft->progress = pv_progress_open(&dft->options, scf, dft->described);
    dft->keep = pv_keep_begin(&dft->options, scf, !is_fixed(dft));
    scf->note_build = note_build;
    scf->note_context = dft;
    scf->electrons->stop = hears_stop;
    scf->electrons->stop_context = dft;
    PV_TRY(start(dft));
    dft->setup_s = pv_clock_s() - dft->start_s;
    pv_progress_begin(&dft->progress);
    PV_TRY(is_fixed(dft) ? find_bands(dft) : find_ground_state(dft));
    PV_TRY(pv_keep_at_end(&dft->keep, pv_scf_energy(scf)));
    const double start_s = pv_clock_s();
    PV_TRY(pv_energy_parts(scf->electrons, scf->potential, scf->out, scf->hybrid, scf->ewald_ha, &dft->energies));
    if (!is_fixed(dft)) PV_TRY(find_derivatives(dft));
    dft->forces_s = pv_clock_s() - start_s;
    compare_grids(dft);
    dft->solved_s = pv_clock_s() - dft->start_s;
    return pv_outcome_say(&dft->progress, &dft->energies, &dft->grid_error);
}

void pv_dft_summarise(const pv_dft *dft, pv_dft_summary *summary_p)
{
    const pv_system *system = dft->system;
    const pv_electrons *electrons = dft->scf->electrons;
    *summary_p = (pv_dft_summary){
        .converged = dft->scf->converged,
        .steps = dft->scf->steps,
        .energies = dft->energies,
        .fermi_ha = electrons->occupation.fermi_ha,
        .spins = system->params.spins,
        .kpoints = system->kpoints->count,
        .bands = system->params.bands,
        .atoms = system->cell->atoms,
        .kpoint = (const double (*)[3])system->kpoints->fractional,
        .weight = system->kpoints->weight,
        .eigenvalues_ha = electrons->eigenvalues_ha,
        .filling = electrons->filling,
        .forces_ha_bohr = is_fixed(dft) ? NULL : (const double (*)[3])dft->forces,
        .stress_ha_bohr3 = system->params.stress && !is_fixed(dft) ? dft->stress_ha_bohr3 : NULL,
        .grid_error = dft->grid_error.answer,
    };
}

// ---- Files -------------------------------------------------------------------------------------------------------

static pv_finished_run finished(const pv_dft *dft, const pv_dft_summary *summary)
{
    return (pv_finished_run){.scf = dft->scf, .summary = summary, .history = &dft->progress.history,
                             .described = dft->described, .solved_s = dft->solved_s,
                             .seconds = pv_clock_s() - dft->start_s, .cpu_seconds = pv_history_cpu_s(),
                             .setup_s = dft->setup_s, .forces_s = dft->forces_s,
                             .grid_error_s = dft->grid_error.seconds};
}

static pv_status write_results(const pv_finished_run *finished, const char *path)
{
    pv_run_results made;
    PV_TRY(pv_run_results_make(finished, &made));
    const pv_status status = pv_results_write(path, &made.results);
    pv_run_results_release(&made);
    return status;
}

pv_status pv_dft_write_results(pv_dft *dft, const char *path)
{
    PV_REQUIRE(dft->scf, PV_ERR_ARGUMENT, "results of a calculation that was not solved; call pv_dft_solve first");
    pv_dft_summary summary;
    pv_dft_summarise(dft, &summary);
    const pv_finished_run run = finished(dft, &summary);
    return pv_comm_agree(dft->comm, pv_comm_rank(dft->comm) == 0 ? write_results(&run, path) : PV_OK);
}

pv_status pv_dft_write_files(pv_dft *dft, const char *directory)
{
    PV_REQUIRE(dft->scf, PV_ERR_ARGUMENT, "files of a calculation that was not solved; call pv_dft_solve first");
    pv_dft_summary summary;
    pv_dft_summarise(dft, &summary);
    const pv_finished_run run = finished(dft, &summary);
    const char *grew_in = dft->options.progress_directory;
    const int has_grown = grew_in && strcmp(directory, grew_in) == 0;
    return pv_run_files_write(&run, directory, has_grown ? &dft->progress.growth : NULL);
}
