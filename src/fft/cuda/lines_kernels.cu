// SPDX-License-Identifier: Apache-2.0
// Passes of complex lines: gathered from anywhere, transformed in one thread block, scattered to anywhere, a
// neighbour's memory included.
#include "fft/cuda/line_end.cuh"
#include "fft/cuda/lines.cuh"

constexpr int PAD = 32;

template <typename T, int N, int E, int LANES, int D, int R1, int... R>
__global__ void __launch_bounds__(LANES *(N / E))
    lines_kernel(const __grid_constant__ pv_device_pass pass, const __grid_constant__ pv_device_call call,
                 const pair_t<T> *roots)
{
    using C = pair_t<T>;
    extern __shared__ __align__(16) char shared[];
    constexpr int THREADS = N / E;
    constexpr int radices[] = {R1, R...};
    constexpr int L = radices[sizeof...(R)], P = N / L;
    const Tile tile = tile_at(pass, call, blockIdx.x, LANES);
    // Neighbouring threads take neighbouring points: of a line where lines are contiguous, else of different lines.
    const bool rows = is_along_lines(pass, *tile.cell);
    const int w = rows ? threadIdx.x / THREADS : threadIdx.x % LANES,
              t = rows ? threadIdx.x % THREADS : threadIdx.x / LANES;
    const int64_t lane = tile.lane_lower + w;
    const bool valid = lane < tile.lane_upper;
    C x[E];
    const LineEnd<const C> from(pass, call, *tile.cell, true, tile.outer, valid ? lane : tile.lane_lower);
    from.over(pass, call, [&](auto at) {
#pragma unroll
        for (int i = 0; i < E / R1; i++)
#pragma unroll
            for (int m = 0; m < R1; m++) {
                const unsigned k = t + i * THREADS + m * (N / R1);
                C value = {};
                if (from.has(k)) value = *at(k);
                x[i * R1 + m] = value;
            }
    });
    C *mine = (C *)shared + (rows ? w * (N + N / PAD + 1) : w);
    Line<T, N, E, D, PAD, false, 1, R1, R...>::run(x, t, mine, rows ? 1 : LANES, roots);
    if (!valid) return;
    const LineEnd<C> to(pass, call, *tile.cell, false, tile.outer, lane);
    const T scale = (T)call.scale;
    to.over(pass, call, [&](auto at) {
#pragma unroll
        for (int i = 0; i < E / L; i++)
#pragma unroll
            for (int m = 0; m < L; m++) {
                const unsigned k = t + i * THREADS + m * P;
                C value = x[i * L + m];
                value.x *= scale;
                value.y *= scale;
                if (to.has(k)) *at(k) = value;
            }
    });
}

template <typename T, int N, int E, int LANES, int R1, int... R>
static int launch(const pv_device_pass *pass, const pv_device_call *call, int inverse, const void *roots,
                  cudaStream_t stream)
{
    constexpr int bytes = LANES * (N + N / PAD + 1) * (int)sizeof(pair_t<T>);
    auto forward = lines_kernel<T, N, E, LANES, -1, R1, R...>, back = lines_kernel<T, N, E, LANES, 1, R1, R...>;
    auto kernel = inverse ? back : forward;
    static bool ready[2];
    if (!ready[inverse != 0]) {
        cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        if (error != cudaSuccess) return error;
        ready[inverse != 0] = true;
    }
    kernel<<<(unsigned)call->tiles, LANES * (N / E), bytes, stream>>>(*pass, *call, (const pair_t<T> *)roots);
    return cudaGetLastError();
}

// Length, points a thread, lines a block, radices. By measurement on an H200, apart for each precision.
#define PV_CUDA_LINES_FP32(X)      \
    X(32, 8, 32, 8, 4)             \
    X(48, 24, 32, 6, 8)            \
    X(54, 18, 32, 6, 9)            \
    X(64, 8, 16, 8, 8)             \
    X(72, 24, 32, 6, 12)           \
    X(96, 24, 16, 8, 12)           \
    X(128, 16, 16, 16, 8)          \
    X(192, 24, 16, 8, 8, 3)        \
    X(256, 16, 16, 16, 16)         \
    X(384, 24, 8, 8, 8, 6)         \
    X(512, 16, 8, 16, 8, 4)        \
    X(768, 24, 8, 8, 8, 12)        \
    X(1024, 32, 8, 32, 32)         \
    X(1536, 24, 4, 8, 8, 24)       \
    X(2048, 16, 4, 16, 16, 8)
#define PV_CUDA_LINES_FP64(X)      \
    X(32, 8, 16, 8, 4)             \
    X(48, 24, 16, 6, 8)            \
    X(54, 18, 16, 6, 9)            \
    X(64, 8, 8, 8, 8)              \
    X(72, 24, 16, 6, 12)           \
    X(96, 24, 8, 8, 12)            \
    X(128, 16, 8, 16, 8)           \
    X(192, 24, 8, 8, 8, 3)         \
    X(256, 16, 8, 16, 16)          \
    X(384, 24, 8, 8, 8, 6)         \
    X(512, 8, 8, 8, 8, 8)          \
    X(768, 24, 4, 8, 8, 12)        \
    X(1024, 16, 8, 16, 16, 4)      \
    X(1536, 24, 4, 8, 8, 24)       \
    X(2048, 16, 4, 16, 16, 8)

extern "C" int pv_cuda_lines_lanes(int64_t n, int fp64)
{
#define PV_LANES(length, points, lanes, ...) \
    if (n == length) return lanes;
    if (fp64) {
        PV_CUDA_LINES_FP64(PV_LANES)
    } else {
        PV_CUDA_LINES_FP32(PV_LANES)
    }
    return 0;
}

extern "C" int pv_cuda_lines_run(const pv_device_pass *pass, const pv_device_call *call, int64_t n, int fp64,
                                 int inverse, const void *roots, void *stream)
{
    if (call->tiles == 0) return cudaSuccess;
#define PV_LAUNCH_FP32(length, points, lanes, ...)                                                                     \
    if (n == length)                                                                                                   \
        return launch<float, length, points, lanes, __VA_ARGS__>(pass, call, inverse, roots, (cudaStream_t)stream);
#define PV_LAUNCH_FP64(length, points, lanes, ...)                                                                     \
    if (n == length)                                                                                                   \
        return launch<double, length, points, lanes, __VA_ARGS__>(pass, call, inverse, roots, (cudaStream_t)stream);
    if (fp64) {
        PV_CUDA_LINES_FP64(PV_LAUNCH_FP64)
    } else {
        PV_CUDA_LINES_FP32(PV_LAUNCH_FP32)
    }
    return cudaErrorInvalidValue;
}
