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
    int *group_of;                     // [kpoints]
} pv_kpoint_groups;

// `count` divides ranks and is at most kpoints. cost[kpoints] of solving each: the dearest are handed out first, each
// to the group with the least to do. Local.
pv_status pv_kpoint_groups_make(int ranks, int kpoints, int count, const double *cost, pv_kpoint_groups *groups_p);
void pv_kpoint_groups_release(pv_kpoint_groups *groups);

static inline int pv_kpoint_groups_of_rank(const pv_kpoint_groups *groups, int rank) { return rank / groups->size; }
static inline int pv_kpoint_groups_first_rank(const pv_kpoint_groups *groups, int group) { return group * groups->size; }

// The count nearest to the one asked for that divides ranks and is at most kpoints. Pure.
int pv_kpoint_groups_nearest(int ranks, int kpoints, int asked);

// How long the busiest group takes, in the unit of cost: what a k-point costs one rank. Pure.
double pv_kpoint_groups_time(const pv_kpoint_groups *groups, const double *cost, int bands);

#endif
