// SPDX-License-Identifier: Apache-2.0
// The reference device: host memory, and streams whose work is complete when the call returns.
#include "device/device_ops.h"

#include <omp.h>
#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/free_memory.h"
#include "base/mem.h"
#include "device/kernel.h"

enum { MOST_THREADS = 4096 };

static pv_status count(int *count_p)
{
    *count_p = 1;
    return PV_OK;
}

static pv_status open(pv_device *device, int number)
{
    PV_REQUIRE(number == -1 || (number >= 1 && number <= MOST_THREADS), PV_ERR_ARGUMENT,
               "device \"%s\": 1 to %d threads are accepted", device->name, MOST_THREADS);
    device->threads = number == -1 ? omp_get_max_threads() : number;
    PV_REQUIRE(device->threads <= MOST_THREADS, PV_ERR_ARGUMENT,
               "OMP_NUM_THREADS gives device \"%s\" %d threads; 1 to %d are accepted", device->name, device->threads,
               MOST_THREADS);
    return PV_OK;
}

static void close(pv_device *device)
{
    (void)device;
}

static pv_status settle(pv_device *device)
{
    (void)device;
    return PV_OK;
}

static pv_status free_bytes(const pv_device *device, size_t *bytes_p)
{
    (void)device;
    *bytes_p = (size_t)pv_free_memory_bytes();
    return PV_OK;
}

static pv_status alloc(pv_device *device, size_t bytes, void **data_p)
{
    (void)device;
    return pv_mem_alloc_raw(bytes, 1, data_p);
}

static void release(pv_device *device, void *data, size_t bytes)
{
    (void)device, (void)bytes;
    pv_mem_free(data);
}

static pv_status copy(pv_device *device, pv_stream *stream, void *to, const void *from, size_t bytes)
{
    (void)device, (void)stream;
    memcpy(to, from, bytes);
    return PV_OK;
}

static pv_status zero(pv_stream *stream, void *data, size_t bytes)
{
    (void)stream;
    memset(data, 0, bytes);
    return PV_OK;
}

static pv_status stream_create(pv_stream *stream)
{
    (void)stream;
    return PV_OK;
}

static void stream_destroy(pv_stream *stream)
{
    (void)stream;
}

static pv_status stream_wait(pv_stream *stream)
{
    (void)stream;
    return PV_OK;
}

static pv_status stream_follow(pv_stream *later, pv_stream *earlier)
{
    (void)later, (void)earlier;
    return PV_OK;
}

static pv_status launch(pv_stream *stream, const pv_kernel *kernel, int64_t count, const void *arguments)
{
    kernel->on_cpu(stream->device->threads, count, arguments);
    return PV_OK;
}

// An event is the time of its mark.
static pv_status event_create(pv_event *event)
{
    double *at_s;
    PV_TRY(PV_ALLOC(1, &at_s));
    event->state = at_s;
    return PV_OK;
}

static void event_destroy(pv_event *event)
{
    pv_mem_free(event->state);
}

static pv_status event_record(pv_event *event, pv_stream *stream)
{
    (void)stream;
    *(double *)event->state = pv_clock_s();
    return PV_OK;
}

static pv_status event_follow(pv_stream *later, pv_event *event)
{
    (void)later, (void)event;
    return PV_OK;
}

static pv_status event_test(pv_event *event, int *done)
{
    (void)event;
    *done = 1;
    return PV_OK;
}

static pv_status event_seconds(pv_event *begin, pv_event *end, double *seconds_p)
{
    *seconds_p = *(const double *)end->state - *(const double *)begin->state;
    return PV_OK;
}

static const pv_event_ops events = {
    .create = event_create,
    .destroy = event_destroy,
    .record = event_record,
    .follow = event_follow,
    .test = event_test,
    .seconds = event_seconds,
};

static pv_status describe(int number, pv_device_facts *facts_p)
{
    (void)number, (void)facts_p;
    PV_FAIL(PV_ERR_UNSUPPORTED, "device cpu is the host itself");
}

static pv_status find_link(int number, int other, pv_device_link *link_p)
{
    (void)number, (void)other, (void)link_p;
    PV_FAIL(PV_ERR_UNSUPPORTED, "device cpu is the host itself");
}

static pv_status flags_post(pv_stream *stream, const pv_flag_set *set, uint64_t value)
{
    (void)set, (void)value;
    PV_FAIL(PV_ERR_UNSUPPORTED, "device %s has no counters; atomics serve there", stream->device->name);
}

static pv_status flags_wait(pv_stream *stream, const pv_flag_set *set, uint64_t value, double limit_s)
{
    (void)limit_s;
    return flags_post(stream, set, value);
}

static pv_status flags_meet(pv_stream *stream, const pv_flag_set *posted, const pv_flag_set *awaited, uint64_t value,
                            double limit_s)
{
    (void)awaited, (void)limit_s;
    return flags_post(stream, posted, value);
}

static void flags_abandon(pv_device *device)
{
    (void)device;
}

static int flags_is_recorded(const pv_stream *stream)
{
    (void)stream;
    return 0;
}

static const pv_flag_ops flags = {.post = flags_post,
                                  .wait = flags_wait,
                                  .meet = flags_meet,
                                  .abandon = flags_abandon,
                                  .is_recorded = flags_is_recorded};

const pv_device_ops pv_device_cpu = {
    .name = "cpu",
    .is_host = 1,
    .events = &events,
    .flags = &flags,
    .count = count,
    .describe = describe,
    .find_link = find_link,
    .open = open,
    .close = close,
    .settle = settle,
    .free_bytes = free_bytes,
    .alloc = alloc,
    .free = release,
    .host_alloc = alloc,
    .host_free = release,
    .copy = copy,
    .zero = zero,
    .stream_create = stream_create,
    .stream_destroy = stream_destroy,
    .stream_wait = stream_wait,
    .stream_follow = stream_follow,
    .launch = launch,
};
