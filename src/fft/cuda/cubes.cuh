// SPDX-License-Identifier: Apache-2.0
// Convolutions of small boxes, each from the first load to the last store in the distributed shared memory of a
// cluster.
//
// A block holds PLANES planes of x. A thread takes a whole line into registers. Lines of y come straight from memory
// and go there; lines of z stay in the block; lines of x are gathered from all blocks, transformed, multiplied,
// transformed back and put where they were, in one visit. The way back exchanges real and imaginary parts and uses the
// code of the way forth, which spares the instruction cache.
//
// The wire between the blocks carries about 16 bytes a cycle and block and is the slowest part. Warps take turns to ask
// for their lines of x, so that the first compute while the last still wait. A cyclic shift commutes with a
// convolution: where planes are shared out evenly, a block reads its own first, its neighbour's next, and no two ask
// the same third.
#pragma once
#include <stdint.h>

#include "fft/cuda/cluster.cuh"
#include "fft/cuda/coprime.cuh"
#include "fft/cuda/cubes_device.h"
#include "fft/pair.h"

namespace cubes
{

using namespace cluster;

template <int OFFSET> __device__ __forceinline__ float2 far_load(uint32_t address)
{
    float2 v;
    asm volatile("ld.shared::cluster.v2.f32 {%0, %1}, [%2 + %3];" : "=f"(v.x), "=f"(v.y) : "r"(address), "n"(OFFSET));
    return v;
}
template <int OFFSET> __device__ __forceinline__ void far_store(uint32_t address, float2 v)
{
    asm volatile("st.shared::cluster.v2.f32 [%0 + %1], {%2, %3};" ::"r"(address), "n"(OFFSET), "f"(v.x), "f"(v.y)
                 : "memory");
}
__device__ __forceinline__ float2 swapped(float2 v)
{
    return make_float2(v.y, v.x);
}

constexpr int gcd(int a, int b)
{
    return b == 0 ? a : gcd(b, a % b);
}

constexpr int larger(int a, int b)
{
    return a > b ? a : b;
}

// BLOCKS a box, RESIDENT of them on a multiprocessor. TWICE: both transforms along x are one piece of code, for fewer
// registers at the price of moves.
template <int NX_, int NY_, int NZ_, int BLOCKS_, int RESIDENT_, bool TWICE_> struct Shape {
    static constexpr int NX = NX_, NY = NY_, NZ = NZ_, BLOCKS = BLOCKS_, RESIDENT = RESIDENT_;
    static constexpr bool TWICE = TWICE_;
    static constexpr int PLANES = (NX + BLOCKS - 1) / BLOCKS;
    static constexpr bool EVEN = PLANES * BLOCKS == NX;
    // Rows of odd length lie in all banks alike. Where room is short, every 16 / SAME rows begin one point later.
    static constexpr bool LOOSE = PLANES * NY * (NZ | 1) * 8 <= 233472 / RESIDENT - 1024;
    static constexpr int SAME = gcd(NZ, 16);
    static constexpr __host__ __device__ int row(int y)
    {
        return LOOSE ? y * (NZ | 1) : y * NZ + (SAME == 1 ? 0 : y / (16 / SAME));
    }
    static constexpr int PLANE = LOOSE ? NY * (NZ | 1) : row(NY - 1) + NZ;
    static constexpr int BYTES = PLANES * PLANE * 8;
    static constexpr int X_LINES = (NY * NZ + BLOCKS - 1) / BLOCKS;
    static constexpr int LINES = larger(X_LINES, larger(NY, NZ) * PLANES);
    static constexpr int THREADS = (LINES + 31) / 32 * 32;
    static_assert(PLANES * (BLOCKS - 1) < NX, "a block without planes");
    static_assert(THREADS <= 512, "a thread takes a line, and a warp a barrier for its turn");
};

// Warp after warp, by barriers of the two that follow one another.
__device__ __forceinline__ void wait_turn(int warp)
{
    if (warp > 0) asm volatile("barrier.sync %0, 64;" ::"r"(warp) : "memory");
}
template <int WARPS> __device__ __forceinline__ void pass_turn(int warp)
{
    if (warp + 1 < WARPS) asm volatile("barrier.arrive %0, 64;" ::"r"(warp + 1) : "memory");
}

template <class S, int K> __device__ __forceinline__ void gather(float2 *x, uint32_t mine, uint32_t rank)
{
    if constexpr (K < S::NX) {
        constexpr int PLANE_BYTES = S::PLANE * 8;
        if constexpr (S::EVEN) {
            uint32_t block = rank + K / S::PLANES;
            block -= block >= S::BLOCKS ? S::BLOCKS : 0;
            x[K] = far_load<K % S::PLANES * PLANE_BYTES>(in_block(mine, block));
        } else {
            x[K] = far_load<K % S::PLANES * PLANE_BYTES>(in_block(mine, K / S::PLANES));
        }
        gather<S, K + 1>(x, mine, rank);
    }
}

template <class S, int K> __device__ __forceinline__ void scatter(const float2 *x, uint32_t mine, uint32_t rank)
{
    if constexpr (K < S::NX) {
        constexpr int PLANE_BYTES = S::PLANE * 8;
        if constexpr (S::EVEN) {
            uint32_t block = rank + K / S::PLANES;
            block -= block >= S::BLOCKS ? S::BLOCKS : 0;
            far_store<K % S::PLANES * PLANE_BYTES>(in_block(mine, block), x[K]);
        } else {
            far_store<K % S::PLANES * PLANE_BYTES>(in_block(mine, K / S::PLANES), x[K]);
        }
        scatter<S, K + 1>(x, mine, rank);
    }
}

// ---- Where boxes come from and where they go, a line of y at a time: N points STRIDE apart ------------------------

// A line, and what of it matters here: the offset of its first point in a box, and where it lies across y.
struct Line {
    int64_t item;
    int offset, x, z;
};

__device__ __forceinline__ float2 times(float2 a, float2 b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// Times what makes products of real fields periodic; or, where real and imaginary part have changed places, over it.
template <int N> __device__ __forceinline__ void turn(const pv_cubes_ends &ends, const Line &line, float2 *x)
{
    const float2 across =
        times(__ldg((const float2 *)ends.phase[0] + line.x), __ldg((const float2 *)ends.phase[2] + line.z));
#pragma unroll
    for (int k = 0; k < N; k++) x[k] = times(x[k], times(across, __ldg((const float2 *)ends.phase[1] + k)));
}

template <int N, int STRIDE>
__device__ __forceinline__ void load_line(const pv_cubes_ends &ends, const Line &line, int64_t points, float2 *x)
{
    if (ends.kind == PV_CUBES_PLAIN) {
        const float2 *p = (const float2 *)ends.in + line.item * points + line.offset;
#pragma unroll
        for (int k = 0; k < N; k++) x[k] = __ldcs(p + k * STRIDE);
    } else if (ends.kind == PV_CUBES_COMPLEX_PAIRS) {
        const pv_complex_pair *pair = (const pv_complex_pair *)ends.list + line.item;
        const float2 *s = (const float2 *)pair->source + line.offset, *t = (const float2 *)pair->target + line.offset;
#pragma unroll
        for (int k = 0; k < N; k++) {
            const float2 a = __ldg(s + k * STRIDE), b = __ldg(t + k * STRIDE);
            x[k] = make_float2(a.x * b.x + a.y * b.y, a.x * b.y - a.y * b.x);
        }
    } else {
        const pv_real_pair *pair = (const pv_real_pair *)ends.list + line.item;
        const float *s = (const float *)pair->source + line.offset, *t = (const float *)pair->target[0] + line.offset;
        const float *u = pair->target[1] ? (const float *)pair->target[1] + line.offset : t;
#pragma unroll
        for (int k = 0; k < N; k++) {
            const float a = __ldg(s + k * STRIDE);
            x[k] = make_float2(a * __ldg(t + k * STRIDE), a * __ldg(u + k * STRIDE));
        }
        if (ends.phase[0]) turn<N>(ends, line, x);
    }
}

// Other clusters add to the same sums.
__device__ __forceinline__ void add_to(float2 *p, float x, float y)
{
    asm volatile("red.relaxed.gpu.global.add.v2.f32 [%0], {%1, %2};" ::"l"(p), "f"(x), "f"(y) : "memory");
}
__device__ __forceinline__ void add_to(float *p, float x)
{
    asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(p), "f"(x) : "memory");
}

// x holds imaginary and real part, in this order.
template <int N, int STRIDE>
__device__ __forceinline__ void add_complex(const pv_cubes_ends &ends, const Line &line, const float2 *x)
{
    const pv_complex_pair *pair = (const pv_complex_pair *)ends.list + line.item;
    const float2 *s = (const float2 *)pair->source + line.offset;
    float2 *to = (float2 *)pair->target_sum + line.offset;
    const float w = (float)pair->target_weight, u = (float)pair->source_weight;
#pragma unroll
    for (int k = 0; k < N; k++) {
        const float2 a = __ldg(s + k * STRIDE);
        add_to(to + k * STRIDE, w * (a.x * x[k].y - a.y * x[k].x), w * (a.x * x[k].x + a.y * x[k].y));
    }
    if (u == 0.0f || !pair->source_sum) return;
    s = (const float2 *)pair->target + line.offset;
    to = (float2 *)pair->source_sum + line.offset;
#pragma unroll
    for (int k = 0; k < N; k++) {
        const float2 a = __ldg(s + k * STRIDE);
        add_to(to + k * STRIDE, u * (a.x * x[k].y + a.y * x[k].x), u * (a.y * x[k].y - a.x * x[k].x));
    }
}

template <int N, int STRIDE>
__device__ __forceinline__ void add_real(const pv_cubes_ends &ends, const Line &line, float2 *x)
{
    const pv_real_pair *pair = (const pv_real_pair *)ends.list + line.item;
    const bool two = pair->target[1];
    const float *s = (const float *)pair->source + line.offset;
    float *to = (float *)pair->target_sum[0] + line.offset;
    float *also = two ? (float *)pair->target_sum[1] + line.offset : to;
    float w = (float)pair->target_weight[0], u = two ? (float)pair->target_weight[1] : 0.0f;
    if (ends.phase[0]) turn<N>(ends, line, x);
#pragma unroll
    for (int k = 0; k < N; k++) {
        const float a = __ldg(s + k * STRIDE);
        add_to(to + k * STRIDE, w * a * x[k].y);
        if (two) add_to(also + k * STRIDE, u * a * x[k].x);
    }
    w = (float)pair->source_weight[0];
    u = two ? (float)pair->source_weight[1] : 0.0f;
    if ((w == 0.0f && u == 0.0f) || !pair->source_sum) return;
    s = (const float *)pair->target[0] + line.offset;
    const float *other = two ? (const float *)pair->target[1] + line.offset : s;
    to = (float *)pair->source_sum + line.offset;
#pragma unroll
    for (int k = 0; k < N; k++)
        add_to(to + k * STRIDE, w * __ldg(s + k * STRIDE) * x[k].y + u * __ldg(other + k * STRIDE) * x[k].x);
}

template <int N, int STRIDE>
__device__ __forceinline__ void store_line(const pv_cubes_ends &ends, const Line &line, int64_t points, float2 *x)
{
    if (ends.kind == PV_CUBES_PLAIN) {
        float2 *p = (float2 *)ends.out + line.item * points + line.offset;
#pragma unroll
        for (int k = 0; k < N; k++) __stcs(p + k * STRIDE, swapped(x[k]));
    } else if (ends.kind == PV_CUBES_COMPLEX_PAIRS) {
        add_complex<N, STRIDE>(ends, line, x);
    } else {
        add_real<N, STRIDE>(ends, line, x);
    }
}

// The planes of the block that will be wanted next, from far memory into the L2 cache.
__device__ __forceinline__ void prefetch(const void *base, int64_t first, int64_t count, int bytes)
{
    const char *from = (const char *)(((uintptr_t)base + first * bytes) & ~(uintptr_t)15);
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(__cvta_generic_to_global(from)),
                 "r"((int)(count * bytes) & ~15));
}
__device__ __forceinline__ void prefetch_planes(const pv_cubes_ends &ends, int64_t item, int64_t points, int first,
                                                int count)
{
    if (ends.kind == PV_CUBES_PLAIN) prefetch(ends.in, item * points + first, count, 8);
    if (ends.kind == PV_CUBES_COMPLEX_PAIRS)
        prefetch(((const pv_complex_pair *)ends.list)[item].source, first, count, 8);
    if (ends.kind == PV_CUBES_REAL_PAIRS) prefetch(((const pv_real_pair *)ends.list)[item].source, first, count, 4);
}

