// SPDX-License-Identifier: Apache-2.0
// NVSHMEM runs once a process, among the ranks of the node that open it together, and to the end of the process. All
// memory is one symmetric heap, taken at the start: its parts need not be the same on all ranks, nor be asked for by
// all.
#ifndef PV_COMM_NVSHMEM_NVSHMEM_WORLD_H
#define PV_COMM_NVSHMEM_NVSHMEM_WORLD_H

#include "comm/shared/shared_comm.h"

// Starts NVSHMEM, or finds that these ranks have started it together before. Collective.
pv_status pv_nvshmem_join(pv_comm *comm);

// A part of the heap of this rank; said to others as (pe, offset). Local.
pv_status pv_nvshmem_take(size_t bytes, size_t *offset_p);
void pv_nvshmem_give_back(size_t offset);
int pv_nvshmem_pe(void);
// The address by which this rank stores to a place in the heap of another, NULL: it does not reach it.
void *pv_nvshmem_address(int pe, size_t offset);

// Copies to an address of pv_nvshmem_address by a kernel, in the order of a stream.
pv_status pv_nvshmem_put(pv_stream *stream, void *to, const void *from, size_t bytes);

#endif
