// SPDX-License-Identifier: Apache-2.0
// Brings the factor of convolutions into the order in which planes leave their spectra, without the columns where it
// is zero: of exchange it keeps a ball, a third of the columns are none of its.
#include "fft/cuda/planes.cuh"

using namespace planes;

namespace
{

// The column of x at a place of a plane, in the natural order: where it begins, from which the next x is a plane on.
__device__ __forceinline__ int start_of(const pv_cubes_planes &a, int place)
{
    const int n2 = a.axis[2].n;
    return wave_at(a.axis[1], place / n2) * n2 + wave_at(a.axis[2], place % n2);
}

template <typename T> __global__ void mark_kernel(pv_cubes_planes a, const T *natural)
{
    const int plane = a.axis[1].n * a.axis[2].n, place = blockIdx.x * THREADS + threadIdx.x;
    if (place >= plane) return;
    const T *from = natural + start_of(a, place);
    bool is_kept = false;
#pragma unroll 8
    for (int x = 0; x < a.axis[0].n; x++) is_kept |= from[(int64_t)x * plane] != 0;
    a.column[place] = is_kept;
}

// One block: numbers for those that are marked, in the order of their places.
enum { NUMBERING = 1024 };

__global__ void __launch_bounds__(NUMBERING) number_kernel(pv_cubes_planes a)
{
    __shared__ int sums[NUMBERING];
    const int plane = a.axis[1].n * a.axis[2].n, each = (plane + NUMBERING - 1) / NUMBERING, t = threadIdx.x;
    const int first = min(t * each, plane), last = min(first + each, plane);
    int own = 0;
    for (int i = first; i < last; i++) own += a.column[i];
    sums[t] = own;
    for (int reach = 1; reach < NUMBERING; reach *= 2) {
        __syncthreads();
        const int before = t >= reach ? sums[t - reach] : 0;
        __syncthreads();
        sums[t] += before;
    }
    int next = sums[t] - own;
    for (int i = first; i < last; i++) a.column[i] = (uint16_t)(a.column[i] ? next++ : PV_PLANES_NO_COLUMN);
    if (t == NUMBERING - 1) *a.columns = sums[t];
}

template <typename T> __global__ void order_kernel(pv_cubes_planes a, const T *natural)
{
    const int plane = a.axis[1].n * a.axis[2].n, points = a.axis[0].n * plane;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < points; i += gridDim.x * THREADS) {
        const int x = i / plane, place = i - x * plane;
        const unsigned column = a.column[place];
        if (column == PV_PLANES_NO_COLUMN) continue;
        ((T *)a.factor)[(int64_t)x * plane + column] =
            natural[(int64_t)wave_at(a.axis[0], x) * plane + start_of(a, place)];
    }
}

template <typename T> cudaError_t take(cudaStream_t stream, const pv_cubes_planes *a, const T *natural)
{
    enum { BLOCKS = 512 };
    const int plane = a->axis[1].n * a->axis[2].n;
    mark_kernel<<<(plane + THREADS - 1) / THREADS, THREADS, 0, stream>>>(*a, natural);
    number_kernel<<<1, NUMBERING, 0, stream>>>(*a);
    order_kernel<<<BLOCKS, THREADS, 0, stream>>>(*a, natural);
    return cudaGetLastError();
}

} // namespace

extern "C" int pv_planes_take_factor(void *stream, const pv_cubes_planes *planes, const void *natural)
{
    return (int)(planes->is_double ? take((cudaStream_t)stream, planes, (const double *)natural)
                                   : take((cudaStream_t)stream, planes, (const float *)natural));
}
