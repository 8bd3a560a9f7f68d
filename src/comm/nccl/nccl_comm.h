// SPDX-License-Identifier: Apache-2.0
// Exchanges by NCCL's sends and receives on a stream, one GPU a rank; bootstrap, barriers and reductions by MPI.
#ifndef PV_COMM_NCCL_NCCL_COMM_H
#define PV_COMM_NCCL_NCCL_COMM_H

#include <nccl.h>

#include "comm/life_guard.h"
#include "comm/mpi/mpi_comm.h"

typedef struct pv_nccl_comm {
    pv_mpi_comm mpi;         // first: the entries of the mpi transport serve here too
    ncclComm_t nccl;         // NULL once it has been ended because a rank was late
    pv_process *processes;   // of this node, [process_count]; NULL: not watched
    int process_count;
    pv_life_guard guard;
} pv_nccl_comm;

pv_status pv_nccl_open(pv_comm *comm, const pv_comm_setup *setup);

// nccl_exchange.c
pv_status pv_nccl_exchange_create(pv_exchange *exchange);
void pv_nccl_exchange_destroy(pv_exchange *exchange);
pv_status pv_nccl_exchange_start(pv_exchange *exchange, pv_stream *stream, const void *send, void *receive);
pv_status pv_nccl_exchange_progress(pv_exchange *exchange, int block, int *done);
pv_status pv_nccl_exchange_join(pv_exchange *exchange, pv_stream *stream);

#endif
