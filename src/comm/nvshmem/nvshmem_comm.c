// SPDX-License-Identifier: Apache-2.0
#include "comm/nvshmem/nvshmem_comm.h"

#include <stdio.h>

#include "base/check.h"
#include "comm/cuda/gpus_apart.h"
#include "comm/nvshmem/nvshmem_load.h"
#include "comm/nvshmem/nvshmem_world.h"
#include "comm/peer/peer_comm.h"

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
    ((pv_shared_comm *)comm->state)->put = pv_nvshmem_put;
    PV_TRY(pv_comm_agree(comm, pv_nvshmem_load(&plugin)));
    PV_TRY(pv_gpus_check_apart(comm, "nvshmem"));
    PV_TRY(pv_comm_agree(comm, comm->node_size > 1 ? pv_nvshmem_join(comm) : PV_OK));
    PV_TRY(pv_mpi_describe(comm));
    describe(comm);
    return PV_OK;
}

pv_status pv_nvshmem_open(pv_comm *comm, const pv_comm_setup *setup)
{
    static const pv_comm_ops ops = PV_PEER_OPS("nvshmem", pv_nvshmem_window_create, pv_nvshmem_window_destroy);
    return pv_peer_open_as(comm, setup, &ops, join);
}
