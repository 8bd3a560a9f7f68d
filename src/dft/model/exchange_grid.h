// SPDX-License-Identifier: Apache-2.0
// The grid on which products of orbitals live in exact exchange.
#ifndef PV_DFT_EXCHANGE_GRID_H
#define PV_DFT_EXCHANGE_GRID_H

#include <stdint.h>

#include "dft/model/params.h"

// Orbitals reach G_cut; PRECFOCK or ENCUTFOCK says up to which |G|, pair_reach (1/bohr), their products count. The grid
// holds these without aliasing onto themselves where it can hold G_cut + pair_reach / 2 (PRECFOCK = Normal, Accurate).
// Pure.
void pv_exchange_grid_choose(const pv_cell *cell, const pv_dft_params *params, int64_t shape[3], double *pair_reach_p);

#endif
