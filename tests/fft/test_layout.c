// SPDX-License-Identifier: Apache-2.0
#include "harness.h"

#include <string.h>

#include "fft/layout/box.h"
#include "fft/layout/layout.h"

static const int64_t small[3] = {4, 5, 6};

static void assert_text(const pv_layout *layout, const char *expected)
{
    char text[PV_LAYOUT_TEXT_BYTES];
    pv_layout_describe(layout, text, sizeof text);
    assert_string_equal(text, expected);
}

static void assert_box(const pv_layout *layout, int rank, const pv_box expected)
{
    if (!pv_box_is_equal(&layout->boxes[rank], &expected)) {
        char text[128];
        pv_box_describe(&layout->boxes[rank], text, sizeof text);
        fail_msg("rank %d has %s", rank, text);
    }
}

static void slab_is_uneven_when_it_must(void **state)
{
    (void)state;
    pv_layout *layout = NULL;
    assert_ok(pv_layout_slab(small, 3, 1, &layout));
    assert_box(layout, 0, (pv_box){{0, 0, 0}, {4, 2, 6}});
    assert_box(layout, 1, (pv_box){{0, 2, 0}, {4, 4, 6}});
    assert_box(layout, 2, (pv_box){{0, 4, 0}, {4, 5, 6}});
    assert_int_equal(pv_layout_count(layout, 2), 24);
    assert_text(layout, "slab y");
    assert_true(pv_layout_is_complete(layout, 0));
    assert_false(pv_layout_is_complete(layout, 1));
    pv_layout_destroy(layout);
}

static void more_ranks_than_planes(void **state)
{
    (void)state;
    pv_layout *layout = NULL;
    assert_ok(pv_layout_slab(small, 7, 0, &layout));
    assert_ok(pv_layout_check(layout));
    for (int rank = 0; rank < 7; rank++) assert_int_equal(pv_layout_count(layout, rank), rank < 4 ? 30 : 0);
    assert_text(layout, "slab x");
    pv_layout_destroy(layout);
    const int64_t point[3] = {1, 1, 1};
    assert_ok(pv_layout_block(point, (int[]){2, 2, 2}, &layout));
    assert_ok(pv_layout_check(layout));
    assert_int_equal(pv_layout_count(layout, 0), 1);
    for (int axis = 0; axis < 3; axis++) assert_true(pv_layout_is_complete(layout, axis));
    pv_layout_destroy(layout);
}

static void pencils_number_ranks_row_by_row(void **state)
{
    (void)state;
    pv_layout *layout = NULL;
    assert_ok(pv_layout_pencil(small, 2, 3, 0, &layout));
    assert_box(layout, 1, (pv_box){{0, 0, 2}, {4, 3, 4}});
    assert_box(layout, 3, (pv_box){{0, 3, 0}, {4, 5, 2}});
    assert_text(layout, "pencil 2x3 (x complete)");
    pv_layout_destroy(layout);
    assert_ok(pv_layout_pencil(small, 2, 3, 1, &layout));
    assert_box(layout, 1, (pv_box){{0, 0, 2}, {2, 5, 4}});
    assert_text(layout, "pencil 2x3 (y complete)");
    pv_layout_destroy(layout);
    assert_ok(pv_layout_pencil(small, 2, 3, 2, &layout));
    assert_box(layout, 1, (pv_box){{0, 2, 0}, {2, 4, 6}});
    assert_text(layout, "pencil 2x3 (z complete)");
    assert_true(pv_layout_is_complete(layout, 2));
    pv_layout_destroy(layout);
    assert_ok(pv_layout_pencil(small, 1, 3, 2, &layout));
    assert_text(layout, "slab y");
    pv_layout_destroy(layout);
}

static void describes_what_is_no_grid(void **state)
{
    (void)state;
    pv_layout *layout = NULL;
    assert_ok(pv_layout_block(small, (int[]){2, 2, 3}, &layout));
    assert_text(layout, "block 2x2x3");
    assert_ok(pv_layout_set_order(layout, (int[]){1, 0, 2}));
    assert_text(layout, "block 2x2x3, memory yxz");
    pv_layout_destroy(layout);
    assert_ok(pv_layout_slab(small, 1, 0, &layout));
    assert_text(layout, "whole");
    pv_layout_destroy(layout);
    const pv_box boxes[] = {{{0, 0, 0}, {3, 5, 6}}, {{3, 0, 0}, {4, 5, 6}}};
    assert_ok(pv_layout_boxes(small, 2, boxes, &layout));
    assert_text(layout, "boxes");
    pv_layout_destroy(layout);
}

