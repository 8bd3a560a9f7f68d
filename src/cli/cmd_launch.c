// SPDX-License-Identifier: Apache-2.0
// parseval launch: puts each rank of a node beside its GPU, and becomes the program.
#include "cli/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/options.h"
#include "cli/launch/environment.h"
#include "cli/launch/print.h"
#include "cli/launch/table.h"
#include "cli/manual.h"
#include "cli/rank.h"
#include "cli/topology/find.h"

static const char synopsis[] = "mpirun -n RANKS --bind-to none parseval launch [OPTIONS] -- COMMAND [ARGUMENTS]\n"
                               "srun --cpu-bind=none parseval launch [OPTIONS] -- COMMAND [ARGUMENTS]\n"
                               "parseval launch --print --ranks N [--topology FILE] [OPTIONS]\n";

static const char description[] =
    "Started once a rank by mpirun or srun, it finds the rank's place on its node, binds the\n"
    "process to it and becomes COMMAND, whose exit status is its own. A place is a GPU, the\n"
    "cores of the part of the machine that the GPU hangs on, and the network card nearest to the\n"
    "GPU by PCI topology, as hwloc tells. The number of the rank on its node and how many there are\n"
    "come from Open MPI, MPICH and its kin, PMI or Slurm; --ranks gives the latter where none of\n"
    "them tells it.\n"
    "\n"
    "GPUs: rank i of a node takes the i-th by PCI address, or the i-th of --gpus or of a\n"
    "CUDA_VISIBLE_DEVICES that is set already (numbers or UUIDs). With fewer GPUs than ranks,\n"
    "neighbouring ranks share. Ranks see their own GPU alone.\n"
    "Cores: ranks beside the same part of the machine divide its cores; without GPUs they\n"
    "divide those of the node. Cores that a control group withholds are left out. Where the\n"
    "launcher has bound the ranks already, a rank keeps to that, and is told so once; mpirun\n"
    "--bind-to none, srun --cpu-bind=none or --rebind leave the choice to this command.\n"
    "Network cards: those with verbs and an active port; equally near ones are taken in turn.\n"
    "\n"
    "Sets CUDA_VISIBLE_DEVICES, with numbers CUDA_DEVICE_ORDER, and, unless they are set,\n"
    "UCX_NET_DEVICES, NCCL_IB_HCA (the cards of all ranks, the same everywhere) and\n"
    "OMP_NUM_THREADS (cores that the rank is bound to).\n"
    "\n"
    "--table FILE holds lines of five words: rank of the node, GPU by number, cores as 0-3,8,\n"
    "NUMA node, network card. * is what is chosen for such a GPU and such cores, - is none, #\n"
    "begins a remark. With * for the cores, ranks of the same NUMA node divide it. --print prints\n"
    "such a table.\n";

static const char examples[] =
    "mpirun -n 8 --bind-to none parseval launch -- parseval fft --device cuda --shape 512x512x512\n"
    "parseval launch --print --ranks 8\n"
    "parseval launch --print --ranks 8 --gpus 3,2,1,0,7,6,5,4 >node.table\n"
    "mpirun -n 8 --bind-to none parseval launch --table node.table -- ./program\n"
    "lstopo --of xml node.xml          # there; then here:\n"
    "parseval launch --print --json --ranks 4 --topology node.xml\n";

enum { MOST_RANKS = 4096 };

typedef struct request {
    int print, json, verbose, rebind;
    const char *table, *gpus, *topology;
    int64_t ranks;
    char **command; // NULL: none
} request;

// ---- Request ------------------------------------------------------------------------------------------------------

// What follows "--" is not ours to read.
static void split_command(int *argc, char **argv, request *r)
{
    for (int i = 1; i < *argc; i++) {
        if (strcmp(argv[i], "--") != 0) continue;
        if (i + 1 < *argc) r->command = argv + i + 1;
        *argc = i;
        argv[i] = NULL;
        return;
    }
}

