// SPDX-License-Identifier: Apache-2.0
#include "harness.h"

#include "fft/layout/box.h"

static void counts_points(void **state)
{
    (void)state;
    pv_box box = {{1, 2, 3}, {4, 6, 8}};
    assert_int_equal(pv_box_count(&box), 3 * 4 * 5);
    assert_int_equal(pv_box_extent(&box, 1), 4);
    pv_box large = {{0, 0, 0}, {16384, 16384, 16384}};
    assert_true(pv_box_count(&large) == INT64_C(1) << 42);
}

static void empty_boxes_have_no_points(void **state)
{
    (void)state;
    pv_box flat = {{0, 0, 0}, {4, 0, 4}}, backward = {{5, 5, 5}, {4, 4, 9}}, whole = {{0, 0, 0}, {4, 4, 4}};
    assert_int_equal(pv_box_count(&flat), 0);
    assert_int_equal(pv_box_count(&backward), 0);
    assert_int_equal(pv_box_extent(&backward, 0), 0);
    assert_true(pv_box_is_empty(&flat));
    assert_true(pv_box_is_empty(&backward));
    assert_true(pv_box_is_equal(&flat, &backward));
    assert_false(pv_box_is_equal(&flat, &whole));
    assert_false(pv_box_is_empty(&whole));
}

static void intersects(void **state)
{
    (void)state;
    pv_box a = {{0, 0, 0}, {4, 4, 4}}, b = {{2, 3, 1}, {8, 8, 3}}, touching = {{4, 0, 0}, {8, 4, 4}};
    pv_box both = pv_box_intersect(&a, &b), expected = {{2, 3, 1}, {4, 4, 3}};
    assert_true(pv_box_is_equal(&both, &expected));
    both = pv_box_intersect(&b, &a);
    assert_true(pv_box_is_equal(&both, &expected));
    both = pv_box_intersect(&a, &touching);
    assert_int_equal(pv_box_count(&both), 0);
    for (int axis = 0; axis < 3; axis++) assert_true(both.lower[axis] == 0 && both.upper[axis] == 0);
}

// Neighbouring parts meet, differ by one point at most, and the longer ones come first.
static void splits_evenly(void **state)
{
    (void)state;
    const int64_t lengths[] = {0, 1, 5, 7, 64, 16384, INT64_C(1) << 50};
    const int counts[] = {1, 2, 3, 7, 64, 4096};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (size_t j = 0; j < sizeof counts / sizeof *counts; j++) {
            int64_t n = lengths[i], end = 0;
            for (int part = 0; part < counts[j]; part++) {
                int64_t lower, upper;
                pv_split(n, counts[j], part, &lower, &upper);
                assert_true(lower == end);
                assert_true(upper - lower == n / counts[j] + (part < n % counts[j]));
                end = upper;
            }
            assert_true(end == n);
        }
    }
}

static void describes(void **state)
{
    (void)state;
    pv_box box = {{0, 2, 3}, {16384, 6, 8}};
    char text[64], cut[8];
    pv_box_describe(&box, text, sizeof text);
    assert_string_equal(text, "[0,16384)x[2,6)x[3,8)");
    pv_box_describe(&box, cut, sizeof cut);
    assert_string_equal(cut, "[0,1638");
}

PV_TEST_MAIN(PV_TEST(counts_points), PV_TEST(empty_boxes_have_no_points), PV_TEST(intersects), PV_TEST(splits_evenly),
             PV_TEST(describes))
