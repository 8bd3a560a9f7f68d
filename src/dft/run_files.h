// SPDX-License-Identifier: Apache-2.0
// The output files in VASP's format of a run at work and of a finished one.
#ifndef PV_DFT_RUN_FILES_H
#define PV_DFT_RUN_FILES_H

#include "dft/files/run_text.h"
#include "dft/run_results.h"

enum { PV_RUN_GROWING = 2 }; // OUTCAR and OSZICAR

typedef struct pv_run_growth {
    pv_run_grown grown[PV_RUN_GROWING];
} pv_run_growth;

// Whether all files can be written there, before there is anything to write. Local.
pv_status pv_run_files_check(const char *directory);
// Whether a file for PATH leaves what a run in that folder is given as it is. Local.
pv_status pv_run_input_check_apart(const char *path, const char *directory);

// A run that begins: what an earlier one left there, results.json too, is renamed to NAME.before, which *aside_p says.
// An OUTCAR of a run that did not come to its end, and the OSZICAR with it, is kept only where no older one is. CHGCAR
// stays until it is replaced, for runs that begin from it. Then OUTCAR and OSZICAR begin. Local.
pv_status pv_run_files_begin(const pv_run *run, const char *directory, int *aside_p, pv_run_growth *growth_p);
// The last step of the run. Local.
pv_status pv_run_files_add(const pv_run *run, const char *directory, pv_run_growth *growth);

// OSZICAR, OUTCAR, EIGENVAL, DOSCAR, CONTCAR, vasprun.xml and, unless LCHARG = F, CHGCAR in a folder: what has grown
// gets its end, all others are replaced whole or not at all. growth = NULL: nothing has. Rank 0 writes. Collective.
pv_status pv_run_files_write(const pv_finished_run *finished, const char *directory, const pv_run_growth *growth);

#endif
