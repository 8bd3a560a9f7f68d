// SPDX-License-Identifier: Apache-2.0
// The output files of VASP's format from a finished calculation.
#ifndef PV_DFT_RUN_FILES_H
#define PV_DFT_RUN_FILES_H

#include "dft/run_results.h"

// OSZICAR, OUTCAR, EIGENVAL, DOSCAR, CONTCAR, vasprun.xml and, unless LCHARG = F, CHGCAR in a folder; each is replaced
// whole or not at all. Rank 0 writes. Collective.
pv_status pv_run_files_write(const pv_finished_run *finished, const char *directory);
// Whether these files can be written there, before there is anything to write. Local.
pv_status pv_run_files_check(const char *directory);

#endif
