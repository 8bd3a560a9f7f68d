// SPDX-License-Identifier: Apache-2.0
// All messages at once by persistent requests, which belong to a pair of buffers: the last few pairs are kept.
#include <stdint.h>

#include "base/mem.h"
#include "comm/mpi/mpi_exchange.h"
#include "comm/mpi/mpi_patience.h"

enum { KEPT = 4 };

typedef struct binding {
    const void *send;
    void *receive;
    uint64_t last_use;      // 0: free
    MPI_Request *requests;  // receives, then sends
} binding;

typedef struct persistent {
    const pv_mpi_way *way;
    pv_mpi_legs legs;
    int count;
    int *found;             // [count]
    uint64_t uses;
    binding kept[KEPT];
    binding *active;
} persistent;

static void unbind(persistent *state, binding *bound)
{
    int finalized = 0;
    (void)MPI_Finalized(&finalized);
    for (int i = 0; i < state->count; i++)
        if (!finalized) pv_mpi_drop(&bound->requests[i], i < state->legs.receive_count);
    bound->last_use = 0;
}

static pv_status bind(const pv_mpi_comm *mpi, const pv_mpi_legs *legs, binding *bound, const void *send, void *receive)
{
    MPI_Request *request = bound->requests;
    for (int i = 0; i < legs->receive_count; i++) {
        const pv_mpi_leg *leg = &legs->receive[i];
        PV_MPI_TRY(MPI_Recv_init((char *)receive + leg->offset_bytes, leg->bytes, MPI_BYTE, leg->peer, legs->tag,
                                 mpi->comm, request++));
    }
    for (int i = 0; i < legs->send_count; i++) {
        const pv_mpi_leg *leg = &legs->send[i];
        PV_MPI_TRY(MPI_Send_init((const char *)send + leg->offset_bytes, leg->bytes, MPI_BYTE, leg->peer, legs->tag,
                                 mpi->comm, request++));
    }
    bound->send = send;
    bound->receive = receive;
    return PV_OK;
}

// The pair's own requests, or those used longest ago made anew.
static pv_status find(const pv_mpi_comm *mpi, persistent *state, const void *send, void *receive, binding **bound_p)
{
    binding *oldest = state->kept;
    for (int i = 0; i < KEPT; i++) {
        binding *bound = &state->kept[i];
        if (bound->last_use > 0 && bound->send == send && bound->receive == receive) {
            *bound_p = bound;
            return PV_OK;
        }
        if (bound->last_use < oldest->last_use) oldest = bound;
    }
    unbind(state, oldest);
    PV_TRY(bind(mpi, &state->legs, oldest, send, receive));
    *bound_p = oldest;
    return PV_OK;
}

static void destroy(pv_exchange *exchange)
{
    persistent *state = exchange->state;
    for (int i = 0; i < KEPT && state->kept[0].requests; i++) unbind(state, &state->kept[i]);
    pv_mem_free(state->kept[0].requests);
    pv_mem_free(state->found);
    pv_mpi_legs_destroy(&state->legs);
    pv_mem_free(state);
}

static pv_status prepare(const pv_exchange *exchange, persistent *state)
{
    const size_t piece_bytes = ((const pv_mpi_comm *)exchange->comm->state)->piece_bytes;
    PV_TRY(pv_mpi_legs_create(exchange, PV_SCHEDULE_PAIRWISE, piece_bytes, &state->legs));
    const size_t count = (size_t)state->legs.send_count + (size_t)state->legs.receive_count;
    PV_TRY(pv_int_from_size(count, "the number of requests of an exchange", &state->count));
    PV_TRY(PV_ALLOC(count, &state->found));
    MPI_Request *requests;
    PV_TRY(PV_ALLOC(KEPT * count, &requests));
    for (size_t i = 0; i < KEPT * count; i++) requests[i] = MPI_REQUEST_NULL;
    for (size_t i = 0; i < KEPT; i++) state->kept[i].requests = requests ? requests + i * count : NULL;
    return PV_OK;
}

static pv_status create(pv_exchange *exchange)
{
    persistent *state;
    PV_TRY(PV_ALLOC(1, &state));
    state->way = &pv_mpi_persistent;
    exchange->state = state;
    const pv_status status = prepare(exchange, state);
    if (status != PV_OK) destroy(exchange);
    return status;
}

static pv_status start(pv_exchange *exchange, pv_stream *stream, const void *send, void *receive)
{
    (void)stream;
    const pv_mpi_comm *mpi = exchange->comm->state;
    persistent *state = exchange->state;
    if (state->count == 0) return PV_OK;
    PV_TRY(find(mpi, state, send, receive, &state->active));
    state->active->last_use = ++state->uses;
    PV_MPI_TRY(MPI_Startall(state->count, state->active->requests));
    return PV_OK;
}

static pv_status give_up(const pv_exchange *exchange)
{
    const persistent *state = exchange->state;
    pv_mpi_missing missing = {0};
    for (int i = 0; i < state->count; i++) {
        const int is_receive = i < state->legs.receive_count;
        const pv_mpi_leg *leg = is_receive ? &state->legs.receive[i] : &state->legs.send[i - state->legs.receive_count];
        int done = 0;
        PV_MPI_TRY(MPI_Request_get_status(state->active->requests[i], &done, MPI_STATUS_IGNORE));
        if (!done) pv_mpi_missing_add(&missing, is_receive, leg->peer);
    }
    return pv_mpi_give_up_exchange(exchange->comm, &missing);
}

static pv_status wait_patiently(const pv_exchange *exchange)
{
    pv_mpi_comm *mpi = exchange->comm->state;
    const persistent *state = exchange->state;
    pv_patience patience = pv_patience_begin(exchange->comm);
    for (;;) {
        int count;
        PV_MPI_TRY(
            MPI_Testsome(state->count, state->active->requests, &count, state->found, MPI_STATUSES_IGNORE));
        if (count == MPI_UNDEFINED) return PV_OK;
        mpi->arrived += (uint64_t)count;
        if (count == 0 && !pv_patience_rest(&patience)) return give_up(exchange);
    }
}

static pv_status progress(pv_exchange *exchange, int block, int *done)
{
    persistent *state = exchange->state;
    *done = 1;
    if (state->count == 0) return PV_OK;
    if (block && exchange->comm->is_limited) return wait_patiently(exchange);
    if (block) PV_MPI_TRY(MPI_Waitall(state->count, state->active->requests, MPI_STATUSES_IGNORE));
    else PV_MPI_TRY(MPI_Testall(state->count, state->active->requests, done, MPI_STATUSES_IGNORE));
    return PV_OK;
}

const pv_mpi_way pv_mpi_persistent = {
    .name = "persistent", .create = create, .destroy = destroy, .start = start, .progress = progress};
