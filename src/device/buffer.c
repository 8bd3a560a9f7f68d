// SPDX-License-Identifier: Apache-2.0
#include <parseval/device.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/device_ops.h"

struct pv_buffer {
    pv_device *device;
    void *data;
    size_t bytes;
    void (*release)(pv_device *device, void *data, size_t bytes);    // NULL: borrowed
};

static pv_status wrap(pv_buffer buffer, pv_buffer **buffer_p)
{
    pv_buffer *made = NULL;
    PV_TRY(PV_ALLOC(1, &made));
    *made = buffer;
    *buffer_p = made;
    return PV_OK;
}

// Takes what `buffer` holds, also when it fails.
static pv_status own(pv_buffer buffer, pv_buffer **buffer_p)
{
    const pv_status status = wrap(buffer, buffer_p);
    if (status != PV_OK && buffer.data) buffer.release(buffer.device, buffer.data, buffer.bytes);
    return status;
}

pv_status pv_buffer_create(pv_device *device, size_t bytes, pv_buffer **buffer_p)
{
    PV_REQUIRE_GIVEN(device);
    PV_REQUIRE_GIVEN(buffer_p);
    pv_buffer buffer = {.device = device, .bytes = bytes, .release = device->ops->free};
    if (bytes > 0) PV_TRY(device->ops->alloc(device, bytes, &buffer.data));
    return own(buffer, buffer_p);
}

pv_status pv_buffer_create_host(pv_device *device, size_t bytes, pv_buffer **buffer_p)
{
    PV_REQUIRE_GIVEN(device);
    PV_REQUIRE_GIVEN(buffer_p);
    pv_buffer buffer = {.device = device, .bytes = bytes, .release = device->ops->host_free};
    if (bytes > 0) PV_TRY(device->ops->host_alloc(device, bytes, &buffer.data));
    return own(buffer, buffer_p);
}

pv_status pv_buffer_borrow(pv_device *device, void *data, size_t bytes, pv_buffer **buffer_p)
{
    PV_REQUIRE_GIVEN(device);
    PV_REQUIRE_GIVEN(buffer_p);
    PV_REQUIRE(data || bytes == 0, PV_ERR_ARGUMENT, "asked to wrap %zu bytes at NULL; NULL is accepted with 0 bytes",
               bytes);
    return wrap((pv_buffer){.device = device, .data = data, .bytes = bytes}, buffer_p);
}

void pv_buffer_destroy(pv_buffer *buffer)
{
    if (!buffer) return;
    if (buffer->release && buffer->data) buffer->release(buffer->device, buffer->data, buffer->bytes);
    pv_mem_free(buffer);
}

void *pv_buffer_data(const pv_buffer *buffer)
{
    return buffer->data;
}

size_t pv_buffer_bytes(const pv_buffer *buffer)
{
    return buffer->bytes;
}

static pv_status check_range(const pv_buffer *buffer, size_t offset_bytes, const void *host, size_t bytes)
{
    PV_REQUIRE_GIVEN(buffer);
    PV_REQUIRE(offset_bytes <= buffer->bytes && bytes <= buffer->bytes - offset_bytes, PV_ERR_ARGUMENT,
               "asked for %zu bytes at offset %zu of a buffer of %zu bytes", bytes, offset_bytes, buffer->bytes);
    if (bytes > 0) PV_REQUIRE_GIVEN(host);
    return PV_OK;
}

pv_status pv_buffer_write(pv_buffer *buffer, size_t offset_bytes, const void *host, size_t bytes)
{
    PV_TRY(check_range(buffer, offset_bytes, host, bytes));
    if (bytes == 0) return PV_OK;
    return buffer->device->ops->copy(buffer->device, NULL, (char *)buffer->data + offset_bytes, host, bytes);
}

pv_status pv_buffer_read(const pv_buffer *buffer, size_t offset_bytes, void *host, size_t bytes)
{
    PV_TRY(check_range(buffer, offset_bytes, host, bytes));
    if (bytes == 0) return PV_OK;
    return buffer->device->ops->copy(buffer->device, NULL, host, (const char *)buffer->data + offset_bytes, bytes);
}

size_t pv_memory_peak_bytes(void)
{
    return pv_mem_peak_bytes();
}

size_t pv_memory_live_bytes(void)
{
    return pv_mem_live_bytes();
}
