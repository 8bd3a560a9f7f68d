// SPDX-License-Identifier: Apache-2.0
// How many electrons each state holds: chemical potential and fillings by smearing, by tetrahedra or as given, and the
// energy that they bring.
#ifndef PV_DFT_OCCUPATION_H
#define PV_DFT_OCCUPATION_H

#include "dft/model/params.h"
#include "dft/model/tetrahedra.h"

typedef struct pv_occupation {
    double fermi_ha;                   // no state partly filled: middle of the gap; without empty ones the highest
    double smearing_energy_ha;         // -TS
    double states_per_ha;              // at the Fermi energy
    int partly_filled;                 // states neither empty nor full to 1e-6
} pv_occupation;

// eigenvalues_ha, filling: [spins][kpoints][bands]; weight[kpoints] sums to 1. filling is 0 to 2 for one spin channel,
// 0 to 1 for two. tetrahedra: of ISMEAR = -4 and -5, else NULL. With params' spin_difference fixed each spin is filled
// by itself. PV_ERR_INPUT when the bands cannot hold the electrons. Local.
pv_status pv_occupation_fill(const pv_dft_params *params, int kpoints, const double *weight,
                             const pv_tetrahedra *tetrahedra, const double *eigenvalues_ha, double *filling,
                             pv_occupation *occupation_p);

// The same at a chemical potential that is known from elsewhere, whatever number of electrons that gives; by Gaussians
// where there is no smearing. Local.
void pv_occupation_hold(const pv_dft_params *params, int kpoints, const double *weight, const double *eigenvalues_ha,
                        double fermi_ha, double *filling, pv_occupation *occupation_p);

#endif
