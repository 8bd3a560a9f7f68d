// SPDX-License-Identifier: Apache-2.0
// Rows of several real fields to points, a product there, and back, in the registers and shared memory of a block: what
// lies between is never stored. Two real fields are the real and the imaginary part of one complex line; the lines of a
// row share twiddle factors and barriers.
//
// A thread of a row has E points of each line. Between stages it is point t + q THREADS that is x[q].
//
// A product has INPUTS, FIRST and OUTPUTS as pv_rows_product does, and two functions:
//     at(T v[6])     the values of all fields at a point, in place
//     finish()       once, after all points of a thread, by all threads
#pragma once
#include "fft/cuda/lines.cuh"

struct RowsCall {
    void *fields[6];
    int64_t pitch, count; // complex numbers from row to row; rows
    int kept;             // complex numbers of a row
};

// Where point i lies in a tile after a stage of radix R over lines of P: shifted by P from one run of P R points to the
// next, so that threads that store R apart meet all banks, as those do that read in order.
template <typename T, int P, int R> struct RowsPlace {
    static constexpr int BANKS = 128 / (int)sizeof(pair_t<T>), PERIOD = P * R > BANKS ? P * R : BANKS;
    static constexpr int SHIFT = P < BANKS ? P : 0;
    static __device__ __forceinline__ int at(int i) { return SHIFT == 0 ? i : i + i / PERIOD * SHIFT; }
    static constexpr int tile(int n) { return n + (n - 1) / PERIOD * SHIFT; }
};

template <typename T, int N, int P, int R, int... Rest> constexpr int rows_tile()
{
    if constexpr (sizeof...(Rest) == 0) {
        return N;
    } else {
        constexpr int here = RowsPlace<T, P, R>::tile(N), there = rows_tile<T, N, P * R, Rest...>();
        return here > there ? here : there;
    }
}

template <int THREADS> __device__ __forceinline__ void rows_barrier()
{
    if constexpr (THREADS <= 32) __syncwarp();
    else __syncthreads();
}

template <typename T, int N, int E> struct RowsLoad {
    using C = pair_t<T>;
    // Point k of the line a + i b: of half spectra, whose other halves are their conjugates.
    static __device__ __forceinline__ C point(const C *a, const C *b, int k, int kept)
    {
        const bool mirrored = k > N / 2;
        const int from = mirrored ? N - k : k;
        C u = {}, v = {}, z;
        if (from < kept) {
            u = a[from];
            if (b) v = b[from];
        }
        if (from == 0) u.y = v.y = 0;
        z.x = mirrored ? u.x + v.y : u.x - v.y;
        z.y = mirrored ? v.x - u.y : v.x + u.y;
        return z;
    }
};

// M lines at once. Twiddle factors of a stage lie in the order in which threads want them: [stage][m - 1][k].
template <typename T, int N, int E, int D, int M, int TILE, int P, int R, int... Rest> struct RowsLines {
    using C = pair_t<T>;
    static constexpr int THREADS = N / E, COUNT = E / R;
    static __device__ __forceinline__ void run(C (*x)[E], int t, C *tiles, const root_t<T> *__restrict__ roots)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            root_t<T> w[R];
            if constexpr (P > 1) {
                const int k = (t + i * THREADS) % P;
#pragma unroll
                for (int m = 1; m < R; m++) {
                    w[m] = __ldg(roots + (m - 1) * P + k);
                    if (D > 0) w[m].y = -w[m].y;
                }
            }
#pragma unroll
            for (int l = 0; l < M; l++) {
                C y[R];
#pragma unroll
                for (int m = 0; m < R; m++) {
                    y[m] = x[l][i + m * COUNT];
                    if (P > 1 && m > 0) y[m] = mul(y[m], w[m]);
                }
                Dft<T, R, D>::run(y);
#pragma unroll
                for (int m = 0; m < R; m++) x[l][i + m * COUNT] = y[m];
            }
        }
        if constexpr (sizeof...(Rest) > 0) {
            if constexpr (P > 1) rows_barrier<THREADS>();
            exchange(x, t, tiles);
            RowsLines<T, N, E, D, M, TILE, P * R, Rest...>::run(x, t, tiles, P > 1 ? roots + (R - 1) * P : roots);
        }
    }
    static __device__ __forceinline__ void exchange(C (*x)[E], int t, C *tiles)
    {
        using Place = RowsPlace<T, P, R>;
#pragma unroll
        for (int l = 0; l < M; l++)
#pragma unroll
            for (int i = 0; i < COUNT; i++) {
                const int j = t + i * THREADS, base = (j / P) * P * R + j % P;
#pragma unroll
                for (int m = 0; m < R; m++) tiles[l * TILE + Place::at(base + m * P)] = x[l][i + m * COUNT];
            }
        rows_barrier<THREADS>();
#pragma unroll
        for (int l = 0; l < M; l++)
#pragma unroll
            for (int q = 0; q < E; q++) x[l][q] = tiles[l * TILE + Place::at(t + q * THREADS)];
    }
};

