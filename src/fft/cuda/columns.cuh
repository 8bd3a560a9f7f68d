// SPDX-License-Identifier: Apache-2.0
// Lines across an array: neighbouring lines are neighbours in memory, the points of each lie a stride apart. A block
// takes LANES of them, so that every row it touches is a run of LANES elements.
#pragma once
#include "fft/cuda/line_end.cuh"
#include "fft/cuda/lines.cuh"
#include "fft/cuda/pass_device.h"

// Rows padded so that both ends of an exchange of radix 16 meet all banks.
constexpr int COLUMNS_PAD = 16;

template <typename T> __device__ __forceinline__ pair_t<T> load_point(const pair_t<T> *from) { return *from; }
template <> __device__ __forceinline__ TwinPair load_point<Twin>(const TwinPair *from)
{
    float4 v = *(const float4 *)from;
    return {{v.x, v.z}, {v.y, v.w}};
}
// Lanes lane, lane + 1, ... of a point, those that are of the array.
template <typename T>
__device__ __forceinline__ void store_point(pair_t<T> *to, pair_t<T> value, scalar_t<T> scale, int64_t lane,
                                            int64_t lanes)
{
    (void)lane, (void)lanes;
    value.x *= scale;
    value.y *= scale;
    *to = value;
}
template <>
__device__ __forceinline__ void store_point<Twin>(TwinPair *to, TwinPair v, float scale, int64_t lane, int64_t lanes)
{
    float4 out = {v.x.a * scale, v.y.a * scale, v.x.b * scale, v.y.b * scale};
    if (lane >= 0 && lane + 1 < lanes) *(float4 *)to = out;
    else if (lane >= 0) ((float2 *)to)[0] = {out.x, out.y};
    else ((float2 *)to)[1] = {out.z, out.w};
}

// Points of the line(s) that begin at a lane; C is the type of an element.
template <typename C> struct ColumnsEnd : LinePoints<C> {
    __device__ __forceinline__ ColumnsEnd(const pv_device_columns_end &end, int64_t outer, int64_t lane)
        : LinePoints<C>{(C *)end.start + outer * end.outer_stride + lane,
                        (C *)end.inner + outer * end.inner_outer_stride + lane,
                        (unsigned)end.stride,
                        (unsigned)end.inner_stride,
                        (unsigned)end.lower,
                        (unsigned)end.length,
                        (unsigned)end.low,
                        (unsigned)end.gap}
    {
    }
};

template <typename T, int N, int E, int LANES, int BLOCKS, int D, int R1, int... R>
__global__ void __launch_bounds__(LANES *(N / E), BLOCKS)
    columns_kernel(const __grid_constant__ pv_device_columns pass, const root_t<T> *roots)
{
    using C = pair_t<T>;
    using Element = root_t<T>;
    extern __shared__ __align__(16) char shared[];
    constexpr int THREADS = N / E, PER = sizeof(C) / sizeof(Element);
    constexpr int radices[] = {R1, R...};
    constexpr int L = radices[sizeof...(R)], P = N / L;
    const int w = threadIdx.x % LANES, t = threadIdx.x / LANES;
    const int64_t outer = blockIdx.x / pass.tiles,
                  lane = blockIdx.x % pass.tiles * (LANES * PER) - pass.shift + w * PER;
    const bool valid = lane + PER > 0 && lane < pass.lanes;
    C x[E];
    {
        ColumnsEnd<const Element> from(pass.from, outer, valid ? lane : -(pass.shift % PER));
#pragma unroll
        for (int i = 0; i < E / R1; i++)
#pragma unroll
            for (int m = 0; m < R1; m++) {
                const unsigned k = t + i * THREADS + m * (N / R1);
                C zero = {};
                x[i * R1 + m] = from.has(k) ? load_point<T>((const C *)from.at(k)) : zero;
            }
    }
    Line<T, N, E, D, COLUMNS_PAD, false, 1, R1, R...>::run(x, t, (C *)shared + w, LANES, roots);
    if (!valid) return;
    ColumnsEnd<Element> to(pass.to, outer, lane);
#pragma unroll
    for (int i = 0; i < E / L; i++)
#pragma unroll
        for (int m = 0; m < L; m++)
            if (to.has(t + i * THREADS + m * P))
                store_point<T>((C *)to.at(t + i * THREADS + m * P), x[i * L + m], (scalar_t<T>)pass.scale, lane,
                               pass.lanes);
}

// ---- The same with the next tile on its way into shared memory while this one is transformed ------------------------

// Of what is not there zeros are made, and nothing is read.
__device__ __forceinline__ void copy_async(void *to, const void *from, bool is_there)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
                 "l"(from), "r"(is_there ? 16 : 0)
                 : "memory");
}

template <typename T, int N, int LANES, int BLOCK>
__device__ __forceinline__ void load_tile(const pv_device_columns &pass, int64_t tile, char *shared)
{
    using C = pair_t<T>;
    using Element = root_t<T>;
    constexpr int PER = sizeof(C) / sizeof(Element);
    const int w = threadIdx.x % LANES;
    const int64_t lane = tile % pass.tiles * (LANES * PER) - pass.shift + w * PER;
    if (lane + PER <= 0 || lane >= pass.lanes) return;
    ColumnsEnd<const Element> from(pass.from, tile / pass.tiles, lane);
#pragma unroll 8
    for (int k = threadIdx.x / LANES; k < N; k += BLOCK / LANES)
        copy_async((C *)shared + k * LANES + w, from.at(k), from.has(k));
}

