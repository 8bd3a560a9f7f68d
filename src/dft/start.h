// SPDX-License-Identifier: Apache-2.0
// What a run begins with, as ISTART and ICHARG say: orbitals and density of a checkpoint, a density of CHGCAR, or
// random orbitals and the densities of the atoms.
#ifndef PV_DFT_START_H
#define PV_DFT_START_H

#include "dft/solve/scf.h"

typedef struct pv_start_files {
    const char *checkpoint; // NULL: none, whether or not INCAR asks for one
    const char *chgcar;
} pv_start_files;

// scf as created; fills orbitals, eigenvalues and density where files have them, and says in `said` in one line what
// the run begins with. PV_ERR_INPUT when a file belongs to another crystal, or when ICHARG = 11 finds no density.
// Collective.
pv_status pv_start(pv_scf *scf, const pv_start_files *files, char said[256]);

#endif
