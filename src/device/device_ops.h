// SPDX-License-Identifier: Apache-2.0
// The tables a device must fill, and the objects they work on. Every entry is set; device.c, buffer.c, stream.c and
// event.c are thin calls through them, and nothing else asks which device it is.
#ifndef PV_DEVICE_DEVICE_OPS_H
#define PV_DEVICE_DEVICE_OPS_H

#include <stddef.h>
#include <stdint.h>

#include <parseval/device.h>

#include "device/flags.h"

struct pv_kernel;

// Marks in the work of streams. An event begins with `device` set and `state` NULL.
typedef struct pv_event_ops {
    pv_status (*create)(pv_event *event);
    void (*destroy)(pv_event *event);
    pv_status (*record)(pv_event *event, pv_stream *stream);
    pv_status (*follow)(pv_stream *later, pv_event *event);
    pv_status (*test)(pv_event *event, int *done);
    pv_status (*seconds)(pv_event *begin, pv_event *end, double *seconds_p);
} pv_event_ops;

// What one of a kind of devices is, for people.
typedef struct pv_device_facts {
    char name[96];
    char pci[16];                  // "0000:1b:00.0"
    size_t memory_bytes;
    int major, minor;              // compute capability
    int links;                     // active NVLinks, -1: not known
} pv_device_facts;

typedef enum pv_device_link { PV_DEVICE_LINK_NONE, PV_DEVICE_LINK_PCI, PV_DEVICE_LINK_NVLINK } pv_device_link;

typedef struct pv_device_ops {
    const char *name;     // the word before the colon: "cpu"
    int is_host;          // the CPU may touch its memory
    const pv_event_ops *events;
    const pv_flag_ops *flags;

    pv_status (*count)(int *count_p);
    // Of device `number`, and how it and another reach each other's memory. PV_ERR_UNSUPPORTED: it is the host.
    pv_status (*describe)(int number, pv_device_facts *facts_p);
    pv_status (*find_link)(int number, int other, pv_device_link *link_p);
    // `number` is N of "name:N", -1 when the name has none. Sets device->threads; may set device->state.
    pv_status (*open)(pv_device *device, int number);
    void (*close)(pv_device *device);
    // Returns when all work of this process on the device is done.
    pv_status (*settle)(pv_device *device);

    // For new allocations; 0: not known.
    pv_status (*free_bytes)(const pv_device *device, size_t *bytes_p);
    // Aligned to 64 bytes at least; bytes > 0; enters pv_mem_account.
    pv_status (*alloc)(pv_device *device, size_t bytes, void **data_p);
    void (*free)(pv_device *device, void *data, size_t bytes);
    // The same for memory of the host which the device copies at full speed.
    pv_status (*host_alloc)(pv_device *device, size_t bytes, void **data_p);
    void (*host_free)(pv_device *device, void *data, size_t bytes);
    // From and to host or device memory, without overlap. In the order of `stream`; NULL: complete on return.
    pv_status (*copy)(pv_device *device, pv_stream *stream, void *to, const void *from, size_t bytes);
    pv_status (*zero)(pv_stream *stream, void *data, size_t bytes);

    // A stream begins with `device` and `is_urgent` set and `state` NULL, and ends idle.
    pv_status (*stream_create)(pv_stream *stream);
    void (*stream_destroy)(pv_stream *stream);
    pv_status (*stream_wait)(pv_stream *stream);
    pv_status (*stream_follow)(pv_stream *later, pv_stream *earlier);

    // Runs a kernel on the indices [0, count); see kernel.h.
    pv_status (*launch)(pv_stream *stream, const struct pv_kernel *kernel, int64_t count, const void *arguments);
} pv_device_ops;

// One who has to act while somebody waits for a stream, because the stream may wait for what he does.
typedef struct pv_guard {
    void (*progress)(void *context);   // again and again; may be NULL
    // Why what the stream waits for cannot come any more, NULL while it can; may be NULL.
    const char *(*find_fault)(void *context);
    void (*release)(void *context);    // once, when the stream is late or in vain; may be NULL
    double limit_s;                    // of the wait, for release
    void *context;
    struct pv_guard *next;
} pv_guard;

struct pv_device {
    const pv_device_ops *ops;
    char name[32];
    int threads;
    pv_stream *stream;    // of calls that are given none
    pv_guard *guards;
    struct pv_array *arrays; // of array.h
    void *state;          // the device's own
};

struct pv_stream {
    pv_device *device;
    int is_urgent;
    void *state;          // the device's own
};

struct pv_event {
    pv_device *device;
    void *state;          // the device's own
};

// While a guard is set, pv_stream_wait calls its progress; after limit_s its release, and fails with PV_ERR_TIMEOUT; on
// a fault its release, and fails with PV_ERR_COMM. The guard is the caller's until it is lifted.
void pv_guard_set(pv_device *device, pv_guard *guard);
void pv_guard_lift(pv_device *device, pv_guard *guard);

extern const pv_device_ops pv_device_cpu, pv_device_cuda;

// device_list.c. Finds a device by the `length` characters of its name; the error lists the known ones.
pv_status pv_device_find(const char *name, size_t length, const pv_device_ops **ops_p);
// Names of known devices, built in or not, for index 0, 1, ...; NULL after the last.
const char *pv_device_known(int index, int *is_built_p);

#endif
