// SPDX-License-Identifier: Apache-2.0
#include "dft/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/free_memory.h"
#include "base/mem.h"

typedef struct place {
    uint64_t node, gpu; // gpu: made of the node, the device's name and what this process sees of the node's GPUs
} place;

// FNV-1a.
static uint64_t add_text(uint64_t hash, const char *text)
{
    for (; text && *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

static place own_place(const pv_comm *comm)
{
    const char *name = pv_device_name(pv_comm_device(comm));
    const uint64_t node = pv_node_identity();
    const uint64_t gpu = add_text(node, strchr(name, ':') ? strchr(name, ':') : ":0");
    return (place){node, add_text(gpu, getenv("CUDA_VISIBLE_DEVICES"))};
}

pv_status pv_dft_machine_count(pv_comm *comm, pv_dft_machine *machine_p)
{
    const int ranks = pv_comm_size(comm), has_gpus = !pv_device_is_host(pv_comm_device(comm));
    const place mine = own_place(comm);
    place *all = NULL;
    PV_TRY(pv_comm_agree(comm, PV_ALLOC(ranks, &all)));
    const pv_status status = pv_comm_gather(comm, sizeof mine, &mine, all);
    pv_dft_machine machine = {0, 0};
    for (int r = 0; status == PV_OK && r < ranks; r++) {
        int new_node = 1, new_gpu = has_gpus;
        for (int q = 0; q < r; q++) {
            new_node &= all[q].node != all[r].node;
            new_gpu &= all[q].gpu != all[r].gpu;
        }
        machine.nodes += new_node;
        machine.gpus += new_gpu;
    }
    pv_mem_free(all);
    if (status == PV_OK) *machine_p = machine;
    return status;
}
