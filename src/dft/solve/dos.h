// SPDX-License-Identifier: Apache-2.0
// The density of states: by tetrahedra, or widened by the smearing function of the occupations.
#ifndef PV_DFT_DOS_H
#define PV_DFT_DOS_H

#include "dft/model/params.h"
#include "dft/model/tetrahedra.h"

typedef struct pv_dos {
    int points, spins;
    double *energy_ha;         // [points], equally spaced
    double *density;           // [spins][points], states / Ha: mean over the step that ends at the energy
    double *integral;          // [spins][points], states up to the energy; both spins together without ISPIN = 2
} pv_dos;

// eigenvalues_ha [spins][kpoints][bands]; weight[kpoints]; tetrahedra or NULL. NEDOS points from EMIN to EMAX, or
// around all eigenvalues. Differences of the integral lose no state on coarse grids. Local.
pv_status pv_dos_create(const pv_dft_params *params, int kpoints, const double *weight, const pv_tetrahedra *tetrahedra,
                        const double *eigenvalues_ha, pv_dos **dos_p);
void pv_dos_destroy(pv_dos *dos);

#endif
