// SPDX-License-Identifier: Apache-2.0
// Stress from its parts (O. H. Nielsen and R. M. Martin, Phys. Rev. B 32, 3780 (1985)): the derivative of the energy by
// the strain for a fixed set of plane waves; the gradient corrections' part as A. Dal Corso and R. Resta have it, Phys.
// Rev. B 50, 4327 (1994).
#ifndef PV_DFT_STRESS_H
#define PV_DFT_STRESS_H

#include "dft/solve/electrons.h"

// stress_ha_bohr3[3][3], symmetric, with VASP's sign: positive when the cell is compressed, - (1/volume) dE/d epsilon.
// density: of the orbitals, on the device. Spoils potential's scratch and xc_slab. Collective.
pv_status pv_stress(pv_electrons *electrons, pv_potential *potential, const double _Complex *density,
                    double (*stress_ha_bohr3)[3]);

#endif
