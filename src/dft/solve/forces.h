// SPDX-License-Identifier: Apache-2.0
// Forces on the ions (H. Hellmann 1937; R. P. Feynman, Phys. Rev. 56, 340 (1939)) from their parts.
#ifndef PV_DFT_FORCES_H
#define PV_DFT_FORCES_H

#include "dft/solve/electrons.h"

// forces_ha_bohr[atom][3], the mean removed. density: of the orbitals; potential->xc_slab: its exchange-correlation
// potential, as pv_potential_energies() leaves it. Collective.
pv_status pv_forces(pv_electrons *electrons, pv_potential *potential, const double _Complex *density,
                    double (*forces_ha_bohr)[3]);

#endif
