// SPDX-License-Identifier: Apache-2.0
// Three axes of n = 32 B points in two visits to memory. The first takes all z and 32 of y of one x, the second all x
// and the other B of y for RUN neighbouring z; each unit of either fills the shared memory of a block or of a cluster.
// With y = B n1 + n2 and its frequency k1 + 32 k2, points lie as [x][k1][z / RUN][n2][z % RUN] between.
//
// Both visits are three stages in the registers of threads of 32 points: 32 n1, 32 z1, B z2; 32 x1, B x2, B n2. After
// the first, points go to other blocks, after the second to other threads of the block.
//
// Blocks live for one unit, so that the GPU begins units in their order and lines of memory that several of them write
// are full soon: persistent blocks took up to twice the time (decision 0019).
#pragma once
#include <stdint.h>

#include "fft/cuda/cluster.cuh"
#include "fft/cuda/lines.cuh"
#include "fft/cuda/visits_device.h"

namespace visits
{

using namespace cluster;

#define PV_BOTH __host__ __device__ __forceinline__

enum Axes { ROWS, COLUMNS };
constexpr int R = 32;

__device__ __forceinline__ void far_store(uint32_t address, float2 v)
{
    asm volatile("st.shared::cluster.v2.f32 [%0], {%1, %2};" ::"r"(address), "f"(v.x), "f"(v.y) : "memory");
}
__device__ __forceinline__ void far_store(uint32_t address, double2 v)
{
    asm volatile("st.shared::cluster.v2.f64 [%0], {%1, %2};" ::"r"(address), "d"(v.x), "d"(v.y) : "memory");
}

// What is read once is given up first by the L2 cache, so that pieces of lines meet there before they are written.
__device__ __forceinline__ uint64_t first()
{
    uint64_t made;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(made));
    return made;
}
__device__ __forceinline__ float2 get(const float2 *from)
{
    float2 v;
    asm volatile("ld.global.L1::no_allocate.L2::cache_hint.v2.f32 {%0, %1}, [%2], %3;"
                 : "=f"(v.x), "=f"(v.y)
                 : "l"(from), "l"(first())
                 : "memory");
    return v;
}
__device__ __forceinline__ double2 get(const double2 *from)
{
    double2 v;
    asm volatile("ld.global.L1::no_allocate.L2::cache_hint.v2.f64 {%0, %1}, [%2], %3;"
                 : "=d"(v.x), "=d"(v.y)
                 : "l"(from), "l"(first())
                 : "memory");
    return v;
}

// Where the points of a unit are; i < R are those of a thread. Slots are what all threads of a cluster have on loading:
// z, or x % B, n2 and z % RUN. The second exchange is within groups of threads.
template <int AXES, int B, int BLOCKS, int RUN> struct Map {
    static constexpr int N = R * B, WIDTH = AXES == ROWS ? 1 : RUN, GROUP = B * WIDTH, LINES = R / B,
                         SLOTS = AXES == ROWS ? N : B * GROUP, THREADS = SLOTS / BLOCKS, MINE = R / BLOCKS,
                         ROW = GROUP + WIDTH, // both ends of the second exchange meet all banks
        REGION = (AXES == ROWS ? R : B) * ROW + (B == 8 ? 8 : 0), POINTS = MINE * REGION,
                         UNITS = AXES == ROWS ? N * B : R * (N / RUN);
    static constexpr int64_t LOAD_STEP = AXES == ROWS ? B * N : (int64_t)B * N * N;
    static_assert(AXES == ROWS || MINE % LINES == 0, "lines of a thread are of one block");
    static_assert(B % RUN == 0, "runs do not cross what a group stores");

    static PV_BOTH int64_t load(int unit, int slot)
    {
        if (AXES == ROWS) return (int64_t)(unit / B) * (N * N) + unit % B * N + slot;
        const int k1 = unit / (N / RUN), run = unit % (N / RUN), x = slot / GROUP;
        return (int64_t)x * (N * N) + k1 * (B * N) + run * GROUP + slot % GROUP;
    }
    static PV_BOTH int64_t store(int unit, int rank, int t)
    {
        const int low = t % GROUP;
        if (AXES == ROWS)
            return (int64_t)(unit / B) * (N * N) + (rank * MINE + t / GROUP) * (B * N) + low / RUN * (B * RUN) +
                   unit % B * RUN + low % RUN;
        const int k1 = unit / (N / RUN), run = unit % (N / RUN), high = rank * MINE + t / GROUP * LINES;
        return (int64_t)(high + R * (low / RUN)) * (N * N) + k1 * N + run * RUN + low % RUN;
    }
    static PV_BOTH constexpr int64_t store_step(int i)
    {
        if (AXES == ROWS) return (i / B * B + i % B * R) * B;
        return i / B * (int64_t)(N * N) + i % B * (R * N);
    }

    // In shared memory: where what comes from other blocks lies, and both ends of the second exchange.
    static PV_BOTH constexpr int first(int t) { return t / GROUP * (AXES == ROWS ? 1 : LINES) * REGION; }
    static PV_BOTH constexpr int come(int i) { return AXES == ROWS ? i * GROUP : i / B * REGION + i % B * GROUP; }
    static PV_BOTH constexpr int give(int i) { return AXES == ROWS ? i * ROW : i / B * REGION + i % B * ROW; }
    static PV_BOTH constexpr int take(int t) { return first(t) + t % GROUP / WIDTH * ROW + t % WIDTH; }
    static PV_BOTH constexpr int taken(int i)
    {
        return AXES == ROWS ? i / B * (B * ROW) + i % B : i / B * REGION + i % B * WIDTH;
    }
};

