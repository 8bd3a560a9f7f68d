// SPDX-License-Identifier: Apache-2.0
// One MPI_Ialltoallv, where its counts and offsets fit into int.
#include <limits.h>

#include "base/log.h"
#include "base/mem.h"
#include "comm/left.h"
#include "comm/mpi/mpi_exchange.h"
#include "comm/mpi/mpi_patience.h"

typedef struct alltoall {
    const pv_mpi_way *way;
    MPI_Datatype unit;
    size_t first_sent, first_received;   // where the counted offsets begin
    int *numbers;                        // four arrays, one number a rank
    int *send_counts, *send_offsets, *receive_counts, *receive_offsets;
    MPI_Request request;
} alltoall;

static size_t first_offset(const pv_message_list *list)
{
    size_t first = list->count > 0 ? list->messages[0].offset_bytes : 0;
    for (int i = 1; i < list->count; i++)
        if (list->messages[i].offset_bytes < first) first = list->messages[i].offset_bytes;
    return first;
}

static size_t bits_of(const pv_message_list *list)
{
    const size_t first = first_offset(list);
    size_t bits = 0;
    for (int i = 0; i < list->count; i++) bits |= list->messages[i].bytes | (list->messages[i].offset_bytes - first);
    return bits;
}

// The largest power of two that all counts and offsets of this rank share: the larger, the more fits into int. MPI
// compares bytes only, so every rank may have its own.
static int unit_bytes(const pv_exchange *exchange)
{
    const size_t bits = bits_of(&exchange->send) | bits_of(&exchange->receive) | (size_t)1 << 20;
    return (int)(bits & (~bits + 1));
}

static int64_t fits(const pv_message_list *list, size_t unit)
{
    const size_t first = first_offset(list);
    for (int i = 0; i < list->count; i++)
        if (list->messages[i].bytes / unit > INT_MAX || (list->messages[i].offset_bytes - first) / unit > INT_MAX)
            return 0;
    return 1;
}

static void count_units(const pv_message_list *list, size_t unit, int *counts, int *offsets)
{
    const size_t first = first_offset(list);
    for (int i = 0; i < list->count; i++) {
        const pv_message *message = &list->messages[i];
        counts[message->rank] = (int)(message->bytes / unit);
        offsets[message->rank] = (int)((message->offset_bytes - first) / unit);
    }
}

static pv_status prepare(const pv_exchange *exchange, int unit, alltoall *state)
{
    const size_t size = (size_t)exchange->comm->size;
    PV_TRY(PV_ALLOC(4 * size, &state->numbers));
    state->send_counts = state->numbers;
    state->send_offsets = state->numbers + size;
    state->receive_counts = state->numbers + 2 * size;
    state->receive_offsets = state->numbers + 3 * size;
    state->first_sent = first_offset(&exchange->send);
    state->first_received = first_offset(&exchange->receive);
    count_units(&exchange->send, (size_t)unit, state->send_counts, state->send_offsets);
    count_units(&exchange->receive, (size_t)unit, state->receive_counts, state->receive_offsets);
    PV_MPI_TRY(MPI_Type_contiguous(unit, MPI_BYTE, &state->unit));
    PV_MPI_TRY(MPI_Type_commit(&state->unit));
    return PV_OK;
}

static void destroy(pv_exchange *exchange)
{
    alltoall *state = exchange->state;
    int finalized = 0;
    (void)MPI_Finalized(&finalized);
    if (!finalized && state->unit != MPI_DATATYPE_NULL) (void)MPI_Type_free(&state->unit);
    pv_free_or_leave(state->numbers, state->request != MPI_REQUEST_NULL);
    pv_mem_free(state);
}

static pv_status create(pv_exchange *exchange)
{
    pv_comm *comm = exchange->comm;
    const int unit = unit_bytes(exchange);
    int64_t all_fit = fits(&exchange->send, (size_t)unit) && fits(&exchange->receive, (size_t)unit);
    PV_TRY(pv_comm_reduce_i64(comm, PV_MIN, 1, &all_fit));
    if (!all_fit) {
        if (comm->rank == 0)
            pv_log(PV_LOG_INFO, "an exchange is too large for MPI_Alltoallv: persistent requests instead");
        return pv_mpi_persistent.create(exchange);
    }
    alltoall *state;
    PV_TRY(PV_ALLOC(1, &state));
    *state = (alltoall){.way = &pv_mpi_alltoall, .unit = MPI_DATATYPE_NULL, .request = MPI_REQUEST_NULL};
    exchange->state = state;
    const pv_status status = prepare(exchange, unit, state);
    if (status != PV_OK) destroy(exchange);
    return status;
}

// Open MPI takes equal addresses for MPI_IN_PLACE, and both buffers may well begin at one address: hence each begins
// with its first message, or lies somewhere of its own when it has none.
static pv_status start(pv_exchange *exchange, pv_stream *stream, const void *send, void *receive)
{
    (void)stream;
    const pv_mpi_comm *mpi = exchange->comm->state;
    alltoall *state = exchange->state;
    const void *from = exchange->send.count > 0 ? (const char *)send + state->first_sent : (void *)state->send_counts;
    void *to = exchange->receive.count > 0 ? (char *)receive + state->first_received : (void *)state->receive_counts;
    PV_MPI_TRY(MPI_Ialltoallv(from, state->send_counts, state->send_offsets, state->unit, to, state->receive_counts,
                              state->receive_offsets, state->unit, mpi->comm, &state->request));
    return PV_OK;
}

static pv_status progress(pv_exchange *exchange, int block, int *done)
{
    alltoall *state = exchange->state;
    *done = 1;
    static const char others[] = "the other ranks to come to an exchange";
    if (block) return pv_mpi_wait(exchange->comm, &state->request, "pv_exchange_wait", others);
    PV_MPI_TRY(MPI_Test(&state->request, done, MPI_STATUS_IGNORE));
    return PV_OK;
}

const pv_mpi_way pv_mpi_alltoall = {
    .name = "alltoall", .create = create, .destroy = destroy, .start = start, .progress = progress};