// Every point of every rank has its own offset inside the box, and the fastest axis has stride 1.
static void offsets_follow_the_order(void **state)
{
    (void)state;
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int o = 0; o < 6; o++) {
        pv_layout *layout = NULL;
        assert_ok(pv_layout_pencil(small, 2, 2, 1, &layout));
        assert_ok(pv_layout_set_order(layout, orders[o]));
        for (int rank = 0; rank < 4; rank++) {
            int64_t strides[3], next = 0, i[3];
            pv_layout_strides(layout, rank, strides);
            assert_int_equal(strides[orders[o][2]], 1);
            const pv_box *box = &layout->boxes[rank];
            const int *d = orders[o];
            for (i[d[0]] = box->lower[d[0]]; i[d[0]] < box->upper[d[0]]; i[d[0]]++)
                for (i[d[1]] = box->lower[d[1]]; i[d[1]] < box->upper[d[1]]; i[d[1]]++)
                    for (i[d[2]] = box->lower[d[2]]; i[d[2]] < box->upper[d[2]]; i[d[2]]++)
                        assert_int_equal(pv_layout_offset(layout, rank, i), next++);
            assert_int_equal(next, pv_layout_count(layout, rank));
        }
        pv_layout_destroy(layout);
    }
}

static void copies_are_equal_until_changed(void **state)
{
    (void)state;
    pv_layout *layout = NULL, *copy = NULL;
    assert_ok(pv_layout_slab(small, 6, 0, &layout));
    assert_ok(pv_layout_set_order(layout, (int[]){2, 0, 1}));
    assert_ok(pv_layout_copy(layout, &copy));
    assert_true(pv_layout_is_equal(layout, copy));
    copy->boxes[5] = (pv_box){{9, 9, 9}, {0, 0, 0}};    // as empty as the one of the slab
    assert_true(pv_layout_is_equal(layout, copy));
    assert_ok(pv_layout_set_order(copy, (int[]){0, 2, 1}));
    assert_false(pv_layout_is_equal(layout, copy));
    pv_layout_destroy(copy);
    assert_ok(pv_layout_slab(small, 5, 0, &copy));
    assert_false(pv_layout_is_equal(layout, copy));
    pv_layout_destroy(copy);
    pv_layout_destroy(layout);
    pv_layout_destroy(NULL);
}

// 4096 ranks on 16384^3 points: counts beyond 32 bits, and a check that need not be quick but must be right.
static void large_grids(void **state)
{
    (void)state;
    const int64_t shape[3] = {16384, 16384, 16384};
    static const int grids[][3] = {{4096, 1, 1}, {64, 64, 1}, {1, 64, 64}, {16, 16, 16}, {3, 5, 7}, {1, 1, 4095}};
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        pv_layout *layout = NULL;
        assert_ok(pv_layout_block(shape, grids[i], &layout));
        assert_ok(pv_layout_check(layout));
        int64_t points = 0;
        for (int rank = 0; rank < layout->ranks; rank++) points += pv_layout_count(layout, rank);
        assert_true(points == INT64_C(1) << 42);
        pv_layout_destroy(layout);
    }
    pv_layout *whole = NULL;
    assert_ok(pv_layout_slab(shape, 1, 0, &whole));
    assert_true(pv_layout_offset(whole, 0, (int64_t[]){16383, 16383, 16383}) == (INT64_C(1) << 42) - 1);
    pv_layout_destroy(whole);
}

static void large_grid_with_a_fault_names_it(void **state)
{
    (void)state;
    const int64_t shape[3] = {16384, 16384, 16384};
    pv_layout *layout = NULL;
    assert_ok(pv_layout_block(shape, (int[]){16, 16, 16}, &layout));
    layout->boxes[4000].lower[1]--;
    assert_fails(PV_ERR_SHAPE, pv_layout_check(layout));
    assert_non_null(strstr(pv_last_error(), "of rank 3984 overlaps box "));
    assert_non_null(strstr(pv_last_error(), " of rank 4000"));
    layout->boxes[4000].lower[1] += 2;
    assert_fails(PV_ERR_SHAPE, pv_layout_check(layout));
    assert_non_null(strstr(pv_last_error(), "cover 4398045462528 of the 4398046511104 points"));
    pv_layout_destroy(layout);
}

static void user_boxes(void **state)
{
    (void)state;
    // Uneven, one empty with its upper below its lower.
    pv_box boxes[] = {{{0, 0, 0}, {1, 5, 6}}, {{7, 7, 7}, {2, 2, 2}}, {{1, 0, 0}, {4, 5, 2}}, {{1, 0, 2}, {4, 5, 6}}};
    pv_layout *layout = NULL;
    assert_ok(pv_layout_boxes(small, 4, boxes, &layout));
    assert_int_equal(pv_layout_count(layout, 1), 0);
    assert_int_equal(pv_layout_count(layout, 3), 60);
    int64_t strides[3];
    pv_layout_strides(layout, 1, strides);
    assert_int_equal(strides[2], 1);
    boxes[0].upper[0] = 0;                      // the layout has its own copy
    assert_int_equal(layout->boxes[0].upper[0], 1);
    pv_layout_destroy(layout);
}

