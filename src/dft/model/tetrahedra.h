// SPDX-License-Identifier: Apache-2.0
// Tetrahedra between the points of a k-mesh: integrals over the Brillouin zone with energies linear inside each (P. E.
// Bloechl, O. Jepsen and O. K. Andersen, Phys. Rev. B 49, 16223 (1994)).
#ifndef PV_DFT_TETRAHEDRA_H
#define PV_DFT_TETRAHEDRA_H

#include "dft/model/symmetry_kpoints.h"

typedef struct pv_tetrahedra {
    int count;                 // with different corners
    int kpoints;               // of the reduced set
    int (*corner)[4];          // [count], indices in the reduced set, rising
    double *weight;            // [count], share of the Brillouin zone; sums to 1
} pv_tetrahedra;

// Six in every cell of the mesh, around its shortest diagonal. images[full->count] as pv_symmetry_reduce_kpoints gives
// them; kpoints: how many reduced points there are. PV_ERR_INPUT when `full` is not a mesh. Local.
pv_status pv_tetrahedra_create(const pv_cell *cell, const pv_kpoints *full, const pv_kpoint_image *images, int kpoints,
                               pv_tetrahedra **tetrahedra_p);
void pv_tetrahedra_destroy(pv_tetrahedra *tetrahedra);

// Share of the zone where a band lies below energy_ha; eigenvalues_ha[k * stride]. Pure.
double pv_tetrahedra_below(const pv_tetrahedra *tetrahedra, const double *eigenvalues_ha, int stride, double energy_ha);
// The same share as weights of the points, weight[kpoints] (times 1: they sum to it); with `corrected` by Bloechl's
// correction for the curvature of the bands, which leaves the sum. Pure.
void pv_tetrahedra_weights(const pv_tetrahedra *tetrahedra, const double *eigenvalues_ha, int stride, double energy_ha,
                           int corrected, double *weight);

#endif
