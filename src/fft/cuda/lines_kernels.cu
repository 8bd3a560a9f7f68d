// SPDX-License-Identifier: Apache-2.0
// Passes of complex lines: gathered from anywhere, transformed in one thread block, scattered to anywhere, a
// neighbour's memory included.
#include "fft/cuda/address.cuh"
#include "fft/cuda/lines.cuh"

// Points of one line: of one array, or of one array with a part of the line in another, `simple`; else through pieces.
template <typename C> struct LineEnd {
    C *start, *inner;         // of index 0, outside and inside the part
    int64_t stride, inner_stride, lower, length;
    bool simple;
    const pv_device_piece *pieces;
    const pv_device_segment *segments;
    int count;
    int64_t outer, lane;

    __device__ __forceinline__ C *start_of(const pv_device_pass &pass, const pv_device_call &call,
                                           const pv_device_piece &p) const
    {
        return (C *)base_of(call, p) + offset_of_line(pass, call, p, outer, lane) -
               p.origin[pass.axis] * p.stride[pass.axis];
    }
    __device__ __forceinline__ LineEnd(const pv_device_pass &pass, const pv_device_call &call,
                                       const pv_device_piece *pieces_, const pv_device_segment *segments_, int count_,
                                       int64_t outer_, int64_t lane_)
        : pieces(pieces_), segments(segments_), count(count_), outer(outer_), lane(lane_)
    {
        const pv_device_piece &p = pieces[segments[0].piece];
        simple = p.tiled_axis != pass.axis;
        stride = inner_stride = p.stride[pass.axis];
        start = inner = start_of(pass, call, p);
        lower = length = 0;
        if (count == 1) return;
        const pv_device_piece &q = pieces[segments[1].piece];
        lower = segments[1].lower;
        length = segments[1].upper - lower;
        inner_stride = q.stride[pass.axis];
        inner = start_of(pass, call, q);
        simple = simple && q.tiled_axis != pass.axis && count <= 3;
        if (count == 2) return;
        const pv_device_piece &r = pieces[segments[2].piece];
        simple =
            simple && r.tiled_axis != pass.axis && r.stride[pass.axis] == stride && start_of(pass, call, r) == start;
    }
    __device__ __forceinline__ C *at(const pv_device_pass &pass, const pv_device_call &call, int64_t k) const
    {
        if (!simple) return search(pass, call, k);
        bool inside = (uint64_t)(k - lower) < (uint64_t)length;
        return (inside ? inner : start) + k * (inside ? inner_stride : stride);
    }
    __device__ __noinline__ C *search(const pv_device_pass &pass, const pv_device_call &call, int64_t k) const
    {
        const pv_device_piece &p = piece_at(pieces, segments, count, k);
        return (C *)base_of(call, p) + offset_of_line(pass, call, p, outer, lane) + offset_along(p, pass.axis, k);
    }
};

constexpr int PAD = 32;

template <typename T, int N, int E, int LANES, int D, int R1, int... R>
__global__ void __launch_bounds__(LANES *(N / E))
    lines_kernel(pv_device_pass pass, pv_device_call call, const pair_t<T> *roots)
{
    using C = pair_t<T>;
    extern __shared__ __align__(16) char shared[];
    constexpr int THREADS = N / E;
    constexpr int radices[] = {R1, R...};
    constexpr int L = radices[sizeof...(R)], P = N / L;
    Tile tile = tile_at(pass, call, blockIdx.x, LANES);
    const pv_device_segment *loads = pass.load_segments + tile.cell->load_first;
    // Neighbouring threads take neighbouring points: of a line where lines are contiguous, else of different lines.
    bool rows = pass.load_pieces[loads[0].piece].stride[pass.axis] == 1;
    int w = rows ? threadIdx.x / THREADS : threadIdx.x % LANES, t = rows ? threadIdx.x % THREADS : threadIdx.x / LANES;
    int64_t lane = tile.lane_lower + w;
    bool valid = lane < tile.lane_upper;
    C x[E];
    {
        LineEnd<const C> from(pass, call, pass.load_pieces, loads, tile.cell->load_count, tile.outer,
                              valid ? lane : tile.lane_lower);
#pragma unroll
        for (int i = 0; i < E / R1; i++)
#pragma unroll
            for (int m = 0; m < R1; m++) {
                const int k = t + i * THREADS + m * (N / R1);
                C value = {};
                if ((uint64_t)(k - pass.load_low) >= (uint64_t)pass.load_gap)
                    value = *from.at(pass, call, pass.load_origin + k - (k >= pass.load_low ? pass.load_gap : 0));
                x[i * R1 + m] = value;
            }
    }
    C *mine = (C *)shared + (rows ? w * (N + N / PAD + 1) : w);
    Line<T, N, E, D, PAD, false, 1, R1, R...>::run(x, t, mine, rows ? 1 : LANES, roots);
    if (!valid) return;
    LineEnd<C> to(pass, call, pass.store_pieces, pass.store_segments + tile.cell->store_first, tile.cell->store_count,
                  tile.outer, lane);
    T scale = (T)call.scale;
#pragma unroll
    for (int i = 0; i < E / L; i++)
#pragma unroll
        for (int m = 0; m < L; m++) {
            const int k = t + i * THREADS + m * P;
            C value = x[i * L + m];
            value.x *= scale;
            value.y *= scale;
            if ((uint64_t)(k - pass.store_low) >= (uint64_t)pass.store_gap)
                *to.at(pass, call, pass.store_origin + k - (k >= pass.store_low ? pass.store_gap : 0)) = value;
        }
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
