// SPDX-License-Identifier: Apache-2.0
// CUDA's and cuFFT's errors to statuses, with the vendor's name of the error and what was being done.
#ifndef PV_FFT_CUDA_FFT_CHECK_H
#define PV_FFT_CUDA_FFT_CHECK_H

#include <cuda_runtime_api.h>
#include <cufft.h>

#include "base/check.h"

// cuFFT has no function for it.
static inline const char *pv_cufft_error_name(cufftResult result)
{
    static const char *const names[] = {
        [0x1] = "CUFFT_INVALID_PLAN",    [0x2] = "CUFFT_ALLOC_FAILED",        [0x3] = "CUFFT_INVALID_TYPE",
        [0x4] = "CUFFT_INVALID_VALUE",   [0x5] = "CUFFT_INTERNAL_ERROR",      [0x6] = "CUFFT_EXEC_FAILED",
        [0x7] = "CUFFT_SETUP_FAILED",    [0x8] = "CUFFT_INVALID_SIZE",        [0x9] = "CUFFT_UNALIGNED_DATA",
        [0xb] = "CUFFT_INVALID_DEVICE",  [0xd] = "CUFFT_NO_WORKSPACE",        [0xe] = "CUFFT_NOT_IMPLEMENTED",
        [0x10] = "CUFFT_NOT_SUPPORTED",  [0x11] = "CUFFT_MISSING_DEPENDENCY", [0x12] = "CUFFT_NVRTC_FAILURE",
        [0x13] = "CUFFT_NVJITLINK_FAILURE"};
    const size_t index = (size_t)result;
    return index < sizeof names / sizeof *names && names[index] ? names[index] : "an error without a name";
}

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
                   "%s failed: %s (%d)", doing, pv_cufft_error_name(pv_result_), (int)pv_result_);                    \
    } while (0)

#endif
