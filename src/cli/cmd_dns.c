// SPDX-License-Identifier: Apache-2.0
// parseval dns: options, and the order of the work.
#include "cli/commands.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <parseval/comm_mpi.h>
#include <parseval/dns.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/folder_lock.h"
#include "base/folder_make.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/message.h"
#include "base/options.h"
#include "cli/interrupt.h"
#include "cli/manual.h"
#include "cli/place_options.h"
#include "cli/rank.h"
#include "dns/figure/figure.h"
#include "dns/files/case_file.h"
#include "dns/files/journal.h"
#include "dns/params.h"
#include "dns/picture/image_name.h"
#include "io/checkpoint.h"

static const char synopsis[] = "parseval dns CASE.ini [--output DIR] [OPTIONS]\n"
                               "parseval dns --plot RUN\n"
                               "parseval dns --explain\n"
                               "mpirun -n RANKS parseval dns CASE.ini [OPTIONS]\n";

static const char description[] =
    "Simulates incompressible turbulence in a periodic box by a Fourier pseudo-spectral method,\n"
    "with the parameters of CASE.ini: lines \"name = value\", explained by --explain.\n"
    "\n"
    "Prints the plan, then a line an observation: step, time t, the step's dt and Courant number, energy\n"
    "E = <u.u>/2, dissipation eps, Taylor-scale Reynolds number, kmax eta, seconds a step, and the\n"
    "time that is left. DIR gets series.csv (all averages, with every digit), spectra.csv (E(k),\n"
    "transfer, flux and dissipation), structure.csv (structure functions), all of them as series.h5,\n"
    "and checkpoint.h5 (the one before it: checkpoint.h5.previous), from which \"restart = FILE\" goes on\n"
    "with any number of ranks, device, precision or grid; picture_KIND_STEP.png (KIND as in \"picture =\n"
    "KIND\") and fields_STEP.vtkhdf (for ParaView) where the parameters ask for them. Tables there are then\n"
    "continued from the checkpoint's time; without restart tables, pictures and fields of an earlier run are\n"
    "renamed to NAME.before. One run at a time works in a folder.\n"
    "\n"
    "No result depends on the number of ranks beyond round-off. SIGTERM, SIGINT and SIGUSR1 end the run\n"
    "after the step in work, with a checkpoint, before all else, and exit status 3. mpirun passes SIGUSR1 on\n"
    "and waits; at SIGTERM it kills its ranks after two seconds (Open MPI: --mca odls_base_sigkill_timeout S\n"
    "waits longer) and itself ends with 1, whatever the ranks' status. A checkpoint every ten\n"
    "minutes (checkpoint-minutes) bounds what a kill can take.\n";

static const char examples[] = "parseval dns examples/taylor_green/case.ini\n"
                               "mpirun -n 2 parseval dns examples/taylor_green/case.ini --output /tmp/tg\n";

static const char heard[] =
    "parseval dns: a signal asks to stop: the run ends after the step in work and its checkpoint\n";

typedef struct request {
    pv_dns_params params;
    char *memory; // of the case file's texts
    const char *device, *transport, *output;
    const char *plot;
    int quiet, explain;
} request;

