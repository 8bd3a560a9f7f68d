// SPDX-License-Identifier: Apache-2.0
// Arrays on a device by plain pointers, zeroed, for layers whose loops are kernels: on the host they are what PV_ALLOC
// gives. Called by the thread that opened the device.
#ifndef PV_DEVICE_ARRAY_H
#define PV_DEVICE_ARRAY_H

#include <stdint.h>

#include <parseval/device.h>

// count elements, zero on return for all streams; 0 gives NULL. `what` they are for is told when there is no room.
// Local.
pv_status pv_array_create(pv_device *device, const char *what, int64_t count, size_t element_bytes, void **data_p);
void pv_array_destroy(pv_device *device, void *data); // NULL is harmless

// PV_TRY(PV_ARRAY(device, "projectors", n, &projector));
#define PV_ARRAY(device, what, count, pointer_p) \
    pv_array_create((device), (what), (count), sizeof **(pointer_p), (void **)(pointer_p))

// Between an array and memory of the host; complete on return. Local.
pv_status pv_array_write(pv_device *device, void *to, const void *host, size_t bytes);
pv_status pv_array_read(pv_device *device, const void *from, void *host, size_t bytes);

// An array's first bytes on the host: itself where that is its device, else a copy, which release frees (it is called
// after a failure, too). Local.
pv_status pv_array_fetch(pv_device *device, const void *array, size_t bytes, const void **host_p);
void pv_array_release(const void *array, const void *host);

// Threads of the host for what is made there on behalf of a device.
int pv_device_host_threads(const pv_device *device);

#endif
