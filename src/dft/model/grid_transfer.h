// SPDX-License-Identifier: Apache-2.0
// A field from one grid to another of the same cell, plane wave by plane wave.
#ifndef PV_DFT_GRID_TRANSFER_H
#define PV_DFT_GRID_TRANSFER_H

#include "dft/model/grid.h"

// Waves that `from` lacks become zero, and those that `to` lacks are dropped. Collective.
pv_status pv_grid_transfer(const pv_grid *from, const double _Complex *waves, const pv_grid *to,
                           double _Complex *transferred);

#endif
