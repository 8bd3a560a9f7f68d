// SPDX-License-Identifier: Apache-2.0
#include "fft/transfer/workspace.h"

#include <stdatomic.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "comm/comm_ops.h"
#include "fft/transfer/move.h"
#include "fft/transfer/room.h"

enum { FLAG_ARRIVED, FLAG_CONSUMED };
#define GIVEN_UP ((uint64_t)1 << 63) // in a counter: its rank has failed, and posts no more

static pv_status make_base(pv_workspace *workspace)
{
    const uint64_t none[PV_WINDOW_FLAGS] = {0};
    pv_window *window = workspace->window;
    if (!window->tables) return PV_OK;
    PV_TRY(pv_buffer_create(window->comm->device, sizeof none, &workspace->base));
    window->base = pv_buffer_data(workspace->base);
    return pv_buffer_write(workspace->base, 0, none, sizeof none);
}

pv_status pv_workspace_create(pv_comm *comm, size_t bytes, pv_workspace **workspace_p)
{
    PV_REQUIRE_GIVEN(comm);
    PV_REQUIRE_GIVEN(workspace_p);
    int64_t largest = bytes <= INT64_MAX ? (int64_t)bytes : INT64_MAX;
    PV_TRY(pv_comm_reduce_i64(comm, PV_MAX, 1, &largest));
    PV_TRY(pv_room_check_workspace(comm, (size_t)largest));
    pv_workspace *workspace = NULL;
    pv_status status = PV_ALLOC(1, &workspace);
    if (status == PV_OK) status = PV_ALLOC(pv_comm_size(comm), &workspace->bases);
    status = pv_comm_agree(comm, status);
    if (status == PV_OK) status = pv_window_create(comm, (size_t)largest, &workspace->window);
    if (status == PV_OK) status = pv_comm_agree(comm, make_base(workspace));
    if (status != PV_OK) {
        pv_workspace_destroy(workspace);
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

static pv_status find_nodes(pv_comm *comm, int *nodes)
{
    pv_window *probe;
    PV_TRY(pv_window_create(comm, 64, &probe));
    int lowest = 0;
    while (lowest < pv_comm_rank(comm) && !pv_window_base(probe, lowest)) lowest++;
    const pv_status status = pv_comm_gather(comm, sizeof lowest, &lowest, nodes);
    pv_window_destroy(probe);
    return status;
}

// Found once: a window of GPUs takes as long as many transforms.
pv_status pv_workspace_nodes(pv_comm *comm, int *node_p)
{
    if (!comm->nodes) {
        int *nodes = NULL;
        pv_status status = pv_comm_agree(comm, PV_ALLOC(comm->size, &nodes));
        if (status == PV_OK) status = pv_comm_agree(comm, find_nodes(comm, nodes));
        if (status != PV_OK) {
            pv_mem_free(nodes);
            return status;
        }
        comm->nodes = nodes;
    }
    memcpy(node_p, comm->nodes, (size_t)comm->size * sizeof *node_p);
    return PV_OK;
}

static pv_status wait_peers(pv_workspace *workspace, pv_stream *stream, int flag, uint64_t number)
{
    return pv_window_wait_on(workspace->window, stream, PV_WINDOW_PEERS, flag, number);
}

static pv_status post_peers(pv_workspace *workspace, pv_stream *stream, int flag, uint64_t number)
{
    return pv_window_post_on(workspace->window, stream, PV_WINDOW_PEERS, flag, number);
}

static uint64_t value_from(const pv_workspace *workspace, int rank, int flag)
{
    const int here = pv_comm_rank(workspace->comm);
    const pv_window_flag *counter = rank == here ? NULL : pv_window_counter(workspace->window, here, rank, flag);
    return counter ? atomic_load_explicit(&counter->value, memory_order_relaxed) : 0;
}

static pv_status check_peers(const pv_workspace *workspace, int flag)
{
    for (int rank = 0; rank < pv_comm_size(workspace->comm); rank++)
        PV_REQUIRE((value_from(workspace, rank, flag) & GIVEN_UP) == 0, PV_ERR_PEER,
                   "rank %d has failed in a transform on this workspace", rank);
    return PV_OK;
}

pv_status pv_workspace_open_exchange(pv_workspace *workspace, pv_stream *stream, int index, uint64_t *number_p)
{
    uint64_t number = ++workspace->exchanges, behind = index == 0 ? 1 : 2;
    *number_p = number;
    PV_TRY(wait_peers(workspace, stream, FLAG_CONSUMED, number - behind));
    return workspace->base ? PV_OK : check_peers(workspace, FLAG_CONSUMED);
}

// Counters count parts, so that whoever waits for a part is content with any later one.
static uint64_t part_number(uint64_t number, int part)
{
    return number * PV_EXCHANGE_PARTS + (uint64_t)part;
}

pv_status pv_workspace_post_part(pv_workspace *workspace, pv_stream *stream, uint64_t number, int part)
{
    pv_move_fence();
    return post_peers(workspace, stream, FLAG_ARRIVED, part_number(number, part));
}

pv_status pv_workspace_wait_part(pv_workspace *workspace, pv_stream *stream, uint64_t number, int part)
{
    return wait_peers(workspace, stream, FLAG_ARRIVED, part_number(number, part));
}

pv_status pv_workspace_post_arrived(pv_workspace *workspace, pv_stream *stream, uint64_t number)
{
    return pv_workspace_post_part(workspace, stream, number, workspace->base ? PV_EXCHANGE_PARTS - 1 : workspace->mark);
}

// A rank that is ahead already has found this one to run the same.
static pv_status check_marks(const pv_workspace *workspace, uint64_t number)
{
    const int here = pv_comm_rank(workspace->comm);
    for (int rank = 0; rank < pv_comm_size(workspace->comm); rank++) {
        const uint64_t found = value_from(workspace, rank, FLAG_ARRIVED) & ~GIVEN_UP;
        PV_REQUIRE(
            found / PV_EXCHANGE_PARTS != number || found == part_number(number, workspace->mark), PV_ERR_MISMATCH,
            "rank %d transforms another way, or by another plan, than rank %d. All ranks must make the same calls",
            rank, here);
    }
    return check_peers(workspace, FLAG_ARRIVED);
}

pv_status pv_workspace_wait_arrived(pv_workspace *workspace, pv_stream *stream, uint64_t number)
{
    if (workspace->base) return pv_workspace_wait_part(workspace, stream, number, PV_EXCHANGE_PARTS - 1);
    PV_TRY(pv_workspace_wait_part(workspace, stream, number, 0));
    return check_marks(workspace, number);
}

pv_status pv_workspace_post_consumed(pv_workspace *workspace, pv_stream *stream, uint64_t number)
{
    return post_peers(workspace, stream, FLAG_CONSUMED, number);
}

pv_status pv_workspace_check_kept(const pv_workspace *workspace)
{
    PV_REQUIRE(workspace->fault == PV_OK, workspace->fault,
               "a transform on this workspace has failed on rank %d (%s), and ranks may be out of step since. Another "
               "workspace, or a plan that makes its own, is accepted",
               pv_comm_rank(workspace->comm), pv_status_name(workspace->fault));
    return PV_OK;
}

void pv_workspace_give_up(pv_workspace *workspace, pv_status fault)
{
    const pv_window *window = workspace->window;
    const int here = pv_comm_rank(workspace->comm);
    if (workspace->base || workspace->fault != PV_OK) return;
    workspace->fault = fault;
    for (int rank = 0; rank < pv_comm_size(workspace->comm); rank++)
        for (int flag = FLAG_ARRIVED; flag <= FLAG_CONSUMED; flag++) {
            const pv_window_flag *counter = rank == here ? NULL : pv_window_counter(window, rank, here, flag);
            if (counter) pv_window_post(workspace->window, rank, flag, atomic_load(&counter->value) | GIVEN_UP);
        }
}

// ---- Programs -------------------------------------------------------------------------------------------------------

void pv_workspace_begin(pv_workspace *workspace, int mark)
{
    workspace->mark = mark;
    if (workspace->base) workspace->exchanges = 0;
}

pv_workspace_steps pv_workspace_end(const pv_workspace *workspace)
{
    if (!workspace->base) return (pv_workspace_steps){0};
    return (pv_workspace_steps){pv_buffer_data(workspace->base), workspace->exchanges * PV_EXCHANGE_PARTS,
                                workspace->exchanges};
}
