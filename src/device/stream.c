// SPDX-License-Identifier: Apache-2.0
#include <parseval/device.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/device_ops.h"

static pv_status create(pv_device *device, int is_urgent, pv_stream **stream_p)
{
    PV_REQUIRE_GIVEN(device);
    PV_REQUIRE_GIVEN(stream_p);
    pv_stream *stream = NULL;
    PV_TRY(PV_ALLOC(1, &stream));
    stream->device = device;
    stream->is_urgent = is_urgent;
    pv_status status = device->ops->stream_create(stream);
    if (status != PV_OK) {
        pv_mem_free(stream);
        return status;
    }
    *stream_p = stream;
    return PV_OK;
}

pv_status pv_stream_create(pv_device *device, pv_stream **stream_p)
{
    return create(device, 0, stream_p);
}

pv_status pv_stream_create_urgent(pv_device *device, pv_stream **stream_p)
{
    return create(device, 1, stream_p);
}

pv_status pv_stream_wait(pv_stream *stream)
{
    PV_REQUIRE_GIVEN(stream);
    return stream->device->ops->stream_wait(stream);
}

pv_status pv_stream_follow(pv_stream *later, pv_stream *earlier)
{
    PV_REQUIRE_GIVEN(later);
    PV_REQUIRE_GIVEN(earlier);
    PV_REQUIRE(later->device == earlier->device, PV_ERR_ARGUMENT,
               "streams of %s and %s; both of one device are accepted", later->device->name, earlier->device->name);
    return later->device->ops->stream_follow(later, earlier);
}

pv_status pv_stream_copy(pv_stream *stream, void *to, const void *from, size_t bytes)
{
    PV_REQUIRE_GIVEN(stream);
    if (bytes == 0) return PV_OK;
    PV_REQUIRE_GIVEN(to);
    PV_REQUIRE_GIVEN(from);
    return stream->device->ops->copy(stream->device, stream, to, from, bytes);
}

pv_status pv_stream_zero(pv_stream *stream, void *data, size_t bytes)
{
    PV_REQUIRE_GIVEN(stream);
    if (bytes == 0) return PV_OK;
    PV_REQUIRE_GIVEN(data);
    return stream->device->ops->zero(stream, data, bytes);
}

void pv_stream_destroy(pv_stream *stream)
{
    if (!stream) return;
    stream->device->ops->stream_destroy(stream);
    pv_mem_free(stream);
}
