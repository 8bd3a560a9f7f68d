// SPDX-License-Identifier: Apache-2.0
// The grid on which products of orbitals live in exact exchange.
#ifndef PV_DFT_EXCHANGE_GRID_H
#define PV_DFT_EXCHANGE_GRID_H

#include <stdint.h>

#include <parseval/status.h>

#include "dft/model/params.h"

// Products count up to |G| = pair_reach (1/bohr), as PRECFOCK or ENCUTFOCK says, and the grid just holds these: what
// lies beyond is left out or falls back into the sphere (docs/decisions/0025-exchange-grid.md has the errors). Axes of
// one length get as many points.
pv_status pv_exchange_grid_choose(const pv_cell *cell, const pv_dft_params *params, int64_t shape[3],
                                  double *pair_reach_p);

// Has all products count; whether that is more than before and is to be compared with it (LFOCKCHECK). Pure.
int pv_exchange_grid_widen(pv_dft_params *params);

#endif
