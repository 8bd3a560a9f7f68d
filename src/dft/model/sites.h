// SPDX-License-Identifier: Apache-2.0
// Which atom sits at a place, whatever the number of atoms.
#ifndef PV_DFT_SITES_H
#define PV_DFT_SITES_H

#include "dft/model/cell.h"

typedef struct pv_sites pv_sites;

// cell and label[atoms] are kept. Local.
pv_status pv_sites_create(const pv_cell *cell, const int *label, pv_sites **sites_p);
void pv_sites_destroy(pv_sites *sites);

// The atom with this label nearest to a place, periodic images included; -1 when none is within `reach_bohr`, which
// must be below a tenth of the spacing of atoms.
int pv_sites_find(const pv_sites *sites, int label, const double fractional[3], double reach_bohr);

#endif
