// SPDX-License-Identifier: Apache-2.0
// Sphere transforms in three visits to memory: planes of x that hold points are made of coefficients, with columns
// that hold none passed over, and left; lines of x are transformed, acted on, and transformed back; planes come again
// and give coefficients. Between the visits half of the grid lies in memory where it just holds squares of fields.
//
// Real and imaginary parts have changed places throughout, which makes the inverse transform of the forward one.
#include "fft/cuda/planes.cuh"
#include "fft/cuda/sphere_device.h"

using namespace planes;

namespace
{

typedef double2 C;

// a + i b of the fields of a transform at a point, or one complex field (fft/sphere/fold.h), parts changed.
__device__ __forceinline__ C point_of(const pv_sphere_device &a, int64_t transform, int code)
{
    const double half = 0.70710678118654752440;
    const int64_t p = code / 2;
    if (!a.is_half) {
        const C u = __ldg((const C *)a.in + transform * a.stride + p);
        return make_double2(u.y, u.x);
    }
    const C *first = (const C *)a.in + 2 * transform * a.stride + p;
    const C u = __ldg(first), v = 2 * transform + 1 < a.fields ? __ldg(first + a.stride) : make_double2(0, 0);
    if (p == a.single) return make_double2(v.x, u.x);
    const double sign = code % 2 ? -1 : 1;
    return make_double2(half * (sign * u.y + v.x), half * (u.x - sign * v.y));
}

// Plane blockIdx.x of transform blockIdx.y, out of coefficients.
__global__ void __launch_bounds__(THREADS, 2) spread_kernel(pv_sphere_device a)
{
    extern __shared__ __align__(16) char memory[];
    C *tile = (C *)memory;
    const int n1 = a.axis[1].n, n2 = a.axis[2].n, row = row_of(n2), plane = blockIdx.x;
    const int first = a.first_column[plane], columns = a.first_column[plane + 1] - first;
    C *box = (C *)a.boxes + ((int64_t)blockIdx.y * a.planes + plane) * n1 * n2;
    for (int i = threadIdx.x; i < n1 * row; i += THREADS) tile[i] = make_double2(0, 0);
    __syncthreads();
    for (int p = a.first_point[plane] + threadIdx.x; p < a.first_point[plane + 1]; p += THREADS)
        tile[a.place[p]] = point_of(a, blockIdx.y, a.code[p]);
    __syncthreads();
    transform<double, -1>(tile, Lines{columns, row, 1, a.column + first}, a.axis[2]);
    transform<double, -1>(tile, Lines{n2, 1, row, NULL}, a.axis[1]);
    for (int y = threadIdx.x / 32; y < n1; y += WARPS)
        for (int z = threadIdx.x % 32; z < n2; z += 32) box[y * n2 + z] = tile[y * row + z];
}

// And back into the spectrum of the transform.
__global__ void __launch_bounds__(THREADS, 2) collect_kernel(pv_sphere_device a)
{
    extern __shared__ __align__(16) char memory[];
    C *tile = (C *)memory;
    const int n1 = a.axis[1].n, n2 = a.axis[2].n, row = row_of(n2), plane = blockIdx.x;
    const int first = a.first_column[plane], columns = a.first_column[plane + 1] - first;
    const C *box = (const C *)a.boxes + ((int64_t)blockIdx.y * a.planes + plane) * n1 * n2;
    C *spectrum = (C *)a.spectra + blockIdx.y * a.full_count;
#pragma unroll 4
    for (int y = threadIdx.x / 32; y < n1; y += WARPS)
#pragma unroll 4
        for (int z = threadIdx.x % 32; z < n2; z += 32) tile[y * row + z] = __ldcg(box + y * n2 + z);
    __syncthreads();
    transform<double, 1>(tile, Lines{n2, 1, row, NULL}, a.axis[1]);
    transform<double, 1>(tile, Lines{columns, row, 1, a.column + first}, a.axis[2]);
    for (int p = a.first_point[plane] + threadIdx.x; p < a.first_point[plane + 1]; p += THREADS) {
        const C v = tile[a.place[p]];
        spectrum[p] = make_double2(v.y, v.x);
    }
}

// LANES lines of x of a transform, in and out.
__device__ __forceinline__ void load_lines(const pv_sphere_device &a, int64_t transform, C *tile)
{
    const int n0 = a.axis[0].n, plane = a.axis[1].n * a.axis[2].n, lane = threadIdx.x % LANES;
    const int column = blockIdx.x * LANES + lane;
    const C *box = (const C *)a.boxes + transform * a.planes * plane + column;
#pragma unroll 4
    for (int x = threadIdx.x / LANES; x < n0; x += THREADS / LANES) {
        const int p = __ldg(a.plane_of + x);
        tile[x * LANES + lane] = p >= 0 && column < plane ? __ldcg(box + (int64_t)p * plane) : make_double2(0, 0);
    }
}

__global__ void __launch_bounds__(THREADS, 3) times_kernel(pv_sphere_device a)
{
    extern __shared__ __align__(16) char memory[];
    C *tile = (C *)memory;
    const int n0 = a.axis[0].n, plane = a.axis[1].n * a.axis[2].n, lane = threadIdx.x % LANES;
    const int column = blockIdx.x * LANES + lane;
    const Lines lines = {LANES, 1, LANES, NULL};
    load_lines(a, blockIdx.y, tile);
    __syncthreads();
    transform<double, -1>(tile, lines, a.axis[0]);
#pragma unroll 4
    for (int x = threadIdx.x / LANES; x < n0; x += THREADS / LANES) {
        const double f = column < plane ? __ldg(a.reals + (int64_t)x * plane + column) : 0;
        tile[x * LANES + lane].x *= f;
        tile[x * LANES + lane].y *= f;
    }
    __syncthreads();
    transform<double, 1>(tile, lines, a.axis[0]);
    C *box = (C *)a.boxes + (int64_t)blockIdx.y * a.planes * plane + column;
    for (int x = threadIdx.x / LANES; x < n0 && column < plane; x += THREADS / LANES) {
        const int p = __ldg(a.plane_of + x);
        if (p >= 0) box[(int64_t)p * plane] = tile[x * LANES + lane];
    }
}

// All transforms one after another, so that sums are added in the order of fields.
__global__ void __launch_bounds__(THREADS, 2) squares_kernel(pv_sphere_device a)
{
    extern __shared__ __align__(16) char memory[];
    const int n0 = a.axis[0].n, n2 = a.axis[2].n, plane = a.axis[1].n * n2, lane = threadIdx.x % LANES;
    const int column = blockIdx.x * LANES + lane;
    C *tile = (C *)memory;
    double *sums = (double *)(tile + n0 * LANES);
    C across = make_double2(1, 0);
    if (a.phase[0] && column < plane)
        across = mul(__ldg((const C *)a.phase[1] + wave_at(a.axis[1], column / n2)),
                     __ldg((const C *)a.phase[2] + wave_at(a.axis[2], column % n2)));
    for (int x = threadIdx.x / LANES; x < n0; x += THREADS / LANES) sums[x * LANES + lane] = 0;
    for (int64_t t = 0; t < a.transforms; t++) {
        load_lines(a, t, tile);
        __syncthreads();
        transform<double, -1>(tile, Lines{LANES, 1, LANES, NULL}, a.axis[0]);
        for (int x = threadIdx.x / LANES; x < n0; x += THREADS / LANES) {
            const C u = tile[x * LANES + lane];
            C v = make_double2(u.y, u.x);
            if (a.phase[0]) v = mul(v, mul(across, __ldg((const C *)a.phase[0] + wave_at(a.axis[0], x))));
            sums[x * LANES + lane] += a.weight[2 * t] * v.x * v.x + a.weight[2 * t + 1] * v.y * v.y;
        }
        __syncthreads();
    }
    for (int x = threadIdx.x / LANES; x < n0 && column < plane; x += THREADS / LANES)
        a.sums[(int64_t)x * plane + column] += sums[x * LANES + lane];
}

// Index in the natural order of a place in that of the steps.
__device__ __forceinline__ int64_t natural_of(const pv_sphere_device &a, int64_t i)
{
    const int n1 = a.axis[1].n, n2 = a.axis[2].n;
    const int64_t line = i / n2;
    return ((int64_t)wave_at(a.axis[0], (int)(line / n1)) * n1 + wave_at(a.axis[1], (int)(line % n1))) * n2 +
           wave_at(a.axis[2], (int)(i % n2));
}

__global__ void order_kernel(pv_sphere_device a, int64_t points, const double *natural, double *ordered)
{
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < points; i += (int64_t)gridDim.x * THREADS)
        ordered[i] = natural[natural_of(a, i)];
}