static pv_status check(int argc, char **argv, const request *r)
{
    PV_REQUIRE(argc == 1, PV_ERR_ARGUMENT, "'%s': the command to start comes after --, as in: parseval launch -- %s",
               argv[1], argv[1]);
    PV_REQUIRE(r->command || r->print || r->json, PV_ERR_ARGUMENT, "there is no command after --, and no --print");
    PV_REQUIRE(!r->command || !(r->print || r->json), PV_ERR_ARGUMENT,
               "--print and --json start no command; --verbose prints the table and starts it");
    PV_REQUIRE(!r->command || !r->topology, PV_ERR_ARGUMENT,
               "--topology describes another machine, on which nothing can be started: --print shows its table");
    return PV_OK;
}

static pv_status parse(int argc, char **argv, request *r, int *help_p)
{
    const pv_option options[] = {
        {.name = "print", .type = PV_OPTION_FLAG, .value = &r->print, .help = "Print the table and start nothing."},
        {.name = "json", .type = PV_OPTION_FLAG, .value = &r->json, .help = "The same as one JSON object."},
        {.name = "verbose",
         .type = PV_OPTION_FLAG,
         .value = &r->verbose,
         .help = "Print the table on standard error, once a node, and start the command."},
        {.name = "ranks",
         .type = PV_OPTION_INT,
         .value = &r->ranks,
         .unit = "N",
         .minimum = 0,
         .maximum = MOST_RANKS,
         .help = "Ranks of the node; 0: as the launcher says, without one as many as GPUs."},
        {.name = "gpus",
         .type = PV_OPTION_TEXT,
         .value = &r->gpus,
         .unit = "LIST",
         .help = "GPUs by number in the order of the ranks, such as 3,2,1,0,7,6,5,4."},
        {.name = "table",
         .type = PV_OPTION_TEXT,
         .value = &r->table,
         .unit = "FILE",
         .help = "Places given by hand, for machines whose order is odd."},
        {.name = "rebind",
         .type = PV_OPTION_FLAG,
         .value = &r->rebind,
         .help = "Overrule a binding that the launcher has made."},
        {.name = "topology",
         .type = PV_OPTION_TEXT,
         .value = &r->topology,
         .unit = "FILE",
         .help = "With --print: another machine, as lstopo --of xml has written it."},
    };
    const int count = sizeof options / sizeof options[0];
    const pv_manual manual = {.name = "launch",
                              .summary = "start a program with each rank beside its GPU, cores and network card",
                              .synopsis = synopsis,
                              .description = description,
                              .options = options,
                              .option_count = count,
                              .examples = examples,
                              .more_exits = "126  COMMAND cannot be started\n"
                                            "127  COMMAND is not found\n"};
    split_command(&argc, argv, r);
    PV_TRY(pv_options_parse(options, count, 1, &argc, argv, help_p));
    if (!*help_p) return check(argc, argv, r);
    if (pv_rank_speaks()) pv_manual_print(stdout, &manual);
    return PV_OK;
}

static pv_status count_ranks(const request *r, int local_rank, int choice_count, int *ranks_p)
{
    const int told = pv_rank_local_size(), together = pv_rank_launched_together();
    int ranks = r->ranks > 0 ? (int)r->ranks : told;
    if (ranks == 0 && local_rank < 0) ranks = choice_count > 0 && !r->command ? choice_count : 1;
    PV_REQUIRE(!r->command || local_rank >= 0 || together == 1, PV_ERR_ARGUMENT,
               "the launcher says that it has started %d ranks, not which of its node this one is; SLURM_LOCALID, "
               "PMI_LOCAL_RANK or MPI_LOCALRANKID says it",
               together);
    PV_REQUIRE(ranks > 0, PV_ERR_ARGUMENT,
               "the launcher says that this is rank %d of its node, not how many there are; --ranks N says it",
               local_rank);
    PV_REQUIRE(ranks >= told && ranks <= MOST_RANKS, PV_ERR_ARGUMENT,
               "--ranks %d: the launcher has started %d on this node; so many and more are accepted, up to %d",
               (int)r->ranks, told, MOST_RANKS);
    // Of this rank alone.
    PV_REQUIRE(local_rank < ranks, PV_ERR_MISMATCH, "this is rank %d of its node, counted from 0, and there are %d",
               local_rank, ranks);
    *ranks_p = ranks;
    return PV_OK;
}

// ---- Start --------------------------------------------------------------------------------------------------------

static int contains(const cpu_set_t *all, const cpu_set_t *part)
{
    cpu_set_t common;
    CPU_AND(&common, all, part);
    return CPU_EQUAL(&common, part);
}

