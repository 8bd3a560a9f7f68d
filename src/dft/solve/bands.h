// SPDX-License-Identifier: Apache-2.0
// Bands in a potential that stays as it is: of a fixed density, or of points of weight 0 after self-consistency.
#ifndef PV_DFT_BANDS_H
#define PV_DFT_BANDS_H

#include "dft/solve/scf.h"

// Solves in the potential of scf->in until the residuals of all bands, empty ones too, are below what EDIFF asks for,
// or for steps_max steps: of all k-points, or of those of weight 0 alone, the others staying as they are. Sets
// scf->converged and, unless only_weightless, scf->steps. States are filled at the density's Fermi energy where that is
// known, else by the points themselves. report: as of pv_scf_run(), without a distance of densities (NAN). Collective.
pv_status pv_bands_run(pv_scf *scf, int only_weightless, pv_scf_report report, void *context);

// After self-consistency: orbitals that the last step left short of their tolerance, empty ones above all, are solved
// in its potential, and the density is made of what came out. A stop that is heard meanwhile leaves them. Collective.
pv_status pv_bands_settle(pv_scf *scf);

#endif
