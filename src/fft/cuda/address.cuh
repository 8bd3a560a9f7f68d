// SPDX-License-Identifier: Apache-2.0
// Where the points of a pass lie: the device's reading of pieces, cells and segments.
#pragma once
#include "fft/cuda/pass_device.h"

__device__ __forceinline__ int64_t offset_along(const pv_device_piece &p, int axis, int64_t i)
{
    int64_t x = i - p.origin[axis];
    if (axis == p.tiled_axis) return x / p.tile * p.tile_stride + x % p.tile * p.stride[axis];
    return x * p.stride[axis];
}

// The point (outer, lane) at index 0 of the line axis, in elements from the base.
__device__ __forceinline__ int64_t offset_of_line(const pv_device_pass &pass, const pv_device_call &call,
                                                  const pv_device_piece &p, int64_t outer, int64_t lane)
{
    return p.offset + call.batch * p.batch_stride + offset_along(p, pass.outer_axis, outer) +
           offset_along(p, pass.lane_axis, lane);
}

__device__ __forceinline__ char *base_of(const pv_device_call &call, const pv_device_piece &p)
{
    return p.slot < 0 ? p.base : call.slots[p.slot];
}

// The piece that holds index k of a line.
__device__ __forceinline__ const pv_device_piece &piece_at(const pv_device_piece *pieces,
                                                           const pv_device_segment *segments, int count, int64_t k)
{
    int s = 0;
    while (s + 1 < count && k >= segments[s].upper) s++;
    return pieces[segments[s].piece];
}

struct Tile {
    const pv_device_cell *cell;
    int64_t outer, lane_lower, lane_upper;
};

// Tile number t of the slices of a call, `lanes` lines each.
__device__ __forceinline__ Tile tile_at(const pv_device_pass &pass, const pv_device_call &call, int64_t t, int lanes)
{
    Tile tile = {nullptr, 0, 0, 0};
    for (int c = 0; c < pass.cell_count; c++) {
        const pv_device_cell *cell = pass.cells + c;
        int64_t lower = max(cell->outer_lower, call.outer_lower), upper = min(cell->outer_upper, call.outer_upper);
        int64_t lane_tiles = (cell->lane_upper - cell->lane_lower + lanes - 1) / lanes;
        int64_t tiles = upper > lower ? (upper - lower) * lane_tiles : 0;
        if (t < tiles) {
            tile.cell = cell;
            tile.outer = lower + t / lane_tiles;
            tile.lane_lower = cell->lane_lower + t % lane_tiles * lanes;
            tile.lane_upper = min(tile.lane_lower + lanes, cell->lane_upper);
            return tile;
        }
        t -= tiles;
    }
    return tile;
}

// Whether the points of a line are neighbours in memory where the lines of a cell are loaded.
__device__ __forceinline__ bool is_along_lines(const pv_device_pass &pass, const pv_device_cell &cell)
{
    return pass.load_pieces[pass.load_segments[cell.load_first].piece].stride[pass.axis] == 1;
}
