// SPDX-License-Identifier: Apache-2.0
#include <limits.h>
#include <stdio.h>

#include "base/check.h"
#include "base/clock.h"
#include "comm/comm_ops.h"

// A status and the rank that has it, so that the largest number is the verdict of all ranks: statuses rank by the order
// of PV_STATUS_LIST; among equals the lowest rank speaks.
static int64_t pack(pv_status status, int rank)
{
    return (int64_t)status << 32 | (int64_t)(INT_MAX - rank);
}

static void unpack(int64_t packed, pv_status *status_p, int *rank_p)
{
    *status_p = (pv_status)(packed >> 32);
    *rank_p = INT_MAX - (int)(packed & UINT32_MAX);
}

pv_status pv_comm_agree(pv_comm *comm, pv_status mine)
{
    PV_REQUIRE_GIVEN(comm);
    int64_t packed = mine == PV_OK ? 0 : pack(mine, comm->rank);
    const double start_s = pv_clock_s();
    PV_TRY(pv_comm_count_time(start_s, comm->ops->reduce(comm, PV_REDUCE_I64, PV_MAX, 1, &packed)));
    if (packed == 0) return PV_OK;

    pv_status theirs;
    int rank;
    unpack(packed, &theirs, &rank);
    char text[1024] = "";
    if (rank == comm->rank) snprintf(text, sizeof text, "%s", pv_last_error());
    PV_TRY(comm->ops->broadcast(comm, rank, sizeof text, text));
    if (mine != PV_OK) return mine;
    PV_FAIL(PV_ERR_PEER, "rank %d failed with %s: %s", rank, pv_status_name(theirs), text);
}
