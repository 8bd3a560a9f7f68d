// SPDX-License-Identifier: Apache-2.0
// A window is one segment of the node, or an MPI window where the system grants no segment: a part for every rank,
// its data first, then the flags on which the others post to it.
#include <stdatomic.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "comm/mpi/mpi_patience.h"
#include "comm/mpi/mpi_progress.h"
#include "comm/shared/segment.h"
#include "comm/shared/shared_comm.h"

enum { LINE_BYTES = 64, SMALL_PAGE_BYTES = 4096 };

typedef struct shared_window {
    void *segment;           // NULL: `win` holds the memory
    MPI_Win win;
    size_t accounted_bytes;
} shared_window;

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static size_t part_bytes(size_t data_bytes, int node_size)
{
    return round_up(data_bytes, LINE_BYTES) + pv_window_flags_bytes(node_size);
}

// No two ranks share a page: it lies near the core of its owner.
static size_t part_offset(size_t end_of_previous, size_t data_bytes)
{
    return round_up(end_of_previous, data_bytes >= PV_HUGE_PAGE_BYTES ? PV_HUGE_PAGE_BYTES : SMALL_PAGE_BYTES);
}

static void place(pv_window *window, int rank, char *part, size_t data_bytes)
{
    window->bases[rank] = part;
    window->flags[rank] = (pv_window_flag *)(part + round_up(data_bytes, LINE_BYTES));
}

static size_t total_bytes(const pv_comm *comm)
{
    const pv_shared_comm *shared = comm->state;
    size_t total = 0;
    for (int slot = 0; slot < comm->node_size; slot++)
        total = part_offset(total, shared->sizes[slot]) + part_bytes(shared->sizes[slot], comm->node_size);
    return total;
}

// Asked for more than the machine has, MPI may end the job or wait for ever. Ranks of a node ask for the same total.
static pv_status check_fits(const pv_comm *comm)
{
    const double total = (double)total_bytes(comm);
    const double has = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    PV_REQUIRE(total <= has, PV_ERR_MEMORY,
               "%.3g bytes of shared memory were asked for by the %d ranks of a node that has %.3g", total,
               comm->node_size, has);
    return PV_OK;
}

static int create_by_segment(pv_window *window, shared_window *state)
{
    const pv_comm *comm = window->comm;
    const pv_shared_comm *shared = comm->state;
    const uint64_t *sizes = shared->sizes;
    const size_t total = total_bytes(comm);
    const char *reason;
    state->segment = pv_segment_attach(shared->node, total, &reason);
    if (!state->segment) {
        static atomic_flag is_said = ATOMIC_FLAG_INIT;
        if (!atomic_flag_test_and_set(&is_said))
            pv_log(PV_LOG_INFO, "no System V segment of %zu bytes (%s): MPI windows instead", total, reason);
        return 0;
    }
    size_t end = 0;
    for (int rank = 0; rank < comm->size; rank++) {
        if (shared->slots[rank] < 0) continue;
        const size_t data_bytes = sizes[shared->slots[rank]];
        const size_t offset = part_offset(end, data_bytes);
        place(window, rank, (char *)state->segment + offset, data_bytes);
        end = offset + part_bytes(data_bytes, comm->node_size);
    }
    return 1;
}

static pv_status create_by_mpi(pv_window *window, shared_window *state)
{
    const pv_comm *comm = window->comm;
    const pv_shared_comm *shared = comm->state;
    MPI_Info info;
    PV_MPI_TRY(MPI_Info_create(&info));
    (void)MPI_Info_set(info, "alloc_shared_noncontig", "true");
    void *mine;
    // MPI aligns to words only; we align to lines, which is the same line for every rank that maps the page.
    const size_t bytes = part_bytes(window->bytes, comm->node_size) + LINE_BYTES;
    const int error = MPI_Win_allocate_shared((MPI_Aint)bytes, 1, info, shared->node, &mine, &state->win);
    (void)MPI_Info_free(&info);
    if (error != MPI_SUCCESS) return pv_mpi_fail(error, __func__, "MPI_Win_allocate_shared");
    PV_MPI_TRY(MPI_Win_set_errhandler(state->win, MPI_ERRORS_RETURN));
    PV_MPI_TRY(MPI_Win_lock_all(MPI_MODE_NOCHECK, state->win));
    for (int rank = 0; rank < comm->size; rank++) {
        if (shared->slots[rank] < 0) continue;
        MPI_Aint length;
        int unit;
        char *part;
        PV_MPI_TRY(MPI_Win_shared_query(state->win, shared->slots[rank], &length, &unit, &part));
        place(window, rank, (char *)round_up((size_t)part, LINE_BYTES), shared->sizes[shared->slots[rank]]);
    }
    return PV_OK;
}

