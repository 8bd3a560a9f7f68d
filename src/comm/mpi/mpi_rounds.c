// SPDX-License-Identifier: Apache-2.0
// Pairwise and ring: in the order of rounds, few messages at a time. The earliest message that is not complete is
// always posted on both its ends, hence no set of ranks can block each other.
#include "comm/mpi/mpi_rounds.h"

#include "base/mem.h"
#include "comm/mpi/mpi_exchange.h"
#include "comm/mpi/mpi_patience.h"

enum { DEPTH = 4 };          // messages in flight each way

typedef struct pv_mpi_rounds {
    const pv_mpi_way *way;
    pv_mpi_legs legs;
    const char *send;
    char *receive;
    int next_send, next_receive, left;
    MPI_Request requests[2 * DEPTH];   // sends, then receives
    int peers[2 * DEPTH];              // of those requests
    struct pv_mpi_rounds *after;       // in the list of those in flight
} rounds;

// The next message of the slot's direction, if there is one.
static pv_status post(const pv_mpi_comm *mpi, rounds *state, int slot)
{
    const pv_mpi_legs *legs = &state->legs;
    if (slot < DEPTH && state->next_send < legs->send_count) {
        const pv_mpi_leg *leg = &legs->send[state->next_send++];
        state->peers[slot] = leg->peer;
        PV_MPI_TRY(MPI_Isend(state->send + leg->offset_bytes, leg->bytes, MPI_BYTE, leg->peer, legs->tag, mpi->comm,
                             &state->requests[slot]));
    } else if (slot >= DEPTH && state->next_receive < legs->receive_count) {
        const pv_mpi_leg *leg = &legs->receive[state->next_receive++];
        state->peers[slot] = leg->peer;
        PV_MPI_TRY(MPI_Irecv(state->receive + leg->offset_bytes, leg->bytes, MPI_BYTE, leg->peer, legs->tag, mpi->comm,
                             &state->requests[slot]));
    }
    return PV_OK;
}

static pv_status advance(pv_mpi_comm *mpi, rounds *state)
{
    for (;;) {
        int count, slots[2 * DEPTH];
        PV_MPI_TRY(MPI_Testsome(2 * DEPTH, state->requests, &count, slots, MPI_STATUSES_IGNORE));
        if (count == MPI_UNDEFINED || count == 0) return PV_OK;
        for (int i = 0; i < count; i++) PV_TRY(post(mpi, state, slots[i]));
        state->left -= count;
        mpi->arrived += (uint64_t)count;
    }
}

pv_status pv_mpi_rounds_advance(pv_mpi_comm *mpi)
{
    for (rounds **link = &mpi->in_flight; *link;) {
        rounds *state = *link;
        PV_TRY(advance(mpi, state));
        if (state->left == 0) *link = state->after;
        else link = &state->after;
    }
    return PV_OK;
}

static pv_status create(pv_exchange *exchange, const pv_mpi_way *way, pv_schedule schedule)
{
    rounds *state;
    PV_TRY(PV_ALLOC(1, &state));
    state->way = way;
    for (int slot = 0; slot < 2 * DEPTH; slot++) state->requests[slot] = MPI_REQUEST_NULL;
    const size_t piece_bytes = ((const pv_mpi_comm *)exchange->comm->state)->piece_bytes;
    const pv_status status = pv_mpi_legs_create(exchange, schedule, piece_bytes, &state->legs);
    if (status != PV_OK) {
        pv_mem_free(state);
        return status;
    }
    exchange->state = state;
    return PV_OK;
}

static pv_status create_pairwise(pv_exchange *exchange)
{
    return create(exchange, &pv_mpi_pairwise, PV_SCHEDULE_PAIRWISE);
}

static pv_status create_ring(pv_exchange *exchange)
{
    return create(exchange, &pv_mpi_ring, PV_SCHEDULE_RING);
}

static void destroy(pv_exchange *exchange)
{
    pv_mpi_comm *mpi = exchange->comm->state;
    rounds *state = exchange->state;
    for (rounds **link = &mpi->in_flight; *link;) {
        if (*link == state) *link = state->after;
        else link = &(*link)->after;
    }
    for (int slot = 0; slot < 2 * DEPTH; slot++) pv_mpi_drop(&state->requests[slot], slot >= DEPTH);
    pv_mpi_legs_destroy(&state->legs);
    pv_mem_free(state);
}

static pv_status start(pv_exchange *exchange, pv_stream *stream, const void *send, void *receive)
{
    (void)stream;
    pv_mpi_comm *mpi = exchange->comm->state;
    rounds *state = exchange->state;
    state->send = send;
    state->receive = receive;
    state->next_send = state->next_receive = 0;
    state->left = state->legs.send_count + state->legs.receive_count;
    if (state->left == 0) return PV_OK;
    for (int slot = 2 * DEPTH - 1; slot >= 0; slot--) PV_TRY(post(mpi, state, slot));
    state->after = mpi->in_flight;
    mpi->in_flight = state;
    return PV_OK;
}

static int is_done(const pv_exchange *exchange)
{
    const rounds *state = exchange->state;
    return state->left == 0;
}

static void list_missing(const pv_exchange *exchange, pv_mpi_missing *missing)
{
    const rounds *state = exchange->state;
    for (int slot = 0; slot < 2 * DEPTH; slot++)
        if (state->requests[slot] != MPI_REQUEST_NULL) pv_mpi_missing_add(missing, slot >= DEPTH, state->peers[slot]);
}

const pv_mpi_way pv_mpi_pairwise = {.name = "pairwise", .create = create_pairwise, .destroy = destroy, .start = start,
                                    .is_done = is_done, .list_missing = list_missing};
const pv_mpi_way pv_mpi_ring = {.name = "ring", .create = create_ring, .destroy = destroy, .start = start,
                                .is_done = is_done, .list_missing = list_missing};
