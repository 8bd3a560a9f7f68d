// SPDX-License-Identifier: Apache-2.0
// Orbitals to density.
#ifndef PV_DFT_DENSITY_H
#define PV_DFT_DENSITY_H

#include "dft/model/band_split.h"

// packed += sum over bands of weight |psi(r)|^2 in the order of the basis' sphere, this rank's bands only, or of bands
// that it shares its slices only; orbitals are sliced, normalised to 1 over the cell, so the weight carries 1 / volume.
// Both lie on the device of the basis. Collective.
pv_status pv_density_add(const pv_basis *basis, pv_band_split *split, int64_t bands, const double *weight,
                         const double _Complex *orbitals, double *packed);

#endif
