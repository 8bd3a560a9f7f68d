// SPDX-License-Identifier: Apache-2.0
// parseval plan: what a run would need, before anything is asked of a machine.
#include "cli/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/options.h"
#include "cli/manual.h"
#include "cli/plan/dft.h"
#include "cli/plan/dns.h"
#include "cli/rank.h"

enum { MOST_RANKS = 65536, MOST_DNS_GPUS = 1000000, MOST_POINTS = 1000000 };

static const char synopsis[] = "parseval plan dft DIR|POSCAR [--gpus N,...] [--ranks N,...] [--pseudo DIR] [RATES]\n"
                               "parseval plan dns CASE.ini [--grids N,...] [--gpus N,...] [RATES]\n";

static const char description[] =
    "dft: memory for each GPU, as parseval dft itself forecasts it, and time of a calculation from\n"
    "scratch, on 1, 2, 4, ... 2048 GPUs or those of --gpus; INCAR and KPOINTS stand beside POSCAR. Times\n"
    "are counts of operations and bytes over rates: of an H200 by default, of a file with --rates; with\n"
    "--ranks those of a core of this machine, measured in a few seconds. The plan says what it assumed\n"
    "(bands, grids, steps, builds of exact exchange) and where orbitals are: those of a k-point on one GPU\n"
    "(whole) or in parts over its group (distributed), and how many of a GPU's k-points exact exchange has\n"
    "on its grid at once, which a run prints before work, too. docs/scale.md shows how good that is.\n"
    "\n"
    "dns: what the run of CASE.ini would need on one or many GPUs, and on other grids: memory, time\n"
    "of a step, and the turbulence that the grid resolves. Nothing is run and no GPU is needed.\n"
    "\n"
    "Times count passes over memory, bytes sent and messages, each at the rate given, one after the\n"
    "other; the default rates are those measured on H200s, of networks a fit (docs/dns.md). Re_lambda\n"
    "is that of a flow whose scales k <= 2 are forced, at the given kmax eta, and nu the viscosity that\n"
    "makes it so with u' = 0.68.\n";

static const char examples[] = "parseval plan dft examples/hfo2_supercells/POSCAR_096 --gpus 1,2,8,64\n"
                               "parseval plan dft examples/hfo2 --ranks 1,2\n"
                               "parseval plan dft examples/hfo2 --ranks 1 --measure core.rates\n"
                               "parseval plan dns examples/forced_turbulence/case.ini --gpus 1,2,8\n"
                               "parseval plan dns case.ini --grids 1024,2048,4096,8192,16384 --gpus 8,64,512\n";

typedef struct request {
    const char *grids, *gpus;
    double memory_tb, link_gb, network_gb, network_efficiency, message_us, exchange_us, device_gb, kmax_eta;
    int64_t node;
    const char *ranks, *pseudo, *rates_path, *measured_path, *csv, *figures;
    int64_t steps, builds;
} request;

// "1,2,8": whole numbers from 1 on.
static pv_status parse_counts(const char *name, const char *text, int64_t most, int64_t *counts, int *count_p)
{
    *count_p = 0;
    for (const char *at = text;; at++) {
        char *end;
        errno = 0;
        const long long value = strtoll(at, &end, 10);
        PV_REQUIRE(end != at && errno == 0 && value >= 1 && value <= most && (*end == ',' || *end == '\0'),
                   PV_ERR_INPUT,
                   "--%s is \"%s\"; whole numbers from 1 to %lld with commas between them are accepted", name, text,
                   (long long)most);
        PV_REQUIRE(*count_p < PV_PLAN_COUNTS, PV_ERR_INPUT, "--%s has more than %d numbers", name, PV_PLAN_COUNTS);
        counts[(*count_p)++] = value;
        at = end;
        if (*at == '\0') return PV_OK;
    }
}

