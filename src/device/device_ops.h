// SPDX-License-Identifier: Apache-2.0
// The table a device must fill, and the objects it works on. Every entry is set; device.c, buffer.c and stream.c are
// thin calls through it, and nothing else asks which device it is.
#ifndef PV_DEVICE_DEVICE_OPS_H
#define PV_DEVICE_DEVICE_OPS_H

#include <stddef.h>
#include <stdint.h>

#include <parseval/device.h>

struct pv_kernel;

typedef struct pv_device_ops {
    const char *name;     // the word before the colon: "cpu"
    int is_host;          // the CPU may touch its memory

    // `number` is N of "name:N", -1 when the name has none. Sets device->threads; may set device->state.
    pv_status (*open)(pv_device *device, int number);
    void (*close)(pv_device *device);

    // Aligned to 64 bytes at least; bytes > 0; enters pv_mem_account.
    pv_status (*alloc)(pv_device *device, size_t bytes, void **data_p);
    void (*free)(pv_device *device, void *data, size_t bytes);
    // From and to host or device memory, without overlap. In the order of `stream`; NULL: complete on return.
    pv_status (*copy)(pv_device *device, pv_stream *stream, void *to, const void *from, size_t bytes);

    // A stream begins with `device` set and `state` NULL, and ends idle.
    pv_status (*stream_create)(pv_stream *stream);
    void (*stream_destroy)(pv_stream *stream);
    pv_status (*stream_wait)(pv_stream *stream);
    pv_status (*stream_follow)(pv_stream *later, pv_stream *earlier);

    // Runs a kernel on the indices [0, count); see kernel.h.
    pv_status (*launch)(pv_stream *stream, const struct pv_kernel *kernel, int64_t count, const void *arguments);
} pv_device_ops;

struct pv_device {
    const pv_device_ops *ops;
    char name[32];
    int threads;
    void *state;          // the device's own
};

struct pv_stream {
    pv_device *device;
    void *state;          // the device's own
};

extern const pv_device_ops pv_device_cpu;

// device_list.c. Finds a device by the `length` characters of its name; the error lists the known ones.
pv_status pv_device_find(const char *name, size_t length, const pv_device_ops **ops_p);
// Names of known devices, built in or not, for index 0, 1, ...; NULL after the last.
const char *pv_device_known(int index, int *is_built_p);

#endif
