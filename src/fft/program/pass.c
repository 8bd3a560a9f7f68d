// SPDX-License-Identifier: Apache-2.0
#include "fft/program/pass.h"

#include <string.h>

#include "fft/program/pass_step.h"
#include "fft/program/twiddle.h"

static size_t aligned(size_t bytes) { return (bytes + 127) / 128 * 128; }

// Offsets of two tiles, each large enough for what any transform of the pass reads or writes, and of the engine's
// scratch.
typedef struct pv_tile_memory {
    size_t out, scratch, end;
} pv_tile_memory;

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static pv_tile_memory tile_memory(const pv_pass *pass)
{
    const pv_line_plan *lines = pass->lines, *back = pass->back ? pass->back : pass->lines;
    size_t in = aligned(larger(lines->in_bytes, pass->back ? larger(back->in_bytes, back->out_bytes) : 0));
    size_t out = aligned(larger(lines->out_bytes, pass->back ? larger(back->in_bytes, back->out_bytes) : 0));
    size_t scratch = aligned(larger(lines->scratch_bytes, back->scratch_bytes));
    return (pv_tile_memory){in, in + out, in + out + scratch};
}

size_t pv_pass_scratch_bytes(const pv_pass *pass) { return pass->lines ? tile_memory(pass).end : 0; }

typedef struct pv_tile {
    const pv_cell *cell;
    const pv_pass_call *call;
    int lane_axis, outer_axis;          // of the tile: exchanged in cells that lie across
    int64_t outer, lane_lower, lane_upper;
} pv_tile;

// The end of the run of points, from i on, whose stride is constant.
static inline int64_t run_end(const pv_piece *piece, int axis, int64_t i)
{
    if (piece->tiled_axis != axis) return INT64_MAX;
    return piece->origin[axis] + ((i - piece->origin[axis]) / piece->tile + 1) * piece->tile;
}

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

typedef struct pv_place {
    const pv_piece *piece;
    char *base;
} pv_place;

// Copies the points of a tile with lower <= line index < upper between two places.
static inline void copy_points(const pv_pass *pass, const pv_tile *tile, int64_t lower, int64_t upper, pv_place from,
                               pv_place to, size_t element_bytes, pv_move move)
{
    const int axis = pass->axis, lane_axis = tile->lane_axis;
    int64_t point[3];
    point[tile->outer_axis] = tile->outer;
    for (int64_t k = lower, k_end; k < upper; k = k_end) {
        k_end = least(upper, least(run_end(from.piece, axis, k), run_end(to.piece, axis, k)));
        for (int64_t w = tile->lane_lower, w_end; w < tile->lane_upper; w = w_end) {
            w_end = least(tile->lane_upper, least(run_end(from.piece, lane_axis, w), run_end(to.piece, lane_axis, w)));
            point[axis] = k;
            point[lane_axis] = w;
            pv_patch patch = {
                .count_k = k_end - k,
                .count_w = w_end - w,
                .src = from.base + pv_piece_offset(from.piece, point) * (int64_t)element_bytes,
                .src_k = from.piece->stride[axis],
                .src_w = from.piece->stride[lane_axis],
                .dst = to.base + pv_piece_offset(to.piece, point) * (int64_t)element_bytes,
                .dst_k = to.piece->stride[axis],
                .dst_w = to.piece->stride[lane_axis],
            };
            move(&patch);
        }
    }
}

static inline pv_place place_in(const pv_view *view, int index, const pv_pass_call *call)
{
    const pv_piece *piece = &view->pieces[index];
    char *base = piece->slot == PV_SLOT_SCRATCH ? call->planes : view->bases[index];
    return (pv_place){piece, base + call->batch * piece->batch_stride * (int64_t)view->element_bytes};
}

// A tile seen as a piece.
static pv_piece tile_piece(const pv_pass *pass, const pv_tile *tile, const pv_box *box, int64_t step, int64_t lane)
{
    pv_piece piece = {.box = *box, .tiled_axis = -1};
    piece.origin[tile->outer_axis] = tile->outer;
    piece.origin[tile->lane_axis] = tile->lane_lower;
    piece.origin[pass->axis] = box->lower[pass->axis];
    piece.stride[pass->axis] = step;
    piece.stride[tile->lane_axis] = lane;
    return piece;
}

pv_line_gap pv_pass_gap(const pv_pass *pass, const pv_box *box)
{
    const int64_t length = box->upper[pass->axis] - box->lower[pass->axis];
    if (!pass->lines || pass->lines->kind == PV_LINE_R2C || pass->lines->kind == PV_LINE_C2R ||
        length >= pass->lines->n)
        return (pv_line_gap){length, 0};
    return (pv_line_gap){(length + 1) / 2, pass->lines->n - length};
}

