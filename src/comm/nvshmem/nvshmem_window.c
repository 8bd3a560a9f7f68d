// SPDX-License-Identifier: Apache-2.0
// A window is a part of the heap of each rank, its data first, then the counters on which the others post to it.
#include "base/check.h"
#include "base/log.h"
#include "base/mem.h"
#include "comm/nvshmem/nvshmem_comm.h"
#include "comm/nvshmem/nvshmem_world.h"

enum { LINE_BYTES = 128 };

// What each rank of the node tells the others.
typedef struct card {
    uint64_t offset, data_bytes;
    int pe;
} card;

static size_t data_room(size_t bytes)
{
    return (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
}

static pv_status take(const pv_window *window, card *mine)
{
    pv_device *device = window->comm->device;
    const size_t bytes = data_room(window->bytes) + pv_window_flags_bytes(window->comm->node_size);
    size_t offset;
    PV_TRY(pv_nvshmem_take(bytes, &offset));
    pv_status status = pv_stream_zero(device->stream, pv_nvshmem_address(pv_nvshmem_pe(), offset), bytes);
    if (status == PV_OK) status = pv_stream_wait(device->stream);
    if (status != PV_OK)
        pv_nvshmem_give_back(offset);
    else
        *mine = (card){.offset = offset, .data_bytes = window->bytes, .pe = pv_nvshmem_pe()};
    return status;
}

static void place_all(pv_window *window, const card *cards)
{
    const pv_shared_comm *shared = window->comm->state;
    for (int rank = 0; rank < window->comm->size; rank++) {
        const int slot = shared->slots[rank];
        window->slots[rank] = slot;
        if (slot < 0) continue;
        char *block = pv_nvshmem_address(cards[slot].pe, cards[slot].offset);
        window->bases[rank] = block;
        window->flags[rank] = (pv_window_flag *)(block + data_room(cards[slot].data_bytes));
    }
}

pv_status pv_nvshmem_window_create(pv_window *window)
{
    pv_comm *comm = window->comm;
    const pv_shared_comm *shared = comm->state;
    if (comm->node_size == 1) return pv_window_create_private(window);

    PV_TRY(pv_shared_meet_on_node(comm));
    card mine = {.pe = -1}, *cards = NULL;
    pv_status status = PV_ALLOC(comm->node_size, &cards);
    if (status == PV_OK) status = take(window, &mine);
    status = pv_shared_agree_on_node(shared->node, status);
    if (status == PV_OK) status = pv_shared_gather_on_node(shared->node, sizeof mine, &mine, cards);
    if (status == PV_OK)
        place_all(window, cards);
    else if (mine.pe >= 0)
        pv_nvshmem_give_back(mine.offset);
    window->progress = pv_shared_keep_alive;
    window->has_ended = pv_shared_has_ended;
    pv_mem_free(cards);
    return status;
}

// All ranks of the node come here. A part goes back when nobody uses it any more.
void pv_nvshmem_window_destroy(pv_window *window)
{
    pv_comm *comm = window->comm;
    if (comm->node_size == 1) {
        pv_window_destroy_private(window);
        return;
    }
    (void)comm->device->ops->settle(comm->device);
    const size_t offset = (size_t)((char *)window->bases[comm->rank] - (char *)pv_nvshmem_address(pv_nvshmem_pe(), 0));
    if (pv_shared_all_have_come(comm))
        pv_nvshmem_give_back(offset);
    else
        pv_log(PV_LOG_WARN, "rank %d keeps a window that other ranks may still use", comm->rank);
}
