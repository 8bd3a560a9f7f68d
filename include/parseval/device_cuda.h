// SPDX-License-Identifier: Apache-2.0
// The vendor's side of device.h: streams of CUDA as streams of Parseval, and back. In libraries built with PV_CUDA.
#ifndef PARSEVAL_DEVICE_CUDA_H
#define PARSEVAL_DEVICE_CUDA_H

#include <cuda_runtime_api.h>

#include <parseval/device.h>

#ifdef __cplusplus
extern "C" {
#endif

// Wraps a stream of the caller, who keeps it alive and destroys it after pv_stream_destroy. It must be of the same GPU,
// and not be the legacy default stream. PV_ERR_ARGUMENT on a device that is no GPU. Local.
pv_status pv_stream_adopt_cuda(pv_device *device, cudaStream_t cuda_stream, pv_stream **stream_p);

// NULL and -1 for what is not on a GPU. Local.
cudaStream_t pv_stream_cuda(const pv_stream *stream);
int pv_device_cuda_gpu(const pv_device *device);         // the GPU's number in this process

#ifdef __cplusplus
}
#endif
#endif
