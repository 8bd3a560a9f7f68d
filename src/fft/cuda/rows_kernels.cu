// SPDX-License-Identifier: Apache-2.0
// Movements without a transform: lines to and from dense rows (where a vendor's transform takes them), and from view
// to view.
#include <cuda_runtime.h>

#include "fft/cuda/address.cuh"

enum { LANES = 64, THREADS = 256, ENOUGH_BLOCKS = 2048, MOST_PARTS = 256 };

struct Word4 { unsigned x; };
struct Word8 { uint2 x; };
struct Word16 { uint4 x; };

static __device__ __forceinline__ int64_t first_of_thread() { return (int64_t)blockIdx.y * THREADS + threadIdx.x; }
static __device__ __forceinline__ int64_t step_of_threads() { return (int64_t)gridDim.y * THREADS; }

// Few tiles may be of lines that are long: several blocks share one.
static dim3 blocks_of(const pv_device_call *call)
{
    int64_t parts = ENOUGH_BLOCKS / call->tiles;
    if (parts > MOST_PARTS) parts = MOST_PARTS;
    return dim3((unsigned)call->tiles, parts > 1 ? (unsigned)parts : 1u);
}

// The blocks of a column of the grid take a tile of LANES lines; threads run along whichever of line and lane is contiguous in the view.
template <typename W, bool GATHER>
__global__ void rows_kernel(pv_device_pass pass, pv_device_call call, pv_device_rows rows)
{
    Tile tile = tile_at(pass, call, blockIdx.x, LANES);
    if (!tile.cell) return;        // tiles are counted as for kernels of lines, which may take fewer lanes
    const pv_device_piece *pieces = GATHER ? pass.load_pieces : pass.store_pieces;
    const pv_device_segment *segments =
        GATHER ? pass.load_segments + tile.cell->load_first : pass.store_segments + tile.cell->store_first;
    int count = GATHER ? tile.cell->load_count : tile.cell->store_count;
    int64_t origin = GATHER ? pass.load_origin : pass.store_origin;
    bool along = pieces[segments[0].piece].stride[pass.axis] == 1;
    int64_t lanes = tile.lane_upper - tile.lane_lower, total = lanes * rows.count;
    const W zero = {};
    for (int64_t i = first_of_thread(); i < total; i += step_of_threads()) {
        int64_t k = along ? i % rows.count : i / lanes, w = along ? i / rows.count : i % lanes,
                lane = tile.lane_lower + w;
        W *here = (W *)rows.memory +
                  ((tile.outer - call.outer_lower) * rows.lane_extent + lane - rows.lane_origin) * rows.pitch + k;
        const bool in_gap = k >= rows.low && k < rows.low + rows.gap;
        if (in_gap && GATHER) *here = zero;
        if (in_gap) continue;
        if (k >= rows.low) k -= rows.gap;
        const pv_device_piece &p = piece_at(pieces, segments, count, origin + k);
        W *there = (W *)base_of(call, p) + offset_of_line(pass, call, p, tile.outer, lane) +
                   offset_along(p, pass.axis, origin + k);
        if (GATHER) *here = *there;
        else *there = *here;
    }
}

template <typename T> __global__ void scale_rows(T *values, int64_t count, T scale)
{
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (int64_t)gridDim.x * blockDim.x)
        values[i] *= scale;
}

// k lane < n, so that the product is the power.
template <typename T>
__global__ void twiddle_rows(pv_device_rows rows, int64_t row_count, pv_device_twiddle twiddle)
{
    const int64_t total = row_count * rows.count, mask = ((int64_t)1 << twiddle.shift) - 1;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < total; i += (int64_t)gridDim.x * blockDim.x) {
        const int64_t row = i / rows.count, k = i % rows.count, power = k * (row % rows.lane_extent + rows.lane_origin);
        const double2 a = ((const double2 *)twiddle.coarse)[power >> twiddle.shift];
        const double2 b = ((const double2 *)twiddle.fine)[power & mask];
        const double re = a.x * b.x - a.y * b.y, im = (a.x * b.y + a.y * b.x) * (twiddle.inverse ? -1.0 : 1.0);
        T *value = (T *)rows.memory + 2 * (row * rows.pitch + k);
        const T x = value[0], y = value[1], c = (T)re, s = (T)im;
        value[0] = x * c - y * s;
        value[1] = x * s + y * c;
    }
}

