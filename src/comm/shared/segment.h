// SPDX-License-Identifier: Apache-2.0
// One piece of System V shared memory that all ranks of a node attach. Its pages may be huge, which those of an MPI
// window in /dev/shm may not; see docs/decisions/0010-shared-windows.md.
#ifndef PV_COMM_SHARED_SEGMENT_H
#define PV_COMM_SHARED_SEGMENT_H

#include <mpi.h>
#include <stddef.h>

#include <parseval/status.h>

#define PV_HUGE_PAGE_BYTES ((size_t)2 << 20)

// Collective on `node`. The base here of `bytes` zeroed bytes, aligned to huge pages; NULL on all ranks, with the
// reason, when any of them cannot attach. The system frees the segment with its last process, whatever happens.
void *pv_segment_attach(MPI_Comm node, size_t bytes, const char **reason_p);
void pv_segment_detach(void *base);

// The owner of a part of shared memory takes its pages: near its core, huge where the system can, and now, so that a
// lack of memory is a status here and not a signal later.
pv_status pv_segment_take(void *part, size_t bytes);

#endif
