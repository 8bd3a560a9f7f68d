// SPDX-License-Identifier: Apache-2.0
// What a finished run found, in the units of its files: results.json is this, and VASP's formats take their numbers
// from it.
#ifndef PV_DFT_RUN_RESULTS_H
#define PV_DFT_RUN_RESULTS_H

#include "dft/history.h"
#include "dft/run_describe.h"

typedef struct pv_finished_run {
    const pv_scf *scf;
    const pv_dft_summary *summary;
    const pv_history *history;
    const pv_run_description *described;
    double solved_s;           // from the start until all was computed
    double seconds, cpu_seconds; // until the files are written
    double setup_s, forces_s;  // before the first step; energies, forces and stress
    double grid_error_s;       // the grid of exchange beside the full one
} pv_finished_run;

enum { PV_RUN_ENERGIES = 8, PV_RUN_SECONDS = 16 };

// The arrays that `results` shows.
typedef struct pv_run_results {
    pv_results results;
    double *eigenvalues_ev, *steps_s;
    double (*forces)[3], stress_kbar[3][3];
    pv_results_entry energies[PV_RUN_ENERGIES], seconds[PV_RUN_SECONDS];
} pv_run_results;

// *made_p, which must not be moved afterwards, lives no longer than the run. Local.
pv_status pv_run_results_make(const pv_finished_run *finished, pv_run_results *made_p);
void pv_run_results_release(pv_run_results *made);

#endif
