// SPDX-License-Identifier: Apache-2.0
#include "fft/cuda/columns.cuh"

// Length, points a thread, threads side by side (16 bytes each: two lines of FP32, one of FP64), blocks a
// multiprocessor at least, whether the next tile is loaded meanwhile, radices. By measurement on an H200: rows of 128
// bytes go at 3.6 TB/s, of 64 at 2.9, and tiles of which only one fits a multiprocessor must be loaded under the
// arithmetic.
#define PV_CUDA_COLUMNS(X)               \
    X(64, 8, 8, 8, false, 8, 8)          \
    X(128, 16, 8, 8, false, 16, 8)       \
    X(256, 16, 16, 2, false, 16, 16)     \
    X(384, 24, 8, 2, false, 8, 8, 6)     \
    X(512, 16, 8, 2, false, 16, 16, 2)   \
    X(768, 24, 8, 1, true, 8, 8, 12)     \
    X(1024, 32, 8, 1, true, 32, 32)      \
    X(1536, 24, 4, 1, true, 8, 8, 24)    \
    X(2048, 32, 4, 1, true, 32, 32, 2)

extern "C" int pv_cuda_columns_has(int64_t n)
{
#define PV_IS_N(length, ...) || n == length
    return 0 PV_CUDA_COLUMNS(PV_IS_N);
}

extern "C" int pv_cuda_columns_run(const pv_device_columns *pass, int64_t n, int fp64, int inverse, const void *roots,
                                   void *stream)
{
    if (pass->lanes * pass->outers == 0) return cudaSuccess;
#define PV_LAUNCH(length, points, lanes, blocks, streamed, ...)                                                        \
    if (n == length && fp64)                                                                                           \
        return columns_launch<double, length, points, lanes, blocks, streamed, __VA_ARGS__>(pass, inverse, roots,      \
                                                                                            (cudaStream_t)stream);     \
    if (n == length)                                                                                                   \
        return columns_launch<Twin, length, points, lanes, blocks, streamed, __VA_ARGS__>(pass, inverse, roots,        \
                                                                                          (cudaStream_t)stream);
    PV_CUDA_COLUMNS(PV_LAUNCH)
    return cudaErrorInvalidValue;
}
