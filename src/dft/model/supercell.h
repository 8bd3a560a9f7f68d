// SPDX-License-Identifier: Apache-2.0
// Larger cells of the same crystal.
#ifndef PV_DFT_SUPERCELL_H
#define PV_DFT_SUPERCELL_H

#include "dft/model/cell.h"

// repeat[i] cells along lattice vector i; atoms in groups of species, the images of an atom together. Local.
pv_status pv_supercell_create(const pv_cell *cell, const int repeat[3], pv_cell **supercell_p);

#endif
