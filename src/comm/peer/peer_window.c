// SPDX-License-Identifier: Apache-2.0
// A window is one allocation of each rank, its data first, then the counters on which the others post to it. The others
// map it by CUDA IPC, also when they are on the same GPU.
#include <cuda_runtime_api.h>

#include "base/log.h"
#include "base/mem.h"
#include "comm/peer/peer_comm.h"
#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_device.h"

// CUDA keeps allocations below this size together, and exports what it keeps together as one.
#define UNIT_BYTES ((size_t)2 << 20)
#define LINE_BYTES ((size_t)128)

// What each rank of the node tells the others.
typedef struct card {
    cudaIpcMemHandle_t handle;
    uint64_t data_bytes;
} card;

typedef struct peer_window {
    void *block;
    size_t block_bytes;
    card *cards;         // [node_size]
    void **opened;       // [node_size], NULL for this rank
} peer_window;

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static pv_status take_memory(const pv_window *window, peer_window *state)
{
    pv_device *device = window->comm->device;
    const int node_size = window->comm->node_size;
    PV_TRY(PV_ALLOC(node_size, &state->cards));
    PV_TRY(PV_ALLOC(node_size, &state->opened));
    const size_t bytes = round_up(round_up(window->bytes, LINE_BYTES) + pv_window_flags_bytes(node_size), UNIT_BYTES);
    PV_TRY(device->ops->alloc(device, bytes, &state->block));
    state->block_bytes = bytes;
    PV_TRY(pv_stream_zero(device->stream, state->block, bytes));
    return pv_stream_wait(device->stream);
}

static pv_status make_card(const pv_window *window, const peer_window *state, card *mine)
{
    PV_TRY(pv_cuda_use(window->comm->device));
    mine->data_bytes = window->bytes;
    PV_CUDA_TRY(cudaIpcGetMemHandle(&mine->handle, state->block));
    return PV_OK;
}

static void place(pv_window *window, int rank, char *block, uint64_t data_bytes)
{
    window->bases[rank] = block;
    window->flags[rank] = (pv_window_flag *)(block + round_up(data_bytes, LINE_BYTES));
}

static pv_status open_all(pv_window *window, peer_window *state)
{
    const pv_comm *comm = window->comm;
    const pv_shared_comm *shared = comm->state;
    PV_TRY(pv_cuda_use(comm->device));
    for (int rank = 0; rank < comm->size; rank++) {
        const int slot = shared->slots[rank];
        window->slots[rank] = slot;
        if (slot < 0) continue;
        void *block = state->block;
        if (rank != comm->rank) {
            const cudaError_t error =
                cudaIpcOpenMemHandle(&block, state->cards[slot].handle, cudaIpcMemLazyEnablePeerAccess);
            if (error != cudaSuccess) {
                (void)cudaGetLastError();
                PV_FAIL(PV_ERR_DEVICE,
                        "rank %d cannot map memory of rank %d: cudaIpcOpenMemHandle: %s (%s); transports mpi and nccl "
                        "do without",
                        comm->rank, rank, cudaGetErrorName(error), cudaGetErrorString(error));
            }
            state->opened[slot] = block;
        }
        place(window, rank, block, state->cards[slot].data_bytes);
    }
    return PV_OK;
}

// All ranks of the node come here. Memory goes back when nobody uses it and nobody maps it any more.
static void release(const pv_comm *comm, peer_window *state)
{
    (void)comm->device->ops->settle(comm->device);
    const int is_unused = pv_shared_all_have_come(comm);
    for (int slot = 0; state->opened && slot < comm->node_size; slot++)
        if (state->opened[slot]) (void)cudaIpcCloseMemHandle(state->opened[slot]);
    const int is_unmapped = is_unused && pv_shared_all_have_come(comm);
    if (state->block && is_unmapped) comm->device->ops->free(comm->device, state->block, state->block_bytes);
    if (state->block && !is_unmapped)
        pv_log(PV_LOG_WARN, "rank %d keeps %zu bytes of a window that other ranks may still use", comm->rank,
               state->block_bytes);
    pv_mem_free(state->opened);
    pv_mem_free(state->cards);
    pv_mem_free(state);
}

pv_status pv_peer_window_create(pv_window *window)
{
    pv_comm *comm = window->comm;
    const pv_shared_comm *shared = comm->state;
    if (comm->node_size == 1) return pv_window_create_private(window);

    PV_TRY(pv_shared_meet_on_node(comm));
    peer_window *state = NULL;
    PV_TRY(pv_shared_agree_on_node(shared->node, PV_ALLOC(1, &state)));
    window->state = state;
    card mine;
    pv_status status = take_memory(window, state);
    if (status == PV_OK) status = make_card(window, state, &mine);
    status = pv_shared_agree_on_node(shared->node, status);
    if (status == PV_OK) status = pv_shared_gather_on_node(shared->node, sizeof mine, &mine, state->cards);
    if (status == PV_OK) status = open_all(window, state);
    window->progress = pv_shared_keep_alive;
    window->has_ended = pv_shared_has_ended;
    status = pv_shared_agree_on_node(shared->node, status);
    if (status != PV_OK) release(comm, state);
    return status;
}

void pv_peer_window_destroy(pv_window *window)
{
    if (window->comm->node_size == 1) pv_window_destroy_private(window);
    else release(window->comm, window->state);
}
