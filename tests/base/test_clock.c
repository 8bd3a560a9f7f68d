// SPDX-License-Identifier: Apache-2.0
#include "harness.h"

#include "base/clock.h"

static void time_does_not_run_backwards(void **state)
{
    (void)state;
    double last = pv_clock_s();
    for (int i = 0; i < 1000; i++) {
        double now = pv_clock_s();
        assert_true(now >= last);
        last = now;
    }
}

static void timing_is_minimum_median_maximum(void **state)
{
    (void)state;
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};
    pv_timing timing = pv_timing_of(odd, 3);
    assert_near(timing.min_s, 1, 0);
    assert_near(timing.median_s, 2, 0);
    assert_near(timing.max_s, 3, 0);
    assert_near(pv_timing_of(even, 4).median_s, 2.5, 0);
    assert_int_equal(pv_timing_of(even, 4).count, 4);
    assert_int_equal(pv_timing_of(NULL, 0).count, 0);
}

PV_TEST_MAIN(PV_TEST(time_does_not_run_backwards), PV_TEST(timing_is_minimum_median_maximum))
