// SPDX-License-Identifier: Apache-2.0
// parseval plan dft: memory and time of a calculation on GPUs, or on ranks of this machine.
#ifndef PV_CLI_PLAN_DFT_H
#define PV_CLI_PLAN_DFT_H

#include "dft/forecast.h"

enum { PV_PLAN_COUNTS = 32 }; // numbers of GPUs or ranks, at most

typedef struct pv_plan_dft {
    const char *path;              // a folder with POSCAR, INCAR and KPOINTS, or a POSCAR beside INCAR and KPOINTS
    const char *pseudo;            // potentials; NULL: built-in ones
    int count;                     // of counts, up to PV_PLAN_COUNTS
    const int64_t *counts;         // of GPUs, or of ranks
    int on_ranks;                  // of this machine, whose rates are measured; else GPUs
    const char *rates_path;        // rates of a file; NULL: measured, or those of an H200
    const char *measured_path;     // where rates are written; NULL: nowhere
    const char *csv, *figures;     // a file and a folder for them; NULL: none
    const pv_dft_rates *overrides; // rates of options; 0: not given
    pv_dft_assumed assumed;
} pv_plan_dft;

pv_status pv_plan_dft_print(const pv_plan_dft *plan);

#endif
