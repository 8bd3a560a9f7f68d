// SPDX-License-Identifier: Apache-2.0
#include "fft/layout/layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "fft/layout/box.h"

#define BOX_TEXT_BYTES 140

pv_status pv_shape_check(const int64_t shape[3])
{
    PV_REQUIRE_GIVEN(shape);
    int64_t room = INT64_MAX / 16;
    for (int axis = 0; axis < 3; axis++) {
        PV_REQUIRE(shape[axis] >= 1, PV_ERR_SHAPE,
                   "shape %" PRId64 "x%" PRId64 "x%" PRId64 ": length %d is %" PRId64 ", must be at least 1", shape[0],
                   shape[1], shape[2], axis, shape[axis]);
        room /= shape[axis];
    }
    PV_REQUIRE(room > 0, PV_ERR_SHAPE,
               "shape %" PRId64 "x%" PRId64 "x%" PRId64 " has too many points, fewer than 2^59 are accepted", shape[0],
               shape[1], shape[2]);
    return PV_OK;
}

static pv_status layout_create(const int64_t shape[3], int ranks, pv_layout **layout_p)
{
    pv_layout *layout = NULL;
    PV_TRY(PV_ALLOC(1, &layout));
    pv_status status = PV_ALLOC(ranks, &layout->boxes);
    if (status != PV_OK) {
        pv_mem_free(layout);
        return status;
    }
    layout->ranks = ranks;
    for (int axis = 0; axis < 3; axis++) {
        layout->shape[axis] = shape[axis];
        layout->order[axis] = axis;
    }
    *layout_p = layout;
    return PV_OK;
}

static pv_box block_box(const int64_t shape[3], const int grid[3], int rank)
{
    pv_box box;
    for (int axis = 2; axis >= 0; axis--) {
        pv_split(shape[axis], grid[axis], rank % grid[axis], &box.lower[axis], &box.upper[axis]);
        rank /= grid[axis];
    }
    return box;
}

pv_status pv_layout_block(const int64_t shape[3], const int grid[3], pv_layout **layout_p)
{
    PV_TRY(pv_shape_check(shape));
    PV_REQUIRE_GIVEN(grid);
    PV_REQUIRE_GIVEN(layout_p);
    int64_t ranks = 1;
    for (int axis = 0; axis < 3; axis++) {
        PV_REQUIRE(grid[axis] >= 1, PV_ERR_ARGUMENT, "grid of ranks %dx%dx%d: every number must be at least 1", grid[0],
                   grid[1], grid[2]);
        ranks *= grid[axis];
        PV_REQUIRE(ranks <= INT32_MAX, PV_ERR_ARGUMENT, "grid of ranks %dx%dx%d: more than 2^31 - 1 ranks", grid[0],
                   grid[1], grid[2]);
    }
    pv_layout *layout = NULL;
    PV_TRY(layout_create(shape, (int)ranks, &layout));
    for (int rank = 0; rank < layout->ranks; rank++) layout->boxes[rank] = block_box(shape, grid, rank);
    *layout_p = layout;
    return PV_OK;
}

pv_status pv_layout_slab(const int64_t shape[3], int ranks, int axis, pv_layout **layout_p)
{
    PV_REQUIRE(axis >= 0 && axis < 3, PV_ERR_ARGUMENT, "axis %d, must be 0, 1 or 2", axis);
    PV_REQUIRE(ranks >= 1, PV_ERR_ARGUMENT, "%d ranks, must be at least 1", ranks);
    int grid[3] = {1, 1, 1};
    grid[axis] = ranks;
    return pv_layout_block(shape, grid, layout_p);
}

pv_status pv_layout_pencil(const int64_t shape[3], int rows, int columns, int axis, pv_layout **layout_p)
{
    PV_REQUIRE(axis >= 0 && axis < 3, PV_ERR_ARGUMENT, "axis %d, must be 0, 1 or 2", axis);
    PV_REQUIRE(rows >= 1 && columns >= 1, PV_ERR_ARGUMENT,
               "pencils over %d rows and %d columns, both must be at least 1", rows, columns);
    int grid[3] = {1, 1, 1};
    grid[axis == 0 ? 1 : 0] = rows;
    grid[axis == 2 ? 1 : 2] = columns;
    return pv_layout_block(shape, grid, layout_p);
}

pv_status pv_layout_boxes(const int64_t shape[3], int ranks, const pv_box *boxes, pv_layout **layout_p)
{
    PV_TRY(pv_shape_check(shape));
    PV_REQUIRE(ranks >= 1, PV_ERR_ARGUMENT, "%d ranks, must be at least 1", ranks);
    PV_REQUIRE_GIVEN(boxes);
    PV_REQUIRE_GIVEN(layout_p);
    pv_layout *layout = NULL;
    PV_TRY(layout_create(shape, ranks, &layout));
    // Empty boxes lie at the origin, so that no code meets an upper below a lower.
    for (int rank = 0; rank < ranks; rank++)
        if (!pv_box_is_empty(&boxes[rank])) layout->boxes[rank] = boxes[rank];
    pv_status status = pv_layout_check(layout);
    if (status != PV_OK) {
        pv_layout_destroy(layout);
        return status;
    }
    *layout_p = layout;
    return PV_OK;
}

