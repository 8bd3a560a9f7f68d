// SPDX-License-Identifier: Apache-2.0
// How many electrons each state holds: smearing functions, chemical potential, and the energy they bring.
// Smearing: Fermi-Dirac (N. D. Mermin, Phys. Rev. 137, A1441 (1965)), Gaussian, and Methfessel-Paxton (Phys. Rev. B
// 40, 3616 (1989)).
#ifndef PV_DFT_OCCUPATION_H
#define PV_DFT_OCCUPATION_H

#include "dft/model/params.h"

typedef struct pv_occupation {
    double fermi_ha;                   // middle of the gap when no state is partly filled
    double smearing_energy_ha;         // -TS
    int partly_filled;                 // states with an occupation between 1e-6 and full less 1e-6
} pv_occupation;

// eigenvalues_ha, filling: [spins][kpoints][bands]; weight[kpoints] sums to 1. filling is 0 to 2 for one spin channel,
// 0 to 1 for two. With params' spin_difference fixed each spin is filled by itself. PV_ERR_INPUT when the bands cannot
// hold the electrons. Local.
pv_status pv_occupation_fill(const pv_dft_params *params, int kpoints, const double *weight,
                             const double *eigenvalues_ha, double *filling, pv_occupation *occupation_p);

// Share of a state that is filled when it lies x = (mu - e) / sigma below the chemical potential. Pure.
double pv_occupation_fraction(const pv_dft_params *params, double x);

#endif
