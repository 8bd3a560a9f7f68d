// SPDX-License-Identifier: Apache-2.0
// A density on any grid as the one that a run begins with.
#ifndef PV_DFT_ADOPT_DENSITY_H
#define PV_DFT_ADOPT_DENSITY_H

#include "dft/files/chgcar_read.h"
#include "dft/solve/scf.h"

// This rank's slabs of a density in real space.
typedef struct pv_density_slabs {
    pv_grid *grid;  // the run's own, or one of another shape
    int spins;      // 1: the density; 2: and up less down
    double *values; // [spins][grid's local points], electrons / bohr^3
} pv_density_slabs;

// Room for a density on a grid of this shape. Collective.
pv_status pv_density_slabs_create(const pv_system *system, const int64_t shape[3], int spins, pv_density_slabs *slabs);
void pv_density_slabs_release(const pv_system *system, pv_density_slabs *slabs);

// Becomes scf->in: scaled to the run's number of electrons, symmetrised, without spin given the magnetisation that scf
// has, and where atoms have moved (positions: [atoms], where they were; NULL: where they are) less the densities of
// atoms there and with those of atoms here. Collective.
pv_status pv_density_adopt(pv_scf *scf, const pv_density_slabs *slabs, const double (*positions)[3]);

// The same with what rank 0 has read. has_moved counts on rank 0. Collective.
pv_status pv_density_adopt_chgcar(pv_scf *scf, const pv_chgcar *chgcar, int has_moved);

#endif
