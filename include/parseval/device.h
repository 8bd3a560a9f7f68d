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
typedef struct pv_event pv_event;

// Opens a device by name: "cpu" (threads from OMP_NUM_THREADS), "cpu:4" (4 threads), "cuda" (the first GPU) or
// "cuda:1" (the second). An unknown or not built name fails with the list of known ones (PV_ERR_ARGUMENT,
// PV_ERR_NOT_BUILT), a GPU without a driver with PV_ERR_DEVICE. The caller closes it, after everything made on it.
// Local.
pv_status pv_device_open(const char *name, pv_device **device_p);
void pv_device_close(pv_device *device);
// How many devices the word before the colon stands for: GPUs for "cuda", 1 for "cpu". Fails as open does. Local.
pv_status pv_device_count(const char *name, int *count_p);

const char *pv_device_name(const pv_device *device);     // as opened, "cpu:4"
int pv_device_threads(const pv_device *device);          // threads that run its kernels
int pv_device_is_host(const pv_device *device);          // 1 when the CPU may touch its memory

// Memory on a device, aligned to 64 bytes at least and counted per rank (pv_memory_peak_bytes).
// bytes = 0 is valid and gives a NULL data pointer. Not zeroed. Local.
pv_status pv_buffer_create(pv_device *device, size_t bytes, pv_buffer **buffer_p);
// Memory of the host from and to which the device copies at full speed while the host goes on. Local.
pv_status pv_buffer_create_host(pv_device *device, size_t bytes, pv_buffer **buffer_p);
// Wraps memory of the caller, who keeps it alive and frees it. Local.
pv_status pv_buffer_borrow(pv_device *device, void *data, size_t bytes, pv_buffer **buffer_p);
void pv_buffer_destroy(pv_buffer *buffer);
void *pv_buffer_data(const pv_buffer *buffer);
size_t pv_buffer_bytes(const pv_buffer *buffer);

// Bytes that new buffers on the device may take now, by all processes; 0: not known. Local.
pv_status pv_device_free_bytes(const pv_device *device, size_t *bytes_p);

// Copies host memory into (out of) a buffer; complete on return. Local.
pv_status pv_buffer_write(pv_buffer *buffer, size_t offset_bytes, const void *host, size_t bytes);
pv_status pv_buffer_read(const pv_buffer *buffer, size_t offset_bytes, void *host, size_t bytes);

// Ordered work on a device. On "cpu" every call completes before it returns; on "cuda" calls return when the work is
// queued, and its failure may be told by a later call. Local.
pv_status pv_stream_create(pv_device *device, pv_stream **stream_p);
// Where streams compete for the device, its work goes first: for what others wait for.
pv_status pv_stream_create_urgent(pv_device *device, pv_stream **stream_p);
void pv_stream_destroy(pv_stream *stream);
// The stream of calls that are given none; belongs to the device.
pv_stream *pv_device_stream(pv_device *device);
// Returns when all is done that the stream has been given. PV_ERR_TIMEOUT: its work waited for another rank longer than
// the communicator's time limit (see comm.h); all that came after it has run, on whatever data there was.
pv_status pv_stream_wait(pv_stream *stream);
// Work given to `later` from now on begins after all that `earlier` has been given so far. Both of one device.
pv_status pv_stream_follow(pv_stream *later, pv_stream *earlier);
// From and to memory of the device or the host, without overlap. Host memory that is not of pv_buffer_create_host may
// make the call wait.
pv_status pv_stream_copy(pv_stream *stream, void *to, const void *from, size_t bytes);
pv_status pv_stream_zero(pv_stream *stream, void *data, size_t bytes);

// A mark in the work of a stream. Local.
pv_status pv_event_create(pv_device *device, pv_event **event_p);
void pv_event_destroy(pv_event *event);
// Moves the mark behind all that `stream` has been given so far.
pv_status pv_event_record(pv_event *event, pv_stream *stream);
// Work given to `later` from now on begins after the mark. An event never recorded holds nothing up.
pv_status pv_stream_follow_event(pv_stream *later, pv_event *event);
pv_status pv_event_test(pv_event *event, int *done);
// From one mark to another, waiting for both.
pv_status pv_event_seconds(pv_event *begin, pv_event *end, double *seconds_p);

// Largest sum of live bytes that this process (one MPI rank) ever held through Parseval, and the sum now. Local.
size_t pv_memory_peak_bytes(void);
size_t pv_memory_live_bytes(void);

#ifdef __cplusplus
}
#endif
#endif
