// SPDX-License-Identifier: Apache-2.0
// A pass as kernels see it: pieces, cells and segments in device memory. Shared by C and CUDA sources, so it includes
// nothing of Parseval's but numbers.
#ifndef PV_FFT_CUDA_PASS_DEVICE_H
#define PV_FFT_CUDA_PASS_DEVICE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The numbers of pv_slot; windows have their base in the piece.
enum { PV_DEVICE_SLOTS = 5 };

typedef struct pv_device_piece {
    int64_t origin[3], stride[3];
    int64_t offset, batch_stride;
    int64_t tile, tile_stride;
    int tiled_axis, slot;          // slot < 0: base below
    char *base;
} pv_device_piece;

typedef struct pv_device_segment {
    int piece;
    int64_t lower, upper;
} pv_device_segment;

typedef struct pv_device_cell {
    int64_t outer_lower, outer_upper, lane_lower, lane_upper;
    int load_first, load_count, store_first, store_count;
} pv_device_cell;

typedef struct pv_device_pass {
    int axis, lane_axis, outer_axis;
    int cell_count;
    const pv_device_cell *cells;
    const pv_device_piece *load_pieces, *store_pieces;
    const pv_device_segment *load_segments, *store_segments;
    int64_t load_origin, store_origin;     // first index along the axis
    int64_t load_low, load_gap, store_low, store_gap; // pv_line_gap of either side
    int load_bytes, store_bytes;           // of an element
} pv_device_pass;

typedef struct pv_device_call {
    int64_t outer_lower, outer_upper, batch;
    int64_t tiles;                         // of the pass over these slices, with the kernel's lanes
    char *slots[PV_DEVICE_SLOTS];
    double scale;
} pv_device_call;

// All return a cudaError_t; `stream` is a cudaStream_t.

// Complex lines of n points by our own kernels. lanes: lines a block; 0: no such kernel.
int pv_cuda_lines_lanes(int64_t n, int fp64);
int pv_cuda_lines_run(const pv_device_pass *pass, const pv_device_call *call, int64_t n, int fp64, int inverse,
                      const void *roots, void *stream);
// The same for lengths with large primes, as cyclic convolutions of so many points (0: no such kernel), with the tables
// of pv_cuda_convolved_create.
int64_t pv_cuda_convolved_points(int64_t n);
int pv_cuda_convolved_lanes(int64_t n, int fp64);
int pv_cuda_convolved_run(const pv_device_pass *pass, const pv_device_call *call, int64_t n, int fp64, int inverse,
                          const void *tables, void *stream);
// Of either kind.
static inline int pv_cuda_own_lanes(int64_t n, int fp64)
{
    const int lanes = pv_cuda_lines_lanes(n, fp64);
    return lanes > 0 ? lanes : pv_cuda_convolved_lanes(n, fp64);
}
// Lines of n points across an array, of which a part of every line may lie in another: point k of line (outer, lane) is
// at start + outer * outer_stride + lane + k * stride, or, for lower <= k < lower + length, at the same from inner. In
// elements. With a gap, points low <= k < low + gap are zero, or not stored, and those behind it count from low on.
typedef struct pv_device_columns_end {
    char *start, *inner;
    int64_t stride, inner_stride, outer_stride, inner_outer_stride;
    int64_t lower, length;
    int64_t low, gap;
} pv_device_columns_end;
typedef struct pv_device_columns {
    pv_device_columns_end from, to;
    int64_t lanes, outers;
    int64_t tiles, shift;                  // of the launch
    double scale;
} pv_device_columns;
// In FP32 two lines go together: 16 bytes of both begin at a multiple of 16 in every row, on both sides.
int pv_cuda_columns_has(int64_t n);
int pv_cuda_columns_run(const pv_device_columns *pass, int64_t n, int fp64, int inverse, const void *roots,
                        void *stream);
// Gathers the lines of the slices into rows of `pitch` elements: line (outer, lane) is row (outer - outer_lower) *
// lane_extent + lane - lane_origin; and scatters them back. count: elements a line.
typedef struct pv_device_rows {
    char *memory;
    int64_t pitch, count, lane_origin, lane_extent;
    int64_t low, gap; // points of a row low <= k < low + gap are filled with zeros, or not scattered
} pv_device_rows;
int pv_cuda_rows_gather(const pv_device_pass *pass, const pv_device_call *call, const pv_device_rows *rows,
                        void *stream);
int pv_cuda_rows_scatter(const pv_device_pass *pass, const pv_device_call *call, const pv_device_rows *rows,
                         int real_bytes, void *stream);
// Multiplies value k of the row of each lane by exp(-2 pi i k lane / n), or, with inverse, by its conjugate. Tables as
// in pv_twiddle_tables, in memory of the device.
typedef struct pv_device_twiddle {
    const double *coarse, *fine;
    int shift, inverse;
} pv_device_twiddle;
int pv_cuda_rows_twiddle(const pv_device_rows *rows, int64_t row_count, const pv_device_twiddle *twiddle, int fp64,
                         void *stream);
// Adds to the two counters, in the order of the stream.
int pv_cuda_count_on(uint64_t *counters, uint64_t first, uint64_t second, void *stream);
// From the load view to the store view.
int pv_cuda_copy_run(const pv_device_pass *pass, const pv_device_call *call, void *stream);

#ifdef __cplusplus
}
#endif
#endif
