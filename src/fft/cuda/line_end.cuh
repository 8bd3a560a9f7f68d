// SPDX-License-Identifier: Apache-2.0
// Where the points of one line of a pass lie, for a thread that reads or writes many of them.
#pragma once
#include "fft/cuda/address.cuh"

// In one array, or with a part lower <= k < lower + length of the line in another, `inner`. With a gap, points low <= k
// < low + gap are nowhere, and those behind it count from low on.
template <typename C> struct LinePoints {
    C *start, *inner;
    unsigned stride, inner_stride, lower, length, low, gap;
    __device__ __forceinline__ bool has(unsigned k) const { return k - low >= gap; }
    __device__ __forceinline__ C *at(unsigned k) const
    {
        if (k >= low) k -= gap;
        bool inside = k - lower < length;
        return (inside ? inner : start) + (uint64_t)k * (inside ? inner_stride : stride);
    }
};

// Of line (outer, lane) of one side of a pass, which is of that kind, `simple`, or has its points in many pieces.
template <typename C> struct LineEnd : LinePoints<C> {
    bool simple;
    const pv_device_piece *pieces;
    const pv_device_segment *segments;
    int count;
    int64_t outer, lane, origin;

    __device__ __forceinline__ C *start_of(const pv_device_pass &pass, const pv_device_call &call,
                                           const pv_device_piece &p) const
    {
        return (C *)base_of(call, p) + offset_of_line(pass, call, p, outer, lane) +
               (origin - p.origin[pass.axis]) * p.stride[pass.axis];
    }
    __device__ __forceinline__ bool set(const pv_device_pass &pass, const pv_device_call &call)
    {
        const int axis = pass.axis;
        const pv_device_piece &p = pieces[segments[0].piece];
        this->stride = this->inner_stride = (unsigned)p.stride[axis];
        this->start = this->inner = start_of(pass, call, p);
        this->lower = this->length = 0;
        if (p.tiled_axis == axis || p.stride[axis] > UINT32_MAX || count > 3) return false;
        if (count == 1) return true;
        const pv_device_piece &q = pieces[segments[1].piece];
        this->lower = (unsigned)(segments[1].lower - origin);
        this->length = (unsigned)(segments[1].upper - segments[1].lower);
        this->inner_stride = (unsigned)q.stride[axis];
        this->inner = start_of(pass, call, q);
        if (q.tiled_axis == axis || q.stride[axis] > UINT32_MAX) return false;
        if (count == 2) return true;
        const pv_device_piece &r = pieces[segments[2].piece];
        return r.tiled_axis != axis && r.stride[axis] == p.stride[axis] && start_of(pass, call, r) == this->start;
    }
    // Of the side that is loaded, or stored.
    __device__ __forceinline__ LineEnd(const pv_device_pass &pass, const pv_device_call &call,
                                       const pv_device_cell &cell, bool is_load, int64_t outer_, int64_t lane_)
        : pieces(is_load ? pass.load_pieces : pass.store_pieces),
          segments(is_load ? pass.load_segments + cell.load_first : pass.store_segments + cell.store_first),
          count(is_load ? cell.load_count : cell.store_count), outer(outer_), lane(lane_),
          origin(is_load ? pass.load_origin : pass.store_origin)
    {
        this->low = (unsigned)(is_load ? pass.load_low : pass.store_low);
        this->gap = (unsigned)(is_load ? pass.load_gap : pass.store_gap);
        simple = set(pass, call);
    }
    // Takes numbers, so that lines stay in registers.
    static __device__ __noinline__ C *search(const pv_device_pass &pass, const pv_device_call &call,
                                             const pv_device_piece *pieces, const pv_device_segment *segments,
                                             int count, int64_t outer, int64_t lane, int64_t index)
    {
        const pv_device_piece &p = piece_at(pieces, segments, count, index);
        return (C *)base_of(call, p) + offset_of_line(pass, call, p, outer, lane) + offset_along(p, pass.axis, index);
    }
    // Calls each(at), at(k) being the address of a point: the kinds apart, so that reads of simple lines follow one
    // another without a branch between.
    template <typename Each>
    __device__ __forceinline__ void over(const pv_device_pass &pass, const pv_device_call &call, Each each) const
    {
        if (simple)
            each([&](unsigned k) { return this->at(k); });
        else
            each([&](unsigned k) {
                return search(pass, call, pieces, segments, count, outer, lane,
                              origin + (k >= this->low ? k - this->gap : k));
            });
    }
};
