// SPDX-License-Identifier: Apache-2.0
// Density to the local potential that orbitals feel, with the energies that belong to it.
#ifndef PV_DFT_POTENTIAL_H
#define PV_DFT_POTENTIAL_H

#include "dft/model/system.h"
#include "dft/terms/xc.h"

typedef struct pv_potential {
    pv_system *system;
    pv_xc *xc;
    double _Complex *local;            // [waves]: of the ions
    double _Complex *core;             // [waves], NULL without core correction
    double _Complex *waves;            // [waves]
    double *slab, *xc_slab;            // [local_points], [spins][local_points]
    double *whole_ha;                  // [points]: scratch
    double *packed_ha;                 // [spins][packed_count], on the device of the orbitals: what pv_hamiltonian takes
    int64_t packed_count;
    double _Complex *felt;             // [waves]: Hartree and mean xc potential of the density
    double hartree_ha, xc_ha;          // energies of the density
    double double_ha;                  // integral of density times Hartree and xc potential
    double mean_ha;                    // of the potential, over spins
} pv_potential;

// system is kept. Collective.
pv_status pv_potential_create(pv_system *system, pv_potential **potential_p);
void pv_potential_destroy(pv_potential *potential);

// From now on: the functional of the run (whole = 1), or the semilocal one from which a hybrid starts. Collective.
pv_status pv_potential_take_functional(pv_potential *potential, int whole);

// density: [spins][waves]. Fills everything from packed_ha on. Collective.
pv_status pv_potential_update(pv_potential *potential, const double _Complex *density);

// Energies of the density alone: hartree_ha, xc_ha; xc_slab is left with the potential. Collective.
pv_status pv_potential_energies(pv_potential *potential, const double _Complex *density);

#endif
