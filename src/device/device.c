// SPDX-License-Identifier: Apache-2.0
#include <parseval/device.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/device_ops.h"

// The number after the colon, or -1.
static pv_status parse_number(const char *name, const char *colon, int *number_p)
{
    *number_p = -1;
    if (!colon) return PV_OK;
    char *end;
    long number = strtol(colon + 1, &end, 10);
    PV_REQUIRE(colon[1] >= '0' && colon[1] <= '9' && *end == '\0' && number <= INT_MAX, PV_ERR_ARGUMENT,
               "device \"%s\": a number is accepted after the colon", name);
    *number_p = (int)number;
    return PV_OK;
}

static pv_status parse(const char *name, const pv_device_ops **ops_p, int *number_p)
{
    const size_t most = sizeof ((pv_device *)0)->name - 1;
    PV_REQUIRE_GIVEN(name);
    PV_REQUIRE(strlen(name) <= most, PV_ERR_ARGUMENT,
               "asked for device \"%.40s\"; a name of at most %zu characters is accepted", name, most);
    const char *colon = strchr(name, ':');
    PV_TRY(pv_device_find(name, colon ? (size_t)(colon - name) : strlen(name), ops_p));
    return parse_number(name, colon, number_p);
}

pv_status pv_device_count(const char *name, int *count_p)
{
    const pv_device_ops *ops;
    int number;
    PV_REQUIRE_GIVEN(count_p);
    PV_TRY(parse(name, &ops, &number));
    return ops->count(count_p);
}

pv_status pv_device_open(const char *name, pv_device **device_p)
{
    const pv_device_ops *ops;
    int number;
    PV_REQUIRE_GIVEN(device_p);
    PV_TRY(parse(name, &ops, &number));

    pv_device *device = NULL;
    PV_TRY(PV_ALLOC(1, &device));
    device->ops = ops;
    snprintf(device->name, sizeof device->name, "%s", name);
    pv_status status = ops->open(device, number);
    if (status == PV_OK) {
        status = pv_stream_create(device, &device->stream);
        if (status != PV_OK) ops->close(device);
    }
    if (status != PV_OK) {
        pv_mem_free(device);
        return status;
    }
    *device_p = device;
    return PV_OK;
}

void pv_device_close(pv_device *device)
{
    if (!device) return;
    pv_stream_destroy(device->stream);
    device->ops->close(device);
    pv_mem_free(device);
}

const char *pv_device_name(const pv_device *device)
{
    return device->name;
}

int pv_device_threads(const pv_device *device)
{
    return device->threads;
}

int pv_device_is_host(const pv_device *device)
{
    return device->ops->is_host;
}

pv_status pv_device_free_bytes(const pv_device *device, size_t *bytes_p)
{
    PV_REQUIRE_GIVEN(device);
    PV_REQUIRE_GIVEN(bytes_p);
    return device->ops->free_bytes(device, bytes_p);
}

pv_stream *pv_device_stream(pv_device *device)
{
    return device->stream;
}

void pv_guard_set(pv_device *device, pv_guard *guard)
{
    guard->next = device->guards;
    device->guards = guard;
}

void pv_guard_lift(pv_device *device, pv_guard *guard)
{
    for (pv_guard **link = &device->guards; *link; link = &(*link)->next) {
        if (*link != guard) continue;
        *link = guard->next;
        return;
    }
}
