// SPDX-License-Identifier: Apache-2.0
// Planes of one shape (planes_fixed.cuh): the shape, and what a thread loads of pairs and adds to their sums.
#pragma once
#include "fft/cuda/planes.cuh"
#include "fft/cuda/vectors.cuh"
#include "fft/pair.h"

namespace fixed_planes
{

// N = A * B: of the pairs of factors up to 12 the most alike, A the larger (planes_axes.c chooses the same).
constexpr int outer_step(int n)
{
    for (int a = 2; a <= 12; a++)
        if (a != 11 && a * a >= n && n % a == 0) return a;
    return 0;
}

template <int N_> struct Axis {
    static constexpr int N = N_, A = outer_step(N), B = N / A;
    static_assert(A > 0, "a product of two factors up to 12");
};

// A block for a plane has THREADS; IN or OUT of them are on a multiprocessor.
template <typename T_, int NX, int NY, int NZ, int WIDE_, int THREADS_, int IN_, int OUT_> struct Shape {
    using T = T_;
    using C = pair_t<T>;
    using X = Axis<NX>;
    using Y = Axis<NY>;
    using Z = Axis<NZ>;
    static constexpr int WIDE = WIDE_, THREADS = THREADS_, IN = IN_, OUT = OUT_;
    static constexpr int ROW = NZ | 1, PLANE = NY * NZ, BYTES = NY * ROW * (int)sizeof(C);
    static constexpr int64_t POINTS = (int64_t)NX * PLANE;
};

// What a thread has of plane x: points [m][w] at y = part + B m, z + w.
template <class S> struct Share {
    using T = typename S::T;
    using C = typename S::C;
    static constexpr int R = S::Y::A, W = S::WIDE;
    int x, part, z;
    static constexpr int JOBS = S::Z::N / W * S::Y::B;
    __device__ __forceinline__ Share(int x_, int job) : x(x_), part(job / (S::Z::N / W)), z(job % (S::Z::N / W) * W) {}
    __device__ __forceinline__ int y(int m) const { return part + S::Y::B * m; }
    __device__ __forceinline__ int64_t at(int m) const { return (int64_t)x * S::PLANE + y(m) * S::Z::N + z; }
};

// Times what makes products of real fields periodic, BACK over it.
template <class S, bool BACK>
__device__ __forceinline__ void turn_phase(const pv_cubes_ends &ends, const Share<S> &share,
                                           typename S::C (&v)[Share<S>::R][S::WIDE])
{
    using C = typename S::C;
    C across[S::WIDE];
#pragma unroll
    for (int w = 0; w < S::WIDE; w++)
        across[w] = mul(__ldg((const C *)ends.phase[0] + share.x), __ldg((const C *)ends.phase[2] + share.z + w));
#pragma unroll
    for (int m = 0; m < Share<S>::R; m++) {
        const C along = __ldg((const C *)ends.phase[1] + share.y(m));
#pragma unroll
        for (int w = 0; w < S::WIDE; w++) {
            C p = mul(across[w], along);
            if (BACK) p.y = -p.y;
            v[m][w] = mul(v[m][w], p);
        }
    }
}

template <class S>
__device__ __forceinline__ void take(const pv_cubes_ends &ends, int64_t item, const Share<S> &share,
                                     typename S::C (&v)[Share<S>::R][S::WIDE])
{
    using T = typename S::T;
    using C = typename S::C;
    constexpr int W = S::WIDE;
    if (ends.kind == PV_CUBES_PLAIN) {
        const C *in = (const C *)ends.in + item * S::POINTS;
#pragma unroll
        for (int m = 0; m < Share<S>::R; m++) {
            Reals<T, 2 * W> a;
            a.take((const T *)(in + share.at(m)));
#pragma unroll
            for (int w = 0; w < W; w++) v[m][w] = planes::make<T>(a.v[2 * w], a.v[2 * w + 1]);
        }
    } else if (ends.kind == PV_CUBES_COMPLEX_PAIRS) {
        const pv_complex_pair &pair = ((const pv_complex_pair *)ends.list)[item];
        const C *s = (const C *)pair.source, *t = (const C *)pair.target;
#pragma unroll
        for (int m = 0; m < Share<S>::R; m++) {
            Reals<T, 2 * W> a, b;
            a.take((const T *)(s + share.at(m)));
            b.take((const T *)(t + share.at(m)));
#pragma unroll
            for (int w = 0; w < W; w++)
                v[m][w] = planes::make<T>(a.v[2 * w] * b.v[2 * w] + a.v[2 * w + 1] * b.v[2 * w + 1],
                                          a.v[2 * w] * b.v[2 * w + 1] - a.v[2 * w + 1] * b.v[2 * w]);
        }
    } else {
        const pv_real_pair &pair = ((const pv_real_pair *)ends.list)[item];
        const bool two = pair.target[1];
        const T *s = (const T *)pair.source, *t = (const T *)pair.target[0];
        const T *u = two ? (const T *)pair.target[1] : t;
#pragma unroll
        for (int m = 0; m < Share<S>::R; m++) {
            Reals<T, W> a, b, c;
            a.take(s + share.at(m));
            b.take(t + share.at(m));
            c.take(u + share.at(m));
#pragma unroll
            for (int w = 0; w < W; w++) v[m][w] = planes::make<T>(a.v[w] * b.v[w], two ? a.v[w] * c.v[w] : 0);
        }
        if (ends.phase[0]) turn_phase<S, false>(ends, share, v);
    }
}

// The pair that a block works on, in shared memory: it is far when sums are wanted.
union AnyPair {
    pv_real_pair real;
    pv_complex_pair complex;
    // Seen by all threads after the next barrier.
    __device__ __forceinline__ void take(const pv_cubes_ends &ends, int64_t item)
    {
        const int i = threadIdx.x;
        if (ends.kind == PV_CUBES_REAL_PAIRS && i < (int)(sizeof real / 8))
            ((int64_t *)&real)[i] = ((const int64_t *)((const pv_real_pair *)ends.list + item))[i];
        if (ends.kind == PV_CUBES_COMPLEX_PAIRS && i < (int)(sizeof complex / 8))
            ((int64_t *)&complex)[i] = ((const int64_t *)((const pv_complex_pair *)ends.list + item))[i];
    }
};

// Points whose loads are on their way together: what is added orders the loads round it.
template <class S> constexpr int TOGETHER = Share<S>::R % 3 == 0 ? 3 : 2;

template <class S, bool ACTS>
__device__ __forceinline__ void add_complex(const pv_complex_pair &pair, const Share<S> &share,
                                            const typename S::C (&v)[Share<S>::R][S::WIDE])
{
    using T = typename S::T;
    using C = typename S::C;
    using Some = Reals<T, 2 * S::WIDE>;
    constexpr int G = TOGETHER<S>;
    const C *s = (const C *)pair.source, *t = (const C *)pair.target;
    C *to = (C *)pair.target_sum, *back = (C *)pair.source_sum;
    const T weight = (T)pair.target_weight, weight_back = (T)pair.source_weight;
#pragma unroll
    for (int first = 0; first < Share<S>::R; first += G) {
        Some a[G], b[G];
#pragma unroll
        for (int g = 0; g < G; g++) {
            a[g].take((const T *)(s + share.at(first + g)));
            if (ACTS) b[g].take((const T *)(t + share.at(first + g)));
        }
#pragma unroll
        for (int g = 0; g < G; g++) {
            Some sum, other;
#pragma unroll
            for (int w = 0; w < S::WIDE; w++) {
                const C u = v[first + g][w];
                sum.v[2 * w] = weight * (a[g].v[2 * w] * u.x - a[g].v[2 * w + 1] * u.y);
                sum.v[2 * w + 1] = weight * (a[g].v[2 * w] * u.y + a[g].v[2 * w + 1] * u.x);
                if (!ACTS) continue;
                other.v[2 * w] = weight_back * (b[g].v[2 * w] * u.x + b[g].v[2 * w + 1] * u.y);
                other.v[2 * w + 1] = weight_back * (b[g].v[2 * w + 1] * u.x - b[g].v[2 * w] * u.y);
            }
            sum.add_to((T *)(to + share.at(first + g)));
            if (ACTS) other.add_to((T *)(back + share.at(first + g)));
        }
    }
}

template <class S, bool ACTS>
__device__ __forceinline__ void add_real(const pv_real_pair &pair, const Share<S> &share,
                                         const typename S::C (&v)[Share<S>::R][S::WIDE])
{
    using T = typename S::T;
    using Some = Reals<T, S::WIDE>;
    constexpr int G = TOGETHER<S>;
    const bool two = pair.target[1];
    const T *s = (const T *)pair.source, *t = (const T *)pair.target[0];
    const T *u = two ? (const T *)pair.target[1] : t;
    T *to = (T *)pair.target_sum[0], *also = (T *)pair.target_sum[1], *back = (T *)pair.source_sum;
    const T w0 = (T)pair.target_weight[0], w1 = (T)pair.target_weight[1];
    const T u0 = (T)pair.source_weight[0], u1 = two ? (T)pair.source_weight[1] : 0;
#pragma unroll
    for (int first = 0; first < Share<S>::R; first += G) {
        Some a[G], b[G], c[G];
#pragma unroll
        for (int g = 0; g < G; g++) {
            a[g].take(s + share.at(first + g));
            if (!ACTS) continue;
            b[g].take(t + share.at(first + g));
            c[g].take(u + share.at(first + g));
        }
#pragma unroll
        for (int g = 0; g < G; g++) {
            Some sum, other, own;
#pragma unroll
            for (int w = 0; w < S::WIDE; w++) {
                sum.v[w] = w0 * a[g].v[w] * v[first + g][w].x;
                other.v[w] = w1 * a[g].v[w] * v[first + g][w].y;
                if (ACTS) own.v[w] = u0 * b[g].v[w] * v[first + g][w].x + u1 * c[g].v[w] * v[first + g][w].y;
            }
            sum.add_to(to + share.at(first + g));
            if (two) other.add_to(also + share.at(first + g));
            if (ACTS) own.add_to(back + share.at(first + g));
        }
    }
}

template <class S>
__device__ __forceinline__ void give(const pv_cubes_ends &ends, int64_t item, const AnyPair &pairs,
                                     const Share<S> &share, typename S::C (&v)[Share<S>::R][S::WIDE])
{
    using T = typename S::T;
    using C = typename S::C;
    constexpr int W = S::WIDE;
    if (ends.kind == PV_CUBES_COMPLEX_PAIRS) {
        const pv_complex_pair &pair = pairs.complex;
        if (pair.source_sum && pair.source_weight != 0)
            add_complex<S, true>(pair, share, v);
        else
            add_complex<S, false>(pair, share, v);
    } else if (ends.kind == PV_CUBES_REAL_PAIRS) {
        const pv_real_pair &pair = pairs.real;
        if (ends.phase[0]) turn_phase<S, true>(ends, share, v);
        if (pair.source_sum && (pair.source_weight[0] != 0 || pair.source_weight[1] != 0))
            add_real<S, true>(pair, share, v);
        else
            add_real<S, false>(pair, share, v);
    } else {
        C *out = (C *)ends.out + item * S::POINTS;
#pragma unroll
        for (int m = 0; m < Share<S>::R; m++) {
            Reals<T, 2 * W> a;
#pragma unroll
            for (int w = 0; w < W; w++) a.v[2 * w] = v[m][w].x, a.v[2 * w + 1] = v[m][w].y;
            a.put((T *)(out + share.at(m)));
        }
    }
}

} // namespace fixed_planes
