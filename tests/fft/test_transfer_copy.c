// SPDX-License-Identifier: Apache-2.0
// Transfers by copies, all ranks in one process: after the lists of a group every point of it is where the load view
// says.
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "fft/layout/box.h"
#include "fft/transfer/transfer.h"

enum { MOST_RANKS = 5, BATCH = 2 };

typedef struct exchange_case {
    int64_t shape[3];
    int ranks, from_axis, to_axis, chunks, groups, early_percent;
    pv_copy_keep keep;
    int is_odd;                     // slabs of other sizes and owners than the rule's
} exchange_case;

typedef struct everybody {
    const exchange_case *c;
    pv_layout *from, *to;
    pv_transfer transfers[MOST_RANKS];
    int64_t *send[MOST_RANKS], *region[MOST_RANKS];
} everybody;

static int64_t value_of(const exchange_case *c, const int64_t point[3], int64_t item)
{
    return 1 + ((item * c->shape[0] + point[0]) * c->shape[1] + point[1]) * c->shape[2] + point[2];
}

// Points of the view's pieces: written, or those below `end` along `axis` compared.
static void visit(const everybody *e, int rank, const pv_view *view, int is_write, int axis, int64_t end)
{
    for (int i = 0; i < view->count; i++) {
        const pv_piece *piece = &view->pieces[i];
        int64_t *memory = piece->slot == PV_SLOT_SEND ? e->send[rank] : e->region[rank];
        int64_t point[3];
        assert_int_equal(piece->rank, rank);
        for (int64_t item = 0; item < BATCH; item++)
            for (point[0] = piece->box.lower[0]; point[0] < piece->box.upper[0]; point[0]++)
                for (point[1] = piece->box.lower[1]; point[1] < piece->box.upper[1]; point[1]++)
                    for (point[2] = piece->box.lower[2]; point[2] < piece->box.upper[2]; point[2]++) {
                        int64_t *at = memory + item * piece->batch_stride + pv_piece_offset(piece, point);
                        if (is_write) *at = value_of(e->c, point, item);
                        else if (point[axis] < end) assert_int_equal(*at, value_of(e->c, point, item));
                    }
    }
}

static void copy_list(const everybody *e, int rank, const pv_copy_list *list)
{
    for (int i = 0; i < list->count; i++) {
        const pv_copy *copy = &list->copies[i];
        for (size_t row = 0; row < copy->height; row++)
            memcpy((char *)e->region[copy->rank] + copy->to_bytes + row * copy->to_pitch,
                   (char *)e->send[rank] + copy->from_bytes + row * copy->from_pitch, copy->width);
    }
}

// The first slab is one plane, the last takes the rest of it; and owners are turned round.
static void make_odd(pv_layout *layout, int axis)
{
    const int ranks = layout->ranks;
    for (int r = 0; r < ranks; r++) {
        pv_box *box = &layout->boxes[r];
        box->lower[axis] = r;
        box->upper[axis] = r + 1 == ranks ? layout->shape[axis] : r + 1;
    }
    for (int r = 0; r < ranks / 2; r++) {
        const pv_box box = layout->boxes[r];
        layout->boxes[r] = layout->boxes[ranks - 1 - r];
        layout->boxes[ranks - 1 - r] = box;
    }
}

static void open_everybody(const exchange_case *c, everybody *e)
{
    static const int node[MOST_RANKS] = {0};
    *e = (everybody){.c = c};
    assert_ok(pv_layout_slab(c->shape, c->ranks, c->from_axis, &e->from));
    if (c->is_odd) make_odd(e->from, c->from_axis);
    assert_ok(pv_layout_slab(c->shape, c->ranks, c->to_axis, &e->to));
    assert_true(pv_copy_applies(e->from, e->to, node, c->from_axis, c->to_axis));
    for (int r = 0; r < c->ranks; r++) {
        const pv_transfer_desc desc = {.from = e->from,
                                       .to = e->to,
                                       .rank = r,
                                       .node = node,
                                       .order = {{0, 1, 2}, -1, 1},
                                       .chunk_axis = c->from_axis,
                                       .chunks = c->chunks,
                                       .batch = BATCH,
                                       .element_bytes = sizeof(int64_t),
                                       .copies = {c->groups, c->early_percent, c->to_axis, c->keep}};
        assert_ok(pv_transfer_describe(&desc, &e->transfers[r]));
        assert_int_equal(e->transfers[r].messages, 0);
        e->send[r] = calloc(1, e->transfers[r].send_bytes);
        e->region[r] = calloc(1, e->transfers[r].region_bytes);
    }
}

