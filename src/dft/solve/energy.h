// SPDX-License-Identifier: Apache-2.0
// Total energy from its parts, each part reported.
#ifndef PV_DFT_ENERGY_H
#define PV_DFT_ENERGY_H

#include <parseval/dft.h>

#include "dft/solve/hybrid.h"

// Electrons of spin up less those of spin down; 0 without spin. Pure.
double pv_energy_moment(const pv_electrons *electrons);

// Energy by Harris and Foulkes: from the eigenvalues in the potential of `potential`, and the energies of the density
// it was made from. Error of second order in the change of the density. Pure.
double pv_energy_harris(const pv_electrons *electrons, const pv_potential *potential, double ewald_ha);

// Every part for the density that the orbitals make (an upper bound); spoils `potential`'s energies. Collective.
pv_status pv_energy_parts(pv_electrons *electrons, pv_potential *potential, const double _Complex *density,
                          pv_hybrid *hybrid, double ewald_ha, pv_dft_energies *energies_p);

#endif
