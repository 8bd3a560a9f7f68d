// SPDX-License-Identifier: Apache-2.0
// Smearing functions: Fermi-Dirac (N. D. Mermin, Phys. Rev. 137, A1441 (1965)), Gaussian, Methfessel-Paxton (Phys. Rev.
// B 40, 3616 (1989)) and cold (N. Marzari et al., Phys. Rev. Lett. 82, 3296 (1999)). Where the occupations have none
// (tetrahedra, fixed) Gaussian stands in.
#ifndef PV_DFT_SMEARING_H
#define PV_DFT_SMEARING_H

#include "dft/model/params.h"

// Share of a state that is filled when it lies x = (mu - e) / sigma below the chemical potential. Pure.
double pv_smearing_fraction(const pv_dft_params *params, double x);
// -TS of that state in units of sigma. Pure.
double pv_smearing_entropy(const pv_dft_params *params, double x);
// Whether the function only falls with the state's energy, so that one chemical potential alone fits the electrons.
int pv_smearing_is_monotonic(const pv_dft_params *params);
// What smearing adds to a free energy beyond the energy extrapolated to none, from -TS: as VASP, -TS / (N + 2), N the
// order of Methfessel and Paxton, 0 for Fermi and Gaussian, 1 for cold smearing. Pure.
double pv_smearing_beyond_sigma0(const pv_dft_params *params, double smearing_ha);

#endif
