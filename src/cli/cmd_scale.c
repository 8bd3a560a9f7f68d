// SPDX-License-Identifier: Apache-2.0
// parseval scale: a scaling study from the folders of finished runs.
#include "cli/commands.h"

#include <stdio.h>

#include "base/check.h"
#include "base/file_replace.h"
#include "base/options.h"
#include "cli/manual.h"
#include "cli/rank.h"
#include "scale/figure.h"
#include "scale/study.h"
#include "scale/table.h"

static const char synopsis[] =
    "parseval scale RUN... [--iterations N] [--reference RUN] [--csv FILE] [--figures DIR] [OPTIONS]\n";

static const char description[] =
    "Reads the OUTCAR, of parseval dft or of VASP, of each RUN (a folder, or the file itself; without one\n"
    "the folder's results.json): runs of one system on different numbers of GPUs or cores, whole ones or\n"
    "some that stopped early (NELM = 3, or 1). Prints for each the mean time of an iteration (LOOP), LOOP+,\n"
    "the time before the first and after the last iteration, and the total of N iterations; speed-up and\n"
    "parallel efficiency against a reference; what different transports take; and where efficiency falls\n"
    "under 70 and 50 %.\n"
    "\n"
    "Totals of runs that stopped early are predicted: iterations that a run lacks are those of the run\n"
    "that has most of them, each of their parts as much slower or faster as in the iterations that both\n"
    "have; +- % is what their spread lets expect of the total, and one iteration has none. Where a run on\n"
    "the same machine went on to the end, the error of the prediction is shown.\n"
    "\n"
    "Beyond the runs stands a model, fitted to them, of what does not scale, what does, bytes over links\n"
    "and network, and messages (docs/scale.md); tables and figures call it that, and figures dash it.\n";

static const char examples[] = "parseval scale nelm1_r1 nelm1_r2 nelm1_r4 full_r4\n"
                               "parseval scale g1 g2 g4 --iterations 19 --csv study.csv --figures .\n"
                               "parseval scale hfo2_216_nelm1 --iterations 18 --builds 8\n"
                               "parseval scale vasp_8 vasp_16 --unit gpus --reference vasp_8\n";

typedef struct request {
    pv_scale_settings settings;
    int64_t iterations, builds, most, node;
    double link_gb, network_gb, overhead_us;
    int unit;
    const char *csv, *figures;
} request;

