// SPDX-License-Identifier: Apache-2.0
// CUDA's and cuFFT's errors to statuses, with the vendor's name of the error and what was being done.
#ifndef PV_FFT_CUDA_FFT_CHECK_H
#define PV_FFT_CUDA_FFT_CHECK_H

#include <cuda_runtime_api.h>
#include <cufft.h>

#include "base/check.h"

#define PV_FFT_CUDA(call, doing)                                                                                     \
    do {                                                                                                             \
        cudaError_t pv_error_ = (cudaError_t)(call);                                                                 \
        PV_REQUIRE(pv_error_ == cudaSuccess, pv_error_ == cudaErrorMemoryAllocation ? PV_ERR_MEMORY : PV_ERR_DEVICE, \
                   "%s failed: %s", doing, cudaGetErrorName(pv_error_));                                             \
    } while (0)

#define PV_FFT_CUFFT(call, doing)                                                                                     \
    do {                                                                                                              \
        cufftResult pv_result_ = (call);                                                                              \
        PV_REQUIRE(pv_result_ == CUFFT_SUCCESS, pv_result_ == CUFFT_ALLOC_FAILED ? PV_ERR_MEMORY : PV_ERR_DEVICE,     \
                   "%s failed: cuFFT result %d", doing, (int)pv_result_);                                             \
    } while (0)

#endif
