// SPDX-License-Identifier: Apache-2.0
// The band gap that the energies and fillings of a run show, over all of its k-points, in eV.
#ifndef PV_DFT_GAP_H
#define PV_DFT_GAP_H

#include "dft/files/results.h"
#include "dft/solve/electrons.h"

// Not known where states are partly filled. Pure.
pv_results_gap pv_gap_of(const pv_electrons *electrons);

#endif
