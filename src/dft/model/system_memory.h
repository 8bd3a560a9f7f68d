// SPDX-License-Identifier: Apache-2.0
// Into how many groups the ranks of a run go, by what that costs in time and in memory.
#ifndef PV_DFT_SYSTEM_MEMORY_H
#define PV_DFT_SYSTEM_MEMORY_H

#include "dft/model/system.h"

// Fills system->groups: KPAR, or the nearest that can be, with a warning; without it the number with the least time of
// those for which there is memory. PV_ERR_MEMORY when the forecast exceeds what a node has free. The cell, the grid's
// shape, k-points, potentials and parameters must be there. Collective.
pv_status pv_system_make_groups(pv_system *system);

// system->memory, by the true number of plane waves where bases are there. Local.
pv_status pv_system_forecast_memory(pv_system *system);

#endif