static pv_status parse(int argc, char **argv, request *r, int *help_p)
{
    const pv_option options[] = {
        {.name = "output",
         .type = PV_OPTION_TEXT,
         .value = &r->output,
         .unit = "DIR",
         .help = "Folder for what the run writes; made, with those above it, when it is not there."},
        {.name = "plot",
         .type = PV_OPTION_TEXT,
         .value = &r->plot,
         .unit = "RUN",
         .help = "Compute nothing; draw energy.svg, power.svg, scales.svg, spectra.svg, compensated.svg, flux.svg and "
                 "structure.svg in the folder of a run, of scalars scalars.svg, scalar_power.svg, "
                 "mixed_skewness.svg, scalar_spectra.svg and scalar_flux.svg."},
        {.name = "explain",
         .type = PV_OPTION_FLAG,
         .value = &r->explain,
         .help = "Print every parameter with unit, range and default, and stop."},
        PV_DEVICE_OPTION(&r->device),
        PV_TRANSPORT_OPTION(&r->transport),
        {.name = "quiet", .type = PV_OPTION_FLAG, .value = &r->quiet, .help = "Print nothing but errors."},
    };
    const int count = sizeof options / sizeof options[0];
    const pv_manual manual = {.name = "dns",
                              .summary = "simulate turbulence in a periodic box",
                              .synopsis = synopsis,
                              .description = description,
                              .options = options,
                              .option_count = count,
                              .examples = examples,
                              .stopped_by = "a signal"};
    PV_TRY(pv_options_parse(options, count, 1, &argc, argv, help_p));
    if (*help_p && pv_rank_speaks()) pv_manual_print(stdout, &manual);
    if (*help_p || r->explain) return PV_OK;
    PV_REQUIRE(!r->plot || argc == 1, PV_ERR_ARGUMENT,
               "%s beside --plot %s, which computes nothing; either a case or a folder to draw is accepted", argv[1],
               r->plot);
    if (r->plot) return PV_OK;
    PV_REQUIRE(argc == 2, PV_ERR_ARGUMENT,
               "%d parameter files given; one is needed (parseval dns --explain lists the parameters)", argc - 1);
    return pv_dns_case_read(argv[1], &r->params, &r->memory);
}

static void explain(void)
{
    pv_dns_params params = pv_dns_params_defaults();
    pv_option table[PV_DNS_PARAMETERS];
    const int count = pv_dns_declare(&params, table);
    if (!pv_rank_speaks()) return;
    printf(
        "# Parameters of parseval dns, lines of CASE.ini. Units are your own: length, time and what follows from "
        "them.\n"
        "# Headings [grid], [equations], [time], [flow], [forcing], [output] may stand between; # begins a comment.\n");
    pv_options_explain(stdout, table, count);
}

static pv_status plot(const request *r)
{
    pv_dns_figures drawn;
    if (!pv_rank_speaks()) return PV_OK;
    PV_TRY(pv_dns_figures_write(r->plot, &drawn));
    if (r->quiet) return PV_OK;
    if (drawn.energy) printf("%s/energy.svg, %s/power.svg: energy, dissipation, injection\n", r->plot, r->plot);
    if (drawn.scales) printf("%s/scales.svg: Re_lambda, kmax eta, skewness\n", r->plot);
    if (drawn.spectra) printf("%s/spectra.svg, %s/flux.svg: E(k) and the flux of energy\n", r->plot, r->plot);
    if (drawn.compensated) printf("%s/compensated.svg: E(k) over Kolmogorov's law\n", r->plot);
    if (drawn.scalars) printf("%s/scalars.svg: variances of scalars\n", r->plot);
    if (drawn.scalar_power) printf("%s/scalar_power.svg: what dissipates and feeds them\n", r->plot);
    if (drawn.mixed_skewness) printf("%s/mixed_skewness.svg: of their and the velocity's derivatives\n", r->plot);
    if (drawn.scalar_spectra) printf("%s/scalar_spectra.svg: their spectra\n", r->plot);
    if (drawn.scalar_flux) printf("%s/scalar_flux.svg: their fluxes over what is dissipated\n", r->plot);
    if (drawn.structure) printf("%s/structure.svg: structure functions of order 2 and 3\n", r->plot);
    return PV_OK;
}

// Made where it is not there, and held against other runs.
static pv_status take_folder(const request *r, int *lock_p)
{
    pv_status status = PV_OK;
    if (pv_rank_speaks()) status = pv_folder_make(r->output);
    if (pv_rank_speaks() && status == PV_OK) status = pv_folder_lock(r->output, 0, lock_p);
    return pv_rank_agree(status);
}

// ---- The run -------------------------------------------------------------------------------------------------------

typedef struct progress {
    double begun_s, time_begun;
    double kept_s; // when the last checkpoint was written, or the run began
    int64_t steps_begun;
    pv_dns_journal *journal;
} progress;

static void print_progress(const pv_dns *dns, const request *r, const progress *p, const pv_dns_record *record)
{
    char text[256];
    const double elapsed = pv_clock_s() - p->begun_s;
    const int64_t steps = pv_dns_steps_done(dns) - p->steps_begun;
    printf("%s", pv_dns_record_text(record, text));
    if (steps > 0) {
        double left = (r->params.time_end - record->time) / (record->time - p->time_begun) * elapsed;
        if (r->params.steps > 0) {
            const double by_steps = (double)(r->params.steps - steps) * elapsed / (double)steps;
            left = by_steps < left ? by_steps : left;
        }
        // No long rows of digits where a run would take for ever.
        printf(left < 1e7 ? "  %.3g s a step, %.0f s left" : "  %.3g s a step, %.2e s left", elapsed / (double)steps,
               left > 0.0 ? left : 0.0);
    }
    printf("\n");
    fflush(stdout);
}

