// SPDX-License-Identifier: Apache-2.0
// Semilocal exchange and correlation. A density of one spin channel is the total; two are up and down.
// Gradients are taken in plane waves |G| <= 2 G_cut, and so is the divergence (White and Bird, Phys. Rev. B 50, 4954
// (1994)). Gradient corrections vanish as in Quantum ESPRESSO 6.7: without spin where the density is below 1e-6 or its
// squared gradient below 1e-10; with spin those of exchange where the density of a spin or its gradient is below 1e-10,
// those of correlation where the total density or its gradient is below 1e-6 or a spin's density is negative. In a
// vacuum, where the cutoff makes densities ring, states depend on that by up to 0.1 eV.
#ifndef PV_DFT_XC_H
#define PV_DFT_XC_H

#include "dft/model/grid.h"
#include "dft/model/functional.h"

typedef struct pv_xc pv_xc;

// The semilocal part of the functional: of a hybrid what exact exchange leaves of it.
pv_status pv_xc_create(pv_grid *grid, const pv_functional *functional, int spins, pv_xc **xc_p);
void pv_xc_destroy(pv_xc *xc);

// density: [spins][waves], valence, on the grid's device or the host; core: [waves] on the device or NULL, shared
// evenly between the spins. potential_ha: [spins][local_points] on the device. strain_ha (or NULL): this rank's part of
// the derivative of the energy by the strain for fixed values of the densities at the points, that is by the volume and
// by the gradients, is added to it. Collective.
pv_status pv_xc_evaluate(pv_xc *xc, const double _Complex *density, const double _Complex *core,
                         double *potential_ha, double *energy_ha_p, double (*strain_ha)[3]);

// What the last evaluation left out of the energy since the density is flat where it is (a symmetric crystal's grid
// points with a gradient of zero): the short-range exchange of screened hybrids there, which Quantum ESPRESSO counts as
// a gradient correction. 0 with LXCFLAT, whose energies do not jump when a perfect crystal is distorted. Collective.
pv_status pv_xc_left_out(pv_xc *xc, double *energy_ha_p);

#endif
