// SPDX-License-Identifier: Apache-2.0
#ifndef PV_COMM_MPI_MPI_ROUNDS_H
#define PV_COMM_MPI_MPI_ROUNDS_H

#include "comm/mpi/mpi_comm.h"

// Completed messages of the rounds in flight make way for the next ones.
pv_status pv_mpi_rounds_advance(pv_mpi_comm *mpi);

#endif
