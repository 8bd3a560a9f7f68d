// SPDX-License-Identifier: Apache-2.0
#include "comm/mpi/mpi_comm.h"

#include <string.h>

#include "base/mem.h"
#include "comm/left.h"
#include "comm/mpi/mpi_check.h"
#include "comm/mpi/mpi_patience.h"
#include "comm/mpi/mpi_progress.h"
#include "comm/mpi/mpi_stage.h"

enum { SCRATCH_COUNT = 1 << 16 };

static pv_status prepare(pv_mpi_comm *mpi)
{
    PV_MPI_TRY(MPI_Comm_set_errhandler(mpi->comm, MPI_ERRORS_RETURN));
    int *tag_limit, found, size;
    PV_MPI_TRY(MPI_Comm_get_attr(mpi->comm, MPI_TAG_UB, &tag_limit, &found));
    PV_MPI_TRY(MPI_Comm_size(mpi->comm, &size));
    mpi->roll_call_tag = found ? *tag_limit : 32767;
    mpi->last_tag = mpi->roll_call_tag - 1;
    mpi->scratch_count = size > SCRATCH_COUNT ? size : SCRATCH_COUNT;
    // Without zeroing: pages that no reduction needs stay untouched.
    return pv_mem_alloc_raw(2 * (size_t)mpi->scratch_count, sizeof *mpi->scratch, (void **)&mpi->scratch);
}

pv_status pv_mpi_comm_begin(pv_mpi_comm *mpi, MPI_Comm adopted, pv_mpi_schedule schedule)
{
    *mpi = (pv_mpi_comm){.comm = adopted, .schedule = schedule, .piece_bytes = PV_PIECE_BYTES};
    const pv_status status = prepare(mpi);
    if (status != PV_OK) pv_mpi_comm_end(mpi);
    return status;
}

void pv_mpi_comm_end(pv_mpi_comm *mpi)
{
    const int is_lost = mpi->lost[0] != 0;
    int finalized = 0;
    pv_mpi_stage_destroy(mpi->stage, is_lost);
    pv_free_or_leave(mpi->scratch, is_lost);
    (void)MPI_Finalized(&finalized);
    if (!is_lost && !finalized) (void)MPI_Comm_free(&mpi->comm);
}

// Takes `adopted`, also when it fails. Memory is asked for after MPI's collective calls: a rank that gets none frees
// what the others free too.
static pv_status open_on(pv_comm *comm, MPI_Comm adopted, pv_mpi_schedule schedule)
{
    pv_mpi_comm *mpi;
    pv_status status = PV_ALLOC(1, &mpi);
    if (status != PV_OK) {
        (void)MPI_Comm_free(&adopted);
        return status;
    }
    status = pv_mpi_comm_begin(mpi, adopted, schedule);
    if (status != PV_OK) {
        pv_mem_free(mpi);
        return status;
    }
    comm->node_size = 1;
    comm->state = mpi;
    return PV_OK;
}

static void close(pv_comm *comm)
{
    pv_mpi_comm_end(comm->state);
    pv_mem_free(comm->state);
}

pv_status pv_mpi_comm_split(pv_comm *comm, int color, int key, pv_comm *part, MPI_Comm *part_p)
{
    const pv_mpi_comm *mpi = comm->state;
    PV_TRY(pv_mpi_settle(comm));
    if (comm->is_limited)
        PV_TRY(pv_mpi_meet(comm, mpi->comm, __func__, "the other ranks to split a communicator"));
    part->rank = part->size = part->node_size = 0;
    PV_MPI_TRY(MPI_Comm_split(mpi->comm, color < 0 ? MPI_UNDEFINED : color, key, part_p));
    if (*part_p == MPI_COMM_NULL) return PV_OK;
    PV_MPI_TRY(MPI_Comm_rank(*part_p, &part->rank));
    PV_MPI_TRY(MPI_Comm_size(*part_p, &part->size));
    return PV_OK;
}

static pv_status split(pv_comm *comm, int color, int key, pv_comm *part)
{
    const pv_mpi_comm *parent = comm->state;
    MPI_Comm part_comm;
    PV_TRY(pv_mpi_comm_split(comm, color, key, part, &part_comm));
    return part->size > 0 ? open_on(part, part_comm, parent->schedule) : PV_OK;
}

