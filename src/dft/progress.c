// SPDX-License-Identifier: Apache-2.0
#include "dft/progress.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/folder_lock.h"
#include "base/log.h"
#include "base/message.h"
#include "dft/model/units.h"

#define SAY_S 10.0 // a long step, or build of exchange, is heard from so often

static void begin_step(pv_progress *progress) { progress->step_start_s = progress->heard_s = pv_clock_s(); }

pv_progress pv_progress_open(const pv_dft_options *options, const pv_scf *scf, const pv_run_description *described)
{
    return (pv_progress){.options = options, .scf = scf, .described = described, .build_done = 2.0};
}

void pv_progress_close(pv_progress *progress)
{
    pv_history_release(&progress->history);
    *progress = (pv_progress){0};
}

void pv_progress_skip(pv_progress *progress) { begin_step(progress); }

static int is_root(const pv_progress *progress) { return pv_comm_rank(progress->scf->system->comm) == 0; }

void pv_progress_say(const pv_progress *progress, const char *line)
{
    if (progress->options->say && is_root(progress)) progress->options->say(progress->options->say_context, line);
}

// A run whose results are still to come does not end for want of room on a disk. For a folder that is gone it does
// (dft/keep.h), and says so then.
static void check_files(pv_progress *progress, pv_status status)
{
    progress->grows = status == PV_OK;
    if (status != PV_OK && !pv_folder_is_gone(progress->options->progress_directory))
        pv_log(PV_LOG_WARN, "OUTCAR and OSZICAR get no more steps until the run ends (%s)",
               pv_message_without_function(pv_last_error()));
}

static void begin_files(pv_progress *progress)
{
    const char *directory = progress->options->progress_directory;
    int aside = 0;
    for (int g = 0; g < PV_RUN_GROWING; g++) progress->growth.grown[g] = -1;
    if (!directory || !is_root(progress)) return;
    check_files(progress, pv_run_files_begin(&progress->described->run, directory, &aside, &progress->growth));
    if (aside > 0) pv_progress_say(progress, "files       an earlier run's are kept as NAME.before");
}

static void add_to_files(pv_progress *progress)
{
    const pv_history *history = &progress->history;
    if (!progress->grows || history->status != PV_OK || history->count == 0) return;
    pv_run run = progress->described->run;
    run.step = history->step;
    run.steps = history->count;
    check_files(progress, pv_run_files_add(&run, progress->options->progress_directory, &progress->growth));
}

void pv_progress_begin(pv_progress *progress)
{
    begin_files(progress);
    progress->history = pv_history_begin();
    begin_step(progress);
}

void pv_progress_step(pv_progress *progress, const pv_scf_step *step)
{
    char line[160];
    begin_step(progress);
    pv_history_add(&progress->history, progress->scf, step);
    add_to_files(progress);
    if (step->build_s > 0.0) {
        snprintf(line, sizeof line, "      exchange %d  %16.10f Ha, the last one missed %9.2e%38.2f", step->builds,
                 step->exchange_ha, step->exchange_error_ha, step->build_s);
        pv_progress_say(progress, line);
        snprintf(line, sizeof line, "      exchange in single precision is off by %.2e Ha", step->single_error_ha);
        if (step->single_error_ha > 0.0) pv_progress_say(progress, line);
    }
    snprintf(line, sizeof line, "%4d  %18.10f  %10.2e  %9.2e  %2d  %7.3f  %6.2f", step->step, step->energy_ha,
             step->change_ha, isnan(step->distance_ha) ? step->residual_ha : step->distance_ha, step->expansions,
             step->gap_ha * PV_HARTREE_EV, step->seconds);
    pv_progress_say(progress, line);
}

// They add nothing to the history of the self-consistent steps.
void pv_progress_bands(pv_progress *progress, const pv_scf_step *step)
{
    char line[160];
    begin_step(progress);
    snprintf(line, sizeof line, "      %d k-points of weight 0: residual %9.2e Ha, %2d  %6.2f",
             pv_kpoints_weightless(progress->scf->system->kpoints), step->residual_ha, step->expansions,
             step->seconds);
    pv_progress_say(progress, line);
}

void pv_progress_build(pv_progress *progress, double done)
{
    const double now_s = pv_clock_s();
    char line[120];
    if (done < progress->build_done) progress->build_start_s = progress->build_said_s = now_s;
    progress->build_done = done;
    if (now_s - progress->build_said_s < SAY_S || done <= 0.0) return;
    progress->build_said_s = now_s;
    snprintf(line, sizeof line, "      exchange: %3.0f %% done, about %.0f s left", 100.0 * done,
             (now_s - progress->build_start_s) * (1.0 - done) / done);
    pv_progress_say(progress, line);
}

void pv_progress_orbitals(pv_progress *progress)
{
    const pv_electrons *electrons = progress->scf->electrons;
    const double now_s = pv_clock_s();
    char line[120];
    if (now_s - progress->heard_s < SAY_S) return;
    progress->heard_s = now_s;
    snprintf(line, sizeof line, "      orbitals: %d of %d k-points%s done after %.0f s", electrons->solved,
             electrons->to_solve, progress->scf->system->params.spins == 2 ? " and spins" : "",
             now_s - progress->step_start_s);
    pv_progress_say(progress, line);
}
