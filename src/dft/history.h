// SPDX-License-Identifier: Apache-2.0
// What each step of the self-consistent loop did, for the output files.
#ifndef PV_DFT_HISTORY_H
#define PV_DFT_HISTORY_H

#include "dft/files/run.h"
#include "dft/solve/scf.h"

typedef struct pv_history {
    pv_run_step *step;         // [count]
    int count, room;
    pv_status status;          // of the first step that there was no memory for
    // Sums at the end of the last step.
    double band_ev, cpu_s, solver_s, density_s, potential_s, mixing_s, comm_s, fock_double_s, way_s, waited_s;
    int64_t applied;
} pv_history;

// Time of the first step counts from here. Local.
pv_history pv_history_begin(void);
void pv_history_release(pv_history *history);

// Called after each step, with what the loop says of it. Local.
void pv_history_add(pv_history *history, const pv_scf *scf, const pv_scf_step *step);

// [PV_RESULTS_SECONDS][count], as results.h says. Pure.
void pv_history_seconds(const pv_history *history, double *seconds);

// Most memory that this process ever held, libraries and all. Local.
double pv_history_peak_bytes(void);

// Processor seconds of this process so far, all threads. Local.
double pv_history_cpu_s(void);

#endif