// What is looked at in a step, and what was seen.
typedef struct looks {
    int any, shells, structure;
    pv_dns_record record;
    pv_dns_structure distances;
} looks;

static pv_status look(pv_dns *dns, looks *l)
{
    if (!l->any) return PV_OK;
    if (l->structure) PV_TRY(pv_dns_structure_of(dns, &l->distances));
    return pv_dns_observe(dns, &l->record);
}

static pv_status note(pv_dns *dns, const request *r, const progress *p, const looks *l)
{
    pv_dns_shells shells;
    if (!l->any) return PV_OK;
    pv_dns_shells_of(dns, &shells);
    PV_TRY(pv_dns_journal_add(p->journal, &l->record, l->shells ? &shells : NULL, l->structure ? &l->distances : NULL));
    if (!r->quiet && pv_rank_speaks()) print_progress(dns, r, p, &l->record);
    return PV_OK;
}

static int is_due(int64_t step, int64_t every)
{
    return every > 0 && step % every == 0;
}

// Signals reach ranks at different times: one that has one stops all. Clocks differ: that of rank 0 says for all
// whether it is time for a checkpoint.
static pv_status ask(pv_comm *comm, const request *r, const progress *p, int *signal_p, int *is_time_p)
{
    const double minutes = r->params.checkpoint_minutes;
    const int is_time = pv_comm_rank(comm) == 0 && minutes > 0.0 && pv_clock_s() - p->kept_s >= 60.0 * minutes;
    int64_t asked[2] = {pv_interrupt_signal(NULL), is_time};
    PV_TRY(pv_comm_reduce_i64(comm, PV_MAX, 2, asked));
    *signal_p = (int)asked[0];
    *is_time_p = (int)asked[1];
    return PV_OK;
}

static pv_status take_picture(pv_dns *dns, const request *r)
{
    char path[4096], name[PV_DNS_IMAGE_NAME];
    if (r->params.picture == PV_PICTURE_NONE) return PV_OK;
    pv_dns_picture_name(r->params.picture, pv_dns_steps_done(dns), name);
    snprintf(path, sizeof path, "%s/%s", r->output, name);
    return pv_dns_picture(dns, path);
}

static pv_status write_fields(pv_dns *dns, const request *r)
{
    char path[4096], name[PV_DNS_IMAGE_NAME];
    if (!r->params.fields) return PV_OK;
    pv_dns_fields_name(pv_dns_steps_done(dns), name);
    snprintf(path, sizeof path, "%s/%s", r->output, name);
    return pv_dns_fields(dns, path);
}

static pv_status save(pv_dns *dns, const request *r, progress *p)
{
    char path[4096];
    if (!pv_checkpoint_is_built() || r->params.checkpoint_every < 0) return PV_OK;
    snprintf(path, sizeof path, "%s/checkpoint.h5", r->output);
    PV_TRY(pv_dns_save(dns, path));
    p->kept_s = pv_clock_s();
    return PV_OK;
}

static pv_status write_images(pv_dns *dns, const request *r, int64_t step, int is_last)
{
    if (is_last || is_due(step, r->params.picture_every)) PV_TRY(take_picture(dns, r));
    return is_last || is_due(step, r->params.fields_every) ? write_fields(dns, r) : PV_OK;
}

// A picture or a file of fields could not be written, which ends the run: what was computed is kept. Returns `status`.
static pv_status rescue(pv_dns *dns, const request *r, progress *p, pv_status status)
{
    char reason[1024];
    snprintf(reason, sizeof reason, "%s", pv_message_without_function(pv_last_error()));
    if (save(dns, r, p) == PV_OK || status == PV_ERR_PEER) return status;
    return pv_fail(status, __func__, "%s; nor could a checkpoint be written: %s", reason,
                   pv_message_without_function(pv_last_error()));
}

