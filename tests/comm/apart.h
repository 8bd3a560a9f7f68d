// SPDX-License-Identifier: Apache-2.0
// A device for machines without one: memory of the host, taken for memory that is not, and streams that run late. What
// streams are given is kept and runs bit by bit, one stream and then another by chance, when somebody waits or looks:
// whatever is not ordered by a stream, an event, a counter or a wait comes in another order sooner or later. Copies,
// too, read and write when they run, as those of pinned memory do. Ranks of a node have windows by transport "shared".
#ifndef PV_TESTS_COMM_APART_H
#define PV_TESTS_COMM_APART_H

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "base/check.h"
#include "base/clock.h"
#include "device/device_ops.h"
#include "device/kernel.h"
#include "harness.h"

enum { APART_STREAMS = 64 };

struct apart_stream;

// A copy, zeros (from NULL), a kernel, a wait until another stream has done what it had been given, or a post to
// counters or a wait for them.
typedef struct apart_task {
    void *to;
    const void *from;
    size_t bytes;
    const pv_kernel *kernel;
    int threads;
    int64_t count;
    void *arguments;
    const struct apart_stream *other;
    uint64_t until;
    enum { APART_NO_COUNTERS, APART_POST, APART_WAIT } counters;
    pv_flag_set set;
    uint64_t value;
    double limit_s, begun_s;   // of a wait, from the first look
    struct apart_task *next;
} apart_task;

typedef struct apart_stream {
    int is_taken;
    uint64_t given, done;      // tasks, of all that have had this place
    apart_task *first, *last;
} apart_stream;

typedef struct apart_event {
    const apart_stream *stream;
    uint64_t at;
} apart_event;

static apart_stream apart_streams[APART_STREAMS];
static char apart_failure[160]; // of a wait that was late; "": none

static inline unsigned apart_chance(unsigned below)
{
    static unsigned state = 1;
    state = state * 1103515245u + 12345u;
    return (state >> 16) % below;
}

static inline void apart_give(const pv_stream *stream, apart_task task)
{
    apart_stream *to = stream->state;
    apart_task *given = malloc(sizeof *given);
    *given = task;
    if (to->first) to->last->next = given;
    else to->first = given;
    to->last = given;
    to->given++;
}

// ---- Counters -------------------------------------------------------------------------------------------------------

static inline int apart_is_named(const pv_flag_set *set, int entry)
{
    return entry != set->skip && set->flags[entry];
}

static inline uint64_t apart_next(const apart_task *task, int entry)
{
    const pv_flag_set *set = &task->set;
    return task->value == PV_FLAG_NEXT ? set->last[entry] + 1 : task->value + (set->base ? *set->base : 0);
}

static inline void apart_post(const apart_task *task)
{
    const pv_flag_set *set = &task->set;
    for (int entry = set->first; entry < set->first + set->count; entry++) {
        if (!apart_is_named(set, entry)) continue;
        set->last[entry] = apart_next(task, entry);
        __atomic_store_n(set->flags[entry], set->last[entry], __ATOMIC_SEQ_CST);
    }
}

// Late ones fail once, and none waits until somebody has been told.
static inline int apart_may_go_on(apart_task *task)
{
    const pv_flag_set *set = &task->set;
    if (task->begun_s == 0) task->begun_s = pv_clock_s();
    for (int entry = set->first; entry < set->first + set->count && !apart_failure[0]; entry++) {
        if (!apart_is_named(set, entry)) continue;
        const uint64_t found = __atomic_load_n(set->flags[entry], __ATOMIC_SEQ_CST), wanted = apart_next(task, entry);
        if (found >= wanted) continue;
        if (pv_clock_s() - task->begun_s < task->limit_s) return 0;
        snprintf(apart_failure, sizeof apart_failure,
                 "waited %g s for counter %d from rank %d to reach %llu; it is %llu", task->limit_s, set->number, entry,
                 (unsigned long long)wanted, (unsigned long long)found);
    }
    for (int entry = set->first; entry < set->first + set->count; entry++)
        if (apart_is_named(set, entry)) set->last[entry] = apart_next(task, entry);
    return 1;
}

static inline pv_status apart_give_post(pv_stream *stream, const pv_flag_set *set, uint64_t value)
{
    apart_give(stream, (apart_task){.counters = APART_POST, .set = *set, .value = value});
    return PV_OK;
}