static void assert_refused(pv_status status, int ranks, const pv_box *boxes, const char *text)
{
    pv_layout *layout = (pv_layout *)&small;    // must be left as it was
    pv_layout **layout_p = &layout;
    assert_fails(status, pv_layout_boxes(small, ranks, boxes, layout_p));
    assert_ptr_equal(layout, &small);
    if (!strstr(pv_last_error(), text)) fail_msg("'%s' does not say '%s'", pv_last_error(), text);
}

static void bad_boxes_are_named(void **state)
{
    (void)state;
    const pv_box outside[] = {{{0, 0, 0}, {2, 5, 6}}, {{2, 0, 0}, {5, 5, 6}}};
    assert_refused(PV_ERR_SHAPE, 2, outside, "box [2,5)x[0,5)x[0,6) of rank 1 leaves the shape 4x5x6 along axis 0");
    const pv_box below[] = {{{0, 0, -1}, {2, 5, 6}}, {{2, 0, 0}, {4, 5, 6}}};
    assert_refused(PV_ERR_SHAPE, 2, below, "box [0,2)x[0,5)x[-1,6) of rank 0 leaves the shape 4x5x6 along axis 2");
    const pv_box overlap[] = {{{0, 0, 0}, {2, 5, 6}}, {{2, 0, 0}, {4, 5, 6}}, {{3, 4, 5}, {4, 5, 6}}};
    assert_refused(PV_ERR_SHAPE, 3, overlap,
                   "box [2,4)x[0,5)x[0,6) of rank 1 overlaps box [3,4)x[4,5)x[5,6) of rank 2");
    const pv_box twice[] = {{{0, 0, 0}, {4, 5, 6}}, {{0, 0, 0}, {4, 5, 6}}, {{0, 0, 0}, {4, 5, 6}}};
    assert_refused(PV_ERR_SHAPE, 3, twice, "of rank 0 overlaps box [0,4)x[0,5)x[0,6) of rank 1");
    const pv_box hole[] = {{{0, 0, 0}, {2, 5, 6}}, {{3, 0, 0}, {4, 5, 6}}};
    assert_refused(PV_ERR_SHAPE, 2, hole, "the boxes of 2 ranks cover 90 of the 120 points of shape 4x5x6");
    assert_refused(PV_ERR_ARGUMENT, 2, NULL, "boxes is NULL");
    assert_refused(PV_ERR_ARGUMENT, 0, hole, "0 ranks, must be at least 1");
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    pv_layout *layout = NULL;
    assert_fails(PV_ERR_SHAPE, pv_layout_slab((int64_t[]){4, 0, 6}, 2, 0, &layout));
    assert_non_null(strstr(pv_last_error(), "shape 4x0x6: length 1 is 0, must be at least 1"));
    assert_fails(PV_ERR_SHAPE, pv_layout_slab((int64_t[]){INT64_C(1) << 40, INT64_C(1) << 30, 2}, 2, 0, &layout));
    assert_fails(PV_ERR_ARGUMENT, pv_layout_slab(NULL, 2, 0, &layout));
    assert_fails(PV_ERR_ARGUMENT, pv_layout_slab(small, 2, 3, &layout));
    assert_fails(PV_ERR_ARGUMENT, pv_layout_slab(small, 0, 1, &layout));
    assert_fails(PV_ERR_ARGUMENT, pv_layout_pencil(small, 0, 2, 1, &layout));
    assert_fails(PV_ERR_ARGUMENT, pv_layout_pencil(small, 2, 2, -1, &layout));
    assert_fails(PV_ERR_ARGUMENT, pv_layout_block(small, (int[]){1 << 16, 1 << 16, 1 << 16}, &layout));
    assert_fails(PV_ERR_ARGUMENT, pv_layout_copy(NULL, &layout));
    assert_fails(PV_ERR_ARGUMENT, pv_layout_check(NULL));
    assert_null(layout);
    assert_ok(pv_layout_slab(small, 2, 0, &layout));
    assert_fails(PV_ERR_ARGUMENT, pv_layout_set_order(layout, (int[]){0, 1, 1}));
    assert_fails(PV_ERR_ARGUMENT, pv_layout_set_order(layout, (int[]){1, 2, 3}));
    assert_int_equal(layout->order[1], 1);
    pv_layout_destroy(layout);
}

PV_TEST_MAIN(PV_TEST(slab_is_uneven_when_it_must), PV_TEST(more_ranks_than_planes),
             PV_TEST(pencils_number_ranks_row_by_row), PV_TEST(describes_what_is_no_grid),
             PV_TEST(offsets_follow_the_order), PV_TEST(copies_are_equal_until_changed), PV_TEST(large_grids),
             PV_TEST(large_grid_with_a_fault_names_it), PV_TEST(user_boxes), PV_TEST(bad_boxes_are_named),
             PV_TEST(bad_arguments_are_refused))
