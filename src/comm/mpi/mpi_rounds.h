// SPDX-License-Identifier: Apache-2.0
// Exchanges in rounds go on only when they are called. Two ranks may wait for different things in different order, so
// whatever waits on a communicator moves all of its rounds on.
#ifndef PV_COMM_MPI_MPI_ROUNDS_H
#define PV_COMM_MPI_MPI_ROUNDS_H

#include "comm/comm_ops.h"

// Moves the rounds in flight on.
pv_status pv_mpi_advance(pv_comm *comm);
// Brings them to their end: before collective calls, inside which they could not go on.
pv_status pv_mpi_settle(pv_comm *comm);

#endif
