// SPDX-License-Identifier: Apache-2.0
// Ranks that a call still waits for, in words.
#ifndef PV_COMM_MPI_MPI_MISSING_H
#define PV_COMM_MPI_MPI_MISSING_H

typedef struct pv_mpi_missing {
    char from[48], to[48];
} pv_mpi_missing;

// is_receive: it has not sent; else it has not received. Beyond what there is room for: "...".
void pv_mpi_missing_add(pv_mpi_missing *missing, int is_receive, int rank);

#endif
