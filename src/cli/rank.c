// SPDX-License-Identifier: Apache-2.0
#include "cli/rank.h"

#include <limits.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

int pv_rank_mpi_runs(void)
{
    int started = 0, ended = 0;
    MPI_Initialized(&started);
    MPI_Finalized(&ended);
    return started && !ended;
}

// `otherwise` when no launcher has set any of the names to a number.
static int number_from_launcher(const char *const names[], size_t count, int otherwise)
{
    for (size_t i = 0; i < count; i++) {
        const char *text = getenv(names[i]);
        char *end;
        const long number = text ? strtol(text, &end, 10) : -1;
        if (number >= 0 && number <= INT_MAX && end > text && *end == '\0') return (int)number;
    }
    return otherwise;
}

// Without MPI a program must still print once under a launcher.
static int rank_from_launcher(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
    return number_from_launcher(names, sizeof names / sizeof names[0], 0);
}

int pv_rank_launched_together(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
    const int size = number_from_launcher(names, sizeof names / sizeof names[0], 0);
    return size > 1 ? size : 1;
}

// A job's own variables last: a launcher that it starts leaves them as they are.
int pv_rank_local(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK",
                                        "PMI_LOCAL_RANK", "PALS_LOCAL_RANKID", "FLUX_TASK_LOCAL_ID", "SLURM_LOCALID"};
    return number_from_launcher(names, sizeof names / sizeof names[0], -1);
}

// Tasks of node `node`, from 0, in Slurm's "4(x2),3"; 0: not told.
static int tasks_on_node(const char *text, int node)
{
    for (const char *at = text; *at;) {
        char *end;
        const long tasks = strtol(at, &end, 10);
        long nodes = 1;
        if (end == at) return 0;
        if (strncmp(end, "(x", 2) == 0) nodes = strtol(end + 2, &end, 10);
        if (*end == ')') end++;
        if (node < nodes) return (int)tasks;
        node -= (int)nodes;
        at = *end == ',' ? end + 1 : end;
        if (at == end && *at) return 0;
    }
    return 0;
}

int pv_rank_local_size(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE",
                                        "PMI_LOCAL_SIZE", "PALS_LOCAL_SIZE"};
    const int size = number_from_launcher(names, sizeof names / sizeof names[0], 0);
    const char *tasks = getenv("SLURM_STEP_TASKS_PER_NODE"), *node = getenv("SLURM_NODEID");
    return size > 0 || !tasks ? size : tasks_on_node(tasks, node ? atoi(node) : 0);
}

int pv_rank_of_process(void)
{
    if (!pv_rank_mpi_runs()) return rank_from_launcher();
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int pv_rank_speaks(void)
{
    return pv_rank_of_process() == 0;
}

int pv_rank_node_size(void)
{
    MPI_Comm node;
    int size = 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &size);
    MPI_Comm_free(&node);
    return size;
}

pv_status pv_rank_open_device(const char *name, pv_device **device_p)
{
    char numbered[32];
    int count = 0;
    const int local = pv_rank_local();
    if (strcmp(name, "cuda") != 0 || local < 0) return pv_device_open(name, device_p);
    PV_TRY(pv_device_count(name, &count));
    snprintf(numbered, sizeof numbered, "cuda:%d", count > 0 ? local % count : 0);
    return pv_device_open(numbered, device_p);
}

pv_status pv_rank_agree(pv_status mine)
{
    int failed = mine != PV_OK, any_failed = 0;
    MPI_Allreduce(&failed, &any_failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return any_failed && !failed ? PV_ERR_PEER : mine;
}
