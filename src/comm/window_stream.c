// SPDX-License-Identifier: Apache-2.0
// Posts and waits in the order of a stream. On host devices streams are immediate, and so are these.
#include "base/check.h"
#include "comm/comm_ops.h"

static pv_status post_now(pv_window *window, int rank, int flag, uint64_t value)
{
    pv_window_post(window, rank, flag, value);
    return PV_OK;
}

static int is_peer(const pv_window *window, int rank)
{
    return rank != window->comm->rank && window->bases[rank];
}

static pv_status run_on_host(pv_window *window, pv_window_side side, int rank, int flag, uint64_t value)
{
    const int size = window->comm->size;
    const int first = rank == PV_WINDOW_PEERS ? 0 : rank, end = rank == PV_WINDOW_PEERS ? size : rank + 1;
    for (int r = first; r < end; r++) {
        if (rank == PV_WINDOW_PEERS && !is_peer(window, r)) continue;
        uint64_t *last = &window->last[(side * PV_WINDOW_FLAGS + flag) * (ptrdiff_t)size + r];
        *last = value == PV_WINDOW_NEXT ? *last + 1 : value;
        PV_TRY((side == PV_WINDOW_POST ? post_now : pv_window_wait)(window, r, flag, *last));
    }
    return PV_OK;
}

static pv_flag_set select_flags(const pv_window *window, pv_window_side side, int rank, int flag)
{
    pv_flag_set set = pv_window_flag_set(window, side, flag);
    if (rank == PV_WINDOW_PEERS) {
        set.skip = window->comm->rank;
    } else {
        set.first = rank;
        set.count = 1;
    }
    return set;
}

static pv_status check(const pv_window *window, const pv_stream *stream, int rank, int flag)
{
    PV_REQUIRE_GIVEN(window);
    PV_REQUIRE_GIVEN(stream);
    const pv_comm *comm = window->comm;
    PV_REQUIRE(flag >= 0 && flag < PV_WINDOW_FLAGS, PV_ERR_ARGUMENT, "flag %d; flags are 0 to %d", flag,
               PV_WINDOW_FLAGS - 1);
    PV_REQUIRE(rank == PV_WINDOW_PEERS || pv_window_base(window, rank), PV_ERR_ARGUMENT,
               "rank %d, which rank %d does not reach; PV_WINDOW_PEERS names those it does", rank, comm->rank);
    PV_REQUIRE(stream->device == comm->device, PV_ERR_ARGUMENT, "a stream of %s; one of the communicator's %s",
               stream->device->name, comm->device->name);
    return PV_OK;
}

// Ranks that share a device take turns by slices of its time: a kernel that waits would use up its slice while what it
// waits for stands still. There the host waits, by copies that need no turn, and the kernel finds what it looks for.
static int host_waits(const pv_window *window, const pv_stream *stream)
{
    return window->comm->shares_device && !stream->device->ops->flags->is_recorded(stream);
}

pv_status pv_window_post_on(pv_window *window, pv_stream *stream, int rank, int flag, uint64_t value)
{
    PV_TRY(check(window, stream, rank, flag));
    if (!window->tables) return run_on_host(window, PV_WINDOW_POST, rank, flag, value);
    const pv_flag_set posted = select_flags(window, PV_WINDOW_POST, rank, flag);
    return stream->device->ops->flags->post(stream, &posted, value);
}

pv_status pv_window_wait_on(pv_window *window, pv_stream *stream, int rank, int flag, uint64_t value)
{
    PV_TRY(check(window, stream, rank, flag));
    if (!window->tables) return run_on_host(window, PV_WINDOW_WAIT, rank, flag, value);
    const pv_flag_set awaited = select_flags(window, PV_WINDOW_WAIT, rank, flag);
    if (host_waits(window, stream)) PV_TRY(pv_window_look_ahead(window, stream, rank, flag, value));
    return stream->device->ops->flags->wait(stream, &awaited, value, window->comm->timeout_s);
}

pv_status pv_window_meet_on(pv_window *window, pv_stream *stream, int rank, int flag, uint64_t value)
{
    PV_TRY(check(window, stream, rank, flag));
    if (!window->tables) {
        PV_TRY(run_on_host(window, PV_WINDOW_POST, rank, flag, value));
        return run_on_host(window, PV_WINDOW_WAIT, rank, flag, value);
    }
    if (host_waits(window, stream)) {
        PV_TRY(pv_window_post_on(window, stream, rank, flag, value));
        return pv_window_wait_on(window, stream, rank, flag, value);
    }
    const pv_flag_set posted = select_flags(window, PV_WINDOW_POST, rank, flag);
    const pv_flag_set awaited = select_flags(window, PV_WINDOW_WAIT, rank, flag);
    return stream->device->ops->flags->meet(stream, &posted, &awaited, value, window->comm->timeout_s);
}
