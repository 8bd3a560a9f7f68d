// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
#include "comm/life.h"

#include <unistd.h>

#include "base/mem.h"
#include "harness.h"

static pv_process *gather(int *size_p)
{
    pv_process *all = pv_process_gather(MPI_COMM_WORLD, pv_test_rank());
    assert_non_null(all);
    MPI_Comm_size(MPI_COMM_WORLD, size_p);
    return all;
}

static void those_that_run_are_known_to_run(void **state)
{
    (void)state;
    int size;
    pv_process *all = gather(&size);
    for (int i = 0; i < size; i++) {
        assert_int_equal(all[i].rank, i);
        assert_false(pv_process_has_ended(&all[i]));
    }
    assert_int_equal(all[pv_test_rank()].pid, getpid());
    MPI_Barrier(MPI_COMM_WORLD);
    pv_mem_free(all);
}

// A number that a later process has got, or nobody has, is an ended one; nothing is said of unwatched ones.
static void those_that_have_gone_are_known_to_have_ended(void **state)
{
    (void)state;
    int size;
    pv_process *all = gather(&size);
    pv_process other = all[pv_test_rank()];
    other.start++;
    assert_true(pv_process_has_ended(&other));
    other.pid = 1 << 22; // more than Linux gives
    assert_true(pv_process_has_ended(&other));
    other.pid = 0;
    assert_false(pv_process_has_ended(&other));
    pv_mem_free(all);
}

PV_TEST_MAIN(PV_TEST(those_that_run_are_known_to_run), PV_TEST(those_that_have_gone_are_known_to_have_ended))
