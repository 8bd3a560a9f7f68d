// SPDX-License-Identifier: Apache-2.0
#include "fft/cuda/visits.cuh"

// Points a side, of it beside 32, points of a run, blocks of a unit in the first and in the second visit. By
// measurement on an H200: of 512 points in FP64, and of 1024, planes through the L2 cache are faster (decision 0019).
#define PV_CUDA_VISITS_FP32(X) X(256, 8, 8, 1, 2) X(512, 16, 8, 2, 8)
#define PV_CUDA_VISITS_FP64(X) X(256, 8, 4, 2, 2)

extern "C" int pv_cuda_visits_has(int64_t n, int fp64)
{
#define PV_IS_N(length, ...) || n == length
    return fp64 ? 0 PV_CUDA_VISITS_FP64(PV_IS_N) : 0 PV_CUDA_VISITS_FP32(PV_IS_N);
}

extern "C" int pv_cuda_visits_launch(const pv_device_visits *job, int64_t n, int fp64, int inverse, void *stream)
{
#define PV_LAUNCH_FP32(length, ...)                                                                                    \
    if (n == length) return visits::launch<float, __VA_ARGS__>(job, inverse, (cudaStream_t)stream);
#define PV_LAUNCH_FP64(length, ...)                                                                                    \
    if (n == length) return visits::launch<double, __VA_ARGS__>(job, inverse, (cudaStream_t)stream);
    if (fp64) {
        PV_CUDA_VISITS_FP64(PV_LAUNCH_FP64)
    } else {
        PV_CUDA_VISITS_FP32(PV_LAUNCH_FP32)
    }
    return cudaErrorInvalidValue;
}
