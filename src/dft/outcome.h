// SPDX-License-Identifier: Apache-2.0
// What a finished run says: energies, gap, moment, and what the numbers leave out.
#ifndef PV_DFT_OUTCOME_H
#define PV_DFT_OUTCOME_H

#include "dft/progress.h"
#include "dft/solve/grid_error.h"

// Collective.
pv_status pv_outcome_say(const pv_progress *progress, const pv_dft_energies *energies,
                         const pv_grid_error *grid_error);

#endif
