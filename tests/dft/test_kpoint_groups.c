// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "dft/model/kpoint_groups.h"
#include "harness.h"

static void the_number_divides_the_ranks(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= 24; ranks++)
        for (int kpoints = 1; kpoints <= 9; kpoints++)
            for (int asked = -3; asked <= 30; asked++) {
                const int count = pv_kpoint_groups_nearest(ranks, kpoints, asked);
                assert_true(count >= 1 && count <= kpoints && ranks % count == 0);
                if (asked >= 1 && asked <= kpoints && ranks % asked == 0) assert_int_equal(count, asked);
            }
    assert_int_equal(pv_kpoint_groups_nearest(12, 10, 5), 4); // of two equally near ones the smaller
    assert_int_equal(pv_kpoint_groups_nearest(7, 10, 5), 7);
    assert_int_equal(pv_kpoint_groups_nearest(7, 5, 5), 1);
    assert_int_equal(pv_kpoint_groups_nearest(8, 3, 2147483647), 2);
    assert_int_equal(pv_kpoint_groups_nearest(8, 3, -2147483647 - 1), 1);
}

static void ranks_of_a_band_divide_a_group(void **state)
{
    (void)state;
    for (int size = 1; size <= 24; size++)
        for (int asked = 1; asked <= 30; asked++) {
            const int ranks = pv_kpoint_groups_band_ranks(size, asked, 0);
            const int of_groups = pv_kpoint_groups_band_ranks(size, 1 + asked % 5, asked);
            assert_true(ranks >= 1 && size % ranks == 0 && of_groups >= 1 && size % of_groups == 0);
            if (size % asked == 0) assert_int_equal(ranks, asked);
            if (size % asked == 0) assert_int_equal(of_groups, size / asked);
        }
    assert_int_equal(pv_kpoint_groups_band_ranks(8, 0, 0), 0);
    assert_int_equal(pv_kpoint_groups_band_ranks(8, 3, 0), 2);
    assert_int_equal(pv_kpoint_groups_band_ranks(8, 100, 0), 8);
    assert_int_equal(pv_kpoint_groups_band_ranks(8, 0, 100), 1);
    assert_int_equal(pv_kpoint_groups_band_ranks(8, 2147483647, 0), 8);
}

static void every_group_has_work(void **state)
{
    (void)state;
    const double plain[7] = {1.0, 2.0, 2.0, 2.0, 2.0, 1.0, 2.0};
    pv_kpoint_cost cost[7];
    for (int k = 0; k < 7; k++) cost[k] = (pv_kpoint_cost){0.5 * plain[k], 0.25 * plain[k], 0.25 * plain[k]};
    for (int count = 1; count <= 7; count++) {
        pv_kpoint_groups groups;
        double load[7] = {0.0}, least = 12.0, most = 0.0;
        assert_ok(pv_kpoint_groups_make(2 * count, 7, count, cost, &groups));
        assert_int_equal(groups.size, 2);
        for (int k = 0; k < 7; k++) {
            assert_in_range(groups.group_of[k], 0, count - 1);
            load[groups.group_of[k]] += plain[k];
        }
        for (int g = 0; g < count; g++) {
            if (load[g] < least) least = load[g];
            if (load[g] > most) most = load[g];
            assert_int_equal(pv_kpoint_groups_of_rank(&groups, pv_kpoint_groups_first_rank(&groups, g)), g);
            assert_int_equal(pv_kpoint_groups_of_rank(&groups, pv_kpoint_groups_first_rank(&groups, g) + 1), g);
        }
        assert_true(least > 0.0 && most - least <= 2.0);
        pv_kpoint_groups_release(&groups);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    const pv_kpoint_cost cost[3] = {{1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
    pv_kpoint_groups groups;
    static const int cases[][2] = {{4, 0}, {4, 3}, {8, 4}, {4, -2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_fails(PV_ERR_ARGUMENT, pv_kpoint_groups_make(cases[i][0], 3, cases[i][1], cost, &groups));
    pv_test_mute(0);
}

static double time_of(int ranks, int kpoints, int count, int bands)
{
    pv_kpoint_cost cost[64];
    pv_kpoint_groups groups;
    for (int k = 0; k < kpoints; k++) cost[k] = (pv_kpoint_cost){0.55, 0.4, 0.05};
    assert_ok(pv_kpoint_groups_make(ranks, kpoints, count, cost, &groups));
    const double time = pv_kpoint_groups_time(&groups, cost, bands);
    pv_kpoint_groups_release(&groups);
    return time;
}

static void more_groups_are_faster_when_they_are_equally_busy(void **state)
{
    (void)state;
    assert_near(time_of(1, 5, 1, 8), 5.0, 1e-12);
    assert_true(time_of(4, 4, 4, 8) < time_of(4, 4, 2, 8));
    assert_true(time_of(4, 4, 2, 8) < time_of(4, 4, 1, 8));
    assert_true(time_of(4, 10, 2, 8) < time_of(4, 10, 1, 8)); // 5 and 5
    assert_true(time_of(8, 9, 8, 64) > time_of(8, 9, 4, 64)); // 2, 1, ... 1, or 3, 2, 2, 2 at twice the speed
    const pv_kpoint_cost tiny = pv_kpoint_cost_of(100.0, 1000.0, 4, 0.0, 0);
    pv_kpoint_groups together, single;
    assert_ok(pv_kpoint_groups_make(2, 1, 1, &tiny, &together));
    assert_ok(pv_kpoint_groups_make(1, 1, 1, &tiny, &single));
    assert_true(pv_kpoint_groups_time(&together, &tiny, 4) > pv_kpoint_groups_time(&single, &tiny, 4)); // only messages
    pv_kpoint_groups_release(&together);
    pv_kpoint_groups_release(&single);
    assert_true(time_of(64, 2, 2, 4) < time_of(64, 2, 1, 4)); // bands run out
}

static void ranks_share_bands_when_they_run_out(void **state)
{
    (void)state;
    for (int size = 1; size <= 24; size++)
        for (int bands = 1; bands <= 100; bands++) {
            const int each = pv_kpoint_groups_choose_band_ranks(size, bands, 1e6);
            assert_true(each >= 1 && size % each == 0);
            if (bands % (2 * size) == 0) assert_int_equal(each, 1);
            assert_true(pv_kpoint_groups_transform_share(size, each, bands)
                        <= pv_kpoint_groups_transform_share(size, 1, bands));
        }
    assert_int_equal(pv_kpoint_groups_choose_band_ranks(4, 2, 1e6), 4);
    assert_int_equal(pv_kpoint_groups_choose_band_ranks(8, 8, 1e6), 2);
    assert_int_equal(pv_kpoint_groups_choose_band_ranks(4, 7, 1e6), 1);
    assert_int_equal(pv_kpoint_groups_choose_band_ranks(4, 100, 1e6), 1);
    assert_int_equal(pv_kpoint_groups_choose_band_ranks(1, 1, 1e6), 1);
    assert_int_equal(pv_kpoint_groups_choose_band_ranks(4, 2, 1e4), 1);
    assert_near(pv_kpoint_groups_transform_share(4, 1, 8), 0.25, 1e-15);
    assert_near(pv_kpoint_groups_transform_share(4, 1, 9), 0.4, 1e-15);
}

PV_TEST_MAIN(PV_TEST(the_number_divides_the_ranks), PV_TEST(ranks_of_a_band_divide_a_group),
             PV_TEST(ranks_share_bands_when_they_run_out), PV_TEST(every_group_has_work),
             PV_TEST(what_cannot_be_is_refused),
             PV_TEST(more_groups_are_faster_when_they_are_equally_busy))
