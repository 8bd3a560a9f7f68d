// SPDX-License-Identifier: Apache-2.0
// Sums and broadcasts of arrays of the device go in pieces by one of two ways, each with room that it keeps: where all
// ranks reach each other's memory every rank reads what the others have in their windows (arrays_near.c), else it is
// exchanged (arrays_far.c). Both add in the order of ranks. Up to a size every rank adds everything; beyond, each adds
// a share for all, which moves fewer bytes at the cost of a second meeting.
#ifndef PV_COMM_ARRAYS_H
#define PV_COMM_ARRAYS_H

#include "comm/arrays_kernels.h"
#include "comm/comm_ops.h"

#define PV_ARRAYS_LEAST ((int64_t)1 << 9)  // numbers that there is room for at least
#define PV_ARRAYS_MOST ((int64_t)1 << 20)  // of a piece

// Whether every rank adds everything: what that moves beyond shares takes no longer than a meeting.
static inline int pv_arrays_adds_all(int ranks, int64_t count) { return (ranks - 2) * count <= (int64_t)1 << 19; }

static inline int64_t pv_arrays_share(int ranks, int64_t count) { return (count + ranks - 1) / ranks; }

pv_status pv_arrays_add(pv_stream *stream, pv_brought brought, int64_t offset, int ranks, int64_t count, double *to);
pv_status pv_arrays_join(pv_stream *stream, pv_brought brought, int64_t offset, int64_t share, int64_t count,
                         double *to);

typedef struct pv_arrays_near pv_arrays_near;
// *near_p is made, or made anew, as a piece wants it; count is at most PV_ARRAYS_MOST numbers. Collective.
pv_status pv_arrays_near_sum(pv_comm *comm, pv_stream *stream, int64_t count, double *values, pv_arrays_near **near_p);
pv_status pv_arrays_near_broadcast(pv_comm *comm, pv_stream *stream, size_t bytes, void *data, pv_arrays_near **near_p);
void pv_arrays_near_destroy(pv_arrays_near *near); // collective

typedef struct pv_arrays_far pv_arrays_far;
pv_status pv_arrays_far_sum(pv_comm *comm, pv_stream *stream, int64_t count, double *values, pv_arrays_far **far_p);
pv_status pv_arrays_far_broadcast(pv_comm *comm, pv_stream *stream, size_t bytes, void *data, pv_arrays_far **far_p);
void pv_arrays_far_destroy(pv_arrays_far *far); // collective on GPUs

// What a communicator keeps for these; NULL is harmless.
void pv_comm_arrays_destroy(struct pv_comm_arrays *arrays);

#endif
