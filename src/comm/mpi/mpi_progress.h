// SPDX-License-Identifier: Apache-2.0
// Exchanges in rounds and staged ones go on only when they are called. Two ranks may wait for different things in
// different order, so whatever waits on a communicator moves all of them on.
#ifndef PV_COMM_MPI_MPI_PROGRESS_H
#define PV_COMM_MPI_MPI_PROGRESS_H

#include "comm/comm_ops.h"

// Moves what is in flight on. Fails when the communicator is lost, as what follows does.
pv_status pv_mpi_advance(pv_comm *comm);
// Brings it to its end: before collective calls, inside which it could not go on.
pv_status pv_mpi_settle(pv_comm *comm);

#endif
