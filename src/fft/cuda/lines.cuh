// SPDX-License-Identifier: Apache-2.0
// Straight-line transforms of a few points in registers, and lines of tens to thousands of points in the registers and
// shared memory of a thread block.
#pragma once
#include <cuda_runtime.h>

template <typename T> struct Pair;
template <> struct Pair<float> { using type = float2; };
template <> struct Pair<double> { using type = double2; };
template <typename T> using pair_t = typename Pair<T>::type;

// Two neighbouring lines of FP32 at once: threads then load and store 16 bytes, as those of FP64 do.
struct Twin {
    float a, b;
};
__device__ __forceinline__ Twin operator+(Twin x, Twin y) { return {x.a + y.a, x.b + y.b}; }
__device__ __forceinline__ Twin operator-(Twin x, Twin y) { return {x.a - y.a, x.b - y.b}; }
__device__ __forceinline__ Twin operator-(Twin x) { return {-x.a, -x.b}; }
__device__ __forceinline__ Twin operator*(Twin x, float f) { return {x.a * f, x.b * f}; }
struct alignas(16) TwinPair {
    Twin x, y;
};
template <> struct Pair<Twin> { using type = TwinPair; };
template <typename T> struct Scalar { using type = T; };
template <> struct Scalar<Twin> { using type = float; };
template <typename T> using scalar_t = typename Scalar<T>::type;
template <typename T> using root_t = pair_t<scalar_t<T>>;

template <typename C> __device__ __forceinline__ C add(C a, C b) { C r; r.x = a.x + b.x; r.y = a.y + b.y; return r; }
template <typename C> __device__ __forceinline__ C sub(C a, C b) { C r; r.x = a.x - b.x; r.y = a.y - b.y; return r; }
template <typename C, typename W> __device__ __forceinline__ C mul(C a, W b)
{
    C r;
    r.x = a.x * b.x - a.y * b.y;
    r.y = a.x * b.y + a.y * b.x;
    return r;
}

// cos and sin of 2 pi k / n at compile time.
namespace root {
constexpr double pi = 3.14159265358979323846264338327950288;
constexpr double sin_small(double x) { // |x| <= pi / 4
    double term = x, sum = x;
    for (int i = 1; i < 12; i++) { term *= -x * x / ((2 * i) * (2 * i + 1)); sum += term; }
    return sum;
}
constexpr double cos_small(double x) {
    double term = 1, sum = 1;
    for (int i = 1; i < 12; i++) { term *= -x * x / ((2 * i - 1) * (2 * i)); sum += term; }
    return sum;
}
constexpr double cosine(int k, int n) { // by octants, exact at multiples of n / 8
    k %= n;
    int eight = 8 * k / n;         // octant
    double x = 2 * pi * k / n;
    switch (eight) {
    case 0: return cos_small(x);
    case 1: return sin_small(pi / 2 - x);
    case 2: return -sin_small(x - pi / 2);
    case 3: return -cos_small(pi - x);
    case 4: return -cos_small(x - pi);
    case 5: return -sin_small(3 * pi / 2 - x);
    case 6: return sin_small(x - 3 * pi / 2);
    default: return cos_small(2 * pi - x);
    }
}
constexpr double sine(int k, int n) { return cosine(k * 4 + 3 * n, 4 * n); }
} // namespace root

// a times D i; D = -1 forward, +1 inverse.
template <int D, typename C> __device__ __forceinline__ C turn(C a)
{
    C r;
    r.x = D < 0 ? a.y : -a.y;
    r.y = D < 0 ? -a.x : a.x;
    return r;
}

template <int N> struct Factor { // the first of two factors, 1 for primes
    static constexpr int a = N % 4 == 0 && N > 4   ? 4
                             : N % 2 == 0 && N > 2 ? 2
                             : N % 3 == 0 && N > 3 ? 3
                             : N % 5 == 0 && N > 5 ? 5
                                                   : 1;
};

