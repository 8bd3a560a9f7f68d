// SPDX-License-Identifier: Apache-2.0
#include "comm/nvshmem/nvshmem_comm.h"

#include <stdio.h>

#include "base/check.h"
#include "comm/cuda/gpus_apart.h"
#include "comm/nvshmem/nvshmem_load.h"
#include "comm/nvshmem/nvshmem_world.h"
#include "comm/peer/peer_comm.h"

static pv_status join(pv_comm *comm)
{
    const pv_nvshmem_plugin *plugin;
    char means[64];
    ((pv_shared_comm *)comm->state)->put = pv_nvshmem_put;
    PV_TRY(pv_comm_agree(comm, pv_nvshmem_load(&plugin)));
    PV_TRY(pv_gpus_check_apart(comm, "nvshmem"));
    PV_TRY(pv_comm_agree(comm, comm->node_size > 1 ? pv_nvshmem_join(comm) : PV_OK));
    const int *version = plugin->built_for;
    snprintf(means, sizeof means, "NVSHMEM %d.%d.%d without multicast", version[0], version[1], version[2]);
    return pv_peer_describe(comm, means);
}

pv_status pv_nvshmem_open(pv_comm *comm, const pv_comm_setup *setup)
{
    static const pv_comm_ops ops = PV_PEER_OPS("nvshmem", pv_nvshmem_window_create, pv_nvshmem_window_destroy);
    return pv_peer_open_as(comm, setup, &ops, join);
}
