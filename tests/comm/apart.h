// SPDX-License-Identifier: Apache-2.0
// A device for machines without one: memory of the host, taken for memory that is not, and events that come late. What
// moves bytes of such devices through the host is tested on it everywhere.
#ifndef PV_TESTS_COMM_APART_H
#define PV_TESTS_COMM_APART_H

#include "device/device_ops.h"
#include "harness.h"

// Two of three looks come too early.
static inline pv_status apart_event_test(pv_event *event, int *done)
{
    static unsigned looks;
    (void)event;
    looks = looks * 1103515245u + 12345u;
    *done = (looks >> 16) % 3 == 0;
    return PV_OK;
}

static inline pv_device *apart_open(void)
{
    static pv_event_ops events;
    static pv_device_ops ops;
    pv_device *device;
    assert_ok(pv_device_open("cpu:1", &device));
    events = *device->ops->events;
    events.test = apart_event_test;
    ops = *device->ops;
    ops.name = "apart";
    ops.is_host = 0;
    ops.events = &events;
    device->ops = &ops;
    return device;
}

#endif