static void zero_gap(const pv_pass *pass, pv_line_gap gap, char *memory)
{
    const pv_line_plan *lines = pass->lines;
    const size_t element = pass->load.element_bytes;
    const int64_t runs = lines->in_lane == 1 ? 1 : lines->lanes,
                  length = lines->in_lane == 1 ? gap.gap * lines->in_step : gap.gap;
    for (int64_t r = 0; r < runs; r++)
        memset(memory + (size_t)(gap.low * lines->in_step + r * lines->in_lane) * element, 0, (size_t)length * element);
}

// Points lower <= k < upper of a box whose lines have a gap, between a view and a tile.
static void copy_gapped(const pv_pass *pass, const pv_tile *tile, const pv_segment *segment, pv_line_gap gap,
                        const pv_view *view, const pv_piece *in_tile, char *memory, int is_load)
{
    const int64_t split = gap.low + (is_load ? pass->load_box : pass->store_box).lower[pass->axis];
    pv_piece beyond = *in_tile;
    beyond.origin[pass->axis] -= gap.gap;
    const pv_place there = place_in(view, segment->piece, tile->call);
    const pv_place here[2] = {{in_tile, memory}, {&beyond, memory}};
    const int64_t ends[4] = {segment->lower, least(segment->upper, split),
                             segment->lower > split ? segment->lower : split, segment->upper};
    for (int part = 0; part < (gap.gap > 0 ? 2 : 1); part++) {
        const int64_t lower = ends[2 * part], upper = gap.gap > 0 ? ends[2 * part + 1] : segment->upper;
        if (lower >= upper) continue;
        if (is_load)
            copy_points(pass, tile, lower, upper, there, here[part], view->element_bytes, pass->load_move);
        else
            copy_points(pass, tile, lower, upper, here[part], there, view->element_bytes, pass->store_move);
    }
}

static void *load_tile(const pv_pass *pass, const pv_tile *tile, char *memory)
{
    const pv_line_plan *lines = pass->lines;
    const pv_cell *cell = tile->cell;
    int partial = tile->lane_upper - tile->lane_lower < pass->lanes;
    if (pass->direct && cell->load_count == 1 && !partial && !cell->across) {
        pv_place from = place_in(&pass->load, pass->load_segments[cell->load_first].piece, tile->call);
        int64_t point[3];
        point[tile->outer_axis] = tile->outer;
        point[tile->lane_axis] = tile->lane_lower;
        point[pass->axis] = pass->load_box.lower[pass->axis];
        char *there = from.base + pv_piece_offset(from.piece, point) * (int64_t)pass->load.element_bytes;
        if ((tile->lane_lower - from.piece->origin[pass->lane_axis]) % pass->lanes == 0 && (uintptr_t)there % 64 == 0)
            return there;
    }
    if (partial) memset(memory, 0, lines->in_bytes);
    pv_piece piece = tile_piece(pass, tile, &pass->load_box, lines->in_step, lines->in_lane);
    const pv_line_gap gap = pv_pass_gap(pass, &pass->load_box);
    if (gap.gap > 0) zero_gap(pass, gap, memory);
    for (int s = 0; s < cell->load_count; s++)
        copy_gapped(pass, tile, &pass->load_segments[cell->load_first + s], gap, &pass->load, &piece, memory, 1);
    return memory;
}

static void store_tile(const pv_pass *pass, const pv_tile *tile, const pv_line_plan *made_by, char *memory)
{
    const pv_cell *cell = tile->cell;
    pv_piece piece = tile_piece(pass, tile, &pass->store_box, made_by->out_step, made_by->out_lane);
    const pv_line_gap gap = pv_pass_gap(pass, &pass->store_box);
    for (int s = 0; s < cell->store_count; s++)
        copy_gapped(pass, tile, &pass->store_segments[cell->store_first + s], gap, &pass->store, &piece, memory, 0);
}

static void scale_tile(const pv_line_plan *plan, double scale, void *memory)
{
    if (scale == 1.0) return;
    if (plan->precision == PV_FP64) {
        double *values = memory;
        for (size_t i = 0; i < plan->out_bytes / sizeof *values; i++) values[i] *= scale;
    } else {
        float *values = memory;
        for (size_t i = 0; i < plan->out_bytes / sizeof *values; i++) values[i] *= (float)scale;
    }
}

static void call_step(const pv_pass *pass, const pv_tile *tile, void *values)
{
    const pv_step_lines lines = {.batch = tile->call->batch,
                                 .outer = tile->outer,
                                 .lane_lower = tile->lane_lower,
                                 .lanes = tile->lane_upper - tile->lane_lower,
                                 .lane_axis = tile->lane_axis,
                                 .outer_axis = tile->outer_axis,
                                 .line_stride = pass->lines->out_lane,
                                 .stride = pass->lines->out_step,
                                 .values = values};
    pv_pass_step(pass, &lines, tile->call->step, tile->call->context);
}