// Clusters begin one after another, so that they do not all want far memory at once, then the wire, then arithmetic.
__device__ __forceinline__ void stagger(int64_t cycles)
{
    const int64_t end = clock64() + cycles;
    while (clock64() < end) __nanosleep(100);
}

// The old box (item < 0: none) goes out along y, and the new one (item >= items: none) comes in.
template <class S>
__device__ __forceinline__ void pass_y(const pv_cubes_ends &ends, float2 *tile, int planes, int first, int64_t old_item,
                                       int64_t item)
{
    constexpr int64_t POINTS = (int64_t)S::NX * S::NY * S::NZ;
    const int line = threadIdx.x, plane = line / S::NZ, z = line % S::NZ,
              offset = (first + plane) * (S::NY * S::NZ) + z;
    float2 *const mine = tile + plane * S::PLANE + z;
    if (line >= planes * S::NZ) return;
#pragma unroll 1
    for (int enters = old_item < 0; enters < (item < ends.items ? 2 : 1); enters++) {
        float2 x[S::NY];
        if (enters) {
            load_line<S::NY, S::NZ>(ends, Line{item, offset, first + plane, z}, POINTS, x);
        } else {
#pragma unroll
            for (int k = 0; k < S::NY; k++) x[k] = mine[S::row(k)];
        }
        Coprime<float, S::NY, -1>::run(x);
        if (enters) {
#pragma unroll
            for (int k = 0; k < S::NY; k++) mine[S::row(k)] = x[k];
        } else {
            store_line<S::NY, S::NZ>(ends, Line{old_item, offset, first + plane, z}, POINTS, x);
        }
    }
}