__global__ void add_kernel(pv_sphere_device a, int64_t points, const double *ordered, double *natural)
{
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < points; i += (int64_t)gridDim.x * THREADS)
        natural[natural_of(a, i)] += ordered[i];
}

int64_t points_of(const pv_sphere_device *a)
{
    return (int64_t)a->axis[0].n * a->axis[1].n * a->axis[2].n;
}
int plane_bytes(const pv_sphere_device *a)
{
    return a->axis[1].n * row_of(a->axis[2].n) * (int)sizeof(C);
}
int lines_bytes(const pv_sphere_device *a)
{
    return a->axis[0].n * LANES * (int)sizeof(C);
}
int squares_bytes(const pv_sphere_device *a)
{
    return a->axis[0].n * LANES * (int)(sizeof(C) + sizeof(double));
}
dim3 planes_grid(const pv_sphere_device *a)
{
    return dim3((unsigned)a->planes, (unsigned)a->transforms);
}
unsigned line_blocks(const pv_sphere_device *a)
{
    return (unsigned)((a->axis[1].n * a->axis[2].n + LANES - 1) / LANES);
}

enum { BLOCKS = 1024 };

} // namespace

extern "C" int pv_sphere_planes_prepare(void)
{
    cudaError_t error = allow_most(spread_kernel);
    if (error == cudaSuccess) error = allow_most(collect_kernel);
    if (error == cudaSuccess) error = allow_most(times_kernel);
    return (int)(error == cudaSuccess ? allow_most(squares_kernel) : error);
}

