// SPDX-License-Identifier: Apache-2.0
// Exchanges are described once and run often: one for each power of two, which the numbers are filled up to.
#include "base/check.h"
#include "base/mem.h"
#include "comm/arrays.h"
#include "device/array.h"

enum { SIZES = 21 };

_Static_assert(PV_ARRAYS_MOST == (int64_t)1 << (SIZES - 1), "an exchange for each size of a piece");

struct pv_arrays_far {
    pv_comm *comm;
    double *out, *in;            // what is sent and what has come
    int64_t out_room, in_room;
    pv_exchange *scatter[SIZES]; // every rank's share to it
    pv_exchange *gather[SIZES];  // of all, or of their shares, to everybody
    pv_exchange *spread[SIZES];  // of rank 0 to everybody
};

void pv_arrays_far_destroy(pv_arrays_far *far)
{
    if (!far) return;
    for (int i = 0; i < SIZES; i++) {
        pv_exchange_destroy(far->scatter[i]);
        pv_exchange_destroy(far->gather[i]);
        pv_exchange_destroy(far->spread[i]);
    }
    pv_array_destroy(far->comm->device, far->out);
    pv_array_destroy(far->comm->device, far->in);
    pv_mem_free(far);
}

static int size_of(int64_t count)
{
    int size = 0;
    while ((int64_t)1 << size < count || (int64_t)1 << size < PV_ARRAYS_LEAST) size++;
    return size;
}

static pv_status grow(pv_device *device, int64_t wanted, int64_t *room, double **array_p)
{
    if (*room >= wanted) return PV_OK;
    pv_array_destroy(device, *array_p);
    *array_p = NULL;
    *room = 0;
    PV_TRY(PV_ARRAY(device, "sums over ranks", wanted, array_p));
    *room = wanted;
    return PV_OK;
}

static pv_status make_room(pv_comm *comm, pv_stream *stream, int64_t out, int64_t in, pv_arrays_far **far_p)
{
    pv_arrays_far *far = *far_p;
    if (far && far->out_room >= out && far->in_room >= in) return PV_OK;
    pv_status status = far ? pv_stream_wait(stream) : PV_ALLOC(1, &far);
    if (status == PV_OK) {
        far->comm = comm;
        *far_p = far;
        status = grow(comm->device, out, &far->out_room, &far->out);
    }
    if (status == PV_OK) status = grow(comm->device, in, &far->in_room, &far->in);
    return pv_comm_agree(comm, status);
}

// Each rank sends to all ranks `count` numbers, `send_step` apart, and has those of all side by side.
static pv_status make_all_to_all(pv_comm *comm, int64_t count, int64_t send_step, pv_exchange **exchange_p)
{
    const size_t bytes = (size_t)count * sizeof(double);
    pv_message *send = NULL, *receive = NULL;
    pv_status status = PV_ALLOC(comm->size, &send);
    if (status == PV_OK) status = PV_ALLOC(comm->size, &receive);
    status = pv_comm_agree(comm, status);
    for (int rank = 0; rank < comm->size && status == PV_OK; rank++) {
        send[rank] = (pv_message){rank, (size_t)(rank * send_step) * sizeof(double), bytes};
        receive[rank] = (pv_message){rank, (size_t)rank * bytes, bytes};
    }
    if (status == PV_OK) status = pv_exchange_create(comm, comm->size, send, comm->size, receive, exchange_p);
    pv_mem_free(send);
    pv_mem_free(receive);
    return status;
}

static pv_status make_spread(pv_comm *comm, size_t bytes, pv_exchange **exchange_p)
{
    const pv_message from_root = {0, 0, bytes};
    pv_message *send = NULL;
    const int others = comm->rank == 0 ? comm->size - 1 : 0;
    PV_TRY(pv_comm_agree(comm, PV_ALLOC(others, &send)));
    for (int i = 0; i < others; i++) send[i] = (pv_message){i + 1, 0, bytes};
    const pv_status status = pv_exchange_create(comm, others, send, comm->rank != 0, &from_root, exchange_p);
    pv_mem_free(send);
    return status;
}

static pv_status run(const pv_arrays_far *far, pv_exchange *exchange, pv_stream *stream)
{
    PV_TRY(pv_exchange_start_on(exchange, stream, far->out, far->in));
    return pv_exchange_wait_on(exchange, stream);
}

pv_status pv_arrays_far_sum(pv_comm *comm, pv_stream *stream, int64_t count, double *values, pv_arrays_far **far_p)
{
    const int size = size_of(count), ranks = comm->size;
    const int64_t whole = (int64_t)1 << size, share = pv_arrays_share(ranks, whole);
    const int adds_all = pv_arrays_adds_all(ranks, whole);
    const int64_t sent = adds_all ? whole : share; // of each rank, of what it has brought or added
    PV_TRY(make_room(comm, stream, ranks * share, ranks * sent, far_p));
    pv_arrays_far *far = *far_p;
    if (!far->gather[size]) PV_TRY(make_all_to_all(comm, sent, 0, &far->gather[size]));
    if (!adds_all && !far->scatter[size]) PV_TRY(make_all_to_all(comm, share, share, &far->scatter[size]));
    const pv_brought brought = {.inbox = far->in, .step = sent};
    PV_TRY(pv_stream_copy(stream, far->out, values, (size_t)count * sizeof *values));
    if (!adds_all) {
        PV_TRY(run(far, far->scatter[size], stream));
        PV_TRY(pv_arrays_add(stream, brought, 0, ranks, share, far->out));
    }
    PV_TRY(run(far, far->gather[size], stream));
    if (adds_all) return pv_arrays_add(stream, brought, 0, ranks, count, values);
    return pv_stream_copy(stream, values, far->in, (size_t)count * sizeof *values);
}

pv_status pv_arrays_far_broadcast(pv_comm *comm, pv_stream *stream, size_t bytes, void *data, pv_arrays_far **far_p)
{
    const int size = size_of((int64_t)((bytes + sizeof(double) - 1) / sizeof(double)));
    const int64_t whole = (int64_t)1 << size;
    PV_TRY(make_room(comm, stream, whole, whole, far_p));
    pv_arrays_far *far = *far_p;
    if (!far->spread[size]) PV_TRY(make_spread(comm, (size_t)whole * sizeof(double), &far->spread[size]));
    if (comm->rank == 0) PV_TRY(pv_stream_copy(stream, far->out, data, bytes));
    PV_TRY(run(far, far->spread[size], stream));
    return comm->rank == 0 ? PV_OK : pv_stream_copy(stream, data, far->in, bytes);
}
