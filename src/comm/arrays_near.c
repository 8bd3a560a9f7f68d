// SPDX-License-Identifier: Apache-2.0
// A window has two halves, which pieces take in turn: after the meeting of a piece every rank has read what it wants of
// the piece before, so that one meeting a piece is enough.
#include "base/check.h"
#include "base/mem.h"
#include "comm/arrays.h"
#include "device/array.h"

enum { FLAG_BROUGHT };

struct pv_arrays_near {
    pv_comm *comm;
    int64_t room;            // numbers of a half
    pv_window *window;
    const double **bases;    // [size], on the device
    int half;                // of the next piece
};

void pv_arrays_near_destroy(pv_arrays_near *near)
{
    if (!near) return;
    pv_window_destroy(near->window);
    pv_array_destroy(near->comm->device, near->bases);
    pv_mem_free(near);
}

static pv_status list_bases(pv_arrays_near *near)
{
    const pv_comm *comm = near->comm;
    const double **bases = NULL;
    PV_TRY(PV_ARRAY(comm->device, "addresses of other ranks", comm->size, &near->bases));
    PV_TRY(PV_ALLOC(comm->size, &bases));
    for (int rank = 0; rank < comm->size; rank++) bases[rank] = pv_window_base(near->window, rank);
    const pv_status status = pv_array_write(comm->device, near->bases, bases, (size_t)comm->size * sizeof *bases);
    pv_mem_free(bases);
    return status;
}

static pv_status make(pv_comm *comm, int64_t count, pv_arrays_near **near_p)
{
    pv_arrays_near *near = NULL;
    PV_TRY(pv_comm_agree(comm, PV_ALLOC(1, &near)));
    near->comm = comm;
    near->room = PV_ARRAYS_LEAST;
    while (near->room < count) near->room *= 2;
    pv_status status = pv_window_create(comm, 2 * (size_t)near->room * sizeof(double), &near->window);
    if (status == PV_OK) status = pv_comm_agree(comm, list_bases(near));
    if (status != PV_OK) {
        pv_arrays_near_destroy(near);
        return status;
    }
    *near_p = near;
    return PV_OK;
}

static pv_status make_room(pv_comm *comm, int64_t count, pv_arrays_near **near_p)
{
    if (*near_p && (*near_p)->room >= count) return PV_OK;
    pv_arrays_near_destroy(*near_p);
    *near_p = NULL;
    return make(comm, count, near_p);
}

static int64_t take_half(pv_arrays_near *near)
{
    const int64_t offset = near->half * near->room;
    near->half = 1 - near->half;
    return offset;
}

static pv_status meet(const pv_arrays_near *near, pv_stream *stream)
{
    return pv_window_meet_on(near->window, stream, PV_WINDOW_PEERS, FLAG_BROUGHT, PV_WINDOW_NEXT);
}

static double *base_of(const pv_arrays_near *near, int rank) { return pv_window_base(near->window, rank); }

// What this rank adds for all takes the place of what it has brought, which nobody else reads there.
static pv_status sum_by_shares(const pv_arrays_near *near, pv_stream *stream, int64_t offset, int64_t count,
                               double *values)
{
    const pv_comm *comm = near->comm;
    const pv_brought brought = {.bases = near->bases};
    const int64_t share = pv_arrays_share(comm->size, count), first = comm->rank * share;
    const int64_t left = count - first, mine = left < 0 ? 0 : left < share ? left : share;
    double *added = base_of(near, comm->rank) + offset + first;
    PV_TRY(pv_arrays_add(stream, brought, offset + first, comm->size, mine, added));
    PV_TRY(meet(near, stream));
    return pv_arrays_join(stream, brought, offset, share, count, values);
}

pv_status pv_arrays_near_sum(pv_comm *comm, pv_stream *stream, int64_t count, double *values, pv_arrays_near **near_p)
{
    PV_TRY(make_room(comm, count, near_p));
    pv_arrays_near *near = *near_p;
    const int64_t offset = take_half(near);
    PV_TRY(pv_stream_copy(stream, base_of(near, comm->rank) + offset, values, (size_t)count * sizeof *values));
    PV_TRY(meet(near, stream));
    if (!pv_arrays_adds_all(comm->size, count)) return sum_by_shares(near, stream, offset, count, values);
    return pv_arrays_add(stream, (pv_brought){.bases = near->bases}, offset, comm->size, count, values);
}

pv_status pv_arrays_near_broadcast(pv_comm *comm, pv_stream *stream, size_t bytes, void *data, pv_arrays_near **near_p)
{
    PV_TRY(make_room(comm, (int64_t)((bytes + sizeof(double) - 1) / sizeof(double)), near_p));
    pv_arrays_near *near = *near_p;
    double *there = base_of(near, 0) + take_half(near);
    if (comm->rank == 0) PV_TRY(pv_stream_copy(stream, there, data, bytes));
    PV_TRY(meet(near, stream));
    return comm->rank == 0 ? PV_OK : pv_stream_copy(stream, data, there, bytes);
}
