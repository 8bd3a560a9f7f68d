// SPDX-License-Identifier: Apache-2.0
#include "comm/mpi/mpi_roll_call.h"

#include <time.h>

#include "base/clock.h"
#include "base/mem.h"

enum { MOST_RANKS = 1024 };
#define MOST_S 1.0

static void tell(const pv_comm *comm)
{
    const pv_mpi_comm *mpi = comm->state;
    for (int rank = 0; rank < comm->size; rank++) {
        MPI_Request request;
        if (rank == comm->rank) continue;
        if (MPI_Isend(NULL, 0, MPI_BYTE, rank, mpi->roll_call_tag, mpi->comm, &request) == MPI_SUCCESS)
            (void)MPI_Request_free(&request);
    }
}

// The word of one more rank, if there is one.
static int hear(const pv_comm *comm)
{
    const pv_mpi_comm *mpi = comm->state;
    MPI_Status from;
    int found = 0;
    if (MPI_Iprobe(MPI_ANY_SOURCE, mpi->roll_call_tag, mpi->comm, &found, &from) != MPI_SUCCESS || !found) return -1;
    (void)MPI_Recv(NULL, 0, MPI_BYTE, from.MPI_SOURCE, mpi->roll_call_tag, mpi->comm, MPI_STATUS_IGNORE);
    return from.MPI_SOURCE;
}

void pv_mpi_call_roll(const pv_comm *comm, pv_mpi_missing *missing)
{
    const double wait_s = comm->timeout_s < 4 * MOST_S ? comm->timeout_s / 4 : MOST_S, end_s = pv_clock_s() + wait_s;
    char *has_told;
    if (comm->size > MOST_RANKS || PV_ALLOC(comm->size, &has_told) != PV_OK) return;
    tell(comm);
    for (int left = comm->size - 1; left > 0 && pv_clock_s() < end_s;) {
        const int rank = hear(comm);
        if (rank < 0) nanosleep(&(struct timespec){0, 100000}, NULL);
        else left -= !has_told[rank];
        if (rank >= 0) has_told[rank] = 1;
    }
    for (int rank = 0; rank < comm->size; rank++)
        if (rank != comm->rank && !has_told[rank]) pv_mpi_missing_add(missing, 1, rank);
    pv_mem_free(has_told);
}

int pv_mpi_gone_rank(const pv_comm *comm)
{
    return comm->size > MOST_RANKS ? -1 : hear(comm);
}