template <typename T, class Product, int N, int E, int ROWS, int BLOCKS, int GROUP, int... R>
__global__ void __launch_bounds__(ROWS *(N / E), BLOCKS)
    rows_product_kernel(const __grid_constant__ RowsCall call, Product product, const root_t<T> *__restrict__ roots)
{
    using C = pair_t<T>;
    constexpr int THREADS = N / E, IN = (Product::INPUTS + 1) / 2, OUT = (Product::OUTPUTS + 1) / 2,
                  LINES = IN > OUT ? IN : OUT, TILE = rows_tile<T, N, 1, R...>();
    constexpr int G = GROUP < LINES ? GROUP : LINES, GI = G < IN ? G : IN, GO = G < OUT ? G : OUT;
    extern __shared__ __align__(16) char shared[];
    const int t = threadIdx.x % THREADS;
    const int64_t row = (int64_t)blockIdx.x * ROWS + threadIdx.x / THREADS;
    const bool valid = row < call.count;
    C *tiles = (C *)shared + (threadIdx.x / THREADS) * (G * TILE);
    const int64_t first = (valid ? row : 0) * call.pitch;
    C x[LINES][E];
#pragma unroll
    for (int p = 0; p < IN; p++) {
        const C *a = (const C *)call.fields[2 * p] + first;
        const C *b = 2 * p + 1 < Product::INPUTS ? (const C *)call.fields[2 * p + 1] + first : nullptr;
#pragma unroll
        for (int q = 0; q < E; q++) x[p][q] = RowsLoad<T, N, E>::point(a, b, t + q * THREADS, call.kept);
    }
#pragma unroll
    for (int p = 0; p < IN; p += GI) {
        if (p > 0) rows_barrier<THREADS>();
        if (p + GI <= IN) RowsLines<T, N, E, 1, GI, TILE, 1, R...>::run(x + p, t, tiles, roots);
        else RowsLines<T, N, E, 1, (IN % GI ? IN % GI : 1), TILE, 1, R...>::run(x + p, t, tiles, roots);
    }
#pragma unroll
    for (int e = 0; e < E; e++) {
        T v[6] = {};
#pragma unroll
        for (int f = 0; f < Product::INPUTS; f++) v[f] = f % 2 ? x[f / 2][e].y : x[f / 2][e].x;
        product.at(v);
#pragma unroll
        for (int p = 0; p < OUT; p++) {
            x[p][e].x = v[Product::FIRST + 2 * p];
            x[p][e].y = 2 * p + 1 < Product::OUTPUTS ? v[Product::FIRST + 2 * p + 1] : (T)0;
        }
    }
    product.finish(); // rows beyond the last are the first once more
#pragma unroll
    for (int p = 0; p < OUT; p += GO) {
        rows_barrier<THREADS>();
        if (p + GO <= OUT) RowsLines<T, N, E, -1, GO, TILE, 1, R...>::run(x + p, t, tiles, roots);
        else RowsLines<T, N, E, -1, (OUT % GO ? OUT % GO : 1), TILE, 1, R...>::run(x + p, t, tiles, roots);
    }
    // A half spectrum is made of a line's point k and its mirror image, which another thread has.
#pragma unroll
    for (int first_line = 0; first_line < OUT; first_line += GO) {
        rows_barrier<THREADS>();
#pragma unroll
        for (int p = first_line; p < OUT && p < first_line + GO; p++)
#pragma unroll
            for (int q = 0; q < E; q++) {
                const int k = t + q * THREADS, mirror = k == 0 ? 0 : N - k;
                if ((k == 0 || 2 * k >= N) && mirror < call.kept) tiles[(p - first_line) * TILE + mirror] = x[p][q];
            }
        rows_barrier<THREADS>();
#pragma unroll
        for (int p = first_line; p < OUT && p < first_line + GO; p++) {
            C *a = (C *)call.fields[Product::FIRST + 2 * p] + first;
            C *b = 2 * p + 1 < Product::OUTPUTS ? (C *)call.fields[Product::FIRST + 2 * p + 1] + first : nullptr;
#pragma unroll
            for (int q = 0; q < E; q++) {
                const int k = t + q * THREADS;
                if (2 * k > N || k >= call.kept || !valid) continue;
                const C z = x[p][q], w = tiles[(p - first_line) * TILE + k];
                const T half = (T)0.5;
                C u, v;
                u.x = half * (z.x + w.x);
                u.y = half * (z.y - w.y);
                v.x = half * (z.y + w.y);
                v.y = half * (w.x - z.x);
                a[k] = u;
                if (b) b[k] = v;
            }
        }
    }
}

template <typename T, class Product, int N, int E, int ROWS, int BLOCKS, int GROUP, int... R>
int rows_product_launch(const RowsCall *call, const Product &product, const void *roots, cudaStream_t stream)
{
    constexpr int in = (Product::INPUTS + 1) / 2, out = (Product::OUTPUTS + 1) / 2, most = in > out ? in : out;
    constexpr int bytes = ROWS * (GROUP < most ? GROUP : most) * rows_tile<T, N, 1, R...>() * (int)sizeof(pair_t<T>);
    auto kernel = rows_product_kernel<T, Product, N, E, ROWS, BLOCKS, GROUP, R...>;
    static bool ready;
    if (!ready) {
        const cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        if (error != cudaSuccess) return error;
        ready = true;
    }
    const int64_t blocks = (call->count + ROWS - 1) / ROWS;
    if (blocks > INT32_MAX) return cudaErrorInvalidConfiguration;
    kernel<<<(unsigned)blocks, ROWS *(N / E), bytes, stream>>>(*call, product, (const root_t<T> *)roots);
    return cudaGetLastError();
}
