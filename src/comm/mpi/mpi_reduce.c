// SPDX-License-Identifier: Apache-2.0
// Reductions of doubles are folded in rank order by our own hand: the same bits on every rank, in every MPI library
// and for every algorithm it may pick; and a NaN anywhere is a NaN everywhere, so that no rank decides otherwise.
#include "comm/mpi/mpi_comm.h"

#include <math.h>
#include <string.h>

#include "comm/mpi/mpi_patience.h"
#include "comm/mpi/mpi_progress.h"

static const char others[] = "the other ranks to come to a reduction";

static void fold(pv_reduce op, int64_t count, double *restrict values, const double *restrict next)
{
    if (op == PV_SUM) {
        for (int64_t i = 0; i < count; i++) values[i] += next[i];
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        const int take = op == PV_MAX ? next[i] > values[i] : next[i] < values[i];
        if (take || isnan(next[i])) values[i] = isnan(values[i]) ? values[i] : next[i];
    }
}

// All values of all ranks to everybody: fewest messages.
static pv_status reduce_short(pv_comm *comm, pv_reduce op, int count, double *values)
{
    const pv_mpi_comm *mpi = comm->state;
    double *all = mpi->scratch;
    const void *mine = comm->is_limited ? MPI_IN_PLACE : values;
    if (comm->is_limited) memcpy(all + (size_t)comm->rank * (size_t)count, values, (size_t)count * sizeof *values);
    PV_MPI_TOGETHER(comm, others, MPI_Allgather, MPI_Iallgather, mine, count, MPI_DOUBLE, all, count, MPI_DOUBLE);
    memcpy(values, all, (size_t)count * sizeof *values);
    for (int rank = 1; rank < comm->size; rank++) fold(op, count, values, all + (int64_t)rank * count);
    return PV_OK;
}

// Every rank folds one share of the values for all: fewest bytes. The last shares may hold padding.
static pv_status reduce_long(pv_comm *comm, pv_reduce op, int64_t count, double *values)
{
    const pv_mpi_comm *mpi = comm->state;
    double *whole = mpi->scratch, *shares = mpi->scratch + mpi->scratch_count;
    const int share = (int)((count + comm->size - 1) / comm->size);
    memcpy(whole, values, (size_t)count * sizeof *values);
    memset(whole + count, 0, (size_t)((int64_t)share * comm->size - count) * sizeof *values);
    PV_MPI_TOGETHER(comm, others, MPI_Alltoall, MPI_Ialltoall, whole, share, MPI_DOUBLE, shares, share, MPI_DOUBLE);
    for (int rank = 1; rank < comm->size; rank++) fold(op, share, shares, shares + (int64_t)rank * share);
    PV_MPI_TOGETHER(comm, others, MPI_Allgather, MPI_Iallgather, shares, share, MPI_DOUBLE, whole, share, MPI_DOUBLE);
    memcpy(values, whole, (size_t)count * sizeof *values);
    return PV_OK;
}

static pv_status reduce_f64(pv_comm *comm, pv_reduce op, int64_t count, double *values)
{
    const pv_mpi_comm *mpi = comm->state;
    if (count <= mpi->scratch_count / comm->size) return reduce_short(comm, op, (int)count, values);
    const int64_t block = mpi->scratch_count / comm->size * comm->size;
    for (int64_t i = 0; i < count; i += block)
        PV_TRY(reduce_long(comm, op, count - i < block ? count - i : block, values + i));
    return PV_OK;
}

static pv_status reduce_i64(pv_comm *comm, pv_reduce op, int64_t count, int64_t *values)
{
    const pv_mpi_comm *mpi = comm->state;
    const MPI_Op mpi_op = op == PV_SUM ? MPI_SUM : op == PV_MAX ? MPI_MAX : MPI_MIN;
    _Static_assert(sizeof *values == sizeof *mpi->scratch, "the room for either");
    const int64_t block = comm->is_limited ? mpi->scratch_count : 1 << 24;
    for (int64_t i = 0; i < count; i += block) {
        const int length = (int)(count - i < block ? count - i : block);
        const size_t bytes = (size_t)length * sizeof *values;
        void *at = comm->is_limited ? (void *)mpi->scratch : values + i;
        if (comm->is_limited) memcpy(at, values + i, bytes);
        PV_MPI_TOGETHER(comm, others, MPI_Allreduce, MPI_Iallreduce, MPI_IN_PLACE, at, length, MPI_INT64_T, mpi_op);
        if (comm->is_limited) memcpy(values + i, at, bytes);
    }
    return PV_OK;
}

pv_status pv_mpi_reduce(pv_comm *comm, pv_reduce_type type, pv_reduce op, int64_t count, void *values)
{
    PV_TRY(pv_mpi_settle(comm));
    return type == PV_REDUCE_F64 ? reduce_f64(comm, op, count, values) : reduce_i64(comm, op, count, values);
}