extern "C" int pv_sphere_planes_order(void *stream, const pv_sphere_device *a, const double *natural, double *ordered)
{
    order_kernel<<<BLOCKS, THREADS, 0, (cudaStream_t)stream>>>(*a, points_of(a), natural, ordered);
    return (int)cudaGetLastError();
}

extern "C" int pv_sphere_planes_add(void *stream, const pv_sphere_device *a, const double *ordered, double *natural)
{
    add_kernel<<<BLOCKS, THREADS, 0, (cudaStream_t)stream>>>(*a, points_of(a), ordered, natural);
    return (int)cudaGetLastError();
}

extern "C" int pv_sphere_planes_spread(void *stream, const pv_sphere_device *a)
{
    spread_kernel<<<planes_grid(a), THREADS, (size_t)plane_bytes(a), (cudaStream_t)stream>>>(*a);
    return (int)cudaGetLastError();
}

extern "C" int pv_sphere_planes_times(void *stream, const pv_sphere_device *a)
{
    const dim3 grid(line_blocks(a), (unsigned)a->transforms);
    times_kernel<<<grid, THREADS, (size_t)lines_bytes(a), (cudaStream_t)stream>>>(*a);
    return (int)cudaGetLastError();
}

extern "C" int pv_sphere_planes_collect(void *stream, const pv_sphere_device *a)
{
    collect_kernel<<<planes_grid(a), THREADS, (size_t)plane_bytes(a), (cudaStream_t)stream>>>(*a);
    return (int)cudaGetLastError();
}

extern "C" int pv_sphere_planes_squares(void *stream, const pv_sphere_device *a)
{
    squares_kernel<<<line_blocks(a), THREADS, (size_t)squares_bytes(a), (cudaStream_t)stream>>>(*a);
    return (int)cudaGetLastError();
}
