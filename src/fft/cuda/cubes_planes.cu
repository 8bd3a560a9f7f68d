// SPDX-License-Identifier: Apache-2.0
// Convolutions of boxes of any size in three visits to memory. A block takes a plane of constant x into shared
// memory, made of the product of a pair, transforms it along z and y and leaves what the factor keeps of it; lines of x,
// side by side, are transformed, multiplied and transformed back; planes come again and end in the sums of the pair.
// Spectra are in the order of the steps (planes.cuh), into which the factor is brought once (planes_columns.cu).
#include "fft/cuda/planes.cuh"
#include "fft/pair.h"

using namespace planes;

namespace
{

// ---- The ends ------------------------------------------------------------------------------------------------------

// A plane of constant x: its place in a box and in shared memory. Threads take several points at once, so that what
// they wait for comes together.
struct Plane {
    int n1, n2, row, x;
    unsigned inverse; // of n2, times 2^32
    int64_t points, first;
    __device__ __forceinline__ explicit Plane(const pv_cubes_planes &a)
        : n1(a.axis[1].n), n2(a.axis[2].n), row(row_of(n2)), x(blockIdx.x), inverse(0xffffffffu / (unsigned)n2 + 1),
          points((int64_t)a.axis[0].n * n1 * n2), first((int64_t)x * n1 * n2)
    {
    }
    __device__ __forceinline__ int y_of(int i) const { return n2 == 1 ? i : (int)__umulhi((unsigned)i, inverse); }
    __device__ __forceinline__ int place(int i) const
    {
        const int y = y_of(i);
        return y * row + (i - y * n2);
    }
};

enum { TOGETHER = 4 };

template <class Take, class Put> __device__ __forceinline__ void for_points(const Plane &plane, Take take, Put put)
{
    for (int i = threadIdx.x; i < plane.n1 * plane.n2; i += TOGETHER * THREADS) {
        decltype(take(0)) taken[TOGETHER];
#pragma unroll
        for (int k = 0; k < TOGETHER; k++)
            if (i + k * THREADS < plane.n1 * plane.n2) taken[k] = take(i + k * THREADS);
#pragma unroll
        for (int k = 0; k < TOGETHER; k++)
            if (i + k * THREADS < plane.n1 * plane.n2) put(i + k * THREADS, taken[k]);
    }
}

template <typename T>
__device__ __forceinline__ pair_t<T> phase_at(const pv_cubes_ends &ends, const Plane &plane, int i)
{
    const int y = plane.y_of(i);
    const pair_t<T> a = __ldg((const pair_t<T> *)ends.phase[0] + plane.x),
                    b = __ldg((const pair_t<T> *)ends.phase[1] + y);
    return mul(mul(a, b), __ldg((const pair_t<T> *)ends.phase[2] + (i - y * plane.n2)));
}

template <typename T> struct Three {
    T a, b, c;
};

template <typename T>
__device__ __forceinline__ void load_plane(const pv_cubes_ends &ends, const Plane &plane, int64_t item, pair_t<T> *tile)
{
    if (ends.kind == PV_CUBES_PLAIN) {
        const pair_t<T> *in = (const pair_t<T> *)ends.in + item * plane.points + plane.first;
        for_points(
            plane, [=](int i) { return __ldg(in + i); }, [=](int i, pair_t<T> v) { tile[plane.place(i)] = v; });
    } else if (ends.kind == PV_CUBES_COMPLEX_PAIRS) {
        const pv_complex_pair &pair = ((const pv_complex_pair *)ends.list)[item];
        const pair_t<T> *s = (const pair_t<T> *)pair.source + plane.first,
                        *t = (const pair_t<T> *)pair.target + plane.first;
        for_points(
            plane,
            [=](int i) {
                const pair_t<T> a = __ldg(s + i), b = __ldg(t + i);
                return make<T>(a.x * b.x + a.y * b.y, a.x * b.y - a.y * b.x);
            },
            [=](int i, pair_t<T> v) { tile[plane.place(i)] = v; });
    } else {
        const pv_real_pair &pair = ((const pv_real_pair *)ends.list)[item];
        const T *s = (const T *)pair.source + plane.first, *t = (const T *)pair.target[0] + plane.first;
        const bool two = pair.target[1], turned = ends.phase[0];
        const T *u = two ? (const T *)pair.target[1] + plane.first : t;
        for_points(
            plane,
            [=](int i) {
                return Three<T>{__ldg(s + i), __ldg(t + i), __ldg(u + i)};
            },
            [=](int i, Three<T> f) {
                const pair_t<T> v = make<T>(f.a * f.b, two ? f.a * f.c : 0);
                tile[plane.place(i)] = turned ? mul(v, phase_at<T>(ends, plane, i)) : v;
            });
    }
}

// Other blocks add to the same sums.
template <typename T>
__device__ __forceinline__ void add_complex(const pv_complex_pair &pair, const Plane &plane, const pair_t<T> *tile)
{
    const pair_t<T> *s = (const pair_t<T> *)pair.source + plane.first,
                    *t = (const pair_t<T> *)pair.target + plane.first;
    T *to = (T *)((pair_t<T> *)pair.target_sum + plane.first),
      *back = (T *)((pair_t<T> *)pair.source_sum + plane.first);
    const T w = (T)pair.target_weight, u = (T)pair.source_weight;
    const bool acts = pair.source_sum && u != 0;
    for_points(
        plane,
        [=](int i) {
            return Three<pair_t<T>>{__ldg(s + i), acts ? __ldg(t + i) : make<T>(0, 0), tile[plane.place(i)]};
        },
        [=](int i, Three<pair_t<T>> f) {
            const pair_t<T> v = f.c;
            atomicAdd(to + 2 * i, w * (f.a.x * v.x - f.a.y * v.y));
            atomicAdd(to + 2 * i + 1, w * (f.a.x * v.y + f.a.y * v.x));
            if (!acts) return;
            atomicAdd(back + 2 * i, u * (f.b.x * v.x + f.b.y * v.y));
            atomicAdd(back + 2 * i + 1, u * (f.b.y * v.x - f.b.x * v.y));
        });
}

template <typename T>
__device__ __forceinline__ void add_real(const pv_cubes_ends &ends, const pv_real_pair &pair, const Plane &plane,
                                         const pair_t<T> *tile)
{
    const bool two = pair.target[1], turned = ends.phase[0];
    const T *s = (const T *)pair.source + plane.first, *t = (const T *)pair.target[0] + plane.first;
    const T *u = two ? (const T *)pair.target[1] + plane.first : t;
    T *to = (T *)pair.target_sum[0] + plane.first, *also = two ? (T *)pair.target_sum[1] + plane.first : to;
    T *back = (T *)pair.source_sum + plane.first;
    const T w0 = (T)pair.target_weight[0], w1 = (T)pair.target_weight[1];
    const T u0 = (T)pair.source_weight[0], u1 = two ? (T)pair.source_weight[1] : 0;
    const bool acts = pair.source_sum && (u0 != 0 || u1 != 0);
    for_points(
        plane,
        [=](int i) {
            return acts ? Three<T>{__ldg(s + i), __ldg(t + i), __ldg(u + i)} : Three<T>{__ldg(s + i), 0, 0};
        },
        [=](int i, Three<T> f) {
            pair_t<T> v = tile[plane.place(i)];
            if (turned) {
                const pair_t<T> p = phase_at<T>(ends, plane, i);
                v = make<T>(v.x * p.x + v.y * p.y, v.y * p.x - v.x * p.y);
            }
            atomicAdd(to + i, w0 * f.a * v.x);
            if (two) atomicAdd(also + i, w1 * f.a * v.y);
            if (acts) atomicAdd(back + i, u0 * f.b * v.x + u1 * f.c * v.y);
        });
}

template <typename T>
__device__ __forceinline__ void store_plane(const pv_cubes_ends &ends, const Plane &plane, int64_t item,
                                            const pair_t<T> *tile)
{
    if (ends.kind == PV_CUBES_PLAIN) {
        pair_t<T> *out = (pair_t<T> *)ends.out + item * plane.points + plane.first;
        for_points(
            plane, [=](int i) { return tile[plane.place(i)]; }, [=](int i, pair_t<T> v) { out[i] = v; });
    } else if (ends.kind == PV_CUBES_COMPLEX_PAIRS) {
        add_complex<T>(((const pv_complex_pair *)ends.list)[item], plane, tile);
    } else {
        add_real<T>(ends, ((const pv_real_pair *)ends.list)[item], plane, tile);
    }
}

// ---- Visits --------------------------------------------------------------------------------------------------------

// Blocks that a multiprocessor should hold: they hide each other's waiting, and numbers of FP32 take half the registers.
template <typename T> constexpr int BLOCKS = sizeof(T) == 4 ? 4 : 3;

// Plane blockIdx.x of item blockIdx.y, in and out.
template <typename T, int D> __global__ void __launch_bounds__(THREADS, BLOCKS<T>) planes_kernel(pv_cubes_planes a)
{
    extern __shared__ __align__(16) char memory[];
    pair_t<T> *tile = (pair_t<T> *)memory;
    const Plane plane(a);
    const int64_t item = blockIdx.y;
    const uint16_t *column = a.column;
    pair_t<T> *box = (pair_t<T> *)a.boxes + item * plane.points + plane.first;
    const Lines z_lines = {plane.n1, plane.row, 1, NULL}, y_lines = {plane.n2, 1, plane.row, NULL};
    if (D < 0)
        load_plane<T>(a.ends, plane, item, tile);
    else
        for_points(
            plane,
            [=](int i) {
                // All load, so that loads do not wait for each other in branches.
                const unsigned c = __ldg(column + i);
                const bool is_kept = c != PV_PLANES_NO_COLUMN;
                const pair_t<T> v = __ldcg(box + (is_kept ? c : 0));
                return make<T>(is_kept ? v.x : 0, is_kept ? v.y : 0);
            },
            [=](int i, pair_t<T> v) { tile[plane.place(i)] = v; });
    __syncthreads();
    if (D < 0) transform<T, D>(tile, z_lines, a.axis[2]);
    transform<T, D>(tile, y_lines, a.axis[1]);
    if (D > 0) transform<T, D>(tile, z_lines, a.axis[2]);
    if (D < 0)
        for_points(
            plane, [=](int i) { return (unsigned)__ldg(column + i); },
            [=](int i, unsigned c) {
                if (c != PV_PLANES_NO_COLUMN) box[c] = tile[plane.place(i)];
            });
    else
        store_plane<T>(a.ends, plane, item, tile);
}

// LANES lines of x of item blockIdx.y: there, times the factor, and back.
template <typename T> __global__ void __launch_bounds__(THREADS, BLOCKS<T>) lines_kernel(pv_cubes_planes a)
{
    extern __shared__ __align__(16) char memory[];
    pair_t<T> *tile = (pair_t<T> *)memory;
    const int n0 = a.axis[0].n, plane = a.axis[1].n * a.axis[2].n, first = blockIdx.x * LANES;
    const int lanes = min(LANES, *a.columns - first), lane = threadIdx.x % LANES;
    pair_t<T> *box = (pair_t<T> *)a.boxes + (int64_t)blockIdx.y * n0 * plane + first + lane;
    const T *factor = (const T *)a.factor + first + lane;
    const Lines lines = {LANES, 1, LANES, NULL};
    if (lanes <= 0) return;
#pragma unroll 8
    for (int x = threadIdx.x / LANES; x < n0; x += THREADS / LANES)
        tile[x * LANES + lane] = lane < lanes ? __ldcg(box + (int64_t)x * plane) : make<T>(0, 0);
    __syncthreads();
    transform<T, -1>(tile, lines, a.axis[0]);
    for (int x = threadIdx.x / LANES; x < n0; x += THREADS / LANES) {
        const T f = lane < lanes ? factor[(int64_t)x * plane] : 0;
        tile[x * LANES + lane].x *= f;
        tile[x * LANES + lane].y *= f;
    }
    __syncthreads();
    transform<T, 1>(tile, lines, a.axis[0]);
    for (int x = threadIdx.x / LANES; x < n0 && lane < lanes; x += THREADS / LANES)
        box[(int64_t)x * plane] = tile[x * LANES + lane];
}

template <typename T> int bytes_of(int n1, int n2)
{
    return n1 * row_of(n2) * (int)sizeof(pair_t<T>);
}

template <typename T> int lines_bytes(const pv_cubes_planes *a)
{
    return a->axis[0].n * LANES * (int)sizeof(pair_t<T>);
}

template <typename T> cudaError_t prepare()
{
    cudaError_t error = allow_most(planes_kernel<T, -1>);
    if (error == cudaSuccess) error = allow_most(planes_kernel<T, 1>);
    return error == cudaSuccess ? allow_most(lines_kernel<T>) : error;
}

template <typename T> cudaError_t run(cudaStream_t stream, const pv_cubes_planes *a)
{
    const unsigned items = (unsigned)a->ends.items, plane = (unsigned)(a->axis[1].n * a->axis[2].n);
    const dim3 planes((unsigned)a->axis[0].n, items), lines((plane + LANES - 1) / LANES, items);
    const int bytes = bytes_of<T>(a->axis[1].n, a->axis[2].n);
    planes_kernel<T, -1><<<planes, THREADS, (size_t)bytes, stream>>>(*a);
    lines_kernel<T><<<lines, THREADS, (size_t)lines_bytes<T>(a), stream>>>(*a);
    planes_kernel<T, 1><<<planes, THREADS, (size_t)bytes, stream>>>(*a);
    return cudaGetLastError();
}

} // namespace

extern "C" int pv_cubes_planes_bytes(int n1, int n2, int is_double)
{
    return is_double ? bytes_of<double>(n1, n2) : bytes_of<float>(n1, n2);
}

extern "C" int pv_cubes_planes_prepare(int is_double)
{
    return (int)(is_double ? prepare<double>() : prepare<float>());
}

extern "C" int pv_cubes_planes_run(void *stream, const pv_cubes_planes *planes)
{
    return (int)(planes->is_double ? run<double>((cudaStream_t)stream, planes)
                                   : run<float>((cudaStream_t)stream, planes));
}
