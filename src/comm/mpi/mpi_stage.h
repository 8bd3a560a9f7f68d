// SPDX-License-Identifier: Apache-2.0
// Pinned memory where messages from and to a device stop over, shared by the exchanges of a communicator.
#ifndef PV_COMM_MPI_MPI_STAGE_H
#define PV_COMM_MPI_MPI_STAGE_H

#include "comm/mpi/mpi_comm.h"

// Moves what is staged on: copies that have ended become messages, messages that have arrived become copies.
pv_status pv_mpi_stage_advance(pv_comm *comm);
// Whether messages have still to leave or arrive. NULL: none.
int pv_mpi_stage_is_busy(const struct pv_mpi_stage *stage);
// is_lost: messages may be on their way that will not come.
void pv_mpi_stage_destroy(struct pv_mpi_stage *stage, int is_lost);

#endif