pv_status pv_layout_copy(const pv_layout *layout, pv_layout **copy_p)
{
    PV_REQUIRE_GIVEN(layout);
    PV_REQUIRE_GIVEN(copy_p);
    pv_layout *copy = NULL;
    PV_TRY(layout_create(layout->shape, layout->ranks, &copy));
    memcpy(copy->boxes, layout->boxes, (size_t)layout->ranks * sizeof *layout->boxes);
    memcpy(copy->order, layout->order, sizeof layout->order);
    *copy_p = copy;
    return PV_OK;
}

void pv_layout_destroy(pv_layout *layout)
{
    if (!layout) return;
    pv_mem_free(layout->boxes);
    pv_mem_free(layout);
}

static pv_status order_check(const int order[3])
{
    int seen = 0;
    for (int i = 0; i < 3; i++)
        if (order[i] >= 0 && order[i] < 3) seen |= 1 << order[i];
    PV_REQUIRE(seen == 7, PV_ERR_ARGUMENT, "order %d, %d, %d is not a permutation of 0, 1, 2", order[0], order[1],
               order[2]);
    return PV_OK;
}

pv_status pv_layout_set_order(pv_layout *layout, const int order[3])
{
    PV_REQUIRE_GIVEN(layout);
    PV_REQUIRE_GIVEN(order);
    PV_TRY(order_check(order));
    memcpy(layout->order, order, sizeof layout->order);
    return PV_OK;
}

static pv_status inside_check(const pv_layout *layout)
{
    const int64_t *shape = layout->shape;
    for (int rank = 0; rank < layout->ranks; rank++) {
        const pv_box *box = &layout->boxes[rank];
        if (pv_box_is_empty(box)) continue;
        for (int axis = 0; axis < 3; axis++) {
            if (box->lower[axis] >= 0 && box->upper[axis] <= shape[axis]) continue;
            char text[BOX_TEXT_BYTES];
            pv_box_describe(box, text, sizeof text);
            PV_FAIL(PV_ERR_SHAPE,
                    "box %s of rank %d leaves the shape %" PRId64 "x%" PRId64 "x%" PRId64 " along axis %d", text, rank,
                    shape[0], shape[1], shape[2], axis);
        }
    }
    return PV_OK;
}

typedef struct edge {
    int64_t lower, upper;
    int rank;
} edge;

static int edge_compare(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    if (x->lower != y->lower) return x->lower < y->lower ? -1 : 1;
    return x->rank - y->rank;
}

// The non-empty boxes in order of their lower face along `axis`; returns how many faces are distinct.
static int edges_sort(const pv_layout *layout, int axis, edge *edges, int *count_p)
{
    int count = 0, distinct = 0;
    for (int rank = 0; rank < layout->ranks; rank++) {
        const pv_box *box = &layout->boxes[rank];
        if (!pv_box_is_empty(box)) edges[count++] = (edge){box->lower[axis], box->upper[axis], rank};
    }
    qsort(edges, (size_t)count, sizeof *edges, edge_compare);
    for (int i = 0; i < count; i++) distinct += i == 0 || edges[i].lower != edges[i - 1].lower;
    *count_p = count;
    return distinct;
}

// The first overlapping pair in order of ranks, or ranks, ranks. A sweep along the axis with the most cuts compares a
// box only with those that begin before it ends there: some 10^6 pairs for the worst grid of 4096 ranks.
static void overlap_find(const pv_layout *layout, edge *edges, int pair[2])
{
    int best_axis = 0, best_distinct = -1, count = 0;
    for (int axis = 0; axis < 3; axis++) {
        int distinct = edges_sort(layout, axis, edges, &count);
        if (distinct > best_distinct) {
            best_distinct = distinct;
            best_axis = axis;
        }
    }
    edges_sort(layout, best_axis, edges, &count);
    pair[0] = pair[1] = layout->ranks;
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count && edges[j].lower < edges[i].upper; j++) {
            int a = edges[i].rank < edges[j].rank ? edges[i].rank : edges[j].rank;
            int b = edges[i].rank < edges[j].rank ? edges[j].rank : edges[i].rank;
            if (a > pair[0] || (a == pair[0] && b >= pair[1])) continue;
            pv_box both = pv_box_intersect(&layout->boxes[a], &layout->boxes[b]);
            if (pv_box_is_empty(&both)) continue;
            pair[0] = a;
            pair[1] = b;
        }
    }
}

static pv_status overlap_check(const pv_layout *layout)
{
    edge *edges = NULL;
    PV_TRY(PV_ALLOC(layout->ranks, &edges));
    int pair[2];
    overlap_find(layout, edges, pair);
    pv_mem_free(edges);
    if (pair[0] == layout->ranks) return PV_OK;
    char a[BOX_TEXT_BYTES], b[BOX_TEXT_BYTES];
    pv_box_describe(&layout->boxes[pair[0]], a, sizeof a);
    pv_box_describe(&layout->boxes[pair[1]], b, sizeof b);
    PV_FAIL(PV_ERR_SHAPE, "box %s of rank %d overlaps box %s of rank %d", a, pair[0], b, pair[1]);
}

