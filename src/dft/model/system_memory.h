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

// What some number of ranks would make of a system that was read: groups as a run would choose them among those that
// need at most bytes_each (a GPU's memory), memory of the rank that holds the most, and what its group works on.
typedef struct pv_rank_plan {
    int ranks, groups, group_ranks, band_ranks;
    pv_memory memory;
    double busiest;                    // share of the work on k-points that the busiest group has
} pv_rank_plan;
// One thread a rank. Local.
pv_status pv_system_plan_ranks(const pv_system *system, int ranks, double bytes_each, pv_rank_plan *plan_p);

#endif
