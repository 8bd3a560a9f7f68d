// SPDX-License-Identifier: Apache-2.0
// A device for machines without one: memory of the host, taken for memory that is not, and streams that run late. What
// streams are given is kept and runs bit by bit, one stream and then another by chance, when somebody waits or looks:
// whatever is not ordered by a stream, an event or a wait comes in another order sooner or later. Copies, too, read
// and write when they run, as those of pinned memory do.
#ifndef PV_TESTS_COMM_APART_H
#define PV_TESTS_COMM_APART_H

#include <stdlib.h>
#include <string.h>

#include "device/device_ops.h"
#include "device/kernel.h"
#include "harness.h"

enum { APART_STREAMS = 64 };

struct apart_stream;

// A copy, zeros (from NULL), a kernel, or the wait until another stream has done what it had been given.
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

static inline int apart_run_first(apart_stream *stream)
{
    apart_task *task = stream->first;
    if (!task || (task->other && task->other->done < task->until)) return 0;
    if (task->kernel) task->kernel->on_cpu(task->threads, task->count, task->arguments);
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

static inline pv_status apart_stream_wait(pv_stream *stream)
{
    const apart_stream *awaited = stream->state;
    while (awaited->first)
        if (!apart_run_one()) fail_msg("streams wait for each other");
    return PV_OK;
}

static inline pv_status apart_settle(pv_device *device)
{
    (void)device;
    while (apart_run_one()) {}
    return PV_OK;
}

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
    static pv_device_ops ops;
    pv_device *device;
    assert_ok(pv_device_open("cpu:1", &device));
    ops = *device->ops;
    ops.name = "apart";
    ops.is_host = 0;
    ops.events = &events;
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
