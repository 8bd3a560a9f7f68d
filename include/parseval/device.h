// SPDX-License-Identifier: Apache-2.0
// Devices: where memory lives and in what order work happens.
#ifndef PARSEVAL_DEVICE_H
#define PARSEVAL_DEVICE_H

#include <stddef.h>

#include <parseval/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pv_device pv_device;
typedef struct pv_buffer pv_buffer;
typedef struct pv_stream pv_stream;

// Opens a device by name: "cpu" (threads from OMP_NUM_THREADS) or "cpu:4" (4 threads). An unknown or not built
// name fails with the list of known ones (PV_ERR_ARGUMENT, PV_ERR_NOT_BUILT). The caller closes it, after
// everything made on it. Local.
pv_status pv_device_open(const char *name, pv_device **device_p);
void pv_device_close(pv_device *device);

const char *pv_device_name(const pv_device *device);     // as opened, "cpu:4"
int pv_device_threads(const pv_device *device);          // threads that run its kernels
int pv_device_is_host(const pv_device *device);          // 1 when the CPU may touch its memory

// Memory on a device, aligned to 64 bytes at least and counted per rank (pv_memory_peak_bytes).
// bytes = 0 is valid and gives a NULL data pointer. Not zeroed. Local.
pv_status pv_buffer_create(pv_device *device, size_t bytes, pv_buffer **buffer_p);
// Wraps memory of the caller, who keeps it alive and frees it. Local.
pv_status pv_buffer_borrow(pv_device *device, void *data, size_t bytes, pv_buffer **buffer_p);
void pv_buffer_destroy(pv_buffer *buffer);
void *pv_buffer_data(const pv_buffer *buffer);
size_t pv_buffer_bytes(const pv_buffer *buffer);

// Copies host memory into (out of) a buffer; complete on return. Local.
pv_status pv_buffer_write(pv_buffer *buffer, size_t offset_bytes, const void *host, size_t bytes);
pv_status pv_buffer_read(const pv_buffer *buffer, size_t offset_bytes, void *host, size_t bytes);

// Ordered work on a device. On "cpu" every call completes before it returns. Local.
pv_status pv_stream_create(pv_device *device, pv_stream **stream_p);
pv_status pv_stream_wait(pv_stream *stream);
// Work given to `later` from now on begins after all that `earlier` has been given so far. Both of one device.
pv_status pv_stream_follow(pv_stream *later, pv_stream *earlier);
void pv_stream_destroy(pv_stream *stream);

// Largest sum of live bytes that this process (one MPI rank) ever held through Parseval, and the sum now. Local.
size_t pv_memory_peak_bytes(void);
size_t pv_memory_live_bytes(void);

#ifdef __cplusplus
}
#endif
#endif