template <typename T, int N, int E, int LANES, int BLOCKS, int D, int R1, int... R>
__global__ void __launch_bounds__(LANES *(N / E), BLOCKS)
    columns_stream_kernel(const __grid_constant__ pv_device_columns pass, const root_t<T> *roots)
{
    using C = pair_t<T>;
    using Element = root_t<T>;
    extern __shared__ __align__(16) char shared[];
    constexpr int THREADS = N / E, BLOCK = LANES * THREADS, PAD = R1 > COLUMNS_PAD ? R1 : COLUMNS_PAD,
                  PER = sizeof(C) / sizeof(Element);
    constexpr int radices[] = {R1, R...};
    constexpr int L = radices[sizeof...(R)], P = N / L;
    static_assert(sizeof(C) == 16, "rows are copied in pieces of 16 bytes");
    const int w = threadIdx.x % LANES;
    int t = threadIdx.x / LANES;
    const int64_t tiles = pass.tiles * pass.outers;
    const C *loaded = (const C *)shared + w;
    C *exchanged = (C *)((T *)(shared + (size_t)N * LANES * sizeof(C)) + w);
    load_tile<T, N, LANES, BLOCK>(pass, blockIdx.x, shared);
    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        C x[E];
        // Else compilers keep twiddle factors and addresses from tile to tile, and spill.
        asm volatile("" : "+r"(t), "+l"(roots));
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
#pragma unroll
        for (int i = 0; i < E / R1; i++)
#pragma unroll
            for (int m = 0; m < R1; m++)
                x[i * R1 + m] = load_point<T>(loaded + (t + i * THREADS + m * (N / R1)) * LANES);
        __syncthreads();
        if (tile + gridDim.x < tiles) load_tile<T, N, LANES, BLOCK>(pass, tile + gridDim.x, shared);
        Line<T, N, E, D, PAD, true, 1, R1, R...>::run(x, t, exchanged, LANES, roots);
        const int64_t lane = tile % pass.tiles * (LANES * PER) - pass.shift + w * PER;
        if (lane + PER <= 0 || lane >= pass.lanes) continue;
        ColumnsEnd<Element> to(pass.to, tile / pass.tiles, lane);
#pragma unroll
        for (int i = 0; i < E / L; i++)
#pragma unroll
            for (int m = 0; m < L; m++)
                if (to.has(t + i * THREADS + m * P))
                    store_point<T>((C *)to.at(t + i * THREADS + m * P), x[i * L + m], (scalar_t<T>)pass.scale, lane,
                                   pass.lanes);
    }
}

// ---- Launches -------------------------------------------------------------------------------------------------------

// Tiles begin where runs of LANES pairs or elements do in memory.
template <typename T, int LANES> void cut_tiles(pv_device_columns *pass)
{
    constexpr int elements = LANES * (int)(sizeof(pair_t<T>) / sizeof(root_t<T>));
    pass->shift = (int64_t)((uintptr_t)pass->to.start / sizeof(root_t<T>) % elements);
    pass->tiles = (pass->lanes + pass->shift + elements - 1) / elements;
}

template <typename T, int N, int E, int LANES, int BLOCKS, bool STREAM, int R1, int... R>
int columns_launch(const pv_device_columns *asked, int inverse, const void *roots, cudaStream_t stream)
{
    constexpr int PAD = STREAM && R1 > COLUMNS_PAD ? R1 : COLUMNS_PAD,
                  exchanged = (int)(STREAM ? sizeof(T) : sizeof(pair_t<T>));
    constexpr int bytes = LANES * ((STREAM ? N * (int)sizeof(pair_t<T>) : 0) + (N + N / PAD) * exchanged);
    void (*kernels[2])(pv_device_columns, const root_t<T> *);
    if constexpr (STREAM) {
        kernels[0] = columns_stream_kernel<T, N, E, LANES, BLOCKS, -1, R1, R...>;
        kernels[1] = columns_stream_kernel<T, N, E, LANES, BLOCKS, 1, R1, R...>;
    } else {
        kernels[0] = columns_kernel<T, N, E, LANES, BLOCKS, -1, R1, R...>;
        kernels[1] = columns_kernel<T, N, E, LANES, BLOCKS, 1, R1, R...>;
    }
    auto kernel = kernels[inverse != 0];
    static int ready[2], processors;
    if (!ready[inverse != 0]) {
        int device = 0;
        cudaError_t error = cudaGetDevice(&device);
        if (error == cudaSuccess) error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
        if (error == cudaSuccess)
            error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        if (error != cudaSuccess) return error;
        ready[inverse != 0] = 1;
    }
    pv_device_columns pass = *asked;
    cut_tiles<T, LANES>(&pass);
    const int64_t tiles = pass.tiles * pass.outers, most = STREAM ? (int64_t)processors * BLOCKS : INT32_MAX;
    if (!STREAM && tiles > most) return cudaErrorInvalidConfiguration;
    kernel<<<(unsigned)(tiles < most ? tiles : most), LANES * (N / E), bytes, stream>>>(pass, (const root_t<T> *)roots);
    return cudaGetLastError();
}