static inline pv_status apart_give_wait(pv_stream *stream, const pv_flag_set *set, uint64_t value, double limit_s)
{
    apart_give(stream, (apart_task){.counters = APART_WAIT, .set = *set, .value = value, .limit_s = limit_s});
    return PV_OK;
}

static inline pv_status apart_give_both(pv_stream *stream, const pv_flag_set *posted, const pv_flag_set *awaited,
                                        uint64_t value, double limit_s)
{
    (void)apart_give_post(stream, posted, value);
    return apart_give_wait(stream, awaited, value, limit_s);
}

static inline void apart_abandon(pv_device *device)
{
    (void)device;
}

static inline int apart_is_recorded(const pv_stream *stream)
{
    (void)stream;
    return 0;
}

// ---- Running --------------------------------------------------------------------------------------------------------

static inline int apart_run_first(apart_stream *stream)
{
    apart_task *task = stream->first;
    if (!task || (task->other && task->other->done < task->until)) return 0;
    if (task->counters == APART_WAIT && !apart_may_go_on(task)) return 0;
    if (task->counters == APART_POST) apart_post(task);
    else if (task->kernel) task->kernel->on_cpu(task->threads, task->count, task->arguments);
    else if (task->from) memcpy(task->to, task->from, task->bytes);
    else if (task->to) memset(task->to, 0, task->bytes);
    stream->first = task->next;
    stream->done++;
    free(task->arguments);
    free(task);
    return 1;
}

// Of any stream that need not wait; 0: there is none.
static inline int apart_run_one(void)
{
    const unsigned first = apart_chance(APART_STREAMS);
    for (unsigned i = 0; i < APART_STREAMS; i++)
        if (apart_run_first(&apart_streams[(first + i) % APART_STREAMS])) return 1;
    return 0;
}

static inline int apart_is_busy(void)
{
    for (int i = 0; i < APART_STREAMS; i++)
        if (apart_streams[i].first) return 1;
    return 0;
}

// Nothing runs while streams wait for counters: other ranks must go on.
static inline void apart_let_others(const pv_device *device)
{
    int waits = 0;
    for (int i = 0; i < APART_STREAMS; i++)
        waits |= apart_streams[i].first && apart_streams[i].first->counters == APART_WAIT;
    if (!waits) fail_msg("streams wait for each other");
    for (const pv_guard *guard = device->guards; guard; guard = guard->next)
        if (guard->progress) guard->progress(guard->context);
    sched_yield();
}

static inline pv_status apart_stream_wait(pv_stream *stream)
{
    const apart_stream *awaited = stream->state;
    while (awaited->first)
        if (!apart_run_one()) apart_let_others(stream->device);
    if (!apart_failure[0]) return PV_OK;
    const pv_status status = pv_fail(PV_ERR_TIMEOUT, __func__, "%s", apart_failure);
    apart_failure[0] = '\0';
    return status;
}

static inline pv_status apart_settle(pv_device *device)
{
    while (apart_is_busy())
        if (!apart_run_one()) apart_let_others(device);
    return PV_OK;
}

// ---- Ranks that wait in MPI -----------------------------------------------------------------------------------------

// Streams of a GPU go on while their rank waits in MPI for others, who may wait for what these streams post: so do
// these, by MPI's interface for profiling.
static inline int apart_await(int status, MPI_Request *request)
{
    int done = 0;
    while (status == MPI_SUCCESS && !done) {
        status = PMPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (!done && !apart_run_one()) sched_yield();
    }
    return status;
}

int MPI_Test(MPI_Request *request, int *done, MPI_Status *status)
{
    (void)apart_run_one();
    return PMPI_Test(request, done, status);
}

int MPI_Barrier(MPI_Comm comm)
{
    MPI_Request request;
    return apart_await(PMPI_Ibarrier(comm, &request), &request);
}

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    MPI_Request request;
    return apart_await(PMPI_Ibcast(data, count, type, root, comm, &request), &request);
}

int MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    MPI_Request request;
    return apart_await(PMPI_Iallreduce(send, receive, count, type, op, comm, &request), &request);
}

int MPI_Allgather(const void *send, int sent, MPI_Datatype send_type, void *receive, int received,
                  MPI_Datatype receive_type, MPI_Comm comm)
{
    MPI_Request request;
    return apart_await(
        PMPI_Iallgather(send, sent, send_type, receive, received, receive_type, comm, &request), &request);
}