extern "C" int pv_cuda_rows_twiddle(const pv_device_rows *rows, int64_t row_count, const pv_device_twiddle *twiddle,
                                    int fp64, void *stream)
{
    if (row_count == 0) return cudaSuccess;
    if (fp64) twiddle_rows<double><<<1024, THREADS, 0, (cudaStream_t)stream>>>(*rows, row_count, *twiddle);
    else twiddle_rows<float><<<1024, THREADS, 0, (cudaStream_t)stream>>>(*rows, row_count, *twiddle);
    return cudaGetLastError();
}

template <typename W> __global__ void copy_kernel(pv_device_pass pass, pv_device_call call)
{
    Tile tile = tile_at(pass, call, blockIdx.x, LANES);
    const pv_device_segment *loads = pass.load_segments + tile.cell->load_first,
                            *stores = pass.store_segments + tile.cell->store_first;
    bool along = pass.load_pieces[loads[0].piece].stride[pass.axis] == 1;
    int64_t lower = loads[0].lower, length = loads[tile.cell->load_count - 1].upper - lower;
    int64_t lanes = tile.lane_upper - tile.lane_lower;
    for (int64_t i = first_of_thread(); i < lanes * length; i += step_of_threads()) {
        int64_t k = lower + (along ? i % length : i / lanes), lane = tile.lane_lower + (along ? i / length : i % lanes);
        const pv_device_piece &a = piece_at(pass.load_pieces, loads, tile.cell->load_count, k);
        const pv_device_piece &b = piece_at(pass.store_pieces, stores, tile.cell->store_count, k);
        W value = *((const W *)base_of(call, a) + offset_of_line(pass, call, a, tile.outer, lane) +
                    offset_along(a, pass.axis, k));
        *((W *)base_of(call, b) + offset_of_line(pass, call, b, tile.outer, lane) + offset_along(b, pass.axis, k)) =
            value;
    }
}

template <bool GATHER>
static int move_rows(const pv_device_pass *pass, const pv_device_call *call, const pv_device_rows *rows,
                     cudaStream_t stream)
{
    if (call->tiles == 0) return cudaSuccess;
    const dim3 blocks = blocks_of(call);
    int bytes = GATHER ? pass->load_bytes : pass->store_bytes;
    if (bytes == 4) rows_kernel<Word4, GATHER><<<blocks, THREADS, 0, stream>>>(*pass, *call, *rows);
    else if (bytes == 8) rows_kernel<Word8, GATHER><<<blocks, THREADS, 0, stream>>>(*pass, *call, *rows);
    else rows_kernel<Word16, GATHER><<<blocks, THREADS, 0, stream>>>(*pass, *call, *rows);
    return cudaGetLastError();
}

extern "C" int pv_cuda_rows_gather(const pv_device_pass *pass, const pv_device_call *call, const pv_device_rows *rows,
                                   void *stream)
{
    return move_rows<true>(pass, call, rows, (cudaStream_t)stream);
}

extern "C" int pv_cuda_rows_scatter(const pv_device_pass *pass, const pv_device_call *call, const pv_device_rows *rows,
                                    int real_bytes, void *stream)
{
    if (call->scale != 1.0 && call->tiles > 0) {
        int64_t count = (call->outer_upper - call->outer_lower) * rows->lane_extent * rows->pitch *
                        (pass->store_bytes / real_bytes);
        if (real_bytes == 8)
            scale_rows<<<1024, THREADS, 0, (cudaStream_t)stream>>>((double *)rows->memory, count, call->scale);
        else scale_rows<<<1024, THREADS, 0, (cudaStream_t)stream>>>((float *)rows->memory, count, (float)call->scale);
    }
    return move_rows<false>(pass, call, rows, (cudaStream_t)stream);
}

extern "C" int pv_cuda_copy_run(const pv_device_pass *pass, const pv_device_call *call, void *stream)
{
    if (call->tiles == 0) return cudaSuccess;
    const dim3 blocks = blocks_of(call);
    if (pass->load_bytes == 4) copy_kernel<Word4><<<blocks, THREADS, 0, (cudaStream_t)stream>>>(*pass, *call);
    else if (pass->load_bytes == 8) copy_kernel<Word8><<<blocks, THREADS, 0, (cudaStream_t)stream>>>(*pass, *call);
    else copy_kernel<Word16><<<blocks, THREADS, 0, (cudaStream_t)stream>>>(*pass, *call);
    return cudaGetLastError();
}
