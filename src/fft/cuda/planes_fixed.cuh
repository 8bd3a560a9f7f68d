// SPDX-License-Identifier: Apache-2.0
// Convolutions of boxes of one shape plane by plane, as cubes_planes.cu does those of any: lengths known when compiled,
// two steps an axis. The outer step of y is done on the way from memory and to it: a thread has WIDE neighbouring
// points of z and every B-th point of y, so that it loads and adds vectors.
#pragma once
#include "fft/cuda/planes_fixed_ends.cuh"

namespace fixed_planes
{

// ---- Steps in shared memory ----------------------------------------------------------------------------------------

// x[m] times root^(part * m), D < 0, or over it.
template <int R, int D, typename C> __device__ __forceinline__ void twiddle(C *x, const C *__restrict__ roots, int part)
{
#pragma unroll
    for (int m = 1; m < R; m++) {
        C w = __ldg(roots + m * part);
        if (D > 0) w.y = -w.y;
        x[m] = mul(x[m], w);
    }
}

// Lanes take neighbouring of LINES lines, LINE apart; POINT from point to point.
template <class S, class A, int D, bool OUTER, int LINES, int LINE, int POINT>
__device__ __forceinline__ void step(typename S::C *tile, const typename S::C *roots)
{
    using C = typename S::C;
    constexpr int R = OUTER ? A::A : A::B, PARTS = A::N / R, GAP = (OUTER ? A::B : 1) * POINT;
    for (int job = threadIdx.x; job < LINES * PARTS; job += S::THREADS) {
        const int line = job % LINES, part = job / LINES;
        C *at = tile + line * LINE + part * (OUTER ? 1 : A::B) * POINT;
        C x[R];
#pragma unroll
        for (int m = 0; m < R; m++) x[m] = at[m * GAP];
        if (OUTER && D > 0) twiddle<R, D>(x, roots, part);
        Dft<typename S::T, R, D>::run(x);
        if (OUTER && D < 0) twiddle<R, D>(x, roots, part);
#pragma unroll
        for (int m = 0; m < R; m++) at[m * GAP] = x[m];
    }
    __syncthreads();
}

template <class S, int D> __device__ __forceinline__ void z_steps(typename S::C *tile, const typename S::C *roots)
{
    step<S, typename S::Z, D, (D < 0), S::Y::N, S::ROW, 1>(tile, roots);
    step<S, typename S::Z, D, (D > 0), S::Y::N, S::ROW, 1>(tile, roots);
}

template <class S, int D> __device__ __forceinline__ void inner_y_step(typename S::C *tile)
{
    step<S, typename S::Y, D, false, S::Z::N, 1, S::ROW>(tile, nullptr);
}

// ---- The outer step of y, from memory and to it --------------------------------------------------------------------

template <class S>
__device__ __forceinline__ void outer_y_in(const pv_cubes_planes &a, int64_t item, typename S::C *tile)
{
    using C = typename S::C;
    for (int job = threadIdx.x; job < Share<S>::JOBS; job += S::THREADS) {
        const Share<S> share(blockIdx.x, job);
        C v[Share<S>::R][S::WIDE];
        take<S>(a.ends, item, share, v);
#pragma unroll
        for (int w = 0; w < S::WIDE; w++) {
            C x[Share<S>::R];
#pragma unroll
            for (int m = 0; m < Share<S>::R; m++) x[m] = v[m][w];
            Dft<typename S::T, Share<S>::R, -1>::run(x);
            twiddle<Share<S>::R, -1>(x, (const C *)a.axis[1].roots, share.part);
#pragma unroll
            for (int m = 0; m < Share<S>::R; m++) tile[share.y(m) * S::ROW + share.z + w] = x[m];
        }
    }
    __syncthreads();
}

template <class S>
__device__ __forceinline__ void outer_y_out(const pv_cubes_planes &a, int64_t item, const AnyPair &pair,
                                            const typename S::C *tile)
{
    using C = typename S::C;
    for (int job = threadIdx.x; job < Share<S>::JOBS; job += S::THREADS) {
        const Share<S> share(blockIdx.x, job);
        C v[Share<S>::R][S::WIDE];
#pragma unroll
        for (int w = 0; w < S::WIDE; w++) {
            C x[Share<S>::R];
#pragma unroll
            for (int m = 0; m < Share<S>::R; m++) x[m] = tile[share.y(m) * S::ROW + share.z + w];
            twiddle<Share<S>::R, 1>(x, (const C *)a.axis[1].roots, share.part);
            Dft<typename S::T, Share<S>::R, 1>::run(x);
#pragma unroll
            for (int m = 0; m < Share<S>::R; m++) v[m][w] = x[m];
        }
        give<S>(a.ends, item, pair, share, v);
    }
}

// ---- Visits --------------------------------------------------------------------------------------------------------

template <class S> __device__ __forceinline__ int place_in_tile(int i)
{
    return i / S::Z::N * S::ROW + i % S::Z::N;
}

// Columns that the factor keeps leave the plane, COUNT a thread from `first` on,
template <class S, int COUNT>
__device__ __forceinline__ void put_columns(const uint16_t *column, int first, const typename S::C *tile,
                                            typename S::C *box)
{
    unsigned to[COUNT];
#pragma unroll
    for (int k = 0; k < COUNT; k++) to[k] = __ldg(column + first + k * S::THREADS);
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        if (to[k] != PV_PLANES_NO_COLUMN) box[to[k]] = tile[place_in_tile<S>(first + k * S::THREADS)];
}

// and come back to it, where the others are zero. All threads load, those without a column that of another: with a
// branch round each, loads would wait for each other.
template <class S, int COUNT>
__device__ __forceinline__ void take_columns(const uint16_t *column, int first, const typename S::C *box,
                                             typename S::C *tile)
{
    using C = typename S::C;
    unsigned from[COUNT];
    C v[COUNT];
#pragma unroll
    for (int k = 0; k < COUNT; k++) from[k] = __ldg(column + first + k * S::THREADS);
#pragma unroll
    for (int k = 0; k < COUNT; k++) v[k] = __ldcg(box + (from[k] == PV_PLANES_NO_COLUMN ? 0 : from[k]));
#pragma unroll
    for (int k = 0; k < COUNT; k++) {
        const bool is_kept = from[k] != PV_PLANES_NO_COLUMN;
        tile[place_in_tile<S>(first + k * S::THREADS)] =
            planes::make<typename S::T>(is_kept ? v[k].x : 0, is_kept ? v[k].y : 0);
    }
}

// All columns of a plane, FULL rounds in which every thread has one and a last one in which some have: FROM of them are
// done.
template <class S, int D, int FROM = 0>
__device__ __forceinline__ void move_columns(const uint16_t *column, typename S::C *box, typename S::C *tile)
{
    constexpr int FULL = S::PLANE / S::THREADS, MOST = 12, COUNT = FULL - FROM < MOST ? FULL - FROM : MOST;
    const int first = threadIdx.x + FROM * S::THREADS;
    if constexpr (COUNT > 0) {
        if constexpr (D < 0)
            put_columns<S, COUNT>(column, first, tile, box);
        else
            take_columns<S, COUNT>(column, first, box, tile);
        move_columns<S, D, FROM + COUNT>(column, box, tile);
    } else if (first < S::PLANE) {
        if constexpr (D < 0)
            put_columns<S, 1>(column, first, tile, box);
        else
            take_columns<S, 1>(column, first, box, tile);
    }
}

// The kernel before on the stream has ended; and the next may begin where multiprocessors have room.
__device__ __forceinline__ void wait_for_kernel_before()
{
    asm volatile("griddepcontrol.wait;" ::: "memory");
}
__device__ __forceinline__ void let_next_kernel_begin()
{
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

// Plane blockIdx.x of item blockIdx.y.
template <class S> __global__ void __launch_bounds__(S::THREADS, S::IN) planes_in(pv_cubes_planes a)
{
    using C = typename S::C;
    extern __shared__ __align__(16) char memory[];
    C *tile = (C *)memory, *box = (C *)a.boxes + blockIdx.y * S::POINTS + blockIdx.x * S::PLANE;
    let_next_kernel_begin();
    outer_y_in<S>(a, blockIdx.y, tile);
    inner_y_step<S, -1>(tile);
    z_steps<S, -1>(tile, (const C *)a.axis[2].roots);
    wait_for_kernel_before();
    move_columns<S, -1>(a.column, box, tile);
}

template <class S> __global__ void __launch_bounds__(S::THREADS, S::OUT) planes_out(pv_cubes_planes a)
{
    using C = typename S::C;
    extern __shared__ __align__(16) char memory[];
    C *tile = (C *)memory, *box = (C *)a.boxes + blockIdx.y * S::POINTS + blockIdx.x * S::PLANE;
    __shared__ AnyPair pair;
    let_next_kernel_begin();
    pair.take(a.ends, blockIdx.y);
    wait_for_kernel_before();
    move_columns<S, 1>(a.column, box, tile);
    __syncthreads();
    z_steps<S, 1>(tile, (const C *)a.axis[2].roots);
    inner_y_step<S, 1>(tile);
    outer_y_out<S>(a, blockIdx.y, pair, tile);
}

// Lines of x of neighbouring columns, a column a lane: there, times the factor, and back.
enum { LANES = 32, LINE_THREADS = 128, LINE_WARPS = LINE_THREADS / LANES };

template <class S>
__global__ void __launch_bounds__(LINE_THREADS, sizeof(typename S::T) == 4 ? 8 : 4) lines(pv_cubes_planes a)
{
    using T = typename S::T;
    using C = typename S::C;
    using X = typename S::X;
    extern __shared__ __align__(16) char memory[];
    C *const tile = (C *)memory + threadIdx.x % LANES;
    const C *roots = (const C *)a.axis[0].roots;
    let_next_kernel_begin();
    wait_for_kernel_before();
    const int column = blockIdx.x * LANES + threadIdx.x % LANES, warp = threadIdx.x / LANES, columns = *a.columns;
    const bool is_there = column < columns;
    C *const box = (C *)a.boxes + blockIdx.y * S::POINTS + column;
    const T *const factor = (const T *)a.factor + column;
    if (blockIdx.x * LANES >= columns) return;
#pragma unroll 2
    for (int part = warp; part < X::B; part += LINE_WARPS) {
        C x[X::A];
#pragma unroll
        for (int m = 0; m < X::A; m++)
            x[m] = is_there ? __ldcg(box + (part + X::B * m) * S::PLANE) : planes::make<T>(0, 0);
        Dft<T, X::A, -1>::run(x);
        twiddle<X::A, -1>(x, roots, part);
#pragma unroll
        for (int m = 0; m < X::A; m++) tile[(part + X::B * m) * LANES] = x[m];
    }
    __syncthreads();
    for (int part = warp; part < X::A; part += LINE_WARPS) {
        C x[X::B];
#pragma unroll
        for (int m = 0; m < X::B; m++) x[m] = tile[(part * X::B + m) * LANES];
        Dft<T, X::B, -1>::run(x);
#pragma unroll
        for (int m = 0; m < X::B; m++) {
            const T f = is_there ? __ldg(factor + (part * X::B + m) * S::PLANE) : 0;
            x[m].x *= f;
            x[m].y *= f;
        }
        Dft<T, X::B, 1>::run(x);
#pragma unroll
        for (int m = 0; m < X::B; m++) tile[(part * X::B + m) * LANES] = x[m];
    }
    __syncthreads();
#pragma unroll 2
    for (int part = warp; part < X::B; part += LINE_WARPS) {
        C x[X::A];
#pragma unroll
        for (int m = 0; m < X::A; m++) x[m] = tile[(part + X::B * m) * LANES];
        twiddle<X::A, 1>(x, roots, part);
        Dft<T, X::A, 1>::run(x);
#pragma unroll
        for (int m = 0; m < X::A; m++)
            if (is_there) box[(part + X::B * m) * S::PLANE] = x[m];
    }
}

// ---- Launches ------------------------------------------------------------------------------------------------------

template <class S> cudaError_t prepare()
{
    cudaError_t error = planes::allow_most(planes_in<S>);
    if (error == cudaSuccess) error = planes::allow_most(planes_out<S>);
    return error == cudaSuccess ? planes::allow_most(lines<S>) : error;
}

template <class Kernel>
cudaError_t launch(cudaStream_t stream, Kernel *kernel, dim3 blocks, int threads, int bytes, const pv_cubes_planes *a)
{
    cudaLaunchAttribute early = {};
    cudaLaunchConfig_t config = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = blocks;
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = bytes;
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, *a);
}

template <class S> cudaError_t run(cudaStream_t stream, const pv_cubes_planes *a)
{
    const unsigned items = (unsigned)a->ends.items;
    const dim3 planes(S::X::N, items), columns((S::PLANE + LANES - 1) / LANES, items);
    const int line_bytes = S::X::N * LANES * (int)sizeof(typename S::C);
    cudaError_t error = launch(stream, planes_in<S>, planes, S::THREADS, S::BYTES, a);
    if (error == cudaSuccess) error = launch(stream, lines<S>, columns, LINE_THREADS, line_bytes, a);
    return error == cudaSuccess ? launch(stream, planes_out<S>, planes, S::THREADS, S::BYTES, a) : error;
}

} // namespace fixed_planes
