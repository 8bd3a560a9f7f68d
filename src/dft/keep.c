// SPDX-License-Identifier: Apache-2.0
#include "dft/keep.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/file_replace.h"
#include "base/folder_lock.h"
#include "base/log.h"
#include "base/message.h"
#include "dft/checkpoint.h"
#include "dft/files/stopcar.h"

// What the ranks have to agree on after a step, the largest of each: the number of a signal, a pv_stopcar, 0 or 1.
enum { SIGNAL, STOPCAR, WRITE, GONE, WISHES };

#define SHORT_STEP_S 2.0
#define SHORT_AGE_S 10.0

static int is_asked(const pv_dft_options *options, const pv_dft_params *params)
{
    return options->checkpoint && !options->checkpoint_read_only && (params->write_orbitals || params->write_density);
}

pv_keep pv_keep_begin(const pv_dft_options *options, const pv_scf *scf, int writes)
{
    const int asked = is_asked(options, &scf->system->params);
    return (pv_keep){.options = options, .scf = scf, .writes = writes && asked, .written_s = pv_clock_s()};
}

pv_status pv_keep_check(const pv_dft_options *options, const pv_system *system, int writes)
{
    const int root = pv_comm_rank(system->comm) == 0;
    const int will = writes && is_asked(options, &system->params) && pv_checkpoint_is_built();
    return pv_comm_agree(system->comm, root && will ? pv_file_check_replace(options->checkpoint) : PV_OK);
}

const char *pv_keep_obstacle(const pv_keep *keep)
{
    return keep->writes && !pv_checkpoint_is_built() ? "this build has no HDF5" : NULL;
}

static int is_root(const pv_keep *keep)
{
    return pv_comm_rank(keep->scf->system->comm) == 0;
}

static const char *stopcar_path(const pv_keep *keep, char path[4096])
{
    snprintf(path, 4096, "%s/STOPCAR", keep->options->directory);
    return path;
}

// ---- Writing -----------------------------------------------------------------------------------------------------

static pv_status write_now(pv_keep *keep, double energy_ha)
{
    if (!keep->writes || !pv_checkpoint_is_built()) return PV_OK;
    const pv_status status = pv_saved_write(keep->scf, energy_ha, keep->options->checkpoint);
    keep->written_s = pv_clock_s();
    return status;
}

// A run whose results are still to come does not end for want of room on a disk.
static void write_or_warn(pv_keep *keep, double energy_ha)
{
    const int failed = write_now(keep, energy_ha) != PV_OK;
    if (failed && !keep->has_failed && is_root(keep))
        pv_log(PV_LOG_WARN, "no checkpoint was written, and the run goes on (%s)",
               pv_message_without_function(pv_last_error()));
    keep->has_failed = failed;
}

// ---- Wishes ------------------------------------------------------------------------------------------------------

// An unreadable STOPCAR stops nothing.
static pv_stopcar read_stopcar(const pv_keep *keep)
{
    char path[4096];
    pv_stopcar stopcar = PV_STOPCAR_NONE;
    if (pv_stopcar_read(stopcar_path(keep, path), &stopcar) != PV_OK)
        pv_log(PV_LOG_WARN, "%s is not understood (%s); LABORT = T or LSTOP = T is accepted", path,
               pv_message_without_function(pv_last_error()));
    return stopcar;
}

// A file system is not asked more often than this.
#define LOOK_S 1.0

int pv_keep_hears_stop(pv_keep *keep)
{
    const pv_dft_options *options = keep->options;
    char path[4096];
    pv_stopcar stopcar = PV_STOPCAR_NONE;
    if (options->stop && options->stop(options->stop_context)) return 1;
    if (pv_clock_s() - keep->looked_s < LOOK_S) return 0;
    keep->looked_s = pv_clock_s();
    return access(stopcar_path(keep, path), F_OK) == 0 && pv_stopcar_read(path, &stopcar) == PV_OK
           && stopcar == PV_STOPCAR_LABORT;
}

// A step that made exchange is kept at once, unless it was short and little is lost with it.
static int is_due(const pv_keep *keep, const pv_scf_step *step)
{
    const double age_s = pv_clock_s() - keep->written_s;
    const int is_cheap = step->seconds < SHORT_STEP_S && age_s < SHORT_AGE_S;
    return age_s >= keep->options->checkpoint_interval_s || (step->build_s > 0.0 && !is_cheap);
}

static pv_status agree_on_wishes(const pv_keep *keep, const pv_scf_step *step, int64_t wishes[WISHES])
{
    const pv_dft_options *options = keep->options;
    wishes[SIGNAL] = options->stop ? options->stop(options->stop_context) : 0;
    wishes[STOPCAR] = wishes[WRITE] = wishes[GONE] = 0;
    if (is_root(keep)) {
        wishes[GONE] = options->progress_directory && pv_folder_is_gone(options->progress_directory);
        wishes[STOPCAR] = read_stopcar(keep);
        wishes[WRITE] = is_due(keep, step);
    }
    return pv_comm_reduce_i64(keep->scf->system->comm, PV_MAX, WISHES, wishes);
}

static pv_status stop(pv_keep *keep, const pv_scf_step *step, const int64_t wishes[WISHES])
{
    char path[4096], why[96] = "STOPCAR";
    const int signal = (int)wishes[SIGNAL], kept = keep->writes && pv_checkpoint_is_built();
    if (signal) snprintf(why, sizeof why, "signal %d, %s", signal, strsignal(signal));
    // Or the next run would stop too.
    if (wishes[STOPCAR] == PV_STOPCAR_LABORT && is_root(keep)) unlink(stopcar_path(keep, path));
    PV_REQUIRE(keep->scf->steps > 0, PV_ERR_STOPPED,
               "stopped on request in the first step (%s); there was nothing new to keep", why);
    PV_TRY(write_now(keep, step->energy_ha));
    PV_REQUIRE(kept, PV_ERR_STOPPED, "stopped on request after step %d (%s); nothing was kept of it", step->step, why);
    PV_FAIL(PV_ERR_STOPPED, "stopped on request after step %d (%s); the same command%s goes on from %s", step->step,
            why, keep->scf->system->params.start_orbitals ? "" : ", without ISTART = 0,", keep->options->checkpoint);
}

pv_status pv_keep_after_step(pv_keep *keep, const pv_scf_step *step)
{
    int64_t wishes[WISHES];
    PV_TRY(agree_on_wishes(keep, step, wishes));
    PV_REQUIRE(!wishes[GONE], PV_ERR_IO,
               "the folder %s has been removed or renamed: results have nowhere to go, so the run ends after step %d",
               keep->options->progress_directory, step->step);
    if (step->interrupted || wishes[SIGNAL] || wishes[STOPCAR] == PV_STOPCAR_LABORT) return stop(keep, step, wishes);
    if (wishes[WRITE]) write_or_warn(keep, step->energy_ha);
    return PV_OK;
}

pv_status pv_keep_at_end(pv_keep *keep, double energy_ha)
{
    char path[4096];
    // LSTOP asks for an end after the ionic step, which is here.
    if (is_root(keep) && read_stopcar(keep) == PV_STOPCAR_LSTOP) unlink(stopcar_path(keep, path));
    write_or_warn(keep, energy_ha);
    return PV_OK;
}