template <class S> __device__ __forceinline__ void pass_z(float2 *tile, int planes)
{
    const int line = threadIdx.x;
    float2 *const mine = tile + line / S::NY * S::PLANE + S::row(line % S::NY);
    if (line >= planes * S::NY) return;
    float2 x[S::NZ];
#pragma unroll
    for (int k = 0; k < S::NZ; k++) x[k] = mine[k];
    Coprime<float, S::NZ, -1>::run(x);
#pragma unroll
    for (int k = 0; k < S::NZ; k++) mine[k] = x[k];
}

template <class S> __device__ __forceinline__ void multiply(const float *__restrict__ factor, float2 *x)
{
#pragma unroll
    for (int k = 0; k < S::NX; k++) {
        const float a = __ldg(factor + k * (S::NY * S::NZ));
        x[k] = make_float2(a * x[k].y, a * x[k].x);
    }
}

template <class S> __device__ __forceinline__ void pass_x(const float *__restrict__ factor, float2 *tile, uint32_t rank)
{
    // All threads load, those without a line another one's: a branch round the turns would cost registers.
    const int own = rank * S::X_LINES + threadIdx.x, last = min((int)(rank + 1) * S::X_LINES, S::NY * S::NZ) - 1;
    const int line = min(own, last), warp = threadIdx.x / 32;
    const uint32_t mine = (uint32_t)__cvta_generic_to_shared(tile) + (S::row(line / S::NZ) + line % S::NZ) * 8;
    float2 x[S::NX];
    wait_turn(warp);
    gather<S, 0>(x, mine, rank);
    pass_turn<S::THREADS / 32>(warp);
    if constexpr (S::TWICE) {
#pragma unroll 1
        for (int pass = 0; pass < 2; pass++) {
            Coprime<float, S::NX, -1>::run(x);
            if (pass == 0) multiply<S>(factor + line, x);
        }
    } else {
        Coprime<float, S::NX, -1>::run(x);
        multiply<S>(factor + line, x);
        Coprime<float, S::NX, -1>::run(x);
    }
    if (own <= last) scatter<S, 0>(x, mine, rank);
}

