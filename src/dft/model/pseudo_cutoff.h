// SPDX-License-Identifier: Apache-2.0
// The plane-wave cutoff that a potential needs, for files that name none.
#ifndef PV_DFT_PSEUDO_CUTOFF_H
#define PV_DFT_PSEUDO_CUTOFF_H

#include "dft/model/pseudo.h"

#define PV_PSEUDO_CUTOFF_ERROR_HA 1e-3

// Where what a cutoff leaves out of the free atom's orbitals costs PV_PSEUDO_CUTOFF_ERROR_HA, in whole Ha; 128 at most.
// For a radial potential that was prepared. Of 26 SPMS potentials, O to W, this is 1.1 +- 0.15 times what their authors
// name for this error in crystals. Local.
pv_status pv_pseudo_find_cutoff(const pv_pseudo *pseudo, double *cutoff_ha_p);

#endif