static pv_status parse(int *argc, char **argv, request *r, int *help_p)
{
    pv_scale_rates *rates = &r->settings.rates;
    const pv_option options[] = {
        {.name = "iterations",
         .type = PV_OPTION_INT,
         .value = &r->iterations,
         .unit = "N",
         .minimum = 0,
         .maximum = 1e6,
         .help = "Whose total is compared; 0: as many as the longest run has."},
        {.name = "builds",
         .type = PV_OPTION_INT,
         .value = &r->builds,
         .unit = "N",
         .minimum = 0,
         .maximum = 1e6,
         .help = "Of these iterations so many build exact exchange, where no longer run tells; 0: as often as those "
                 "that were made."},
        {.name = "reference",
         .type = PV_OPTION_TEXT,
         .value = &r->settings.reference,
         .unit = "RUN",
         .help = "What speed-up and efficiency are against: one of the RUNs, by default one on the fewest."},
        {.name = "unit",
         .type = PV_OPTION_CHOICE,
         .value = &r->unit,
         .choices = "auto|gpus|cores|ranks",
         .help =
             "What is counted; auto: GPUs where all runs name them, else cores. With gpus a run that names none (VASP) "
             "has one a rank."},
        {.name = "clock",
         .type = PV_OPTION_CHOICE,
         .value = &r->settings.by_cpu,
         .choices = "real|cpu",
         .help = "cpu: the processor's time, which is steady beside other work; for cores, with a thread a rank. What "
                 "comes after the last iteration but energies and forces then stands before the first."},
        {.name = "csv",
         .type = PV_OPTION_TEXT,
         .value = &r->csv,
         .unit = "FILE",
         .help = "Writes runs and model there."},
        {.name = "figures",
         .type = PV_OPTION_TEXT,
         .value = &r->figures,
         .unit = "DIR",
         .help = "Draws scaling_time.svg, scaling_speedup.svg and scaling_efficiency.svg there."},
        {.name = "up-to",
         .type = PV_OPTION_INT,
         .value = &r->most,
         .unit = "N",
         .minimum = 1,
         .maximum = 1e6,
         .help = "The model is drawn to there."},
        {.name = "node-gpus",
         .type = PV_OPTION_INT,
         .value = &r->node,
         .minimum = 0,
         .maximum = 1024,
         .help = "GPUs (or cores) of a node, for the model; 0: 8 GPUs, 64 cores."},
        {.name = "link-rate",
         .type = PV_OPTION_REAL,
         .value = &r->link_gb,
         .unit = "GB/s",
         .minimum = 0.0,
         .maximum = 1e5,
         .help = "That one sends inside its node; 0: 370 for GPUs, 5 for cores."},
        {.name = "network-rate",
         .type = PV_OPTION_REAL,
         .value = &r->network_gb,
         .unit = "GB/s",
         .minimum = 0.0,
         .maximum = 1e5,
         .help = "That one sends to other nodes; 0: 50 for GPUs, 0.4 for cores."},
        {.name = "network-efficiency",
         .type = PV_OPTION_REAL,
         .value = &rates->efficiency,
         .minimum = 0.0,
         .maximum = 1.0,
         .help = "Of the network under load; 0: 0.86."},
        {.name = "message-overhead",
         .type = PV_OPTION_REAL,
         .value = &r->overhead_us,
         .unit = "us",
         .minimum = 0.0,
         .maximum = 1e4,
         .help = "Of a message to another node; 0: 0.6."},
        {.name = "force",
         .type = PV_OPTION_FLAG,
         .value = &r->settings.force,
         .help = "Takes runs of different systems, and runs that were cut off."},
    };
    const int count = sizeof options / sizeof options[0];
    const pv_manual manual = {.name = "scale",
                              .summary = "scaling study of finished runs",
                              .synopsis = synopsis,
                              .description = description,
                              .options = options,
                              .option_count = count,
                              .examples = examples};
    PV_TRY(pv_options_parse(options, count, 1, argc, argv, help_p));
    if (*help_p && pv_rank_speaks()) pv_manual_print(stdout, &manual);
    r->settings.iterations = (int)r->iterations;
    r->settings.builds = (int)r->builds;
    r->settings.most = (double)r->most;
    r->settings.unit = (pv_scale_unit)r->unit;
    rates->node_gpus = (int)r->node;
    rates->node_bytes_per_s = 1e9 * r->link_gb;
    rates->network_bytes_per_s = 1e9 * r->network_gb;
    rates->overhead_s = 1e-6 * r->overhead_us;
    return PV_OK;
}

// The table goes beside the runs, not in the place of one.
static pv_status check_csv(const char *csv, int count, char **runs)
{
    for (int i = 0; csv && i < count; i++) {
        PV_TRY(pv_file_check_apart(csv, NULL, runs[i]));
        PV_TRY(pv_file_check_apart(csv, runs[i], "OUTCAR"));
        PV_TRY(pv_file_check_apart(csv, runs[i], "results.json"));
    }
    return PV_OK;
}

static pv_status show(const request *r, const pv_scale_study *study)
{
    pv_scale_table_print(stdout, study);
    if (r->csv) PV_TRY(pv_scale_csv_write(r->csv, study));
    return r->figures ? pv_scale_figures_write(r->figures, study) : PV_OK;
}

int pv_cmd_scale(int argc, char **argv)
{
    request r = {.most = 2048};
    int help = 0;
    PV_TRY(parse(&argc, argv, &r, &help));
    if (help) return PV_OK;
    PV_REQUIRE(argc >= 2, PV_ERR_ARGUMENT, "no run is given; folders with an OUTCAR are accepted");
    if (!pv_rank_speaks()) return PV_OK;
    PV_TRY(check_csv(r.csv, argc - 1, argv + 1));
    pv_scale_study study;
    PV_TRY(pv_scale_study_open(argc - 1, (const char *const *)(argv + 1), &r.settings, &study));
    const pv_status status = show(&r, &study);
    pv_scale_study_release(&study);
    return status;
}
