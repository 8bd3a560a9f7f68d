// SPDX-License-Identifier: Apache-2.0
// What the ranks of a run stand on, for the output files.
#ifndef PV_DFT_MACHINE_H
#define PV_DFT_MACHINE_H

#include <parseval/comm.h>

typedef struct pv_dft_machine {
    int nodes;
    int gpus; // different ones; 0: the host computes
} pv_dft_machine;

// Collective.
pv_status pv_dft_machine_count(pv_comm *comm, pv_dft_machine *machine_p);

#endif
