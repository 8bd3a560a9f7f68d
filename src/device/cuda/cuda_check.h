// SPDX-License-Identifier: Apache-2.0
// CUDA's errors to status, with the text of the call, CUDA's name of the error and its own words.
#ifndef PV_DEVICE_CUDA_CUDA_CHECK_H
#define PV_DEVICE_CUDA_CUDA_CHECK_H

#include <cuda_runtime_api.h>

#include "base/check.h"

static inline pv_status pv_cuda_fail(cudaError_t error, const char *where, const char *call)
{
    (void)cudaGetLastError(); // or a later launch would tell it again
    return pv_fail(error == cudaErrorMemoryAllocation ? PV_ERR_MEMORY : PV_ERR_DEVICE, where, "%s: %s (%s)", call,
                   cudaGetErrorName(error), cudaGetErrorString(error));
}

#define PV_CUDA_TRY(call)                                                                            \
    do {                                                                                             \
        const cudaError_t pv_cuda_error_ = (call);                                                   \
        if (pv_cuda_error_ != cudaSuccess) return pv_cuda_fail(pv_cuda_error_, __func__, #call);     \
    } while (0)

#endif
