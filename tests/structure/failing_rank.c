// SPDX-License-Identifier: Apache-2.0
// The harness on trial: one rank fails, once alone at the end of a test and once while the others wait for it.
#include <mpi.h>

#include "harness.h"

static void fails_on_one_rank(void **state)
{
    (void)state;
    assert_int_not_equal(pv_test_rank(), 1);
}

static void fails_before_a_collective_call(void **state)
{
    (void)state;
    assert_int_not_equal(pv_test_rank(), 1);
    MPI_Barrier(MPI_COMM_WORLD);
}

PV_TEST_MAIN(PV_TEST(fails_on_one_rank), PV_TEST(fails_before_a_collective_call))