// The checkpoint is the first file: nothing that fails after it takes the run along. After a signal it is the first
// work, too: who sent it may not wait for more.
static pv_status march(pv_comm *comm, pv_dns *dns, const request *r, progress *p)
{
    const pv_dns_params *params = &r->params;
    int signal = 0, is_time = 0;
    for (;;) {
        const int64_t step = pv_dns_steps_done(dns), taken = step - p->steps_begun;
        PV_TRY(ask(comm, r, p, &signal, &is_time));
        const int is_last =
            pv_dns_time(dns) >= params->time_end || (params->steps > 0 && taken >= params->steps) || signal;
        looks looks = {
            .any = taken == 0 || is_last || is_due(step, params->series_every),
            .shells = (taken == 0 && !params->restart) || is_last || is_due(step, params->spectra_every),
            .structure = is_due(step, params->structure_every) || (is_last && params->structure_every >= 0)};
        const int is_kept = is_last || (taken > 0 && (is_time || is_due(step, params->checkpoint_every)));
        if (signal) PV_TRY(save(dns, r, p));
        PV_TRY(look(dns, &looks));
        if (is_kept && !signal) PV_TRY(save(dns, r, p));
        PV_TRY(note(dns, r, p, &looks));
        if (is_kept) PV_TRY(pv_dns_journal_save(p->journal));
        const pv_status status = write_images(dns, r, step, is_last);
        if (status != PV_OK) return is_kept || taken == 0 ? status : rescue(dns, r, p, status);
        if (is_last) break;
        PV_TRY(pv_dns_step(dns));
    }
    PV_REQUIRE(!signal, PV_ERR_STOPPED, "stopped by signal %d after step %lld, time %g", signal,
               (long long)pv_dns_steps_done(dns), pv_dns_time(dns));
    return PV_OK;
}

static pv_status keep_journal(pv_comm *comm, pv_dns *dns, const request *r)
{
    progress p = {.time_begun = pv_dns_time(dns), .steps_begun = pv_dns_steps_done(dns)};
    PV_TRY(pv_dns_journal_open(comm, r->output, (int)r->params.scalars, r->params.restart != NULL, p.time_begun,
                               &p.journal));
    p.begun_s = p.kept_s = pv_clock_s();
    const pv_status status = march(comm, dns, r, &p);
    pv_dns_journal_close(p.journal);
    return status;
}

static pv_status run(pv_device *device, const request *r)
{
    pv_comm_options options = pv_comm_options_defaults();
    options.transport = r->transport;
    pv_comm *comm;
    PV_TRY(pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm));
    pv_dns *dns = NULL;
    int lock = -1;
    pv_status status = pv_dns_create(comm, &r->params, &dns);
    if (status == PV_OK) status = take_folder(r, &lock);
    if (status == PV_OK && !r->quiet && pv_rank_speaks()) printf("%s\n\n", pv_dns_plan_text(dns));
    if (status == PV_OK && r->params.restart && pv_dns_time(dns) >= r->params.time_end)
        pv_log(PV_LOG_WARN,
               "%s is of time %g, where time-end = %g has passed: no step is taken; a later one is accepted",
               r->params.restart, pv_dns_time(dns), r->params.time_end);
    if (status == PV_OK) status = keep_journal(comm, dns, r);
    if (status != PV_OK) pv_interrupt_hush();
    pv_folder_unlock(lock);
    pv_dns_destroy(dns);
    pv_comm_close(comm);
    return status;
}

int pv_cmd_dns(int argc, char **argv)
{
    request r = {.params = pv_dns_params_defaults(), .device = "cpu", .transport = "auto", .output = "."};
    int help = 0;
    PV_TRY(parse(argc, argv, &r, &help));
    if (r.explain) explain();
    if (help || r.explain) return PV_OK;
    if (r.plot) return plot(&r);
    pv_interrupt_begin(pv_rank_speaks() ? heard : NULL);
    if (!pv_rank_speaks() && !getenv("PARSEVAL_LOG")) pv_log_set_level(PV_LOG_ERROR);
    pv_device *device = NULL;
    pv_status status = pv_rank_open_device(r.device, &device);
    if (status == PV_OK) status = run(device, &r);
    pv_device_close(device);
    pv_mem_free(r.memory);
    return status;
}
