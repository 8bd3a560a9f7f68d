// SPDX-License-Identifier: Apache-2.0
// What the ranks of a run stand on, for the output files.
#ifndef PV_DFT_MACHINE_H
#define PV_DFT_MACHINE_H

#include <parseval/comm.h>

typedef struct pv_machine {
    int nodes;
    int gpus; // different ones; 0: the host computes
} pv_machine;

// Collective.
pv_status pv_machine_count(pv_comm *comm, pv_machine *machine_p);

#endif
