// SPDX-License-Identifier: Apache-2.0
#include "harness_ranks.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"

enum { POLLS_A_SECOND = 1000 };

// Of its own, so that what a failed test left in flight cannot meet the harness's messages.
static MPI_Comm ranks = MPI_COMM_NULL;

int pv_test_rank(void)
{
    int rank;
    MPI_Comm_rank(ranks, &rank);
    return rank;
}

int pv_test_size(void)
{
    int size;
    MPI_Comm_size(ranks, &size);
    return size;
}

void pv_test_ranks_start(int *argc, char ***argv)
{
    int provided;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_dup(MPI_COMM_WORLD, &ranks);
}

void pv_test_ranks_end(void)
{
    MPI_Comm_free(&ranks);
    MPI_Finalize();
}

static int grace_s(void)
{
    const char *given = getenv("PV_TEST_GRACE_S");
    return given ? atoi(given) : 10;
}

int pv_test_ranks_agree(int has_failed)
{
    int failures = 0, done = 0;
    MPI_Request request;
    MPI_Iallreduce(&has_failed, &failures, 1, MPI_INT, MPI_SUM, ranks, &request);
    if (!has_failed) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return failures == 0;
    }
    const int polls = grace_s() * POLLS_A_SECOND;
    for (int poll = 0; !done && poll < polls; poll++) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done) usleep(1000000 / POLLS_A_SECOND);
    }
    if (!done) {
        fprintf(stderr, "rank %d failed and others did not reach the end of the test: ending all ranks\n",
                pv_test_rank());
        MPI_Abort(ranks, 1);
    }
    return 0;
}
