// SPDX-License-Identifier: Apache-2.0
// What the files of this device share.
#ifndef PV_DEVICE_CUDA_CUDA_DEVICE_H
#define PV_DEVICE_CUDA_CUDA_DEVICE_H

#include <cuda_runtime_api.h>
#include <stdatomic.h>

#include "device/cuda/flags_kernels.h"
#include "device/device_ops.h"

typedef struct pv_cuda_device {
    int gpu;
    int urgent;                    // the priority of urgent streams
    atomic_size_t held_bytes;      // of the GPU's memory, by this object
    pv_flag_failure *failure;      // memory of the host that kernels write
    uint32_t *claimed;             // memory of the device, beside it
    int is_abandoned;              // a rank that its kernels wait for is gone
} pv_cuda_device;

static inline pv_cuda_device *pv_cuda_of(const pv_device *device)
{
    return (pv_cuda_device *)device->state;
}

// The calling thread works on this GPU from now on.
pv_status pv_cuda_use(const pv_device *device);

// cuda_stream.c and cuda_flags.c
extern const pv_event_ops pv_cuda_events;
extern const pv_flag_ops pv_cuda_flags;
pv_status pv_cuda_stream_create(pv_stream *stream);
void pv_cuda_stream_destroy(pv_stream *stream);
pv_status pv_cuda_stream_wait(pv_stream *stream);
pv_status pv_cuda_stream_follow(pv_stream *later, pv_stream *earlier);

// Tells once of a wait for another rank that has come to its time limit on this device. Its streams may go on.
pv_status pv_cuda_flags_check(pv_device *device);

#endif
