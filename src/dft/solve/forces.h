// SPDX-License-Identifier: Apache-2.0
// Forces on the ions (H. Hellmann 1937; R. P. Feynman, Phys. Rev. 56, 340 (1939)) from their parts, with what is
// missing while the density is not quite self-consistent (C. T. Chan, K. P. Bohnen and K. M. Ho, Phys. Rev. B 47, 4771
// (1993)).
#ifndef PV_DFT_FORCES_H
#define PV_DFT_FORCES_H

#include "dft/solve/electrons.h"

// forces_ha_bohr[atom][3], the mean removed. density: of the orbitals, on the device; potential->xc_waves: its
// exchange-correlation potential, as pv_potential_energies() leaves it; potential->felt: what the orbitals felt,
// spoilt. Collective.
pv_status pv_forces(pv_electrons *electrons, pv_potential *potential, const double _Complex *density,
                    double (*forces_ha_bohr)[3]);

#endif