template <typename T, int N, int D, int A = Factor<N>::a> struct Dft {
    using C = pair_t<T>;
    static constexpr int B = N / A;
    static __device__ __forceinline__ void run(C *x) { // natural order in and out
        C y[N];
#pragma unroll
        for (int b = 0; b < B; b++) {
            C t[A];
#pragma unroll
            for (int a = 0; a < A; a++) t[a] = x[a * B + b];
            Dft<T, A, D>::run(t);
#pragma unroll
            for (int a = 0; a < A; a++) {
                y[a * B + b] = twiddle(t[a], a * b);
            }
        }
#pragma unroll
        for (int a = 0; a < A; a++) {
            C t[B];
#pragma unroll
            for (int b = 0; b < B; b++) t[b] = y[a * B + b];
            Dft<T, B, D>::run(t);
#pragma unroll
            for (int b = 0; b < B; b++) x[b * A + a] = t[b];
        }
    }
    using S = scalar_t<T>;
    struct Table { S c[N], s[N]; };
    static constexpr Table make() {
        Table t{};
        for (int k = 0; k < N; k++) { t.c[k] = (S)root::cosine(k, N); t.s[k] = (S)(D * root::sine(k, N)); }
        return t;
    }
    static __device__ __forceinline__ C twiddle(C v, int k) {
        constexpr Table table = make();
        if (k == 0) return v;
        if (4 * k == N) return turn<D>(v);
        root_t<T> w; w.x = table.c[k]; w.y = table.s[k];
        return mul(v, w);
    }
};
template <typename T, int D> struct Dft<T, 1, D, 1> { static __device__ __forceinline__ void run(pair_t<T> *) {} };
template <typename T, int D> struct Dft<T, 2, D, 1> {
    static __device__ __forceinline__ void run(pair_t<T> *x)
    {
        auto a = x[0], b = x[1];
        x[0] = add(a, b);
        x[1] = sub(a, b);
    }
};
template <typename T, int D> struct Dft<T, 4, D, 2> {
    static __device__ __forceinline__ void run(pair_t<T> *x) {
        auto a = add(x[0], x[2]), b = sub(x[0], x[2]), c = add(x[1], x[3]), d = turn<D>(sub(x[1], x[3]));
        x[0] = add(a, c); x[1] = add(b, d); x[2] = sub(a, c); x[3] = sub(b, d);
    }
};
// Odd primes: sums and differences of mirrored points.
template <typename T, int P, int D> struct Dft<T, P, D, 1> {
    using C = pair_t<T>;
    static constexpr int H = P / 2;
    using S = scalar_t<T>;
    struct Table { S c[P], s[P]; };
    static constexpr Table make() {
        Table t{};
        for (int k = 0; k < P; k++) { t.c[k] = (S)root::cosine(k, P); t.s[k] = (S)(D * root::sine(k, P)); }
        return t;
    }
    static __device__ __forceinline__ void run(C *x) {
        constexpr Table t = make();
        C s[H], d[H], zero = x[0];
#pragma unroll
        for (int j = 0; j < H; j++) { s[j] = add(x[j + 1], x[P - 1 - j]); d[j] = sub(x[j + 1], x[P - 1 - j]); }
#pragma unroll
        for (int j = 0; j < H; j++) x[0] = add(x[0], s[j]);
#pragma unroll
        for (int k = 1; k <= H; k++) {
            C e = zero, o;
#pragma unroll
            for (int j = 0; j < H; j++) {
                S c = t.c[(j + 1) * k % P], w = t.s[(j + 1) * k % P];
                e.x = e.x + s[j].x * c; e.y = e.y + s[j].y * c;
                if (j == 0) { o.x = -d[j].y * w; o.y = d[j].x * w; }
                else { o.x = o.x - d[j].y * w; o.y = o.y + d[j].x * w; }
            }
            x[k] = add(e, o); x[P - k] = sub(e, o);
        }
    }
};

// Of three points: the last sums and differences are fused with the multiplication.
template <typename T, int D> struct Dft<T, 3, D, 1> {
    static __device__ __forceinline__ void run(pair_t<T> *x) {
        constexpr scalar_t<T> c = (scalar_t<T>)-0.5, w = (scalar_t<T>)(D * root::sine(1, 3));
        auto s = add(x[1], x[2]), d = sub(x[1], x[2]);
        T ex = x[0].x + s.x * c, ey = x[0].y + s.y * c;
        x[0] = add(x[0], s);
        x[1].x = ex - d.y * w; x[1].y = ey + d.x * w;
        x[2].x = ex + d.y * w; x[2].y = ey - d.x * w;
    }
};

// One line: E points a thread, N / E threads. Stages of radix R..., Stockham order, so both ends are natural.
// Exchange through `tile`: point i of this thread's line is at tile[(i + i / PAD) * STEP]; with SPLIT real parts go
// first, then imaginary parts, through half the memory, an array of T.
template <typename T, int N, int E, int D, int PAD, bool SPLIT, int P, int R, int... Rest> struct Line {
    using C = pair_t<T>;
    static constexpr int THREADS = N / E, COUNT = E / R;
    static __device__ __forceinline__ int place(int i, int step) { return (i + i / PAD) * step; }
    // x[i * R + m] is point (t + i * THREADS) + m * N / R on entry; on exit of the last stage x[i * R + m] is point
    // j + m * P.
    static __device__ __forceinline__ void run(C *x, int t, C *tile, int step, const root_t<T> *__restrict__ roots) {
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            int k = (t + i * THREADS) % P;
            if constexpr (P > 1) {
#pragma unroll
                for (int m = 1; m < R; m++) {
                    root_t<T> w = __ldg(roots + (N / (P * R)) * k * m);
                    if (D > 0) w.y = -w.y;
                    x[i * R + m] = mul(x[i * R + m], w);
                }
            }
            Dft<T, R, D>::run(x + i * R);
        }
        if constexpr (sizeof...(Rest) > 0) next<Rest...>(x, t, tile, step, roots);
    }
    template <int R2, class V, class W>
    static __device__ __forceinline__ void exchange(C *x, int t, V *tile, int step, W part)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            int j = t + i * THREADS, k = j % P, base = (j / P) * P * R + k;
#pragma unroll
            for (int m = 0; m < R; m++) tile[place(base + m * P, step)] = part(x[i * R + m]);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < E / R2; i++)
#pragma unroll
            for (int m = 0; m < R2; m++) part(x[i * R2 + m]) = tile[place(t + i * THREADS + m * (N / R2), step)];
    }
    template <int R2, int... More>
    static __device__ __forceinline__ void next(C *x, int t, C *tile, int step, const root_t<T> *__restrict__ roots)
    {
        if constexpr (P > 1) __syncthreads();
        if constexpr (SPLIT) {
            exchange<R2>(x, t, (T *)tile, step, [](C &v) -> T & { return v.x; });
            __syncthreads();
            exchange<R2>(x, t, (T *)tile, step, [](C &v) -> T & { return v.y; });
        } else {
            exchange<R2>(x, t, tile, step, [](C &v) -> C & { return v; });
        }
        Line<T, N, E, D, PAD, SPLIT, P * R, R2, More...>::run(x, t, tile, step, roots);
    }
};
