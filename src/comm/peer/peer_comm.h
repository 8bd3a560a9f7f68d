// SPDX-License-Identifier: Apache-2.0
// Ranks of a node reach the memory of each other's GPUs, by kernels and by copies; everything else goes through MPI.
#ifndef PV_COMM_PEER_PEER_COMM_H
#define PV_COMM_PEER_PEER_COMM_H

#include "comm/shared/inbox_exchange.h"

// The state is that of the shared transport: which ranks are of the node.
pv_status pv_peer_open(pv_comm *comm, const pv_comm_setup *setup);

// The same with windows of another kind: what it is made of, and the opening, which ends in `join`.
#define PV_PEER_OPS(transport, create, destroy)                                                                        \
    {                                                                                                                  \
        .name = transport, .close = pv_shared_close, .split = pv_shared_split, .barrier = pv_mpi_barrier,              \
        .reduce = pv_mpi_reduce, .broadcast = pv_mpi_broadcast, .gather = pv_mpi_gather,                               \
        .exchange_create = pv_inbox_exchange_create, .exchange_destroy = pv_inbox_exchange_destroy,                    \
        .exchange_start = pv_inbox_exchange_start, .exchange_progress = pv_inbox_exchange_progress,                    \
        .exchange_join = pv_inbox_exchange_join, .window_create = create, .window_destroy = destroy,                   \
    }
pv_status pv_peer_open_as(pv_comm *comm, const pv_comm_setup *setup, const pv_comm_ops *ops,
                          pv_status (*join)(pv_comm *comm));
// Sets the text of the communicator; `means`: what memory of the node is reached by. Collective.
pv_status pv_peer_describe(pv_comm *comm, const char *means);

// peer_window.c
pv_status pv_peer_window_create(pv_window *window);
void pv_peer_window_destroy(pv_window *window);

#endif
