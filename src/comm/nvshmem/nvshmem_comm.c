// SPDX-License-Identifier: Apache-2.0
#include "comm/nvshmem/nvshmem_comm.h"

#include <stdio.h>

#include "base/check.h"
#include "comm/cuda/gpus_apart.h"
#include "comm/nvshmem/nvshmem_load.h"
#include "comm/nvshmem/nvshmem_world.h"
#include "comm/peer/peer_comm.h"

static const pv_comm_ops ops = {
    .name = "nvshmem",
    .close = pv_shared_close,
    .split = pv_shared_split,
    .barrier = pv_mpi_barrier,
    .reduce = pv_mpi_reduce,
    .broadcast = pv_mpi_broadcast,
    .gather = pv_mpi_gather,
    .exchange_create = pv_peer_exchange_create,
    .exchange_destroy = pv_peer_exchange_destroy,
    .exchange_start = pv_peer_exchange_start,
    .exchange_progress = pv_peer_exchange_progress,
    .exchange_join = pv_peer_exchange_join,
    .window_create = pv_nvshmem_window_create,
    .window_destroy = pv_nvshmem_window_destroy,
};

static void describe(pv_comm *comm)
{
    char beyond[64] = "";
    if (comm->node_size < comm->size) snprintf(beyond, sizeof beyond, "; beyond, messages go by MPI");
    snprintf(comm->text, sizeof comm->text, "nvshmem: memory of %d of %d ranks by NVSHMEM %s without multicast%s",
             comm->node_size, comm->size, pv_nvshmem_version(), beyond);
}

static pv_status join(pv_comm *comm)
{
    const pv_nvshmem_plugin *plugin;
    PV_TRY(pv_comm_agree(comm, pv_nvshmem_load(&plugin)));
    PV_TRY(pv_gpus_check_apart(comm, "nvshmem"));
    PV_TRY(pv_comm_agree(comm, comm->node_size > 1 ? pv_nvshmem_join(comm) : PV_OK));
    PV_TRY(pv_mpi_describe(comm));
    describe(comm);
    return PV_OK;
}

pv_status pv_nvshmem_open(pv_comm *comm, const pv_comm_setup *setup)
{
    PV_TRY(pv_shared_open(comm, setup));
    comm->ops = &ops;
    ((pv_shared_comm *)comm->state)->put = pv_nvshmem_put;
    const pv_status status = join(comm);
    if (status != PV_OK) pv_shared_close(comm);
    return status;
}
