// SPDX-License-Identifier: Apache-2.0
// Planes whose rows and columns our own kernel transforms in one visit to memory, made ready for a GPU.
#ifndef PV_FFT_CUDA_FUSED_CUDA_H
#define PV_FFT_CUDA_FUSED_CUDA_H

#include <parseval/fft.h>

#include "fft/cuda/fused_device.h"

typedef struct pv_cuda_fused {
    int64_t n; // of rows and of columns; 0: not used
    int is_fp64, is_inverse;
    int64_t from_plane, to_plane; // points from plane to plane
    pv_buffer *roots, *counters;
} pv_cuda_fused;

// For at most so many planes at once.
pv_status pv_cuda_fused_create(pv_device *device, int64_t planes, pv_cuda_fused *fused);
pv_status pv_cuda_fused_run(const pv_cuda_fused *fused, const void *from, void *to, int64_t planes, void *cuda_stream);
void pv_cuda_fused_destroy(pv_cuda_fused *fused);

#endif
