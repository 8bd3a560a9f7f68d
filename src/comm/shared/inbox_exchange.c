// SPDX-License-Identifier: Apache-2.0
// Messages to ranks of the node go by the copy engine into an inbox of the receiver, a window, and from there to where
// he wants them. Counters order it all on the lanes: ARRIVED counts a sender's messages, CONSUMED those that the
// receiver has taken out, plus one, for an inbox is empty at first. What is not of the node is an exchange of its own
// by MPI.
#include "comm/shared/inbox_exchange.h"

#include "base/mem.h"
#include "comm/mpi/mpi_check.h"

enum { ARRIVED, CONSUMED };
enum { INBOX_ALIGN = 256 };

// One message between ranks of the node.
typedef struct near_message {
    int rank;
    size_t offset_bytes, bytes;     // in the caller's buffer
    char *inbox;                    // of the receiver
} near_message;

typedef struct inbox_exchange {
    int has_near, has_far;          // anywhere
    int send_count, receive_count;
    near_message *send, *receive;   // sends begin with the rank after this one
    pv_window *inbox;
    int64_t *offsets;               // [2][node_size]: in my inbox, in the others'
    pv_event *sent, *arrived;
    pv_exchange far;
} inbox_exchange;

static pv_status sort_out(const pv_exchange *exchange, const pv_message_list *all, pv_message_list *far, int *count_p,
                          near_message **near_p)
{
    const pv_shared_comm *shared = exchange->comm->state;
    PV_TRY(PV_ALLOC(all->count, &far->messages));
    PV_TRY(PV_ALLOC(all->count, near_p));
    for (int i = 0; i < all->count; i++) {
        const pv_message *message = &all->messages[i];
        if (shared->slots[message->rank] < 0) far->messages[far->count++] = *message;
        else (*near_p)[(*count_p)++] = (near_message){message->rank, message->offset_bytes, message->bytes, NULL};
    }
    return PV_OK;
}

// Lists are by ascending rank; turned so that not all ranks send to the same one first.
static pv_status turn_sends(int rank, inbox_exchange *state)
{
    near_message *turned;
    int first = 0;
    PV_TRY(PV_ALLOC(state->send_count, &turned));
    while (first < state->send_count && state->send[first].rank < rank) first++;
    for (int i = 0; i < state->send_count; i++) turned[i] = state->send[(first + i) % state->send_count];
    pv_mem_free(state->send);
    state->send = turned;
    return PV_OK;
}

static pv_status prepare(pv_exchange *exchange, inbox_exchange *state)
{
    pv_comm *comm = exchange->comm;
    state->far = (pv_exchange){.comm = comm};
    PV_TRY(sort_out(exchange, &exchange->send, &state->far.send, &state->send_count, &state->send));
    PV_TRY(sort_out(exchange, &exchange->receive, &state->far.receive, &state->receive_count, &state->receive));
    PV_TRY(turn_sends(comm->rank, state));
    PV_TRY(PV_ALLOC(2 * comm->node_size, &state->offsets));
    PV_TRY(pv_event_create(comm->device, &state->sent));
    return pv_event_create(comm->device, &state->arrived);
}

static size_t lay_out_inbox(const pv_comm *comm, inbox_exchange *state)
{
    const pv_shared_comm *shared = comm->state;
    size_t end = 0;
    for (int i = 0; i < state->receive_count; i++) {
        state->offsets[shared->slots[state->receive[i].rank]] = (int64_t)end;
        end += (state->receive[i].bytes + INBOX_ALIGN - 1) / INBOX_ALIGN * INBOX_ALIGN;
    }
    return end;
}

// The inboxes, empty ones.
static pv_status open_inboxes(pv_comm *comm, inbox_exchange *state)
{
    const pv_shared_comm *shared = comm->state;
    int64_t *mine = state->offsets, *theirs = mine + comm->node_size;
    PV_TRY(pv_window_create(comm, lay_out_inbox(comm, state), &state->inbox));
    PV_MPI_TRY(MPI_Alltoall(mine, 1, MPI_INT64_T, theirs, 1, MPI_INT64_T, shared->node));
    for (int i = 0; i < state->send_count; i++) {
        near_message *message = &state->send[i];
        message->inbox = (char *)pv_window_base(state->inbox, message->rank) + theirs[shared->slots[message->rank]];
    }
    for (int i = 0; i < state->receive_count; i++) {
        near_message *message = &state->receive[i];
        message->inbox = (char *)pv_window_base(state->inbox, comm->rank) + mine[shared->slots[message->rank]];
        PV_TRY(pv_window_post_on(state->inbox, comm->lane_in, message->rank, CONSUMED, PV_WINDOW_NEXT));
    }
    return PV_OK;
}