static void close_everybody(everybody *e)
{
    for (int r = 0; r < e->c->ranks; r++) {
        pv_transfer_destroy(&e->transfers[r]);
        free(e->send[r]);
        free(e->region[r]);
    }
    pv_layout_destroy(e->from);
    pv_layout_destroy(e->to);
}

static void check(const exchange_case *c)
{
    everybody e;
    open_everybody(c, &e);
    for (int r = 0; r < c->ranks; r++) visit(&e, r, &e.transfers[r].store, 1, 0, 0);
    for (int i = 0; i < c->chunks + c->groups - 1; i++) {
        for (int r = 0; r < c->ranks && i < c->chunks; r++)
            if (e.transfers[r].copies.own) copy_list(&e, r, &e.transfers[r].copies.own[i]);
        for (int r = 0; r < c->ranks; r++) copy_list(&e, r, &e.transfers[r].copies.lists[i]);
        if (i + 1 < c->chunks) continue;
        for (int r = 0; r < c->ranks; r++)
            visit(&e, r, &e.transfers[r].load, 0, c->to_axis, e.transfers[r].copies.ends[i + 2 - c->chunks]);
    }
    for (int r = 0; r < c->ranks; r++) {
        assert_int_equal(e.transfers[r].copies.ends[0], e.to->boxes[r].lower[c->to_axis]);
        assert_int_equal(e.transfers[r].copies.ends[c->groups], e.to->boxes[r].upper[c->to_axis]);
    }
    close_everybody(&e);
}

static void every_point_arrives(void **state)
{
    (void)state;
    static const int64_t shapes[][3] = {{8, 12, 4}, {7, 5, 3}, {5, 9, 1}};
    static const int ways[][3] = {{1, 1, 0}, {3, 1, 0}, {2, 3, 70}, {4, 4, 50}, {3, 2, 100}, {2, 2, 0}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            for (int ranks = 2; ranks <= MOST_RANKS; ranks++)
                for (int turn = 0; turn < 12; turn++) {
                    const int from = turn % 2;
                    check(&(exchange_case){{shapes[s][0], shapes[s][1], shapes[s][2]},
                                           ranks,
                                           from,
                                           1 - from,
                                           ways[w][0],
                                           ways[w][1],
                                           ways[w][2],
                                           (pv_copy_keep)(turn / 2 % 3),
                                           turn / 6});
                }
}

static void other_transfers_are_left_alone(void **state)
{
    (void)state;
    static const int together[4] = {0}, apart[4] = {0, 0, 2, 2};
    const int64_t shape[3] = {8, 8, 8}, flat[3] = {2, 8, 8};
    pv_layout *x, *y, *z, *pencil, *few;
    assert_ok(pv_layout_slab(shape, 4, 0, &x));
    assert_ok(pv_layout_slab(shape, 4, 1, &y));
    assert_ok(pv_layout_slab(shape, 4, 2, &z));
    assert_ok(pv_layout_pencil(shape, 2, 2, 2, &pencil));
    assert_ok(pv_layout_slab(flat, 4, 0, &few));
    assert_true(pv_copy_applies(x, y, together, 0, 1));
    assert_false(pv_copy_applies(x, y, apart, 0, 1));
    assert_false(pv_copy_applies(x, x, together, 0, 0));
    assert_false(pv_copy_applies(x, z, together, 0, 2));
    assert_false(pv_copy_applies(pencil, y, together, 0, 1));
    assert_false(pv_copy_applies(few, y, together, 0, 1));
    pv_layout_destroy(x);
    pv_layout_destroy(y);
    pv_layout_destroy(z);
    pv_layout_destroy(pencil);
    pv_layout_destroy(few);
}

PV_TEST_MAIN(PV_TEST(every_point_arrives), PV_TEST(other_transfers_are_left_alone))