// The binding becomes what the process gets.
static pv_status bind(const request *r, int local_rank, pv_binding *mine)
{
    const cpu_set_t *wanted = &mine->cpus;
    cpu_set_t now, target = *wanted;
    char asked[256], kept[256];
    PV_REQUIRE(sched_getaffinity(0, sizeof now, &now) == 0, PV_ERR_DEVICE, "the cores of this process are not told: %s",
               strerror(errno));
    if (!r->rebind && !contains(&now, wanted)) {
        CPU_AND(&target, &now, wanted);
        if (CPU_COUNT(&target) == 0) target = now;
        pv_cpu_list_print(wanted, asked, sizeof asked);
        pv_cpu_list_print(&target, kept, sizeof kept);
        if (local_rank <= 0)
            fprintf(
                stderr,
                "parseval launch: rank %d of the node was bound before: it keeps processors %s of %s; --bind-to none "
                "(srun: --cpu-bind=none) or --rebind gives it all\n",
                local_rank < 0 ? 0 : local_rank, kept, asked);
    }
    pv_cpu_list_print(&target, kept, sizeof kept);
    PV_REQUIRE(sched_setaffinity(0, sizeof target, &target) == 0, PV_ERR_DEVICE, "binding to processors %s: %s", kept,
               strerror(errno));
    if (!CPU_EQUAL(&target, &mine->cpus)) mine->core_sharers = 1; // as far as is known
    mine->cpus = target;
    return PV_OK;
}

// A status as main.c takes it.
static int start(const request *r, const pv_topology *topology, int ranks, pv_binding *bindings, int local_rank)
{
    const int mine = local_rank < 0 ? 0 : local_rank;
    pv_launch_variable variables[PV_LAUNCH_VARIABLES];
    PV_TRY(bind(r, local_rank, &bindings[mine]));
    if (r->verbose && mine == 0) pv_launch_print_table(stderr, topology, ranks, bindings);
    pv_launch_environment(topology, ranks, bindings, mine, variables);
    for (int i = 0; i < PV_LAUNCH_VARIABLES; i++)
        if (variables[i].is_set) (void)setenv(variables[i].name, variables[i].value, 1);
    execvp(r->command[0], r->command);
    const int error = errno;
    (void)pv_fail(PV_ERR_INPUT, __func__, "'%s' cannot be started: %s", r->command[0], strerror(error));
    return error == ENOENT ? PV_CMD_NOT_FOUND : PV_CMD_NOT_STARTED;
}

static int use(const request *r, const pv_topology *topology, int ranks, pv_binding *bindings, int local_rank)
{
    if (r->command) return start(r, topology, ranks, bindings, local_rank);
    if (local_rank > 0) return PV_OK;
    if (r->json) return pv_launch_print_json(stdout, topology, ranks, bindings);
    pv_launch_print_table(stdout, topology, ranks, bindings);
    return PV_OK;
}

static int run(const request *r, const pv_topology *topology)
{
    const int local_rank = pv_rank_local();
    int count = 0, ranks = 0;
    pv_gpu_choice *choices = NULL;
    pv_binding *bindings = NULL;
    int status;
    PV_TRY_GOTO(pv_gpu_choices_make(topology, getenv("CUDA_VISIBLE_DEVICES"), &count, &choices), status, done);
    if (r->gpus) PV_TRY_GOTO(pv_gpu_choices_order(r->gpus, &count, choices), status, done);
    PV_TRY_GOTO(count_ranks(r, local_rank, count, &ranks), status, done);
    PV_TRY_GOTO(PV_ALLOC(ranks, &bindings), status, done);
    PV_TRY_GOTO(pv_bindings_make(r->table, topology, count, choices, ranks, bindings), status, done);
    status = use(r, topology, ranks, bindings, local_rank);

done:
    pv_mem_free(bindings);
    pv_mem_free(choices);
    return status;
}

int pv_cmd_launch(int argc, char **argv)
{
    request r = {0};
    int help = 0;
    PV_TRY(parse(argc, argv, &r, &help));
    if (help) return PV_OK;
    pv_topology *topology;
    PV_TRY(pv_topology_read(r.topology, &topology));
    const int status = run(&r, topology);
    pv_topology_destroy(topology);
    return status;
}
