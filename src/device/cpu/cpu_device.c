// SPDX-License-Identifier: Apache-2.0
// The reference device: host memory, and streams whose work is complete when the call returns.
#include "device/device_ops.h"

#include <omp.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/kernel.h"

enum { MOST_THREADS = 4096 };

static pv_status open(pv_device *device, int number)
{
    PV_REQUIRE(number == -1 || (number >= 1 && number <= MOST_THREADS), PV_ERR_ARGUMENT,
               "device \"%s\": 1 to %d threads are accepted", device->name, MOST_THREADS);
    device->threads = number == -1 ? omp_get_max_threads() : number;
    return PV_OK;
}

static void close(pv_device *device)
{
    (void)device;
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

const pv_device_ops pv_device_cpu = {
    .name = "cpu",
    .is_host = 1,
    .open = open,
    .close = close,
    .alloc = alloc,
    .free = release,
    .copy = copy,
    .stream_create = stream_create,
    .stream_destroy = stream_destroy,
    .stream_wait = stream_wait,
    .stream_follow = stream_follow,
    .launch = launch,
};
