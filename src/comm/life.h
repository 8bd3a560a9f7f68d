// SPDX-License-Identifier: Apache-2.0
// Whether the processes of a node still run. One that is killed tells nobody, and no launcher has to end the others.
#ifndef PV_COMM_LIFE_H
#define PV_COMM_LIFE_H

#include <mpi.h>
#include <stdint.h>

#define PV_LOOK_AT_LIFE_S 0.1 // between two looks of one who waits

// What a process is known by: its number may be given to another after its end.
typedef struct pv_process {
    int rank;
    int pid;                 // 0: cannot be watched
    uint64_t start, space;   // when it began; which processes it is counted among
} pv_process;

// Those of a node, in its order, each with the rank that it passes; for pv_mem_free. NULL: one had no memory. Processes
// of other containers are not watched, since their numbers mean nothing here. Collective.
pv_process *pv_process_gather(MPI_Comm node, int rank);
int pv_process_has_ended(const pv_process *process);

#endif
