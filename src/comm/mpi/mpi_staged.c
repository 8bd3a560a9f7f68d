// SPDX-License-Identifier: Apache-2.0
// Exchanges whose messages stop over in memory of the host: a few pieces each way, so that copies from the device,
// messages and copies to the device overlap. The slots for pieces belong to the communicator. An exchange gets one when
// those started before it need none any more, hence the earliest piece that is not complete always has one on both its
// ends, and no set of ranks can block each other.
#include <sched.h>

#include "base/mem.h"
#include "comm/left.h"
#include "comm/mpi/mpi_exchange.h"
#include "comm/mpi/mpi_patience.h"
#include "comm/mpi/mpi_stage.h"

enum { SLOTS = 4 };                       // each way
#define SLOT_BYTES ((size_t)4 << 20)

typedef struct staged {
    const pv_mpi_way *way;
    pv_mpi_legs legs;
    const char *send;
    char *receive;
    int next_send, next_receive;          // legs that have no slot yet
    int sends_left, receives_left;        // legs that have not left, and not arrived in a slot
    int landing;                          // copies to the device on their way
    struct staged *after;                 // started next of those in flight
} staged;

typedef enum slot_state { FREE, COPYING, TRAVELLING } slot_state;

typedef struct slot {
    slot_state state;
    char *memory;
    pv_event *copied;
    staged *owner;
    const pv_mpi_leg *leg;
    MPI_Request request;
} slot;

typedef struct pv_mpi_stage {
    pv_buffer *memory;
    slot send[SLOTS], receive[SLOTS];
    uint64_t taken, posted;               // slots for sends in turn: pieces must leave in the order of the legs
    staged *first;                        // of those in flight
    pv_device *device;
    pv_guard guard;
} stage;

static void keep_going(void *comm)
{
    (void)pv_mpi_stage_advance(comm);
}

static pv_status prepare_slot(pv_device *device, char *memory, slot *made)
{
    made->memory = memory;
    made->request = MPI_REQUEST_NULL;
    return pv_event_create(device, &made->copied);
}

static pv_status prepare_stage(pv_comm *comm, stage *made)
{
    made->device = comm->device;
    PV_TRY(pv_buffer_create_host(comm->device, 2 * SLOTS * SLOT_BYTES, &made->memory));
    char *memory = pv_buffer_data(made->memory);
    for (int i = 0; i < SLOTS; i++) {
        PV_TRY(prepare_slot(comm->device, memory + (size_t)(2 * i) * SLOT_BYTES, &made->send[i]));
        PV_TRY(prepare_slot(comm->device, memory + (size_t)(2 * i + 1) * SLOT_BYTES, &made->receive[i]));
    }
    made->guard = (pv_guard){.progress = keep_going, .context = comm};
    pv_guard_set(comm->device, &made->guard);
    return PV_OK;
}

void pv_mpi_stage_destroy(stage *made, int is_lost)
{
    if (!made) return;
    pv_guard_lift(made->device, &made->guard);
    for (int i = 0; i < SLOTS; i++) {
        pv_event_destroy(made->send[i].copied);
        pv_event_destroy(made->receive[i].copied);
        pv_mpi_drop(&made->send[i].request, 0);
        pv_mpi_drop(&made->receive[i].request, 1);
    }
    pv_buffer_destroy_or_leave(made->memory, is_lost);
    pv_mem_free(made);
}

static pv_status find_stage(pv_comm *comm)
{
    pv_mpi_comm *mpi = comm->state;
    if (mpi->stage) return PV_OK;
    stage *made;
    PV_TRY(PV_ALLOC(1, &made));
    const pv_status status = prepare_stage(comm, made);
    if (status == PV_OK) mpi->stage = made;
    else pv_mpi_stage_destroy(made, 0);
    return status;
}

int pv_mpi_stage_is_busy(const stage *made)
{
    return made && made->first;
}

// The oldest copy, if it has ended.
static pv_status post_send(const pv_mpi_comm *mpi, int *posted)
{
    slot *on = &mpi->stage->send[mpi->stage->posted % SLOTS];
    *posted = 0;
    if (mpi->stage->posted == mpi->stage->taken) return PV_OK;
    PV_TRY(pv_event_test(on->copied, posted));
    if (!*posted) return PV_OK;
    PV_MPI_TRY(
        MPI_Isend(on->memory, on->leg->bytes, MPI_BYTE, on->leg->peer, on->owner->legs.tag, mpi->comm, &on->request));
    on->state = TRAVELLING;
    mpi->stage->posted++;
    return PV_OK;
}

static pv_status end_send(pv_comm *comm, slot *on)
{
    int done;
    if (on->state != TRAVELLING) return PV_OK;
    PV_MPI_TRY(MPI_Test(&on->request, &done, MPI_STATUS_IGNORE));
    if (!done) return PV_OK;
    ((pv_mpi_comm *)comm->state)->arrived++;
    on->owner->sends_left--;
    on->state = FREE;
    return PV_OK;
}

static pv_status advance_receive(pv_comm *comm, slot *on)
{
    int done;
    if (on->state == TRAVELLING) {
        PV_MPI_TRY(MPI_Test(&on->request, &done, MPI_STATUS_IGNORE));
        if (!done) return PV_OK;
        ((pv_mpi_comm *)comm->state)->arrived++;
        char *to = on->owner->receive + on->leg->offset_bytes;
        PV_TRY(pv_stream_copy(comm->lane_in, to, on->memory, (size_t)on->leg->bytes));
        PV_TRY(pv_event_record(on->copied, comm->lane_in));
        on->owner->receives_left--;
        on->owner->landing++;
        on->state = COPYING;
    }
    if (on->state == COPYING) {
        PV_TRY(pv_event_test(on->copied, &done));
        if (!done) return PV_OK;
        on->owner->landing--;
        on->state = FREE;
    }
    return PV_OK;
}

