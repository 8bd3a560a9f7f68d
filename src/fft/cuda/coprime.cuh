// SPDX-License-Identifier: Apache-2.0
// Straight-line transforms whose length is a product of coprime factors: with the indices of the Chinese remainder
// theorem (Good 1958, Thomas 1963) no twiddle factors stand between them, and orders cost nothing in registers.
#pragma once
#include "fft/cuda/lines.cuh"

// The part of N made of its smallest prime: 16 of 48, 9 of 45, N itself for a power of a prime.
constexpr int prime_part(int n)
{
    int p = 2, part = 1;
    while (n % p != 0) p++;
    while (n % p == 0) n /= p, part *= p;
    return part;
}

constexpr int inverse_modulo(int a, int m) // 1 / a modulo m, 0 where m is 1
{
    for (int i = 0; i < m; i++)
        if (a * i % m == 1 % m) return i;
    return 0;
}

template <typename T, int N, int D, int A = prime_part(N)> struct Coprime {
    using C = pair_t<T>;
    static constexpr int B = N / A, FROM_A = B * inverse_modulo(B, A), FROM_B = A * inverse_modulo(A, B);
    static __device__ __forceinline__ void run(C *x) // natural order in and out
    {
        C y[N];
#pragma unroll
        for (int b = 0; b < B; b++) {
            C t[A];
#pragma unroll
            for (int a = 0; a < A; a++) t[a] = x[(B * a + A * b) % N];
            Dft<T, A, D>::run(t);
#pragma unroll
            for (int a = 0; a < A; a++) y[a * B + b] = t[a];
        }
#pragma unroll
        for (int a = 0; a < A; a++) {
            C t[B];
#pragma unroll
            for (int b = 0; b < B; b++) t[b] = y[a * B + b];
            Coprime<T, B, D>::run(t);
#pragma unroll
            for (int b = 0; b < B; b++) x[(FROM_A * a + FROM_B * b) % N] = t[b];
        }
    }
};
template <typename T, int N, int D> struct Coprime<T, N, D, N> {
    static __device__ __forceinline__ void run(pair_t<T> *x) { Dft<T, N, D>::run(x); }
};