// A copy: from piece to piece, without a tile.
static void run_copy(const pv_pass *pass, const pv_tile *tile)
{
    const pv_cell *cell = tile->cell;
    for (int a = 0; a < cell->load_count; a++)
        for (int b = 0; b < cell->store_count; b++) {
            const pv_segment *from = &pass->load_segments[cell->load_first + a];
            const pv_segment *to = &pass->store_segments[cell->store_first + b];
            int64_t lower = from->lower > to->lower ? from->lower : to->lower;
            copy_points(pass, tile, lower, least(from->upper, to->upper),
                        place_in(&pass->load, from->piece, tile->call), place_in(&pass->store, to->piece, tile->call),
                        pass->store.element_bytes, pass->store_move);
        }
}

// The way back of a convolution, from `values` as the way there has left them; returns where the result is.
static char *run_back(const pv_pass *pass, char *values, char *other, char *scratch)
{
    const pv_line_plan *lines = pass->lines, *back = pass->back;
    if (lines->out_step != back->in_step || lines->out_lane != back->in_lane) {
        size_t element_bytes = 2 * pv_real_bytes(lines->precision);
        pv_patch patch = {.count_k = back->kind == PV_LINE_C2R ? back->n / 2 + 1 : back->n, .count_w = lines->lanes,
                          .src = values, .src_k = lines->out_step, .src_w = lines->out_lane,
                          .dst = other, .dst_k = back->in_step, .dst_w = back->in_lane};
        pv_move_for(element_bytes, 0)(&patch);
        char *moved = other;
        other = values;
        values = moved;
    }
    back->ops->execute(back, values, other, scratch);
    return other;
}

static void run_tile(const pv_pass *pass, const pv_tile *tile)
{
    const pv_line_plan *lines = pass->lines;
    pv_tile_memory at = tile_memory(pass);
    char *memory = tile->call->scratch, *result = memory + at.out, *scratch = memory + at.scratch;
    void *in = load_tile(pass, tile, memory);
    lines->ops->execute(lines, in, result, scratch);
    const pv_line_plan *last = lines;
    if (pass->back) {
        call_step(pass, tile, result);
        result = run_back(pass, result, memory, scratch);
        last = pass->back;
    }
    if (pass->twiddle)
        pv_twiddle_apply(pass->twiddle, pass->twiddle_sign, last, 0, tile->lane_lower,
                         tile->lane_upper - tile->lane_lower, result);
    scale_tile(last, pass->scale, result);
    store_tile(pass, tile, last, result);
}

static int64_t cell_outers(const pv_cell *cell, int64_t lower, int64_t upper, int64_t *first_p)
{
    *first_p = cell->outer_lower > lower ? cell->outer_lower : lower;
    int64_t last = least(cell->outer_upper, upper);
    return last > *first_p ? last - *first_p : 0;
}

// How the tiles of a cell run: `lines` along the axis that fills tiles, from `first`, for each of `others`.
typedef struct pv_cell_walk {
    int64_t first, lines, first_other, others, line_tiles;
} pv_cell_walk;

static pv_cell_walk walk_cell(const pv_pass *pass, const pv_cell *cell, int64_t outer_lower, int64_t outer_upper)
{
    int64_t first_outer, outers = cell_outers(cell, outer_lower, outer_upper, &first_outer);
    int64_t lanes = cell->lane_upper - cell->lane_lower;
    pv_cell_walk walk = {cell->lane_lower, lanes, first_outer, outers, 0};
    if (cell->across) walk = (pv_cell_walk){first_outer, outers, cell->lane_lower, lanes, 0};
    walk.line_tiles = (walk.lines + pass->lanes - 1) / pass->lanes;
    return walk;
}

int64_t pv_pass_tiles(const pv_pass *pass, int64_t outer_lower, int64_t outer_upper)
{
    int64_t tiles = 0;
    for (int c = 0; c < pass->cell_count; c++) {
        pv_cell_walk walk = walk_cell(pass, &pass->cells[c], outer_lower, outer_upper);
        tiles += walk.others * walk.line_tiles;
    }
    return tiles;
}

void pv_pass_run(const pv_pass *pass, const pv_pass_call *call, int64_t first_tile, int64_t last_tile)
{
    int64_t begin = 0;
    for (int c = 0; c < pass->cell_count && begin < last_tile; c++) {
        const pv_cell *cell = &pass->cells[c];
        pv_cell_walk walk = walk_cell(pass, cell, call->outer_lower, call->outer_upper);
        int64_t end = begin + walk.others * walk.line_tiles;
        pv_tile tile = {.cell = cell, .call = call, .lane_axis = cell->across ? pass->outer_axis : pass->lane_axis,
                        .outer_axis = cell->across ? pass->lane_axis : pass->outer_axis};
        for (int64_t t = first_tile > begin ? first_tile : begin; t < least(end, last_tile); t++) {
            tile.outer = walk.first_other + (t - begin) / walk.line_tiles;
            tile.lane_lower = walk.first + (t - begin) % walk.line_tiles * pass->lanes;
            tile.lane_upper = least(tile.lane_lower + pass->lanes, walk.first + walk.lines);
            if (pass->lines)
                run_tile(pass, &tile);
            else
                run_copy(pass, &tile);
        }
        begin = end;
    }
}
