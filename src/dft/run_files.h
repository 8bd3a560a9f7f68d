// SPDX-License-Identifier: Apache-2.0
// The output files of VASP's format from a finished calculation.
#ifndef PV_DFT_RUN_FILES_H
#define PV_DFT_RUN_FILES_H

#include <time.h>

#include "dft/history.h"
#include "dft/machine.h"

typedef struct pv_finished_run {
    const pv_scf *scf;
    const pv_dft_summary *summary;
    const pv_history *history;
    const char *input;         // folder with the INCAR
    const char *version;
    time_t started;
    double seconds, cpu_seconds; // of the whole run
    double setup_s, forces_s;  // before the first step; energies, forces and stress
    pv_dft_machine machine;
} pv_finished_run;

// OSZICAR, OUTCAR, EIGENVAL, DOSCAR, CONTCAR, vasprun.xml and, unless LCHARG = F, CHGCAR in a folder; each is replaced
// whole or not at all. Rank 0 writes. Collective.
pv_status pv_run_files_write(const pv_finished_run *finished, const char *directory);
// Whether these files can be written there, before there is anything to write. Local.
pv_status pv_run_files_check(const char *directory);

#endif
