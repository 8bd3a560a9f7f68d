// SPDX-License-Identifier: Apache-2.0
#include "fft/cuda/fused.cuh"

// Length, points a thread, lines a tile, blocks a multiprocessor, tiles ahead, radices. By measurement on an H200.
#define PV_CUDA_FUSED_FP32(X)        \
    X(256, 16, 16, 3, 512, 16, 16)   \
    X(512, 32, 16, 2, 256, 16, 32)   \
    X(1024, 32, 8, 2, 320, 32, 32)
#define PV_CUDA_FUSED_FP64(X)        \
    X(256, 16, 8, 4, 640, 16, 16)    \
    X(512, 32, 8, 2, 400, 16, 32)    \
    X(1024, 32, 4, 2, 480, 32, 32)

extern "C" int pv_cuda_fused_has(int64_t n)
{
#define PV_IS_N(length, ...) || n == length
    return 0 PV_CUDA_FUSED_FP32(PV_IS_N);
}

extern "C" int pv_cuda_fused_launch(const pv_device_fused *job, int64_t n, int fp64, int inverse, const void *roots,
                                    void *stream)
{
    if (job->planes == 0) return cudaSuccess;
#define PV_LAUNCH_FP32(length, ...)                                                                                    \
    if (n == length) return fused::launch<float, length, __VA_ARGS__>(job, inverse, roots, (cudaStream_t)stream);
#define PV_LAUNCH_FP64(length, ...)                                                                                    \
    if (n == length) return fused::launch<double, length, __VA_ARGS__>(job, inverse, roots, (cudaStream_t)stream);
    if (fp64) {
        PV_CUDA_FUSED_FP64(PV_LAUNCH_FP64)
    } else {
        PV_CUDA_FUSED_FP32(PV_LAUNCH_FP32)
    }
    return cudaErrorInvalidValue;
}