int MPI_Alltoall(const void *send, int sent, MPI_Datatype send_type, void *receive, int received,
                 MPI_Datatype receive_type, MPI_Comm comm)
{
    MPI_Request request;
    return apart_await(PMPI_Ialltoall(send, sent, send_type, receive, received, receive_type, comm, &request),
                       &request);
}

// ---- Streams, copies, events ----------------------------------------------------------------------------------------

static inline pv_status apart_stream_create(pv_stream *stream)
{
    int place = 0;
    while (place < APART_STREAMS && apart_streams[place].is_taken) place++;
    assert_true(place < APART_STREAMS);
    apart_streams[place].is_taken = 1;
    stream->state = &apart_streams[place];
    return PV_OK;
}

static inline void apart_stream_destroy(pv_stream *stream)
{
    (void)apart_stream_wait(stream);
    ((apart_stream *)stream->state)->is_taken = 0;
}

static inline pv_status apart_copy(pv_device *device, pv_stream *stream, void *to, const void *from, size_t bytes)
{
    pv_stream *on = stream ? stream : device->stream;
    apart_give(on, (apart_task){.to = to, .from = from, .bytes = bytes});
    return stream ? PV_OK : apart_stream_wait(on);
}

static inline pv_status apart_zero(pv_stream *stream, void *data, size_t bytes)
{
    apart_give(stream, (apart_task){.to = data, .bytes = bytes});
    return PV_OK;
}

static inline pv_status apart_launch(pv_stream *stream, const pv_kernel *kernel, int64_t count, const void *arguments)
{
    void *kept = malloc(kernel->argument_bytes);
    memcpy(kept, arguments, kernel->argument_bytes);
    apart_give(stream, (apart_task){
                           .kernel = kernel, .threads = stream->device->threads, .count = count, .arguments = kept});
    return PV_OK;
}

static inline pv_status apart_follow(pv_stream *later, pv_stream *earlier)
{
    const apart_stream *other = earlier->state;
    apart_give(later, (apart_task){.other = other, .until = other->given});
    return PV_OK;
}

static inline pv_status apart_event_create(pv_event *event)
{
    event->state = calloc(1, sizeof(apart_event));
    return PV_OK;
}

static inline void apart_event_destroy(pv_event *event)
{
    free(event->state);
}

static inline pv_status apart_event_record(pv_event *event, pv_stream *stream)
{
    const apart_stream *marked = stream->state;
    *(apart_event *)event->state = (apart_event){marked, marked->given};
    return PV_OK;
}

static inline pv_status apart_event_follow(pv_stream *later, pv_event *event)
{
    const apart_event *mark = event->state;
    if (mark->stream) apart_give(later, (apart_task){.other = mark->stream, .until = mark->at});
    return PV_OK;
}

// Two of three looks come before anything else has run.
static inline pv_status apart_event_test(pv_event *event, int *done)
{
    const apart_event *mark = event->state;
    if (apart_chance(3) == 0) (void)apart_run_one();
    *done = !mark->stream || mark->stream->done >= mark->at;
    return PV_OK;
}

static inline pv_status apart_event_seconds(pv_event *begin, pv_event *end, double *seconds_p)
{
    (void)begin, (void)end;
    *seconds_p = 0;
    return PV_OK;
}

// As on GPUs, nothing runs any more that might use it.
static inline void apart_free(pv_device *device, void *data, size_t bytes)
{
    (void)apart_settle(device);
    pv_device_cpu.free(device, data, bytes);
}

static inline pv_device *apart_open(void)
{
    static const pv_event_ops events = {apart_event_create, apart_event_destroy, apart_event_record,
                                        apart_event_follow, apart_event_test,    apart_event_seconds};
    static const pv_flag_ops flags = {apart_give_post, apart_give_wait, apart_give_both, apart_abandon,
                                      apart_is_recorded};
    static pv_device_ops ops;
    pv_device *device;
    assert_ok(pv_device_open("cpu:1", &device));
    ops = *device->ops;
    ops.is_host = 0;
    ops.events = &events;
    ops.flags = &flags;
    ops.settle = apart_settle;
    ops.free = ops.host_free = apart_free;
    ops.copy = apart_copy;
    ops.zero = apart_zero;
    ops.launch = apart_launch;
    ops.stream_create = apart_stream_create;
    ops.stream_destroy = apart_stream_destroy;
    ops.stream_wait = apart_stream_wait;
    ops.stream_follow = apart_follow;
    device->ops = &ops;
    assert_ok(apart_stream_create(device->stream));
    return device;
}

#endif