static pv_status take_send(pv_comm *comm, int *taken)
{
    stage *made = ((const pv_mpi_comm *)comm->state)->stage;
    slot *on = &made->send[made->taken % SLOTS];
    staged *owner = made->first;
    while (owner && owner->next_send == owner->legs.send_count) owner = owner->after;
    *taken = owner && on->state == FREE;
    if (!*taken) return PV_OK;
    const pv_mpi_leg *leg = &owner->legs.send[owner->next_send++];
    on->owner = owner;
    on->leg = leg;
    on->state = COPYING;
    made->taken++;
    PV_TRY(pv_stream_copy(comm->lane_out, on->memory, owner->send + leg->offset_bytes, (size_t)leg->bytes));
    return pv_event_record(on->copied, comm->lane_out);
}

static pv_status take_receive(pv_comm *comm, slot *on)
{
    const pv_mpi_comm *mpi = comm->state;
    staged *owner = mpi->stage->first;
    while (owner && owner->next_receive == owner->legs.receive_count) owner = owner->after;
    if (!owner) return PV_OK;
    const pv_mpi_leg *leg = &owner->legs.receive[owner->next_receive++];
    on->owner = owner;
    on->leg = leg;
    on->state = TRAVELLING;
    PV_MPI_TRY(MPI_Irecv(on->memory, leg->bytes, MPI_BYTE, leg->peer, owner->legs.tag, mpi->comm, &on->request));
    return PV_OK;
}

pv_status pv_mpi_stage_advance(pv_comm *comm)
{
    const pv_mpi_comm *mpi = comm->state;
    stage *made = mpi->stage;
    for (int i = 0; i < SLOTS; i++) {
        PV_TRY(advance_receive(comm, &made->receive[i]));
        if (made->receive[i].state == FREE) PV_TRY(take_receive(comm, &made->receive[i]));
        PV_TRY(end_send(comm, &made->send[i]));
    }
    int moved = 1;
    while (moved) PV_TRY(post_send(mpi, &moved));
    for (moved = 1; moved;) PV_TRY(take_send(comm, &moved));
    for (staged **link = &made->first; *link;) {
        if ((*link)->sends_left == 0 && (*link)->receives_left == 0) *link = (*link)->after;
        else link = &(*link)->after;
    }
    return PV_OK;
}

static void destroy(pv_exchange *exchange)
{
    staged *state = exchange->state;
    // Its slots look at it until its last copies have ended.
    while (state->landing > 0 && pv_mpi_stage_advance(exchange->comm) == PV_OK) sched_yield();
    pv_mpi_legs_destroy(&state->legs);
    pv_mem_free(state);
}

static pv_status create(pv_exchange *exchange)
{
    const pv_mpi_comm *mpi = exchange->comm->state;
    const size_t piece_bytes = mpi->piece_bytes < SLOT_BYTES ? mpi->piece_bytes : SLOT_BYTES;
    PV_TRY(find_stage(exchange->comm));
    staged *state;
    PV_TRY(PV_ALLOC(1, &state));
    state->way = &pv_mpi_staged;
    const pv_schedule schedule = mpi->schedule == PV_MPI_RING ? PV_SCHEDULE_RING : PV_SCHEDULE_PAIRWISE;
    const pv_status status = pv_mpi_legs_create(exchange, schedule, piece_bytes, &state->legs);
    if (status == PV_OK) exchange->state = state;
    else pv_mem_free(state);
    return status;
}

static pv_status start(pv_exchange *exchange, pv_stream *stream, const void *send, void *receive)
{
    pv_comm *comm = exchange->comm;
    const pv_mpi_comm *mpi = comm->state;
    staged *state = exchange->state;
    state->send = send;
    state->receive = receive;
    state->next_send = state->next_receive = 0;
    state->sends_left = state->legs.send_count;
    state->receives_left = state->legs.receive_count;
    state->after = NULL;
    PV_TRY(pv_stream_follow(comm->lane_out, stream));
    PV_TRY(pv_stream_follow(comm->lane_in, stream));
    staged **link = &mpi->stage->first;
    while (*link) link = &(*link)->after;
    *link = state;
    return pv_mpi_stage_advance(comm);
}

static int has_arrived(const pv_exchange *exchange)
{
    const staged *state = exchange->state;
    return state->sends_left == 0 && state->receives_left == 0;
}

static int is_done(const pv_exchange *exchange)
{
    const staged *state = exchange->state;
    return has_arrived(exchange) && state->landing == 0;
}

static pv_status join(pv_exchange *exchange, pv_stream *stream)
{
    return pv_stream_follow(stream, exchange->comm->lane_in);
}

static void list_missing(const pv_exchange *exchange, pv_mpi_missing *missing)
{
    const stage *made = ((const pv_mpi_comm *)exchange->comm->state)->stage;
    const staged *state = exchange->state;
    for (int i = 0; i < SLOTS; i++) {
        const slot *receive = &made->receive[i], *send = &made->send[i];
        if (receive->owner == state && receive->state == TRAVELLING) pv_mpi_missing_add(missing, 1, receive->leg->peer);
        if (send->owner == state && send->state != FREE) pv_mpi_missing_add(missing, 0, send->leg->peer);
    }
}

const pv_mpi_way pv_mpi_staged = {.name = "staged", .create = create, .destroy = destroy, .start = start,
                                  .is_done = is_done, .list_missing = list_missing, .has_arrived = has_arrived,
                                  .join = join};
