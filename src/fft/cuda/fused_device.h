// SPDX-License-Identifier: Apache-2.0
// Rows and columns of planes in one visit to memory, as C sees it. Shared by C and CUDA sources.
#ifndef PV_FFT_CUDA_FUSED_DEVICE_H
#define PV_FFT_CUDA_FUSED_DEVICE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Planes of n rows of n complex points, one row after another; planes lie so many points apart. What lies at `to` may
// be what lies at `from`.
typedef struct pv_device_fused {
    const void *from;
    void *to;
    int64_t from_plane, to_plane;
    int planes;         // fewer than PV_FUSED_PLANES
    int ahead;          // of the launch
    unsigned *counters; // [planes + 1], of this launch alone
} pv_device_fused;

enum { PV_FUSED_PLANES = 1 << 21 };

// 0: no such kernel.
int pv_cuda_fused_has(int64_t n);
// Transforms all rows and all columns. cudaError_t of the launch; the stream is a cudaStream_t.
int pv_cuda_fused_launch(const pv_device_fused *job, int64_t n, int fp64, int inverse, const void *roots, void *stream);

#ifdef __cplusplus
}
#endif
#endif
