// SPDX-License-Identifier: Apache-2.0
// Density to the local potential that orbitals feel, with the energies that belong to it.
#ifndef PV_DFT_POTENTIAL_H
#define PV_DFT_POTENTIAL_H

#include "dft/model/system.h"
#include "dft/terms/xc.h"

typedef struct pv_potential {
    pv_system *system;
    pv_grid *grid;                     // where potentials are made: the system's, on the device of the orbitals
    pv_xc *xc;
    // In the host's memory.
    double _Complex *local;            // [waves]: of the ions
    double _Complex *core;             // [waves], NULL without core correction
    double _Complex *waves;            // [waves]: scratch
    double _Complex *felt;             // [waves]: Hartree and mean xc potential of the density
    double _Complex *xc_waves;         // [spins][waves]: the xc potential
    // On the device of the grid; on the host those above where both have a name.
    struct {
        double _Complex *local, *core, *waves, *felt;
        double *slab, *xc_slab;        // [local_points], [spins][local_points]
    } there;
    double *whole_ha;                  // [points] on the device: scratch; NULL on one rank
    double *packed_ha;                 // [spins][packed_count]: what pv_hamiltonian takes
    int64_t packed_count;
    double hartree_ha, xc_ha;          // energies of the density
    double double_ha;                  // integral of density times Hartree and xc potential
    double mean_ha;                    // of the potential, over spins
} pv_potential;

// system is kept. Collective.
pv_status pv_potential_create(pv_system *system, pv_potential **potential_p);
void pv_potential_destroy(pv_potential *potential);

// From now on: the functional of the run (whole = 1), or the semilocal one from which a hybrid starts. Collective.
pv_status pv_potential_take_functional(pv_potential *potential, int whole);

// density: [spins][waves] on the grid's device, here and below. Fills packed_ha and the numbers. Collective.
pv_status pv_potential_update(pv_potential *potential, const double _Complex *density);

// Energies of the density alone: hartree_ha, xc_ha. Fills xc_waves with its potential, and felt with what the last
// update found. Collective.
pv_status pv_potential_energies(pv_potential *potential, const double _Complex *density);

// xc_ha and xc_waves of the density, and the derivative of the energy by the strain as pv_xc_evaluate() has it.
// Collective.
pv_status pv_potential_xc_strain(pv_potential *potential, const double _Complex *density, double (*strain_ha)[3]);

#endif
