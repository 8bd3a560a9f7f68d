// SPDX-License-Identifier: Apache-2.0
// Rows of several real fields to points, a product there, and back, in the registers and shared memory of a block: what
// lies between is never stored. Two real fields are the real and the imaginary part of one complex line.
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

// Rows padded so that both ends of an exchange of radix 8 meet all banks.
constexpr int ROWS_PAD = 8;

template <typename T, int N, int E, int R1> struct RowsLoad {
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
    static __device__ __forceinline__ void line(C *x, const C *a, const C *b, int t, int kept)
    {
#pragma unroll
        for (int i = 0; i < E / R1; i++)
#pragma unroll
            for (int m = 0; m < R1; m++) x[i * R1 + m] = point(a, b, t + i * (N / E) + m * (N / R1), kept);
    }
};

// The two half spectra of a line whose points lie in a tile.
template <typename T, int N, int THREADS>
__device__ __forceinline__ void rows_store(const pair_t<T> *tile, pair_t<T> *a, pair_t<T> *b, int t, int kept)
{
    for (int k = t; k < kept; k += THREADS) {
        const int other = k == 0 ? 0 : N - k;
        const pair_t<T> z = tile[k + k / ROWS_PAD], w = tile[other + other / ROWS_PAD];
        const T half = (T)0.5;
        pair_t<T> u, v;
        u.x = half * (z.x + w.x);
        u.y = half * (z.y - w.y);
        v.x = half * (z.y + w.y);
        v.y = half * (w.x - z.x);
        a[k] = u;
        if (b) b[k] = v;
    }
}

template <typename T, class Product, int N, int E, int ROWS, int BLOCKS, int R1, int... R>
__global__ void __launch_bounds__(ROWS *(N / E), BLOCKS)
    rows_product_kernel(const __grid_constant__ RowsCall call, Product product, const root_t<T> *__restrict__ roots)
{
    using C = pair_t<T>;
    constexpr int THREADS = N / E, IN = (Product::INPUTS + 1) / 2, OUT = (Product::OUTPUTS + 1) / 2,
                  LINES = IN > OUT ? IN : OUT;
    constexpr int radices[] = {R1, R...};
    constexpr int L = radices[sizeof...(R)], P = N / L;
    static_assert(L == R1, "a thread has the same points after the way there as before the way back");
    extern __shared__ __align__(16) char shared[];
    const int t = threadIdx.x % THREADS;
    const int64_t row = (int64_t)blockIdx.x * ROWS + threadIdx.x / THREADS;
    const bool valid = row < call.count;
    C *tile = (C *)shared + (threadIdx.x / THREADS) * (N + N / ROWS_PAD);
    C *fields[6];
#pragma unroll
    for (int f = 0; f < 6; f++) fields[f] = (C *)call.fields[f] + (valid ? row : 0) * call.pitch;
    C x[LINES][E];
#pragma unroll
    for (int p = 0; p < IN; p++)
        RowsLoad<T, N, E, R1>::line(x[p], fields[2 * p], 2 * p + 1 < Product::INPUTS ? fields[2 * p + 1] : nullptr, t,
                                    call.kept);
#pragma unroll
    for (int p = 0; p < IN; p++) {
        if (p > 0) __syncthreads();
        Line<T, N, E, 1, ROWS_PAD, false, 1, R1, R...>::run(x[p], t, tile, 1, roots);
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
    for (int p = 0; p < OUT; p++) {
        __syncthreads();
        Line<T, N, E, -1, ROWS_PAD, false, 1, R1, R...>::run(x[p], t, tile, 1, roots);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < E / L; i++)
#pragma unroll
            for (int m = 0; m < L; m++) {
                const int k = t + i * THREADS + m * P;
                tile[k + k / ROWS_PAD] = x[p][i * L + m];
            }
        __syncthreads();
        C *a = fields[Product::FIRST + 2 * p],
          *b = 2 * p + 1 < Product::OUTPUTS ? fields[Product::FIRST + 2 * p + 1] : nullptr;
        if (valid) rows_store<T, N, THREADS>(tile, a, b, t, call.kept);
    }
}

template <typename T, class Product, int N, int E, int ROWS, int BLOCKS, int R1, int... R>
int rows_product_launch(const RowsCall *call, const Product &product, const void *roots, cudaStream_t stream)
{
    constexpr int bytes = ROWS * (N + N / ROWS_PAD) * (int)sizeof(pair_t<T>);
    auto kernel = rows_product_kernel<T, Product, N, E, ROWS, BLOCKS, R1, R...>;
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
