// SPDX-License-Identifier: Apache-2.0
#include "comm/peer/peer_comm.h"

#include <stdio.h>

#include "base/check.h"

static const pv_comm_ops ops = {
    .name = "peer",
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
    .window_create = pv_peer_window_create,
    .window_destroy = pv_peer_window_destroy,
};

static void describe(pv_comm *comm)
{
    char by_mpi[sizeof comm->text];
    snprintf(by_mpi, sizeof by_mpi, "%s", comm->text);
    const char *beyond = by_mpi + sizeof "peer: " - 1;
    snprintf(comm->text, sizeof comm->text, "peer: memory of %d of %d ranks by CUDA IPC%s%.90s", comm->node_size, comm->size,
             comm->node_size < comm->size ? "; beyond, " : "", comm->node_size < comm->size ? beyond : "");
}

pv_status pv_peer_open(pv_comm *comm, const pv_comm_setup *setup)
{
    PV_TRY(pv_shared_open(comm, setup));
    comm->ops = &ops;
    const pv_status status = pv_mpi_describe(comm);
    if (status == PV_OK) describe(comm);
    else pv_shared_close(comm);
    return status;
}