static void release(const pv_comm *comm, shared_window *state)
{
    const int all_have_come = pv_shared_all_have_come(comm); // others may still store
    if (state->segment && !comm->is_lost) pv_segment_detach(state->segment); // lost: MPI may send from there
    if (all_have_come && state->win != MPI_WIN_NULL) {
        (void)MPI_Win_unlock_all(state->win);
        (void)MPI_Win_free(&state->win);
    }
    pv_mem_account(0, state->accounted_bytes);
    pv_mem_free(state);
}

void pv_shared_keep_alive(pv_comm *comm)
{
    const pv_mpi_comm *mpi = comm->state;
    int found;
    (void)pv_mpi_advance(comm);
    (void)MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, mpi->comm, &found, MPI_STATUS_IGNORE);
}

static pv_status fill(pv_window *window, shared_window *state)
{
    const pv_comm *comm = window->comm;
    const pv_shared_comm *shared = comm->state;
    PV_TRY(check_fits(comm));
    if (shared->use_mpi_windows || !create_by_segment(window, state)) PV_TRY(create_by_mpi(window, state));
    const size_t taken_bytes = part_bytes(window->bytes, comm->node_size);
    PV_TRY(pv_segment_take(window->bases[comm->rank], taken_bytes));
    state->accounted_bytes = taken_bytes;
    pv_mem_account(taken_bytes, 0);
    for (int rank = 0; rank < comm->size; rank++) window->slots[rank] = shared->slots[rank];
    window->spin = shared->spin;
    window->progress = pv_shared_keep_alive;
    window->has_ended = pv_shared_has_ended;
    return PV_OK;
}

pv_status pv_shared_meet_on_node(pv_comm *comm)
{
    const pv_shared_comm *shared = comm->state;
    if (!comm->is_limited) return PV_OK;
    return pv_mpi_meet(comm, shared->node, "pv_window_create", "the other ranks of the node to create a window");
}

pv_status pv_shared_agree_on_node(MPI_Comm node, pv_status mine)
{
    int worst = (int)mine;
    PV_MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, node));
    PV_REQUIRE(mine != PV_OK || worst == PV_OK, PV_ERR_PEER, "another rank of the node failed with %s",
               pv_status_name((pv_status)worst));
    return mine;
}

pv_status pv_shared_gather_on_node(MPI_Comm node, size_t bytes, const void *mine, void *all)
{
    int count;
    PV_TRY(pv_int_from_size(bytes, "what a rank tells its node", &count));
    PV_MPI_TRY(MPI_Allgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, node));
    return PV_OK;
}

pv_status pv_shared_window_create(pv_window *window)
{
    pv_comm *comm = window->comm;
    const pv_shared_comm *shared = comm->state;
    if (comm->node_size == 1) return pv_window_create_private(window);

    PV_TRY(pv_shared_meet_on_node(comm));
    shared_window *state = NULL;
    PV_TRY(pv_shared_agree_on_node(shared->node, PV_ALLOC(1, &state)));
    state->win = MPI_WIN_NULL;
    window->state = state;
    const uint64_t mine = window->bytes;
    PV_TRY(pv_shared_gather_on_node(shared->node, sizeof mine, &mine, shared->sizes));
    const pv_status status = pv_shared_agree_on_node(shared->node, fill(window, state));
    if (status != PV_OK) release(comm, state);
    return status;
}

void pv_shared_window_destroy(pv_window *window)
{
    if (window->comm->node_size == 1) pv_window_destroy_private(window);
    else release(window->comm, window->state);
}
