// SPDX-License-Identifier: Apache-2.0
#include "fft/cuda/fused_cuda.h"

#include "fft/cuda/fft_check.h"
#include "fft/cuda/pass_cuda.h"

pv_status pv_cuda_fused_create(pv_device *device, int64_t planes, pv_cuda_fused *fused)
{
    PV_TRY(pv_cuda_roots_create(device, fused->n, fused->is_fp64 ? PV_FP64 : PV_FP32, &fused->roots));
    return pv_buffer_create(device, (size_t)(planes + 1) * sizeof(unsigned), &fused->counters);
}

pv_status pv_cuda_fused_run(const pv_cuda_fused *fused, const void *from, void *to, int64_t planes, void *cuda_stream)
{
    const pv_device_fused job = {.from = from,
                                 .to = to,
                                 .from_plane = fused->from_plane,
                                 .to_plane = fused->to_plane,
                                 .planes = (int)planes,
                                 .counters = pv_buffer_data(fused->counters)};
    PV_FFT_CUDA(pv_cuda_fused_launch(&job, fused->n, fused->is_fp64, fused->is_inverse, pv_buffer_data(fused->roots),
                                     cuda_stream),
                "transforming planes");
    return PV_OK;
}

void pv_cuda_fused_destroy(pv_cuda_fused *fused)
{
    pv_buffer_destroy(fused->roots);
    pv_buffer_destroy(fused->counters);
    *fused = (pv_cuda_fused){0};
}
