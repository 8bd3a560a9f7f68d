// SPDX-License-Identifier: Apache-2.0
#include "fft/cuda/convolved.cuh"

// By Rader's way, points of the inner transform, points a thread, lines a block, radices. By measurement on an H200.
#define PV_CUDA_CONVOLVED_FP32(X) X(true, 96, 24, 16, 8, 12) X(false, 256, 16, 16, 16, 16)
#define PV_CUDA_CONVOLVED_FP64(X) X(true, 96, 12, 16, 4, 4, 6) X(false, 256, 16, 8, 16, 16)

// Primes whose lines take cuFFT longer: it has sums for those below, and convolutions for those above.
constexpr int LEAST = 97, MOST = 127;

extern "C" int64_t pv_cuda_convolved_points(int64_t n)
{
    if (n < LEAST || n > MOST) return 0;
    for (int64_t f = 2; f * f <= n; f++)
        if (n % f == 0) return 0;
    return n == 97 ? 96 : 256;
}

extern "C" int pv_cuda_convolved_lanes(int64_t n, int fp64)
{
    const int64_t inner = pv_cuda_convolved_points(n);
#define PV_LANES(rader, points, each, lanes, ...)                                                                      \
    if (inner == points) return lanes;
    if (fp64) {
        PV_CUDA_CONVOLVED_FP64(PV_LANES)
    } else {
        PV_CUDA_CONVOLVED_FP32(PV_LANES)
    }
    return 0;
}

template <typename T, bool RADER, int M, int E, int LANES, int... R>
static int launch(const pv_device_pass *pass, const pv_device_call *call, int64_t n, int inverse, const void *tables,
                  cudaStream_t stream)
{
    constexpr int bytes = LANES * (M + M / CONVOLVED_PAD + 1) * (int)sizeof(pair_t<T>);
    auto kernel = convolved_kernel<T, RADER, M, E, LANES, R...>;
    static bool ready;
    if (!ready) {
        cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        if (error != cudaSuccess) return error;
        ready = true;
    }
    kernel<<<(unsigned)call->tiles, LANES *(M / E), bytes, stream>>>(*pass, *call, (int)n, inverse,
                                                                     (const pair_t<T> *)tables);
    return cudaGetLastError();
}

extern "C" int pv_cuda_convolved_run(const pv_device_pass *pass, const pv_device_call *call, int64_t n, int fp64,
                                     int inverse, const void *tables, void *stream)
{
    const int64_t inner = pv_cuda_convolved_points(n);
    if (call->tiles == 0) return cudaSuccess;
#define PV_LAUNCH_FP32(rader, points, each, lanes, ...)                                                                \
    if (inner == points)                                                                                               \
        return launch<float, rader, points, each, lanes, __VA_ARGS__>(pass, call, n, inverse, tables,                  \
                                                                      (cudaStream_t)stream);
#define PV_LAUNCH_FP64(rader, points, each, lanes, ...)                                                                \
    if (inner == points)                                                                                               \
        return launch<double, rader, points, each, lanes, __VA_ARGS__>(pass, call, n, inverse, tables,                 \
                                                                       (cudaStream_t)stream);
    if (fp64) {
        PV_CUDA_CONVOLVED_FP64(PV_LAUNCH_FP64)
    } else {
        PV_CUDA_CONVOLVED_FP32(PV_LAUNCH_FP32)
    }
    return cudaErrorInvalidValue;
}
