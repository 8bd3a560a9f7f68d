// SPDX-License-Identifier: Apache-2.0
#include <parseval/device.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/device_ops.h"

pv_status pv_event_create(pv_device *device, pv_event **event_p)
{
    PV_REQUIRE_GIVEN(device);
    PV_REQUIRE_GIVEN(event_p);
    pv_event *event = NULL;
    PV_TRY(PV_ALLOC(1, &event));
    event->device = device;
    pv_status status = device->ops->events->create(event);
    if (status != PV_OK) {
        pv_mem_free(event);
        return status;
    }
    *event_p = event;
    return PV_OK;
}

void pv_event_destroy(pv_event *event)
{
    if (!event) return;
    event->device->ops->events->destroy(event);
    pv_mem_free(event);
}

static pv_status check_device(const pv_event *event, const pv_device *device)
{
    PV_REQUIRE(event->device == device, PV_ERR_ARGUMENT,
               "an event of %s and work of %s; both of one device are accepted", event->device->name, device->name);
    return PV_OK;
}

pv_status pv_event_record(pv_event *event, pv_stream *stream)
{
    PV_REQUIRE_GIVEN(event);
    PV_REQUIRE_GIVEN(stream);
    PV_TRY(check_device(event, stream->device));
    return event->device->ops->events->record(event, stream);
}

pv_status pv_stream_follow_event(pv_stream *later, pv_event *event)
{
    PV_REQUIRE_GIVEN(later);
    PV_REQUIRE_GIVEN(event);
    PV_TRY(check_device(event, later->device));
    return event->device->ops->events->follow(later, event);
}

pv_status pv_event_test(pv_event *event, int *done)
{
    PV_REQUIRE_GIVEN(event);
    PV_REQUIRE_GIVEN(done);
    return event->device->ops->events->test(event, done);
}

pv_status pv_event_seconds(pv_event *begin, pv_event *end, double *seconds_p)
{
    PV_REQUIRE_GIVEN(begin);
    PV_REQUIRE_GIVEN(end);
    PV_REQUIRE_GIVEN(seconds_p);
    PV_TRY(check_device(end, begin->device));
    return begin->device->ops->events->seconds(begin, end, seconds_p);
}
