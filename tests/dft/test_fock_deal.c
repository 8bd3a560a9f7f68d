// SPDX-License-Identifier: Apache-2.0
// Bands dealt out to the ranks of a group: every one has some of the low ones, none is lost, and all come home.
#include "dft/terms/fock_deal.h"

#include "harness.h"

enum { BANDS_MOST = 23, LOCAL = 3 };

static void every_band_has_one_place(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= 9; ranks++)
        for (int64_t bands = 1; bands <= BANDS_MOST; bands++) {
            int64_t order[BANDS_MOST];
            int places[BANDS_MOST] = {0};
            assert_ok(pv_fock_deal(ranks, bands, order));
            for (int64_t place = 0; place < bands; place++) {
                assert_in_range(order[place], 0, bands - 1);
                assert_int_equal(places[order[place]]++, 0);
                if (ranks == 1) assert_int_equal(order[place], place);
            }
        }
}

// Half of eight bands are filled: two of each rank's four.
static void the_low_ones_are_shared(void **state)
{
    (void)state;
    int64_t order[8];
    assert_ok(pv_fock_deal(2, 8, order));
    static const int64_t expected[8] = {0, 1, 4, 5, 2, 3, 6, 7};
    for (int i = 0; i < 8; i++) assert_int_equal(order[i], expected[i]);
}

static void bands_come_home(void **state)
{
    (void)state;
    pv_device *device;
    assert_ok(pv_device_open("cpu:1", &device));
    pv_stream *stream = pv_device_stream(device);
    for (int ranks = 1; ranks <= 7; ranks++) {
        int64_t order[BANDS_MOST], scratch[BANDS_MOST];
        double _Complex aside[LOCAL];
        double _Complex from[BANDS_MOST * LOCAL], dealt[BANDS_MOST * LOCAL];
        for (int i = 0; i < BANDS_MOST * LOCAL; i++) from[i] = i + 0.5 * I;
        assert_ok(pv_fock_deal(ranks, BANDS_MOST, order));
        assert_ok(pv_fock_deal_bands(stream, BANDS_MOST, order, LOCAL, from, dealt));
        for (int i = 0; i < LOCAL; i++) assert_true(dealt[LOCAL + i] == from[order[1] * LOCAL + i]);
        assert_ok(pv_fock_collect_bands(stream, BANDS_MOST, order, scratch, LOCAL, aside, dealt));
        for (int i = 0; i < BANDS_MOST * LOCAL; i++) assert_true(dealt[i] == from[i]);
    }
    pv_device_close(device);
}

PV_TEST_MAIN(PV_TEST(every_band_has_one_place), PV_TEST(the_low_ones_are_shared), PV_TEST(bands_come_home))