static void forget(inbox_exchange *state)
{
    pv_window_destroy(state->inbox);
    pv_event_destroy(state->sent);
    pv_event_destroy(state->arrived);
    pv_message_list_destroy(&state->far.send);
    pv_message_list_destroy(&state->far.receive);
    pv_mem_free(state->offsets);
    pv_mem_free(state->send);
    pv_mem_free(state->receive);
    pv_mem_free(state);
}

static pv_status open(pv_exchange *exchange, inbox_exchange *state)
{
    pv_comm *comm = exchange->comm;
    PV_TRY(pv_comm_agree(comm, prepare(exchange, state)));
    int64_t has[2] = {state->send_count + state->receive_count > 0,
                      state->far.send.count + state->far.receive.count > 0};
    PV_TRY(pv_comm_reduce_i64(comm, PV_MAX, 2, has));
    state->has_near = has[0] != 0;
    if (state->has_near) PV_TRY(pv_comm_agree(comm, open_inboxes(comm, state)));
    if (has[1]) PV_TRY(pv_mpi_exchange_create(&state->far));
    state->has_far = has[1] != 0;
    return PV_OK;
}

pv_status pv_inbox_exchange_create(pv_exchange *exchange)
{
    inbox_exchange *state = NULL;
    PV_TRY(pv_comm_agree(exchange->comm, PV_ALLOC(1, &state)));
    const pv_status status = open(exchange, state);
    if (status == PV_OK) exchange->state = state;
    else forget(state);
    return status;
}

void pv_inbox_exchange_destroy(pv_exchange *exchange)
{
    inbox_exchange *state = exchange->state;
    if (state->has_far) pv_mpi_exchange_destroy(&state->far);
    forget(state);
}

static pv_status send_near(pv_comm *comm, inbox_exchange *state, const char *send)
{
    const pv_shared_comm *shared = comm->state;
    pv_status (*put)(pv_stream *, void *, const void *, size_t) = shared->put ? shared->put : pv_stream_copy;
    for (int i = 0; i < state->send_count; i++) {
        const near_message *message = &state->send[i];
        PV_TRY(pv_window_wait_on(state->inbox, comm->lane_out, message->rank, CONSUMED, PV_WINDOW_NEXT));
        PV_TRY(put(comm->lane_out, message->inbox, send + message->offset_bytes, message->bytes));
        PV_TRY(pv_window_post_on(state->inbox, comm->lane_out, message->rank, ARRIVED, PV_WINDOW_NEXT));
    }
    return pv_event_record(state->sent, comm->lane_out);
}

static pv_status receive_near(pv_comm *comm, inbox_exchange *state, char *receive)
{
    for (int i = 0; i < state->receive_count; i++) {
        const near_message *message = &state->receive[i];
        PV_TRY(pv_window_wait_on(state->inbox, comm->lane_in, message->rank, ARRIVED, PV_WINDOW_NEXT));
        PV_TRY(pv_stream_copy(comm->lane_in, receive + message->offset_bytes, message->inbox, message->bytes));
        PV_TRY(pv_window_post_on(state->inbox, comm->lane_in, message->rank, CONSUMED, PV_WINDOW_NEXT));
    }
    return pv_event_record(state->arrived, comm->lane_in);
}

pv_status pv_inbox_exchange_start(pv_exchange *exchange, pv_stream *stream, const void *send, void *receive)
{
    pv_comm *comm = exchange->comm;
    inbox_exchange *state = exchange->state;
    if (state->has_far) PV_TRY(pv_mpi_exchange_start(&state->far, stream, send, receive));
    if (!state->has_near) return PV_OK;
    PV_TRY(pv_stream_follow(comm->lane_out, stream));
    PV_TRY(send_near(comm, state, send));
    // A wait for others comes after what they wait for: nothing says that two branches of a graph run at once.
    PV_TRY(pv_stream_follow(comm->lane_in, comm->lane_out));
    return receive_near(comm, state, receive);
}

pv_status pv_inbox_exchange_progress(pv_exchange *exchange, int block, int *done)
{
    inbox_exchange *state = exchange->state;
    *done = 1;
    if (state->has_far) PV_TRY(pv_mpi_exchange_progress(&state->far, block, done));
    if (*done && state->has_near) PV_TRY(pv_event_test(state->sent, done));
    if (*done && state->has_near) PV_TRY(pv_event_test(state->arrived, done));
    return PV_OK;
}

pv_status pv_inbox_exchange_join(pv_exchange *exchange, pv_stream *stream)
{
    inbox_exchange *state = exchange->state;
    if (state->has_far) PV_TRY(pv_mpi_exchange_join(&state->far, stream));
    if (!state->has_near) return PV_OK;
    PV_TRY(pv_stream_follow_event(stream, state->sent));
    return pv_stream_follow_event(stream, state->arrived);
}
