// SPDX-License-Identifier: Apache-2.0
// Two axes of an array in one visit to memory: rows of a plane, then the columns of the same plane while it is still in
// the L2 cache. One kernel, whose blocks draw tiles of both kinds from one counter, in an order in which a tile waits
// for earlier ones only, so that those that are on the GPU come to an end whatever others do.
#pragma once
#include "fft/cuda/fused_device.h"
#include "fft/cuda/lines.cuh"

namespace fused
{

enum Keep { FIRST, LAST }; // when the L2 cache gives it up: what lies between rows and columns last

template <int KEEP> __device__ __forceinline__ uint64_t policy()
{
    uint64_t made;
    if (KEEP == FIRST) asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(made));
    if (KEEP == LAST) asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(made));
    return made;
}

__device__ __forceinline__ float2 get(const float2 *from, uint64_t keep)
{
    float2 v;
    asm volatile("ld.global.L1::no_allocate.L2::cache_hint.v2.f32 {%0, %1}, [%2], %3;"
                 : "=f"(v.x), "=f"(v.y)
                 : "l"(from), "l"(keep)
                 : "memory");
    return v;
}
__device__ __forceinline__ double2 get(const double2 *from, uint64_t keep)
{
    double2 v;
    asm volatile("ld.global.L1::no_allocate.L2::cache_hint.v2.f64 {%0, %1}, [%2], %3;"
                 : "=d"(v.x), "=d"(v.y)
                 : "l"(from), "l"(keep)
                 : "memory");
    return v;
}
__device__ __forceinline__ void put(float2 *to, float2 v, uint64_t keep)
{
    asm volatile("st.global.L2::cache_hint.v2.f32 [%0], {%1, %2}, %3;" ::"l"(to), "f"(v.x), "f"(v.y), "l"(keep)
                 : "memory");
}
__device__ __forceinline__ void put(double2 *to, double2 v, uint64_t keep)
{
    asm volatile("st.global.L2::cache_hint.v2.f64 [%0], {%1, %2}, %3;" ::"l"(to), "d"(v.x), "d"(v.y), "l"(keep)
                 : "memory");
}

// ---- Tiles ----------------------------------------------------------------------------------------------------------

// Number `code` of a tile: plane * 2 * TILES + (TILES for columns) + its place in the plane. -1: none.
// Tickets: so many tiles of rows ahead, then in turns a tile of rows and one of columns.
template <int TILES> __device__ __forceinline__ int code_of(const pv_device_fused &job, unsigned ticket)
{
    const unsigned ahead = (unsigned)job.ahead, beyond = ticket - ahead;
    const bool across = ticket >= ahead && beyond % 2 != 0;
    const unsigned tile = across ? beyond / 2 : ticket < ahead ? ticket : ahead + beyond / 2;
    return (int)(tile / TILES * 2 * TILES + tile % TILES + (across ? TILES : 0));
}

// The tile of the ticket, or of the next one for which there is a tile: columns come last.
template <int TILES> __device__ __forceinline__ int tile_of(const pv_device_fused &job, unsigned ticket)
{
    const unsigned end = (unsigned)(2 * job.planes * TILES + job.ahead);
    while (ticket < end) {
        const int code = code_of<TILES>(job, ticket);
        if (code < job.planes * 2 * TILES) return code;
        ticket = atomicAdd(job.counters, 1);
    }
    return -1;
}

__device__ __forceinline__ unsigned peek(const unsigned *counter)
{
    unsigned value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(counter) : "memory");
    return value;
}

template <typename T, int N, int E, int LINES, int D, int R1, int... R> struct Kernel {
    using C = pair_t<T>;
    static constexpr int TILES = N / LINES, THREADS = N / E, BLOCK = LINES * THREADS, PAD = 32,
                         SHARED = LINES * (N + N / PAD + 1) * (int)sizeof(C);

    static __device__ __forceinline__ bool is_across(int code) { return code / TILES % 2 != 0; }

    // How many tiles of rows a tile's points are in so far, of TILES.
    static __device__ __forceinline__ unsigned done(const pv_device_fused &job, int code)
    {
        return code < 0 ? 0 : is_across(code) ? peek(job.counters + 1 + code / (2 * TILES)) : TILES;
    }

    // From point t of a line on; STEP from point to point.
    template <int STEP> static __device__ __forceinline__ void load_line(const C *from, uint64_t keep, C *x)
    {
#pragma unroll
        for (int i = 0; i < E / R1; i++)
#pragma unroll
            for (int m = 0; m < R1; m++) x[i * R1 + m] = get(from + (i * THREADS + m * (N / R1)) * STEP, keep);
    }
    template <int STEP> static __device__ __forceinline__ void store_line(C *to, uint64_t keep, const C *x)
    {
        constexpr int radices[] = {R1, R...};
        constexpr int L = radices[sizeof...(R)], P = N / L;
#pragma unroll
        for (int i = 0; i < E / L; i++)
#pragma unroll
            for (int m = 0; m < L; m++) put(to + (i * THREADS + m * P) * STEP, x[i * L + m], keep);
    }

    static __device__ __forceinline__ void load(const pv_device_fused &job, int code, int w, int t, C *x)
    {
        const int64_t plane = code / (2 * TILES);
        const int line = code % TILES * LINES + w;
        if (is_across(code))
            load_line<N>((const C *)job.to + plane * job.to_plane + line + t * N, policy<FIRST>(), x);
        else
            load_line<1>((const C *)job.from + plane * job.from_plane + line * N + t, policy<FIRST>(), x);
    }

    static __device__ __forceinline__ void store(const pv_device_fused &job, int code, int w, int t, const C *x)
    {
        C *plane = (C *)job.to + code / (2 * TILES) * job.to_plane;
        const int line = code % TILES * LINES + w;
        if (is_across(code))
            store_line<N>(plane + line + t * N, policy<FIRST>(), x);
        else
            store_line<1>(plane + line * N + t, policy<LAST>(), x);
    }
};

