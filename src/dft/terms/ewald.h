// SPDX-License-Identifier: Apache-2.0
// Energy, forces and stress of point charges in a neutralising background, by Ewald's sum (P. P. Ewald, Ann. Phys. 369,
// 253 (1921)), in Hartree atomic units.
#ifndef PV_DFT_EWALD_H
#define PV_DFT_EWALD_H

#include "dft/model/cell.h"

// charge[atom]. forces_ha_bohr[atom][3] and strain_ha may be NULL; strain_ha is the derivative of the energy by the
// strain, dE/d epsilon_ij, with the atoms moving along. splitting: inverse length that divides the work between real
// and reciprocal space, in 1/bohr; 0: chosen. The result does not depend on it. Local.
pv_status pv_ewald(const pv_cell *cell, const double *charge, double splitting, double *energy_ha_p,
                   double (*forces_ha_bohr)[3], double (*strain_ha)[3]);

#endif
