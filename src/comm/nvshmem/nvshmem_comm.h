// SPDX-License-Identifier: Apache-2.0
// As peer, with windows from NVSHMEM's heap, messages of the node by its puts, and no CUDA IPC.
#ifndef PV_COMM_NVSHMEM_NVSHMEM_COMM_H
#define PV_COMM_NVSHMEM_NVSHMEM_COMM_H

#include "comm/mpi/mpi_comm.h"

pv_status pv_nvshmem_open(pv_comm *comm, const pv_comm_setup *setup);

// nvshmem_window.c
pv_status pv_nvshmem_window_create(pv_window *window);
void pv_nvshmem_window_destroy(pv_window *window);

#endif