pv_status pv_mpi_barrier(pv_comm *comm)
{
    const pv_mpi_comm *mpi = comm->state;
    MPI_Request request;
    PV_TRY(pv_mpi_settle(comm));
    if (!comm->is_limited) {
        PV_MPI_TRY(MPI_Barrier(mpi->comm));
        return PV_OK;
    }
    PV_MPI_TRY(MPI_Ibarrier(mpi->comm, &request));
    return pv_mpi_wait(comm, &request, __func__, "the other ranks to come to a barrier");
}

static size_t scratch_bytes(const pv_mpi_comm *mpi) { return 2 * (size_t)mpi->scratch_count * sizeof *mpi->scratch; }

static pv_status broadcast_piece(pv_comm *comm, int root, size_t bytes, void *data)
{
    const pv_mpi_comm *mpi = comm->state;
    void *at = comm->is_limited ? mpi->scratch : data;
    int count;
    PV_TRY(pv_int_from_size(bytes, "a piece", &count));
    if (at != data && comm->rank == root) memcpy(at, data, bytes);
    PV_MPI_TOGETHER(comm, "the other ranks to come to a broadcast", MPI_Bcast, MPI_Ibcast, at, count, MPI_BYTE, root);
    if (at != data && comm->rank != root) memcpy(data, at, bytes);
    return PV_OK;
}

pv_status pv_mpi_broadcast(pv_comm *comm, int root, size_t bytes, void *data)
{
    const pv_mpi_comm *mpi = comm->state;
    PV_TRY(pv_mpi_settle(comm));
    size_t most = mpi->piece_bytes;
    if (comm->is_limited && most > scratch_bytes(mpi)) most = scratch_bytes(mpi);
    const int64_t pieces = pv_piece_count(bytes, most);
    for (int64_t i = 0; i < pieces; i++)
        PV_TRY(broadcast_piece(comm, root, pv_piece_bytes(bytes, most, i), (char *)data + (size_t)i * most));
    return PV_OK;
}

// MPI libraries multiply count and size in int here and there, so what all ranks gather must fit too.
pv_status pv_mpi_gather(pv_comm *comm, size_t bytes, const void *mine, void *all)
{
    const pv_mpi_comm *mpi = comm->state;
    const size_t size = (size_t)comm->size;
    PV_TRY(pv_mpi_settle(comm));
    if (bytes <= mpi->piece_bytes / size && (!comm->is_limited || bytes <= scratch_bytes(mpi) / size)) {
        int count;
        void *at = comm->is_limited ? mpi->scratch : all;
        PV_TRY(pv_int_from_size(bytes, "the share of a rank", &count));
        if (at != all) memcpy((char *)at + (size_t)comm->rank * bytes, mine, bytes);
        PV_MPI_TOGETHER(comm, "the other ranks to come to a gather", MPI_Allgather, MPI_Iallgather,
                        at == all ? mine : MPI_IN_PLACE, count, MPI_BYTE, at, count, MPI_BYTE);
        if (at != all) memcpy(all, at, bytes * size);
        return PV_OK;
    }
    memcpy((char *)all + (size_t)comm->rank * bytes, mine, bytes);
    for (int root = 0; root < comm->size; root++)
        PV_TRY(pv_mpi_broadcast(comm, root, bytes, (char *)all + (size_t)root * bytes));
    return PV_OK;
}

static const pv_comm_ops ops = {
    .name = "mpi",
    .close = close,
    .split = split,
    .barrier = pv_mpi_barrier,
    .reduce = pv_mpi_reduce,
    .broadcast = pv_mpi_broadcast,
    .gather = pv_mpi_gather,
    .exchange_create = pv_mpi_exchange_create,
    .exchange_destroy = pv_mpi_exchange_destroy,
    .exchange_start = pv_mpi_exchange_start,
    .exchange_progress = pv_mpi_exchange_progress,
    .exchange_join = pv_mpi_exchange_join,
    .window_create = pv_window_create_private,
    .window_destroy = pv_window_destroy_private,
};

pv_status pv_mpi_open(pv_comm *comm, const pv_comm_setup *setup)
{
    MPI_Comm own;
    PV_MPI_TRY(MPI_Comm_dup(setup->comm, &own));
    comm->ops = &ops;
    PV_TRY(open_on(comm, own, setup->schedule));
    pv_status status = comm->device ? PV_OK : pv_fail(PV_ERR_ARGUMENT, "pv_comm_open_mpi", "device is NULL");
    status = pv_comm_agree(comm, status);
    if (status == PV_OK) status = pv_mpi_describe(comm);
    if (status != PV_OK) close(comm);
    return status;
}
