// SPDX-License-Identifier: Apache-2.0
// Symmetrising fields on the plane waves of a grid, whose parts lie on many ranks.
#ifndef PV_DFT_GRID_SYMMETRY_H
#define PV_DFT_GRID_SYMMETRY_H

#include "dft/model/grid.h"
#include "dft/model/symmetrise.h"

typedef struct pv_grid_symmetry pv_grid_symmetry;

// grid and symmetry are kept. With the identity alone nothing is made that costs memory. Collective.
pv_status pv_grid_symmetry_create(const pv_grid *grid, const pv_symmetry *symmetry, pv_grid_symmetry **turner_p);
void pv_grid_symmetry_destroy(pv_grid_symmetry *turner);

// field[waves], on the grid's device, to its mean over all operations, in place. In the order of the grid's stream.
// Collective.
pv_status pv_grid_symmetry_apply(pv_grid_symmetry *turner, double _Complex *field);

#endif
