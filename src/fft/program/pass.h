// SPDX-License-Identifier: Apache-2.0
// A pass: every line of a box along one axis is gathered into a tile, transformed in cache, and scattered. Where the
// points come from and go to are views, so packing, sending to a neighbour's memory and transposing are all part of
// the one trip through memory.
#ifndef PV_FFT_PROGRAM_PASS_H
#define PV_FFT_PROGRAM_PASS_H

#include "fft/engine/engine.h"
#include "fft/transfer/move.h"
#include "fft/transfer/view.h"

// Part of a line, inside one piece.
typedef struct pv_segment {
    int piece;
    int64_t lower, upper;
} pv_segment;

// Lines of a pass whose segments are the same: lower <= outer < upper, likewise lane.
typedef struct pv_cell {
    int64_t outer_lower, outer_upper, lane_lower, lane_upper;
    int load_first, load_count, store_first, store_count;
    int across;                         // its tiles take lines along the outer axis, one lane index each
} pv_cell;

typedef struct pv_pass {
    int axis, lane_axis, outer_axis;
    pv_box load_box, store_box;         // differ along `axis` for real transforms
    const pv_line_plan *lines;          // NULL: a copy
    const pv_line_plan *back;           // of a convolution: transforms back after the pointwise step
    double scale;                       // applied to the result, 1: not
    const struct pv_twiddle *twiddle; // multiplies the result, NULL: not; lines are then a long line's rows or columns
    int twiddle_sign;
    int fold_axis;                      // -1, or the axis whose points are transforms of the batch
    int64_t long_line; // 0, or n1 of a long line: spectrum index k1 + n1 k2 is at (k1, k2) on axes 1, 2
    int64_t lanes;                      // lines a tile
    pv_view load, store;
    int cell_count;
    pv_cell *cells;
    pv_segment *load_segments, *store_segments;
    pv_move load_move, store_move;
    int direct;                         // tiles may be transformed where they lie in the load view
} pv_pass;

// Spectra that end early are shorter than the lines: points from `low` on lie `gap` further in a line than in the box,
// and what is between is zero, or not kept. Of R2C and C2R lines: no gap.
typedef struct pv_line_gap {
    int64_t low, gap;
} pv_line_gap;
pv_line_gap pv_pass_gap(const pv_pass *pass, const pv_box *box);

// Bytes of scratch that a thread needs to run the pass.
size_t pv_pass_scratch_bytes(const pv_pass *pass);

// Cuts the box into cells. The views must cover load_box and store_box; the pass owns them from now on, also on
// failure. With `across`, lanes left over beside whole tiles (the last of a half spectrum, say) are taken from several
// outer indices at once; a run must then cover all slices that share them.
pv_status pv_pass_prepare(pv_pass *pass, int stream_stores, int across);
void pv_pass_destroy(pv_pass *pass);

typedef struct pv_pass_call {
    int64_t batch;                      // which transform of the batch
    int64_t outer_lower, outer_upper;   // the slice of the outer axis to run
    pv_fft_pointwise step;              // of a convolution
    void *context;
    char *planes;                       // this thread's: base of PV_SLOT_SCRATCH
    void *scratch;                      // this thread's, pv_pass_scratch_bytes
} pv_pass_call;

// Tiles of the slice, and running some of them: tiles are independent, so threads may share a slice.
int64_t pv_pass_tiles(const pv_pass *pass, int64_t outer_lower, int64_t outer_upper);
void pv_pass_run(const pv_pass *pass, const pv_pass_call *call, int64_t first_tile, int64_t last_tile);

#endif