template <int GROUP> __device__ __forceinline__ void sync(int t)
{
    if (GROUP <= 32)
        __syncwarp();
    else
        asm volatile("barrier.sync %0, %1;" ::"r"(t / GROUP + 1), "n"(GROUP) : "memory");
}

// Transforms of M points each, of all that a thread has.
template <typename T, int M, int D> __device__ __forceinline__ void lines(pair_t<T> *v)
{
#pragma unroll
    for (int i = 0; i < R / M; i++) Dft<T, M, D>::run(v + i * M);
}

template <int D, int B, typename C> __device__ __forceinline__ void twist(C *v, const C *factors)
{
#pragma unroll
    for (int i = 1; i < R; i++) {
        C w = __ldg(factors + i * B);
        if (D > 0) w.y = -w.y;
        v[i] = mul(v[i], w);
    }
}

// Point i of every slot goes to block i / MINE, once all blocks are there.
template <class M, int BLOCKS, typename C> __device__ __forceinline__ void spread(const C *v, C *tile, int slot)
{
    if (BLOCKS == 1) {
#pragma unroll
        for (int i = 0; i < R; i++) tile[i * M::REGION + slot] = v[i];
        __syncthreads();
        return;
    }
    wait();
    const uint32_t mine = (uint32_t)__cvta_generic_to_shared(tile + slot);
#pragma unroll
    for (int block = 0; block < BLOCKS; block++) {
        const uint32_t there = in_block(mine, block);
#pragma unroll
        for (int i = 0; i < M::MINE; i++) far_store(there + i * M::REGION * (int)sizeof(C), v[block * M::MINE + i]);
    }
    arrive();
    wait();
}

template <typename T, int AXES, int B, int BLOCKS, int RUN, int RESIDENT, int D>
__global__ void __launch_bounds__(Map<AXES, B, BLOCKS, RUN>::THREADS, RESIDENT)
    kernel(const pair_t<T> *__restrict__ from, pair_t<T> *__restrict__ to, const pair_t<T> *__restrict__ factors)
{
    using M = Map<AXES, B, BLOCKS, RUN>;
    using C = pair_t<T>;
    extern __shared__ __align__(128) char shared[];
    C *tile = (C *)shared, v[R];
    const int rank = BLOCKS == 1 ? 0 : rank_in_cluster(), unit = blockIdx.x / BLOCKS, t = threadIdx.x,
              slot = rank * M::THREADS + t;
    if (BLOCKS > 1) arrive();
    from += M::load(unit, slot);
#pragma unroll
    for (int i = 0; i < R; i++) v[i] = get(from + i * M::LOAD_STEP);
    lines<T, R, D>(v);
    twist<D, B>(v, factors + (AXES == ROWS ? unit % B : slot / M::GROUP));
    spread<M, BLOCKS>(v, tile, slot);
    C *mine = tile + M::first(t) + t % M::GROUP;
#pragma unroll
    for (int i = 0; i < R; i++) v[i] = mine[M::come(i)];
    lines<T, AXES == ROWS ? R : B, D>(v);
    if (AXES == ROWS) twist<D, B>(v, factors + t % M::GROUP);
    sync<M::GROUP>(t);
#pragma unroll
    for (int i = 0; i < R; i++) mine[M::give(i)] = v[i];
    sync<M::GROUP>(t);
#pragma unroll
    for (int i = 0; i < R; i++) v[i] = tile[M::take(t) + M::taken(i)];
    lines<T, B, D>(v);
    to += M::store(unit, rank, t);
#pragma unroll
    for (int i = 0; i < R; i++) to[M::store_step(i)] = v[i];
}

// ---- Launches -------------------------------------------------------------------------------------------------------

template <typename T, int AXES, int B, int BLOCKS, int RUN, int RESIDENT, int D>
int visit(const void *from, void *to, const void *factors, cudaStream_t stream)
{
    using M = Map<AXES, B, BLOCKS, RUN>;
    using C = pair_t<T>;
    auto run = kernel<T, AXES, B, BLOCKS, RUN, RESIDENT, D>;
    static bool ready;
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {BLOCKS, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(M::UNITS * BLOCKS);
    config.blockDim = dim3(M::THREADS);
    config.dynamicSmemBytes = M::POINTS * sizeof(C);
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    if (!ready) {
        const cudaError_t error =
            cudaFuncSetAttribute(run, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)config.dynamicSmemBytes);
        if (error != cudaSuccess) return error;
        ready = true;
    }
    return cudaLaunchKernelEx(&config, run, (const C *)from, (C *)to, (const C *)factors);
}

// ROW_BLOCKS, COLUMN_BLOCKS: of a unit. Two blocks fit a multiprocessor.
template <typename T, int B, int RUN, int ROW_BLOCKS, int COLUMN_BLOCKS, int D>
int launch_towards(const pv_device_visits *job, cudaStream_t stream)
{
    const int error = visit<T, ROWS, B, ROW_BLOCKS, RUN, 2, D>(job->from, job->work, job->twist, stream);
    if (error != cudaSuccess) return error;
    return visit<T, COLUMNS, B, COLUMN_BLOCKS, RUN, 2, D>(job->work, job->to, job->twist, stream);
}

template <typename T, int... SHAPE> int launch(const pv_device_visits *job, int inverse, cudaStream_t stream)
{
    return inverse ? launch_towards<T, SHAPE..., 1>(job, stream) : launch_towards<T, SHAPE..., -1>(job, stream);
}

} // namespace visits
