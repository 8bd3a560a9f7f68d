// SPDX-License-Identifier: Apache-2.0
// Energy and forces of point charges in a neutralising background, by Ewald's sum (P. P. Ewald, Ann. Phys. 369, 253
// (1921)), in Hartree atomic units.
#ifndef PV_DFT_EWALD_H
#define PV_DFT_EWALD_H

#include "dft/model/cell.h"

// charge[atom]. forces_ha_bohr[atom][3] may be NULL. splitting: inverse length that divides the work between real and
// reciprocal space, in 1/bohr; 0: chosen. The result does not depend on it. Local.
pv_status pv_ewald(const pv_cell *cell, const double *charge, double splitting, double *energy_ha_p,
                   double (*forces_ha_bohr)[3]);

#endif
