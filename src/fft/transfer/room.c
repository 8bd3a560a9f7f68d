// SPDX-License-Identifier: Apache-2.0
#include "fft/transfer/room.h"

#include <inttypes.h>

#include "base/check.h"
#include "base/free_memory.h"
#include "base/mem.h"

// Plans of less on all ranks together are made without asking: a question reads files of the system.
static const double small_bytes = 0x1p28;

// Ranks that share this one's memory, whatever the transport.
static pv_status count_neighbours(pv_comm *comm, int *count_p)
{
    const uint64_t mine = pv_node_identity();
    uint64_t *all = NULL;
    pv_status status = pv_comm_agree(comm, PV_ALLOC(pv_comm_size(comm), &all));
    if (status == PV_OK) status = pv_comm_gather(comm, sizeof mine, &mine, all);
    int count = 0;
    for (int r = 0; r < pv_comm_size(comm) && status == PV_OK; r++) count += all[r] == mine;
    pv_mem_free(all);
    *count_p = count;
    return status;
}

static int needs_no_question(pv_comm *comm, double bytes)
{
    return bytes <= small_bytes || !pv_device_is_host(pv_comm_device(comm));
}

pv_status pv_room_check_array(pv_comm *comm, const int64_t shape[3], int64_t batch, size_t element_bytes)
{
    const double needed =
        (double)shape[0] * (double)shape[1] * (double)shape[2] * (double)batch * (double)element_bytes;
    int neighbours;
    if (needs_no_question(comm, needed)) return PV_OK;
    PV_TRY(count_neighbours(comm, &neighbours));
    const int64_t here = pv_memory_total_bytes();
    double least = (double)here, memory = (double)here / neighbours;
    PV_TRY(pv_comm_reduce_f64(comm, PV_MIN, 1, &least));
    PV_TRY(pv_comm_reduce_f64(comm, PV_SUM, 1, &memory));
    PV_REQUIRE(least <= 0.0 || needed <= memory, PV_ERR_MEMORY,
               "an array of %" PRId64 " x %" PRId64 " x %" PRId64 " points, batch %" PRId64 ", takes %.4g GB, and the "
               "nodes have %.4g GB altogether; a smaller shape or batch, fp32, r2c or more nodes are accepted",
               shape[0], shape[1], shape[2], batch, 1e-9 * needed, 1e-9 * memory);
    return PV_OK;
}

pv_status pv_room_check_workspace(pv_comm *comm, size_t bytes)
{
    int neighbours;
    if (needs_no_question(comm, (double)bytes * pv_comm_size(comm))) return PV_OK;
    PV_TRY(count_neighbours(comm, &neighbours));
    const double needed = (double)bytes * neighbours, available = (double)pv_free_memory_bytes();
    pv_status status = PV_OK;
    if (available > 0.0 && needed > available)
        status = pv_fail(PV_ERR_MEMORY, __func__,
                         "the workspace takes %.4g GB on this node, and %.4g GB are free; a smaller shape or batch, "
                         "fp32 or more nodes are accepted", 1e-9 * needed, 1e-9 * available);
    return pv_comm_agree(comm, status);
}
