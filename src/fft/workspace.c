// SPDX-License-Identifier: Apache-2.0
#include "fft/workspace.h"

#include <stdatomic.h>

#include "base/check.h"
#include "base/mem.h"
#include "comm/comm_ops.h"
#include "fft/move.h"
#include "fft/room.h"

enum { FLAG_ARRIVED, FLAG_CONSUMED };

pv_status pv_workspace_create(pv_comm *comm, size_t bytes, pv_workspace **workspace_p)
{
    int64_t largest = (int64_t)bytes;
    PV_TRY(pv_comm_reduce_i64(comm, PV_MAX, 1, &largest));
    PV_TRY(pv_room_check_workspace(comm, (size_t)largest));
    pv_workspace *workspace = NULL;
    pv_status status = PV_ALLOC(1, &workspace);
    if (status == PV_OK) status = PV_ALLOC(pv_comm_size(comm), &workspace->bases);
    status = pv_comm_agree(comm, status);
    if (status == PV_OK) status = pv_window_create(comm, (size_t)largest, &workspace->window);
    if (status != PV_OK) {
        if (workspace) pv_mem_free(workspace->bases);
        pv_mem_free(workspace);
        return status;
    }
    static atomic_uint_fast64_t made;
    workspace->identity = atomic_fetch_add(&made, 1) + 1;
    workspace->comm = comm;
    workspace->bytes = (size_t)largest;
    for (int r = 0; r < pv_comm_size(comm); r++) workspace->bases[r] = pv_window_base(workspace->window, r);
    *workspace_p = workspace;
    return PV_OK;
}

void pv_workspace_destroy(pv_workspace *workspace)
{
    if (!workspace) return;
    pv_window_destroy(workspace->window);
    pv_buffer_destroy(workspace->base);
    pv_mem_free(workspace->bases);
    pv_mem_free(workspace);
}

size_t pv_workspace_bytes(const pv_workspace *workspace) { return workspace->bytes; }

pv_status pv_workspace_nodes(pv_comm *comm, int *node_p)
{
    pv_window *probe;
    PV_TRY(pv_window_create(comm, 64, &probe));
    int lowest = 0;
    while (lowest < pv_comm_rank(comm) && !pv_window_base(probe, lowest)) lowest++;
    pv_status status = pv_comm_gather(comm, sizeof lowest, &lowest, node_p);
    pv_window_destroy(probe);
    return status;
}

static pv_status wait_peers(pv_workspace *workspace, pv_stream *stream, int flag, uint64_t number)
{
    return pv_window_wait_on(workspace->window, stream, PV_WINDOW_PEERS, flag, number);
}

static pv_status post_peers(pv_workspace *workspace, pv_stream *stream, int flag, uint64_t number)
{
    return pv_window_post_on(workspace->window, stream, PV_WINDOW_PEERS, flag, number);
}

pv_status pv_workspace_open_exchange(pv_workspace *workspace, pv_stream *stream, int index, uint64_t *number_p)
{
    uint64_t number = ++workspace->exchanges, behind = index == 0 ? 1 : 2;
    *number_p = number;
    if (number <= behind) return PV_OK;
    return wait_peers(workspace, stream, FLAG_CONSUMED, number - behind - workspace->recorded_from);
}

// Counters count parts, so that whoever waits for a part is content with any later one.
static uint64_t part_number(const pv_workspace *workspace, uint64_t number, int part)
{
    return (number - workspace->recorded_from) * PV_EXCHANGE_PARTS + (uint64_t)part;
}

pv_status pv_workspace_post_part(pv_workspace *workspace, pv_stream *stream, uint64_t number, int part)
{
    pv_move_fence();
    return post_peers(workspace, stream, FLAG_ARRIVED, part_number(workspace, number, part));
}

pv_status pv_workspace_wait_part(pv_workspace *workspace, pv_stream *stream, uint64_t number, int part)
{
    return wait_peers(workspace, stream, FLAG_ARRIVED, part_number(workspace, number, part));
}

pv_status pv_workspace_post_arrived(pv_workspace *workspace, pv_stream *stream, uint64_t number)
{
    return pv_workspace_post_part(workspace, stream, number, PV_EXCHANGE_PARTS - 1);
}

pv_status pv_workspace_wait_arrived(pv_workspace *workspace, pv_stream *stream, uint64_t number)
{
    return pv_workspace_wait_part(workspace, stream, number, PV_EXCHANGE_PARTS - 1);
}

pv_status pv_workspace_post_consumed(pv_workspace *workspace, pv_stream *stream, uint64_t number)
{
    return post_peers(workspace, stream, FLAG_CONSUMED, number - workspace->recorded_from);
}

// ---- Recorded programs ------------------------------------------------------------------------------------------------

pv_status pv_workspace_begin_record(pv_workspace *workspace)
{
    if (!workspace->base) {
        const uint64_t none[PV_WINDOW_FLAGS] = {0};
        PV_TRY(pv_buffer_create(pv_comm_device(workspace->comm), sizeof none, &workspace->base));
        PV_TRY(pv_buffer_write(workspace->base, 0, none, sizeof none));
        workspace->base_exchanges = 0;
    }
    workspace->recorded_from = workspace->exchanges;
    workspace->window->base = pv_buffer_data(workspace->base);
    return PV_OK;
}

uint64_t pv_workspace_end_record(pv_workspace *workspace)
{
    const uint64_t count = workspace->exchanges - workspace->recorded_from;
    workspace->exchanges = workspace->recorded_from;
    workspace->recorded_from = 0;
    workspace->window->base = NULL;
    return count;
}

uint64_t *pv_workspace_base(const pv_workspace *workspace) { return pv_buffer_data(workspace->base); }

pv_status pv_workspace_replay(pv_workspace *workspace, pv_stream *stream, uint64_t exchanges)
{
    if (workspace->base_exchanges != workspace->exchanges) {
        uint64_t base[PV_WINDOW_FLAGS] = {0};
        base[FLAG_ARRIVED] = workspace->exchanges * PV_EXCHANGE_PARTS;
        base[FLAG_CONSUMED] = workspace->exchanges;
        PV_TRY(pv_stream_copy(stream, pv_buffer_data(workspace->base), base, sizeof base));
    }
    workspace->exchanges += exchanges;
    workspace->base_exchanges = workspace->exchanges;
    return PV_OK;
}