template <typename T, int N, int E, int LINES, int BLOCKS, int D, int R1, int... R>
__global__ void __launch_bounds__(LINES *(N / E), BLOCKS)
    kernel(const __grid_constant__ pv_device_fused job, const root_t<T> *roots)
{
    using K = Kernel<T, N, E, LINES, D, R1, R...>;
    using C = pair_t<T>;
    extern __shared__ __align__(16) char shared[];
    __shared__ int next_code[2], next_ready[2];
    const bool leads = threadIdx.x == 0;
    unsigned ticket = 0;
    int pending = -1, ready = 0, turn = 0; // pending: a plane whose rows have not been counted yet
    if (leads) {
        next_code[1] = tile_of<K::TILES>(job, atomicAdd(job.counters, 1));
        ticket = atomicAdd(job.counters, 1);
    }
    __syncthreads();
    int code = next_code[1];
    while (code >= 0) {
        C x[E];
        if (!ready) {
            // What others wait for first, then what this block waits for.
            __threadfence();
            __syncthreads();
            if (leads) {
                if (pending >= 0) atomicAdd(job.counters + 1 + pending, 1);
                while (K::done(job, code) < K::TILES) __nanosleep(20);
                __threadfence();
            }
            pending = -1;
            __syncthreads();
        }
        const bool across = K::is_across(code);
        const int w = across ? threadIdx.x % LINES : threadIdx.x / K::THREADS;
        const int t = across ? threadIdx.x / LINES : threadIdx.x % K::THREADS;
        K::load(job, code, w, t, x);
        if (leads) {
            const int next = tile_of<K::TILES>(job, ticket);
            next_code[turn] = next;
            next_ready[turn] = K::done(job, next) >= K::TILES;
        }
        if (leads || pending >= 0) __threadfence();
        __syncthreads(); // nobody reads of the last exchange any more
        if (leads && pending >= 0) atomicAdd(job.counters + 1 + pending, 1);
        C *mine = (C *)shared + (across ? w : w * (N + N / K::PAD + 1));
        Line<T, N, E, D, K::PAD, false, 1, R1, R...>::run(x, t, mine, across ? LINES : 1, roots);
        if (leads) ticket = atomicAdd(job.counters, 1);
        K::store(job, code, w, t, x);
        pending = across ? -1 : code / (2 * K::TILES);
        code = next_code[turn];
        ready = next_ready[turn];
        turn ^= 1;
    }
    __threadfence();
    __syncthreads();
    if (leads && pending >= 0) atomicAdd(job.counters + 1 + pending, 1);
}

// ---- Launches -------------------------------------------------------------------------------------------------------

// ahead: how many tiles of rows are drawn before the first of columns. So many planes and parts of planes lie in the
// L2 cache; fewer, and columns wait for rows.
template <typename T, int N, int E, int LINES, int BLOCKS, int AHEAD, int R1, int... R>
int launch(const pv_device_fused *asked, int inverse, const void *roots, cudaStream_t stream)
{
    using K = Kernel<T, N, E, LINES, 1, R1, R...>;
    static_assert(AHEAD >= K::TILES, "columns would be drawn before their rows");
    auto run = inverse ? kernel<T, N, E, LINES, BLOCKS, 1, R1, R...> : kernel<T, N, E, LINES, BLOCKS, -1, R1, R...>;
    static int resident[2];
    if (!resident[inverse != 0]) {
        int device = 0, processors = 0, blocks = 0;
        cudaError_t error = cudaGetDevice(&device);
        if (error == cudaSuccess) error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
        if (error == cudaSuccess)
            error = cudaFuncSetAttribute(run, cudaFuncAttributeMaxDynamicSharedMemorySize, K::SHARED);
        if (error == cudaSuccess)
            error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, run, K::BLOCK, K::SHARED);
        if (error != cudaSuccess) return error;
        resident[inverse != 0] = processors * (blocks < BLOCKS ? blocks : BLOCKS);
    }
    pv_device_fused job = *asked;
    job.ahead = AHEAD;
    cudaError_t error = cudaMemsetAsync(job.counters, 0, (size_t)(job.planes + 1) * sizeof(unsigned), stream);
    if (error != cudaSuccess) return error;
    run<<<resident[inverse != 0], K::BLOCK, K::SHARED, stream>>>(job, (const root_t<T> *)roots);
    return cudaGetLastError();
}

} // namespace fused
