// SPDX-License-Identifier: Apache-2.0
#include "comm/nccl/nccl_comm.h"

#include <stddef.h>
#include <stdio.h>

#include "base/mem.h"
#include "comm/cuda/gpus_apart.h"
#include "comm/mpi/mpi_check.h"
#include "comm/nccl/nccl_check.h"
#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_device.h"

// NCCL's kernels wait for the other ranks without a limit of their own.
static void end_comm(void *context)
{
    pv_nccl_comm *state = (pv_nccl_comm *)((char *)context - offsetof(pv_nccl_comm, guard));
    if (state->nccl) (void)ncclCommAbort(state->nccl);
    state->nccl = NULL;
}

static void close(pv_comm *comm)
{
    pv_nccl_comm *state = comm->state;
    pv_guard_lift(comm->device, &state->guard.guard);
    pv_mem_free(state->processes);
    if (state->nccl && pv_cuda_use(comm->device) == PV_OK) (void)ncclCommDestroy(state->nccl);
    pv_mpi_comm_end(&state->mpi);
    pv_mem_free(state);
}

static pv_status check_version(int *version_p)
{
    PV_NCCL_TRY(ncclGetVersion(version_p));
    PV_REQUIRE(*version_p == NCCL_VERSION_CODE, PV_ERR_UNSUPPORTED,
               "NCCL's library is version %d, this build is for %d: load that one or build with the other's header",
               *version_p, NCCL_VERSION_CODE);
    return PV_OK;
}

static pv_status make_id(const pv_comm *comm, ncclUniqueId *id)
{
    if (comm->rank == 0) PV_NCCL_TRY(ncclGetUniqueId(id));
    return PV_OK;
}

static pv_status join(pv_comm *comm, pv_nccl_comm *state)
{
    int version = 0;
    ncclUniqueId id;
    PV_TRY(pv_comm_agree(comm, check_version(&version)));
    PV_TRY(pv_gpus_check_apart(comm, "nccl"));
    PV_TRY(pv_comm_agree(comm, make_id(comm, &id)));
    PV_TRY(pv_comm_broadcast(comm, 0, sizeof id, &id));
    PV_TRY(pv_cuda_use(comm->device));
    PV_NCCL_TRY(ncclCommInitRank(&state->nccl, comm->size, id, comm->rank));
    snprintf(comm->text, sizeof comm->text,
             "nccl: sends and receives by NCCL %d.%d.%d without multicast, the rest by MPI", version / 10000,
             version / 100 % 100, version % 100);
    return PV_OK;
}

static void watch_node(pv_comm *comm, pv_nccl_comm *state)
{
    MPI_Comm node;
    if (MPI_Comm_split_type(state->mpi.comm, MPI_COMM_TYPE_SHARED, comm->rank, MPI_INFO_NULL, &node) == MPI_SUCCESS) {
        state->processes = pv_process_gather(node, comm->rank);
        (void)MPI_Comm_size(node, &state->process_count);
        (void)MPI_Comm_free(&node);
    }
    pv_life_guard_set(&state->guard, comm->device, state->processes, state->process_count);
    state->guard.guard.release = end_comm;
    state->guard.guard.limit_s = comm->timeout_s;
}

// Takes `adopted`, also when it fails.
static pv_status open_on(pv_comm *comm, MPI_Comm adopted, pv_mpi_schedule schedule)
{
    pv_nccl_comm *state;
    pv_status status = PV_ALLOC(1, &state);
    if (status != PV_OK) {
        (void)MPI_Comm_free(&adopted);
        return status;
    }
    status = pv_mpi_comm_begin(&state->mpi, adopted, schedule);
    if (status != PV_OK) {
        pv_mem_free(state);
        return status;
    }
    watch_node(comm, state);
    comm->node_size = 1;
    comm->state = state;
    status = join(comm, state);
    if (status != PV_OK) close(comm);
    return status;
}

static pv_status split(pv_comm *comm, int color, int key, pv_comm *part)
{
    const pv_nccl_comm *parent = comm->state;
    MPI_Comm part_comm;
    PV_TRY(pv_mpi_comm_split(comm, color, key, part, &part_comm));
    return part->size > 0 ? open_on(part, part_comm, parent->mpi.schedule) : PV_OK;
}

static const pv_comm_ops ops = {
    .name = "nccl",
    .close = close,
    .split = split,
    .barrier = pv_mpi_barrier,
    .reduce = pv_mpi_reduce,
    .broadcast = pv_mpi_broadcast,
    .gather = pv_mpi_gather,
    .exchange_create = pv_nccl_exchange_create,
    .exchange_destroy = pv_nccl_exchange_destroy,
    .exchange_start = pv_nccl_exchange_start,
    .exchange_progress = pv_nccl_exchange_progress,
    .exchange_join = pv_nccl_exchange_join,
    .window_create = pv_window_create_private,
    .window_destroy = pv_window_destroy_private,
};

pv_status pv_nccl_open(pv_comm *comm, const pv_comm_setup *setup)
{
    MPI_Comm own;
    PV_MPI_TRY(MPI_Comm_dup(setup->comm, &own));
    comm->ops = &ops;
    return open_on(comm, own, setup->schedule);
}
