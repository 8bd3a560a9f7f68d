// SPDX-License-Identifier: Apache-2.0
#include "device/array.h"

#include <omp.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/message.h"
#include "device/device_ops.h"

// One that lives; devices that are not the host want its size back.
struct pv_array {
    void *data;
    size_t bytes;
    struct pv_array *next;
};

static pv_status create(pv_device *device, size_t bytes, void **data_p)
{
    struct pv_array *array;
    PV_TRY(PV_ALLOC(1, &array));
    array->bytes = bytes;
    pv_status status = device->ops->alloc(device, bytes, &array->data);
    if (status == PV_OK) {
        // Whoever fills it may do so on another stream.
        status = device->ops->zero(device->stream, array->data, bytes);
        if (status == PV_OK) status = device->ops->stream_wait(device->stream);
        if (status != PV_OK) device->ops->free(device, array->data, bytes);
    }
    if (status != PV_OK) {
        pv_mem_free(array);
        return status;
    }
    array->next = device->arrays;
    device->arrays = array;
    *data_p = array->data;
    return PV_OK;
}

pv_status pv_array_create(pv_device *device, const char *what, int64_t count, size_t element_bytes, void **data_p)
{
    *data_p = NULL;
    if (count == 0) return PV_OK;
    if (device->ops->is_host) return pv_mem_alloc((size_t)count, element_bytes, data_p);
    const pv_status status = create(device, (size_t)count * element_bytes, data_p);
    PV_REQUIRE(status != PV_ERR_MEMORY, PV_ERR_MEMORY,
               "no room for %s: %s; more ranks on more GPUs share them, and fewer bands or a lower ENCUT need less",
               what, pv_message_without_function(pv_last_error()));
    return status;
}

void pv_array_destroy(pv_device *device, void *data)
{
    if (!data) return;
    if (device->ops->is_host) {
        pv_mem_free(data);
        return;
    }
    for (struct pv_array **link = &device->arrays; *link; link = &(*link)->next) {
        struct pv_array *array = *link;
        if (array->data != data) continue;
        *link = array->next;
        device->ops->free(device, data, array->bytes);
        pv_mem_free(array);
        return;
    }
}

pv_status pv_array_write(pv_device *device, void *to, const void *host, size_t bytes)
{
    return bytes == 0 ? PV_OK : device->ops->copy(device, NULL, to, host, bytes);
}

pv_status pv_array_read(pv_device *device, const void *from, void *host, size_t bytes)
{
    return bytes == 0 ? PV_OK : device->ops->copy(device, NULL, host, from, bytes);
}

pv_status pv_array_fetch(pv_device *device, const void *array, size_t bytes, const void **host_p)
{
    void *copy = NULL;
    *host_p = array;
    if (device->ops->is_host) return PV_OK;
    *host_p = NULL;
    PV_TRY(pv_mem_alloc_raw(bytes, 1, &copy));
    *host_p = copy;
    return pv_array_read(device, array, copy, bytes);
}

void pv_array_release(const void *array, const void *host)
{
    if (host != array) pv_mem_free((void *)host);
}

int pv_device_host_threads(const pv_device *device)
{
    return device->ops->is_host ? device->threads : omp_get_max_threads();
}
