// SPDX-License-Identifier: Apache-2.0
// The potential and energy of a density among itself; the mean potential is zero.
#ifndef PV_DFT_HARTREE_H
#define PV_DFT_HARTREE_H

#include "dft/model/grid.h"

// v(G) = 4 pi rho(G) / G^2 at this rank's plane waves, on the grid's device. potential, which may be the density's own
// memory, and energy_ha_p may be NULL. Collective.
pv_status pv_hartree(const pv_grid *grid, const double _Complex *density, double _Complex *potential,
                     double *energy_ha_p);

// Adds the derivative of the energy by the strain, for fixed electrons in each wave; this rank's part. The density is
// in the host's memory. Local.
void pv_hartree_add_strain(const pv_grid *grid, const double _Complex *density, double (*strain_ha)[3]);

#endif
