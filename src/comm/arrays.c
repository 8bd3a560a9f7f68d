// SPDX-License-Identifier: Apache-2.0
#include "comm/arrays.h"

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"

struct pv_comm_arrays {
    pv_arrays_near *near;
    pv_arrays_far *far;
    pv_stream *stream;   // of the last call
    pv_event *done;      // behind it; NULL on host devices
};

pv_status pv_arrays_add(pv_stream *stream, pv_brought brought, int64_t offset, int ranks, int64_t count, double *to)
{
    const add_ranks_arguments arguments = {brought, offset, ranks, to};
    return pv_kernel_launch(stream, &add_ranks, count, &arguments);
}

pv_status pv_arrays_join(pv_stream *stream, pv_brought brought, int64_t offset, int64_t share, int64_t count,
                         double *to)
{
    const join_shares_arguments arguments = {brought, offset, share, to};
    return pv_kernel_launch(stream, &join_shares, count, &arguments);
}

void pv_comm_arrays_destroy(struct pv_comm_arrays *arrays)
{
    if (!arrays) return;
    pv_arrays_near_destroy(arrays->near);
    pv_arrays_far_destroy(arrays->far);
    pv_event_destroy(arrays->done);
    pv_mem_free(arrays);
}

static pv_status make(pv_comm *comm)
{
    struct pv_comm_arrays *arrays;
    PV_TRY(PV_ALLOC(1, &arrays));
    const pv_status status = comm->device->ops->is_host ? PV_OK : pv_event_create(comm->device, &arrays->done);
    if (status == PV_OK) comm->arrays = arrays;
    else pv_mem_free(arrays);
    return status;
}

static int all_are_near(const pv_comm *comm) { return comm->node_size == comm->size; }

// The room is that of the call before, whose stream may be another.
static pv_status begin(pv_comm *comm, pv_stream *stream)
{
    PV_REQUIRE(stream->device == comm->device, PV_ERR_ARGUMENT, "a stream of %s; one of the communicator's %s",
               stream->device->name, comm->device->name);
    if (!comm->arrays) PV_TRY(pv_comm_agree(comm, make(comm)));
    struct pv_comm_arrays *arrays = comm->arrays;
    if (arrays->stream && arrays->stream != stream) PV_TRY(pv_stream_follow_event(stream, arrays->done));
    arrays->stream = arrays->done ? stream : NULL;
    return PV_OK;
}

static pv_status sum_piece(pv_comm *comm, pv_stream *stream, size_t bytes, void *data)
{
    const int64_t count = (int64_t)(bytes / sizeof(double));
    return all_are_near(comm) ? pv_arrays_near_sum(comm, stream, count, data, &comm->arrays->near)
                              : pv_arrays_far_sum(comm, stream, count, data, &comm->arrays->far);
}

static pv_status broadcast_piece(pv_comm *comm, pv_stream *stream, size_t bytes, void *data)
{
    return all_are_near(comm) ? pv_arrays_near_broadcast(comm, stream, bytes, data, &comm->arrays->near)
                              : pv_arrays_far_broadcast(comm, stream, bytes, data, &comm->arrays->far);
}

static pv_status take_pieces(pv_comm *comm, pv_stream *stream, size_t bytes, char *data,
                             pv_status (*take)(pv_comm *comm, pv_stream *stream, size_t bytes, void *data))
{
    const size_t most = (size_t)PV_ARRAYS_MOST * sizeof(double);
    PV_TRY(begin(comm, stream));
    for (size_t at = 0; at < bytes; at += most)
        PV_TRY(take(comm, stream, bytes - at < most ? bytes - at : most, data + at));
    return comm->arrays->done ? pv_event_record(comm->arrays->done, stream) : PV_OK;
}

// On the host MPI does it where memory is not in common: nothing has to be staged.
static int is_for_mpi(const pv_comm *comm) { return comm->device->ops->is_host && !all_are_near(comm); }

pv_status pv_comm_sum_on(pv_comm *comm, pv_stream *stream, int64_t count, double *values)
{
    PV_REQUIRE_GIVEN(comm);
    PV_REQUIRE_GIVEN(stream);
    PV_REQUIRE(count >= 0, PV_ERR_ARGUMENT, "a sum of %lld numbers; 0 or more are accepted", (long long)count);
    PV_REQUIRE(values || count == 0, PV_ERR_ARGUMENT, "values is NULL");
    if (comm->size == 1 || count == 0) return PV_OK;
    if (is_for_mpi(comm)) return pv_comm_reduce_f64(comm, PV_SUM, count, values);
    const double start_s = pv_clock_s();
    const pv_status status = take_pieces(comm, stream, (size_t)count * sizeof *values, (char *)values, sum_piece);
    return comm->device->ops->is_host ? pv_comm_count_time(start_s, status) : status;
}

pv_status pv_comm_broadcast_on(pv_comm *comm, pv_stream *stream, size_t bytes, void *data)
{
    PV_REQUIRE_GIVEN(comm);
    PV_REQUIRE_GIVEN(stream);
    PV_REQUIRE(data || bytes == 0, PV_ERR_ARGUMENT, "data is NULL");
    if (comm->size == 1 || bytes == 0) return PV_OK;
    if (is_for_mpi(comm)) return pv_comm_broadcast(comm, 0, bytes, data);
    const double start_s = pv_clock_s();
    const pv_status status = take_pieces(comm, stream, bytes, data, broadcast_piece);
    return comm->device->ops->is_host ? pv_comm_count_time(start_s, status) : status;
}
