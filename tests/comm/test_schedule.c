// SPDX-License-Identifier: Apache-2.0
#include "comm/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "harness.h"

static const pv_schedule schedules[] = {PV_SCHEDULE_PAIRWISE, PV_SCHEDULE_RING};

static void check_round(pv_schedule schedule, int size, int round, char *met)
{
    memset(met, 0, (size_t)size);
    for (int rank = 0; rank < size; rank++) {
        const int to = pv_schedule_send_to(schedule, size, rank, round);
        assert_in_range(to, 0, size - 1);
        assert_false(met[to]);
        met[to] = 1;
        assert_int_equal(pv_schedule_receive_from(schedule, size, to, round), rank);
        assert_int_equal(pv_schedule_send_round(schedule, size, rank, to), round);
        assert_int_equal(pv_schedule_receive_round(schedule, size, to, rank), round);
        if (round == 0) assert_int_equal(to, rank);
    }
}

static void every_round_is_a_permutation(void **state)
{
    (void)state;
    char met[64];
    for (int s = 0; s < 2; s++)
        for (int size = 1; size <= 64; size++)
            for (int round = 0; round < size; round++) check_round(schedules[s], size, round, met);
}

static void large_sizes_meet_everybody_once(void **state)
{
    (void)state;
    static const int sizes[] = {1000, 2048, 3001, 4095, 4096};
    char *met = malloc(4096);
    assert_non_null(met);
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < 5; i++) {
            const int size = sizes[i], rank = size / 3;
            memset(met, 0, (size_t)size);
            for (int round = 0; round < size; round++) {
                const int to = pv_schedule_send_to(schedules[s], size, rank, round);
                assert_in_range(to, 0, size - 1);
                assert_false(met[to]);
                met[to] = 1;
            }
            for (int round = 0; round < size; round += 97) check_round(schedules[s], size, round, met);
        }
    free(met);
}

static void powers_of_two_meet_in_pairs(void **state)
{
    (void)state;
    for (int rank = 0; rank < 4096; rank += 7)
        for (int round = 0; round < 4096; round += 13)
            assert_int_equal(pv_schedule_send_to(PV_SCHEDULE_PAIRWISE, 4096, rank, round),
                             pv_schedule_receive_from(PV_SCHEDULE_PAIRWISE, 4096, rank, round));
}

PV_TEST_MAIN(PV_TEST(every_round_is_a_permutation), PV_TEST(large_sizes_meet_everybody_once),
             PV_TEST(powers_of_two_meet_in_pairs))
