// SPDX-License-Identifier: Apache-2.0
// Which ranks work on which k-points: groups of equally many ranks, each with k-points of its own (of both spins), on
// which no other rank works. Plain data, the same on every rank.
#ifndef PV_DFT_KPOINT_GROUPS_H
#define PV_DFT_KPOINT_GROUPS_H

#include <parseval/status.h>

typedef struct pv_kpoint_groups {
    int ranks, kpoints;
    int count;                         // groups, each with a k-point at least
    int size;                          // ranks of each: group g has g * size <= rank < (g + 1) * size
    int band_ranks;                    // neighbours that share the transforms of a band, and divide size; 1: none share
    int *group_of;                     // [kpoints]
} pv_kpoint_groups;

// What a k-point costs one rank for one block of bands, in seconds of a usual core: nothing depends on how true it is
// but how busy groups are.
typedef struct pv_kpoint_cost {
    double products;                   // of matrices, which any number of ranks share out
    double transforms;                 // shared out two bands at a time
    double alone;                      // small eigenproblems, for which one rank works and its group waits
} pv_kpoint_cost;

// waves: whole sphere, projectors: functions of all atoms. Pure.
pv_kpoint_cost pv_kpoint_cost_of(double waves, double grid_points, int bands, double projectors, int is_real);

// Of band_ranks = 1. `count` divides ranks and is at most kpoints. cost[kpoints]: the dearest are handed out first,
// each to the group with the least to do. Local.
pv_status pv_kpoint_groups_make(int ranks, int kpoints, int count, const pv_kpoint_cost *cost,
                                pv_kpoint_groups *groups_p);
void pv_kpoint_groups_release(pv_kpoint_groups *groups);

static inline int pv_kpoint_groups_of_rank(const pv_kpoint_groups *groups, int rank) { return rank / groups->size; }
static inline int pv_kpoint_groups_first_rank(const pv_kpoint_groups *groups, int group)
{
    return group * groups->size;
}

// The count nearest to the one asked for that divides ranks and is at most kpoints. Pure.
int pv_kpoint_groups_nearest(int ranks, int kpoints, int asked);

// How many of a group's ranks NCORE (or NPAR, which counts where both are given, 0: absent) asks to share each band:
// the nearest number that divides them; 0 where neither is given. Pure.
int pv_kpoint_groups_band_ranks(int size, int ncore, int npar);

// The number of those that divides the size and promises the least time; 1 where more would save little, and
// on small grids. Pure.
int pv_kpoint_groups_choose_band_ranks(int size, int bands, double grid_points);

// How long the busiest rank of a group has to do with a block's transforms, in units of all of them on one rank. Pure.
double pv_kpoint_groups_transform_share(int size, int band_ranks, int bands);

// How long the busiest group takes, messages between its ranks counted. Pure.
double pv_kpoint_groups_time(const pv_kpoint_groups *groups, const pv_kpoint_cost *cost, int bands);

#endif
