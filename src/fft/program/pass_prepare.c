// SPDX-License-Identifier: Apache-2.0
// Preparation of a pass: its box is cut where any piece of the views begins or ends.
#include "fft/program/pass.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"

static int compare_points(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// The sorted distinct ends of pieces along `axis` inside [lower, upper], both included.
static int cut_points(const pv_pass *pass, int axis, int64_t lower, int64_t upper, int64_t *points)
{
    int count = 0;
    points[count++] = lower;
    points[count++] = upper;
    const pv_view *views[2] = {&pass->load, &pass->store};
    for (int v = 0; v < 2; v++)
        for (int i = 0; i < views[v]->count; i++) {
            const pv_box *box = &views[v]->pieces[i].box;
            if (box->lower[axis] > lower && box->lower[axis] < upper) points[count++] = box->lower[axis];
            if (box->upper[axis] > lower && box->upper[axis] < upper) points[count++] = box->upper[axis];
        }
    qsort(points, (size_t)count, sizeof *points, compare_points);
    int distinct = 1;
    for (int i = 1; i < count; i++)
        if (points[i] != points[distinct - 1]) points[distinct++] = points[i];
    return distinct;
}

static int compare_segments(const void *a, const void *b)
{
    const pv_segment *x = a, *y = b;
    return (x->lower > y->lower) - (x->lower < y->lower);
}

// Segments of the lines of a cell; returns their number, and whether they cover the line.
static int find_segments(const pv_pass *pass, const pv_view *view, const pv_cell *cell, int64_t line_lower,
                         int64_t line_upper, pv_segment *segments, int *complete_p)
{
    int count = 0;
    int64_t covered = 0;
    for (int i = 0; i < view->count; i++) {
        const pv_box *box = &view->pieces[i].box;
        if (pv_box_count(box) == 0) continue;
        if (box->lower[pass->outer_axis] > cell->outer_lower || box->upper[pass->outer_axis] < cell->outer_upper)
            continue;
        if (box->lower[pass->lane_axis] > cell->lane_lower || box->upper[pass->lane_axis] < cell->lane_upper) continue;
        segments[count++] = (pv_segment){i, box->lower[pass->axis], box->upper[pass->axis]};
        covered += box->upper[pass->axis] - box->lower[pass->axis];
    }
    qsort(segments, (size_t)count, sizeof *segments, compare_segments);
    *complete_p = covered == line_upper - line_lower;
    return count;
}

// Splits lanes that fill no tile off a cell, when there are enough outer indices to fill tiles with.
static void split_cell(pv_pass *pass)
{
    pv_cell *cell = &pass->cells[pass->cell_count - 1];
    int64_t left = (cell->lane_upper - cell->lane_lower) % pass->lanes, outers = cell->outer_upper - cell->outer_lower;
    if (left == 0 || (outers + pass->lanes - 1) / pass->lanes * left >= outers) return;
    pv_cell *rest = &pass->cells[pass->cell_count++];
    *rest = *cell;
    rest->across = 1;
    rest->lane_lower = cell->lane_upper = cell->lane_upper - left;
}

static pv_status cut_cells(pv_pass *pass, const int64_t *outer, int outers, const int64_t *lane, int lanes, int across)
{
    int64_t cells = (int64_t)(outers - 1) * (lanes - 1) * (across ? 2 : 1);
    PV_TRY(PV_ALLOC(cells, &pass->cells));
    PV_TRY(PV_ALLOC(cells * pass->load.count, &pass->load_segments));
    PV_TRY(PV_ALLOC(cells * pass->store.count, &pass->store_segments));
    int loads = 0, stores = 0, axis = pass->axis;
    for (int o = 0; o + 1 < outers; o++)
        for (int l = 0; l + 1 < lanes; l++) {
            pv_cell *cell = &pass->cells[pass->cell_count++];
            int load_complete, store_complete;
            *cell = (pv_cell){outer[o], outer[o + 1], lane[l], lane[l + 1], loads, 0, stores, 0, 0};
            cell->load_count = find_segments(pass, &pass->load, cell, pass->load_box.lower[axis],
                                             pass->load_box.upper[axis], pass->load_segments + loads, &load_complete);
            cell->store_count =
                find_segments(pass, &pass->store, cell, pass->store_box.lower[axis], pass->store_box.upper[axis],
                              pass->store_segments + stores, &store_complete);
            PV_REQUIRE(load_complete && store_complete, PV_ERR_INTERNAL,
                       "the views of a pass along axis %d do not cover its box", axis);
            loads += cell->load_count;
            stores += cell->store_count;
            if (across) split_cell(pass);
        }
    return PV_OK;
}

// A tile may be transformed in the load view itself when that memory is ours to spoil and laid out as a tile.
static int may_run_direct(const pv_pass *pass)
{
    const pv_line_plan *lines = pass->lines;
    if (lines && pv_pass_gap(pass, &pass->load_box).gap > 0) return 0;
    if (!lines || lines->in_lane != 1 || lines->in_step != pass->lanes) return 0;
    for (int i = 0; i < pass->load.count; i++) {
        const pv_piece *piece = &pass->load.pieces[i];
        if (piece->slot == PV_SLOT_IN || piece->slot == PV_SLOT_OUT) return 0;
        if (piece->tiled_axis != pass->lane_axis || piece->tile != pass->lanes ||
            piece->stride[pass->axis] != piece->tile)
            return 0;
    }
    return 1;
}

pv_status pv_pass_prepare(pv_pass *pass, int stream_stores, int across)
{
    pass->load_move = pv_move_for(pass->load.element_bytes, 0);
    pass->store_move = pv_move_for(pass->store.element_bytes, stream_stores);
    pass->lanes = pass->lines ? pass->lines->lanes : 64;
    pass->direct = may_run_direct(pass);
    if (pv_box_count(&pass->store_box) == 0) return PV_OK;
    int64_t *outer = NULL, *lane = NULL;
    int64_t points = 2 + 2 * ((int64_t)pass->load.count + pass->store.count);
    pv_status status;
    PV_TRY_GOTO(PV_ALLOC(points, &outer), status, cleanup);
    PV_TRY_GOTO(PV_ALLOC(points, &lane), status, cleanup);
    const pv_box *box = &pass->store_box;
    int outers = cut_points(pass, pass->outer_axis, box->lower[pass->outer_axis], box->upper[pass->outer_axis], outer);
    int lanes = cut_points(pass, pass->lane_axis, box->lower[pass->lane_axis], box->upper[pass->lane_axis], lane);
    status = cut_cells(pass, outer, outers, lane, lanes, across && pass->lines);
cleanup:
    pv_mem_free(outer);
    pv_mem_free(lane);
    return status;
}

void pv_pass_destroy(pv_pass *pass)
{
    pv_view_destroy(&pass->load);
    pv_view_destroy(&pass->store);
    pv_mem_free(pass->cells);
    pv_mem_free(pass->load_segments);
    pv_mem_free(pass->store_segments);
    *pass = (pv_pass){0};
}