pv_status pv_layout_check(const pv_layout *layout)
{
    PV_REQUIRE_GIVEN(layout);
    PV_TRY(pv_shape_check(layout->shape));
    PV_REQUIRE(layout->ranks >= 1 && layout->boxes, PV_ERR_SHAPE,
               "a layout over %d ranks, must be at least 1 with boxes", layout->ranks);
    PV_TRY(order_check(layout->order));
    PV_TRY(inside_check(layout));
    PV_TRY(overlap_check(layout));
    // Inside and disjoint: the boxes cover the shape when their volumes add up.
    int64_t covered = 0, points = layout->shape[0] * layout->shape[1] * layout->shape[2];
    for (int rank = 0; rank < layout->ranks; rank++) covered += pv_box_count(&layout->boxes[rank]);
    PV_REQUIRE(covered == points, PV_ERR_SHAPE,
               "the boxes of %d ranks cover %" PRId64 " of the %" PRId64 " points of shape %" PRId64 "x%" PRId64
               "x%" PRId64, layout->ranks, covered, points, layout->shape[0], layout->shape[1], layout->shape[2]);
    return PV_OK;
}

int64_t pv_layout_count(const pv_layout *layout, int rank)
{
    return pv_box_count(&layout->boxes[rank]);
}

void pv_layout_strides(const pv_layout *layout, int rank, int64_t strides[3])
{
    int64_t stride = 1;
    for (int i = 2; i >= 0; i--) {
        strides[layout->order[i]] = stride;
        stride *= pv_box_extent(&layout->boxes[rank], layout->order[i]);
    }
}

int64_t pv_layout_offset(const pv_layout *layout, int rank, const int64_t point[3])
{
    int64_t strides[3], offset = 0;
    pv_layout_strides(layout, rank, strides);
    for (int axis = 0; axis < 3; axis++) offset += (point[axis] - layout->boxes[rank].lower[axis]) * strides[axis];
    return offset;
}

int pv_layout_is_complete(const pv_layout *layout, int axis)
{
    for (int rank = 0; rank < layout->ranks; rank++) {
        const pv_box *box = &layout->boxes[rank];
        if (!pv_box_is_empty(box) && pv_box_extent(box, axis) != layout->shape[axis]) return 0;
    }
    return 1;
}

int pv_layout_is_equal(const pv_layout *a, const pv_layout *b)
{
    if (a->ranks != b->ranks) return 0;
    for (int axis = 0; axis < 3; axis++)
        if (a->shape[axis] != b->shape[axis] || a->order[axis] != b->order[axis]) return 0;
    for (int rank = 0; rank < a->ranks; rank++)
        if (!pv_box_is_equal(&a->boxes[rank], &b->boxes[rank])) return 0;
    return 1;
}

static int is_block(const pv_layout *layout, const int grid[3])
{
    for (int rank = 0; rank < layout->ranks; rank++) {
        pv_box box = block_box(layout->shape, grid, rank);
        if (!pv_box_is_equal(&box, &layout->boxes[rank])) return 0;
    }
    return 1;
}

// The grid of ranks that gives these boxes with the fewest axes split; 0 when none does.
static int grid_find(const pv_layout *layout, int best[3])
{
    int best_ones = -1;
    for (int a = 1; a <= layout->ranks; a++) {
        if (layout->ranks % a) continue;
        for (int b = 1; b <= layout->ranks / a; b++) {
            if (layout->ranks / a % b) continue;
            int grid[3] = {a, b, layout->ranks / a / b};
            int ones = (grid[0] == 1) + (grid[1] == 1) + (grid[2] == 1);
            if (ones <= best_ones || !is_block(layout, grid)) continue;
            best_ones = ones;
            memcpy(best, grid, sizeof grid);
        }
    }
    return best_ones >= 0;
}

void pv_layout_describe(const pv_layout *layout, char *text, size_t size)
{
    static const char names[] = "xyz";
    int grid[3], count = 0, cut = 0, whole = 0;
    char kind[PV_LAYOUT_TEXT_BYTES] = "boxes";
    if (grid_find(layout, grid)) {
        for (int axis = 0; axis < 3; axis++) {
            if (grid[axis] > 1) {
                cut = axis;
                count++;
            } else {
                whole = axis;
            }
        }
        if (count == 0) snprintf(kind, sizeof kind, "whole");
        if (count == 1) snprintf(kind, sizeof kind, "slab %c", names[cut]);
        if (count == 2)
            snprintf(kind, sizeof kind, "pencil %dx%d (%c complete)", grid[whole == 0 ? 1 : 0],
                     grid[whole == 2 ? 1 : 2], names[whole]);
        if (count == 3) snprintf(kind, sizeof kind, "block %dx%dx%d", grid[0], grid[1], grid[2]);
    }
    const int *order = layout->order;
    if (order[0] == 0 && order[1] == 1)
        snprintf(text, size, "%s", kind);
    else
        snprintf(text, size, "%s, memory %c%c%c", kind, names[order[0]], names[order[1]], names[order[2]]);
}
