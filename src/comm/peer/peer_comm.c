// SPDX-License-Identifier: Apache-2.0
#include "comm/peer/peer_comm.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "comm/cuda/gpus_apart.h"

pv_status pv_peer_describe(pv_comm *comm, const char *means)
{
    char by_mpi[sizeof comm->text];
    PV_TRY(pv_mpi_describe(comm));
    snprintf(by_mpi, sizeof by_mpi, "%s", comm->text + strlen(comm->ops->name) + sizeof ": " - 1);
    const int is_all = comm->node_size == comm->size;
    snprintf(comm->text, sizeof comm->text, "%s: memory of %d of %d ranks by %.40s%s%.90s", comm->ops->name,
             comm->node_size, comm->size, means, is_all ? "" : "; beyond, ", is_all ? "" : by_mpi);
    return PV_OK;
}

static pv_status join(pv_comm *comm)
{
    int pair[2];
    PV_TRY(pv_peer_describe(comm, "CUDA IPC"));
    PV_TRY(pv_gpus_find_pair(comm, pair));
    comm->shares_device = pair[0] >= 0;
    return PV_OK;
}

pv_status pv_peer_open_as(pv_comm *comm, const pv_comm_setup *setup, const pv_comm_ops *ops,
                          pv_status (*join)(pv_comm *comm))
{
    PV_TRY(pv_shared_open(comm, setup));
    comm->ops = ops;
    const pv_status status = join(comm);
    if (status != PV_OK) pv_shared_close(comm);
    return status;
}

pv_status pv_peer_open(pv_comm *comm, const pv_comm_setup *setup)
{
    static const pv_comm_ops ops = PV_PEER_OPS("peer", pv_peer_window_create, pv_peer_window_destroy);
    return pv_peer_open_as(comm, setup, &ops, join);
}
