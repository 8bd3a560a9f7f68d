// SPDX-License-Identifier: Apache-2.0
// Ranks that have waited in vain tell the others: they learn from each other who has not come, and one who comes late
// learns that nobody waits for him.
#ifndef PV_COMM_MPI_MPI_ROLL_CALL_H
#define PV_COMM_MPI_MPI_ROLL_CALL_H

#include "comm/mpi/mpi_comm.h"
#include "comm/mpi/mpi_missing.h"

// Tells the others that this rank has given up, and waits for a moment for their word. Ranks that say nothing are
// missing. Nothing where there are very many.
void pv_mpi_call_roll(const pv_comm *comm, pv_mpi_missing *missing);
// A rank that has told so; -1: none.
int pv_mpi_gone_rank(const pv_comm *comm);

#endif