static int by_size(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

// In rising order, each once: the first is what others are compared with.
static void sort_counts(int64_t *counts, int *count)
{
    int kept = 0;
    qsort(counts, (size_t)*count, sizeof *counts, by_size);
    for (int i = 0; i < *count; i++)
        if (kept == 0 || counts[i] != counts[kept - 1]) counts[kept++] = counts[i];
    *count = kept;
}

static pv_status plan_dns(const char *path, const request *r)
{
    int64_t grids[PV_PLAN_COUNTS], gpus[PV_PLAN_COUNTS];
    pv_plan_dns plan = {.path = path,
                        .grids_given = r->grids,
                        .grids = grids,
                        .gpus = gpus,
                        .kmax_eta = r->kmax_eta,
                        .rates = {.memory_bytes_per_s = 1e12 * r->memory_tb,
                                  .link_bytes_per_s = 1e9 * r->link_gb,
                                  .network_bytes_per_s = 1e9 * r->network_gb,
                                  .network_efficiency = r->network_efficiency,
                                  .message_s = 1e-6 * r->message_us,
                                  .exchange_s = 1e-6 * r->exchange_us,
                                  .device_bytes = 1e9 * r->device_gb,
                                  .node_devices = (int)r->node}};
    if (r->grids) PV_TRY(parse_counts("grids", r->grids, MOST_POINTS, grids, &plan.grid_count));
    PV_TRY(parse_counts("gpus", r->gpus ? r->gpus : "1", MOST_DNS_GPUS, gpus, &plan.gpu_count));
    return pv_rank_speaks() ? pv_plan_dns_print(&plan) : PV_OK;
}

static pv_status plan_dft(const char *path, const request *r)
{
    const pv_dns_rates h200 = pv_dns_rates_h200(PV_FP64);
    static const char usual[] = "1,2,4,8,16,32,64,128,256,512,1024,2048";
    const char *ranks = r->ranks || !r->measured_path ? r->ranks : "1"; // what is measured is a core
    int64_t counts[PV_PLAN_COUNTS];
    pv_dft_rates given = {0};
    pv_plan_dft plan = {.path = path,
                        .pseudo = r->pseudo,
                        .counts = counts,
                        .on_ranks = ranks != NULL,
                        .rates_path = r->rates_path,
                        .measured_path = r->measured_path,
                        .csv = r->csv,
                        .figures = r->figures,
                        .overrides = &given,
                        .assumed = {.steps = (int)r->steps, .builds = (int)r->builds}};
    if (r->link_gb * 1e9 != h200.link_bytes_per_s) given.link_bytes_per_s = 1e9 * r->link_gb;
    if (r->network_gb * 1e9 != h200.network_bytes_per_s) given.network_bytes_per_s = 1e9 * r->network_gb;
    given.device_bytes = 1e9 * r->device_gb;
    if (r->node != h200.node_devices) given.node_devices = (int)r->node;
    PV_REQUIRE(!ranks || !r->gpus, PV_ERR_ARGUMENT,
               "--gpus with --ranks or --measure, which are of cores; one of them is accepted");
    PV_TRY(ranks ? parse_counts("ranks", ranks, MOST_RANKS, counts, &plan.count)
                 : parse_counts("gpus", r->gpus ? r->gpus : usual, MOST_RANKS, counts, &plan.count));
    sort_counts(counts, &plan.count);
    return pv_rank_speaks() ? pv_plan_dft_print(&plan) : PV_OK;
}

int pv_cmd_plan(int argc, char **argv)
{
    const pv_dns_rates h200 = pv_dns_rates_h200(PV_FP64);
    request r = {.link_gb = h200.link_bytes_per_s / 1e9,
                 .network_gb = h200.network_bytes_per_s / 1e9,
                 .network_efficiency = h200.network_efficiency,
                 .message_us = h200.message_s * 1e6,
                 .exchange_us = h200.exchange_s * 1e6,
                 .kmax_eta = 1.5,
                 .node = h200.node_devices};
    const pv_option options[] = {
        {.name = "gpus",
         .type = PV_OPTION_TEXT,
         .value = &r.gpus,
         .unit = "N,...",
         .help = "Numbers of GPUs; dns: 1, dft: powers of two up to 2048."},
        {.name = "ranks",
         .type = PV_OPTION_TEXT,
         .value = &r.ranks,
         .unit = "N,...",
         .only = "dft",
         .help = "numbers of ranks of this machine, a core each, instead of GPUs."},
        {.name = "pseudo",
         .type = PV_OPTION_TEXT,
         .value = &r.pseudo,
         .unit = "DIR",
         .only = "dft",
         .help = "potentials, as for parseval dft."},
        {.name = "rates",
         .type = PV_OPTION_TEXT,
         .value = &r.rates_path,
         .unit = "FILE",
         .only = "dft",
         .help = "rates of a GPU or core, lines as --measure writes them; those it lacks stay as they are."},
        {.name = "measure",
         .type = PV_OPTION_TEXT,
         .value = &r.measured_path,
         .unit = "FILE",
         .only = "dft",
         .help = "measures the rates of a core for this calculation and writes them there, to begin a file for "
                 "--rates."},
        {.name = "csv",
         .type = PV_OPTION_TEXT,
         .value = &r.csv,
         .unit = "FILE",
         .only = "dft",
         .help = "writes the table there."},
        {.name = "figures",
         .type = PV_OPTION_TEXT,
         .value = &r.figures,
         .unit = "DIR",
         .only = "dft",
         .help = "draws plan_time.svg and plan_efficiency.svg there."},
        {.name = "steps",
         .type = PV_OPTION_INT,
         .value = &r.steps,
         .unit = "N",
         .minimum = 0,
         .maximum = 10000,
         .only = "dft",
         .help = "of self-consistency; 0: the usual number for EDIFF."},
        {.name = "builds",
         .type = PV_OPTION_INT,
         .value = &r.builds,
         .unit = "N",
         .minimum = 0,
         .maximum = 10000,
         .only = "dft",
         .help = "of exact exchange; 0: the usual number for EDIFF."},
        {.name = "grids",
         .type = PV_OPTION_TEXT,
         .value = &r.grids,
         .unit = "N,...",
         .only = "dns",
         .help = "cubes in place of the case's grid."},
        {.name = "kmax-eta",
         .type = PV_OPTION_REAL,
         .value = &r.kmax_eta,
         .minimum = 0.1,
         .maximum = 10.0,
         .only = "dns",
         .help = "resolution that is wanted."},
        {.name = "memory-rate",
         .type = PV_OPTION_REAL,
         .value = &r.memory_tb,
         .unit = "TB/s",
         .minimum = 0.0,
         .maximum = 1e3,
         .only = "dns",
         .help = "of a GPU's memory; 0: what steps on an H200 move, 2.88 in fp64, 2.6 in fp32."},
        {.name = "link-rate",
         .type = PV_OPTION_REAL,
         .value = &r.link_gb,
         .unit = "GB/s",
         .minimum = 1e-3,
         .maximum = 1e5,
         .help = "That a GPU sends inside its node."},
        {.name = "network-rate",
         .type = PV_OPTION_REAL,
         .value = &r.network_gb,
         .unit = "GB/s",
         .minimum = 1e-3,
         .maximum = 1e5,
         .help = "That a GPU sends to other nodes."},
        {.name = "network-efficiency",
         .type = PV_OPTION_REAL,
         .value = &r.network_efficiency,
         .minimum = 0.01,
         .maximum = 1.0,
         .only = "dns",
         .help = "of the network's rate, when all send to all."},
        {.name = "message-overhead",
         .type = PV_OPTION_REAL,
         .value = &r.message_us,
         .unit = "us",
         .minimum = 0.0,
         .maximum = 1e6,
         .only = "dns",
         .help = "of a message to a GPU of another node."},
        {.name = "exchange-overhead",
         .type = PV_OPTION_REAL,
         .value = &r.exchange_us,
         .unit = "us",
         .minimum = 0.0,
         .maximum = 1e6,
         .only = "dns",
         .help = "of an exchange among GPUs, whatever its size."},
        {.name = "node-gpus",
         .type = PV_OPTION_INT,
         .value = &r.node,
         .minimum = 1,
         .maximum = 1024,
         .help = "GPUs of a node."},
        {.name = "gpu-memory",
         .type = PV_OPTION_REAL,
         .value = &r.device_gb,
         .unit = "GB",
         .minimum = 0.0,
         .maximum = 1e5,
         .help = "Of a GPU; 0: of an H200, dns: 150, dft: 140, as far as others leave it free."},
    };
    const int count = sizeof options / sizeof options[0];
    const pv_manual manual = {.name = "plan",
                              .summary = "forecast memory and time of a run",
                              .synopsis = synopsis,
                              .description = description,
                              .options = options,
                              .option_count = count,
                              .examples = examples};
    int help = 0;
    PV_TRY(pv_options_parse(options, count, 1, &argc, argv, &help));
    if (help && pv_rank_speaks()) pv_manual_print(stdout, &manual);
    if (help) return PV_OK;
    PV_REQUIRE(argc >= 2, PV_ERR_ARGUMENT, "what shall be planned? dft DIR and dns CASE.ini are accepted");
    const int is_dft = strcmp(argv[1], "dft") == 0;
    PV_REQUIRE(is_dft || strcmp(argv[1], "dns") == 0, PV_ERR_ARGUMENT,
               "there is no plan for '%s'; dft and dns are accepted", argv[1]);
    PV_REQUIRE(argc == 3, PV_ERR_ARGUMENT, "%d %s given; one is needed", argc - 2,
               is_dft ? "folders or POSCARs" : "parameter files");
    return is_dft ? plan_dft(argv[2], &r) : plan_dns(argv[2], &r);
}
