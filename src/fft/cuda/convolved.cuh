// SPDX-License-Identifier: Apache-2.0
// Lines of lengths with large primes as cyclic convolutions of M kind points, both inner transforms in one visit: by
// Rader's way for a prime M + 1, by Bluestein's for any n with 2 n - 1 <= M (fft/lines/rader.c, fft/lines/bluestein.c).
#pragma once
#include "fft/cuda/line_end.cuh"
#include "fft/cuda/lines.cuh"

// The second inner transform takes the radices in reverse, so that it begins with the points that each thread has.
template <int... R> struct Radices {
};
template <class From, class To> struct Reversed;
template <int... Done> struct Reversed<Radices<>, Radices<Done...>> {
    using type = Radices<Done...>;
};
template <int First, int... Rest, int... Done>
struct Reversed<Radices<First, Rest...>, Radices<Done...>> : Reversed<Radices<Rest...>, Radices<First, Done...>> {
};
template <typename T, int M, int E, class List> struct ForwardLine;
constexpr int CONVOLVED_PAD = 8; // a row each: so that threads that store every eighth point meet all banks
template <typename T, int M, int E, int... R> struct ForwardLine<T, M, E, Radices<R...>> {
    using type = Line<T, M, E, -1, CONVOLVED_PAD, false, 1, R...>;
};

// tables: exp(-2 pi i k / M), the spectrum of what is convolved with, then Bluestein's chirp, or g^r as ints for Rader.
// As on the host both inner transforms go forward, so that the convolution comes out in reverse: for Rader that is the
// order of g^r again. An inverse transform is a forward one whose outputs 1 .. n - 1 are in reverse.
template <typename T, bool RADER, int M, int E, int LANES, int R1, int... R>
__global__ void __launch_bounds__(LANES *(M / E))
    convolved_kernel(const __grid_constant__ pv_device_pass pass, const __grid_constant__ pv_device_call call, int n,
                     int inverse, const pair_t<T> *tables)
{
    using C = pair_t<T>;
    using First = typename ForwardLine<T, M, E, Radices<R1, R...>>::type;
    using Second = typename ForwardLine<T, M, E, typename Reversed<Radices<R1, R...>, Radices<>>::type>::type;
    extern __shared__ __align__(16) char shared[];
    constexpr int THREADS = M / E;
    constexpr int radices[] = {R1, R...};
    constexpr int L = radices[sizeof...(R)], P = M / L;
    const C *roots = tables, *spectrum = tables + M, *chirp = tables + 2 * M;
    const int *order = (const int *)chirp;
    const Tile tile = tile_at(pass, call, blockIdx.x, LANES);
    const bool rows = is_along_lines(pass, *tile.cell);
    const int w = rows ? threadIdx.x / THREADS : threadIdx.x % LANES,
              t = rows ? threadIdx.x % THREADS : threadIdx.x / LANES;
    const int64_t lane = tile.lane_lower + w, line = lane < tile.lane_upper ? lane : tile.lane_lower;
    C *mine = (C *)shared + (rows ? w * (M + M / CONVOLVED_PAD + 1) : w);
    const int step = rows ? 1 : LANES;
    C x[E], apart = {}; // Rader's point 0, of thread 0
    const LineEnd<const C> from(pass, call, *tile.cell, true, tile.outer, line);
    from.over(pass, call, [&](auto at) {
        if (RADER && t == 0 && from.has(0)) apart = *at(0);
#pragma unroll
        for (int i = 0; i < E / R1; i++)
#pragma unroll
            for (int m = 0; m < R1; m++) {
                const int j = t + i * THREADS + m * (M / R1);
                const unsigned k = RADER ? __ldg(order + j) : j;
                C value = {};
                if ((RADER || j < n) && from.has(k)) value = *at(k);
                x[i * R1 + m] = value;
            }
    });
    if constexpr (!RADER) {
#pragma unroll
        for (int i = 0; i < E / R1; i++)
#pragma unroll
            for (int m = 0; m < R1; m++) {
                const int j = t + i * THREADS + m * (M / R1);
                if (j < n) x[i * R1 + m] = mul(x[i * R1 + m], __ldg(chirp + j));
            }
    }
    First::run(x, t, mine, step, roots);
    const C mean = x[0];
#pragma unroll
    for (int i = 0; i < E / L; i++)
#pragma unroll
        for (int m = 0; m < L; m++) x[i * L + m] = mul(x[i * L + m], __ldg(spectrum + t + i * THREADS + m * P));
    if (RADER && t == 0) { // point 0 of the line enters every sum, and completes output 0
        x[0] = add(x[0], apart);
        apart = add(mean, apart);
    }
    __syncthreads();
    Second::run(x, t, mine, step, roots);
    // Rader's outputs are sorted in shared memory where neighbouring threads are to store neighbouring points.
    const bool sorted = RADER && rows;
    if (sorted) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < E / R1; i++)
#pragma unroll
            for (int m = 0; m < R1; m++) mine[__ldg(order + t + i * THREADS + m * (M / R1))] = x[i * R1 + m];
        if (t == 0) mine[0] = apart;
        __syncthreads();
    }
    if (lane >= tile.lane_upper) return;
    const LineEnd<C> to(pass, call, *tile.cell, false, tile.outer, lane);
    const T scale = (T)call.scale;
    to.over(pass, call, [&](auto at) {
        const auto store = [&](int k, C value) {
            if (inverse && k > 0) k = n - k;
            value.x *= scale;
            value.y *= scale;
            if (to.has(k)) *at(k) = value;
        };
        if (sorted)
            for (int k = t; k < n; k += THREADS) store(k, mine[k]);
        if (sorted) return;
        if (RADER && t == 0) store(0, apart);
#pragma unroll
        for (int i = 0; i < E / R1; i++)
#pragma unroll
            for (int m = 0; m < R1; m++) {
                const int j = t + i * THREADS + m * (M / R1);
                if constexpr (RADER) {
                    store(__ldg(order + j), x[i * R1 + m]);
                } else {
                    const int k = j == 0 ? 0 : M - j;
                    if (k < n) store(k, mul(x[i * R1 + m], __ldg(chirp + k)));
                }
            }
    });
}