template <class S> __global__ void __launch_bounds__(S::THREADS, S::RESIDENT) kernel(pv_cubes_ends ends)
{
    constexpr int PLANE_POINTS = S::NY * S::NZ;
    constexpr int64_t POINTS = (int64_t)S::NX * PLANE_POINTS;
    extern __shared__ __align__(16) float2 tile[];
    const uint32_t rank = rank_in_cluster();
    const int64_t cluster = blockIdx.x / S::BLOCKS, clusters = gridDim.x / S::BLOCKS;
    const int first = rank * S::PLANES, planes = min(S::NX - first, S::PLANES);
    int64_t item = cluster, old_item = -1;
    bool back = false;
    if (ends.stagger) stagger(cluster * ends.stagger);
    // Round and round: y (out and in), z, over the wire, x, z.
    for (;;) {
        if (!back) {
            if (old_item < 0 && item >= ends.items) break;
            pass_y<S>(ends, tile, planes, first, old_item, item);
            if (item >= ends.items) break;
            old_item = item;
            item += clusters;
            __syncthreads();
        } else {
            if (threadIdx.x == 0 && item < ends.items)
                prefetch_planes(ends, item, POINTS, first * PLANE_POINTS, planes * PLANE_POINTS);
            pass_x<S>(ends.factor, tile, rank);
            arrive();
            wait();
        }
        pass_z<S>(tile, planes);
        if (back) {
            __syncthreads();
        } else {
            arrive();
            wait();
        }
        back = !back;
    }
}

} // namespace cubes

#define PV_CUBES_KERNEL(nx, ny, nz, blocks, resident, twice)                                                           \
    {                                                                                                                  \
        {nx, ny, nz}, blocks, resident, cubes::Shape<nx, ny, nz, blocks, resident, twice>::THREADS,                    \
            cubes::Shape<nx, ny, nz, blocks, resident, twice>::BYTES,                                                  \
            (const void *)cubes::kernel<cubes::Shape<nx, ny, nz, blocks, resident, twice>>                             \
    }
