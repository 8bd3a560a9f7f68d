// SPDX-License-Identifier: Apache-2.0
// Transforms of lines of a tile in shared memory, in place. They leave points in the order that their steps make of
// them: with steps of r1, r2, ... the wave a1 + r1 (a2 + r2 (...)) is at (a1 r2 + a2) ...; the way back goes through
// the same steps backwards.
#pragma once
#include "fft/cuda/lines.cuh"
#include "fft/cuda/planes_device.h"

namespace planes
{

enum { THREADS = 256, WARPS = THREADS / 32, LANES = PV_PLANES_LANES };

// All that a block may have, for kernels that objects of several sizes share: what is set last holds for all.
template <class Kernel> cudaError_t allow_most(Kernel *kernel)
{
    int gpu, bytes;
    cudaFuncAttributes own;
    cudaError_t error = cudaGetDevice(&gpu);
    if (error == cudaSuccess) error = cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, gpu);
    if (error == cudaSuccess) error = cudaFuncGetAttributes(&own, kernel);
    if (error != cudaSuccess) return error;
    bytes -= (int)own.sharedSizeBytes;
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}

// Rows of planes have an odd number of points.
__host__ __device__ inline int row_of(int n2)
{
    return n2 | 1;
}

template <typename T, int R, int D>
__device__ __forceinline__ void visit(pair_t<T> *at, int gap, const pair_t<T> *roots, int root)
{
    pair_t<T> x[R];
#pragma unroll
    for (int m = 0; m < R; m++) x[m] = at[m * gap];
    if (D < 0) Dft<T, R, D>::run(x);
    if (root) // of all of a warp, and of no last step
#pragma unroll
        for (int m = 1; m < R; m++) {
            pair_t<T> w = roots[m * root];
            if (D > 0) w.y = -w.y;
            x[m] = mul(x[m], w);
        }
    if (D > 0) Dft<T, R, D>::run(x);
#pragma unroll
    for (int m = 0; m < R; m++) at[m * gap] = x[m];
}

// Lines of a tile: from one to the next, and from point to point. Lanes take neighbouring lines, so that all of a
// warp is at the same points of theirs; rows of an odd number of points lie in all banks alike, and columns do
// anyway.
struct Lines {
    int count, line, point;
    const int *list; // numbers of the lines; NULL: all
};

template <typename T, int R, int D>
__device__ __forceinline__ void step(pair_t<T> *tile, const Lines &lines, const pair_t<T> *roots, int n, int length)
{
    const int gap = length / R, before = n / length, chunks = (lines.count + 31) / 32, jobs = chunks * (n / R);
    for (int job = threadIdx.x / 32; job < jobs; job += WARPS) {
        const int j = job / chunks, block = j / gap, b = j - block * gap;
        int line = (job - j * chunks) * 32 + threadIdx.x % 32;
        if (line >= lines.count) continue;
        if (lines.list) line = __ldg(lines.list + line);
        visit<T, R, D>(tile + line * lines.line + (block * length + b) * lines.point, gap * lines.point, roots,
                       b * before);
    }
}

template <typename T, int D>
__device__ __forceinline__ void transform(pair_t<T> *tile, const Lines &lines, const pv_planes_axis &axis)
{
    const pair_t<T> *roots = (const pair_t<T> *)axis.roots;
    int length = D < 0 ? axis.n : 1;
    for (int i = 0; i < axis.steps; i++) {
        const int radix = axis.radix[D < 0 ? i : axis.steps - 1 - i];
        if (D > 0) length *= radix;
        switch (radix) {
#define STEP(R)                                                                                                        \
    case R: step<T, R, D>(tile, lines, roots, axis.n, length); break;
            STEP(2)
            STEP(3)
            STEP(4)
            STEP(5)
            STEP(6)
            STEP(7)
            STEP(8)
            STEP(9)
            STEP(10)
            STEP(12)
#undef STEP
        }
        if (D < 0) length /= radix;
        __syncthreads();
    }
}

template <typename T> __device__ __forceinline__ pair_t<T> make(T x, T y)
{
    pair_t<T> v;
    v.x = x;
    v.y = y;
    return v;
}

__device__ __forceinline__ int wave_at(const pv_planes_axis &axis, int place)
{
    int wave = 0, scale = 1, length = axis.n;
    for (int i = 0; i < axis.steps; i++) {
        length /= axis.radix[i];
        wave += place / length * scale;
        place %= length;
        scale *= axis.radix[i];
    }
    return wave;
}

} // namespace planes
