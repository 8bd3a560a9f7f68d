// SPDX-License-Identifier: Apache-2.0
#include "dft/model/kpoint_groups.h"

#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"

// Shares of a k-point's time on one rank: products of matrices, which any number of ranks share out; transforms, which
// are shared out two bands at a time; small eigenproblems, which one rank solves while the others of its group wait.
static const double products = 0.55, transforms = 0.40, alone = 0.05;

// The group with the least to do; the first of them.
static int least_busy(int count, const double *load)
{
    int least = 0;
    for (int g = 1; g < count; g++)
        if (load[g] < load[least]) least = g;
    return least;
}

// The dearest k-point without a group; the first of them.
static int dearest_left(const pv_kpoint_groups *groups, const double *cost)
{
    int dearest = -1;
    for (int k = 0; k < groups->kpoints; k++)
        if (groups->group_of[k] < 0 && (dearest < 0 || cost[k] > cost[dearest])) dearest = k;
    return dearest;
}

pv_status pv_kpoint_groups_make(int ranks, int kpoints, int count, const double *cost, pv_kpoint_groups *groups_p)
{
    PV_REQUIRE(count >= 1 && ranks % count == 0 && count <= kpoints, PV_ERR_ARGUMENT,
               "%d groups of %d ranks for %d k-points; the number must divide the ranks and not exceed the k-points",
               count, ranks, kpoints);
    pv_kpoint_groups groups = {ranks, kpoints, count, ranks / count, NULL};
    double *load = NULL;
    pv_status status = PV_ALLOC(kpoints, &groups.group_of);
    if (status == PV_OK) status = PV_ALLOC(count, &load);
    if (status != PV_OK) {
        pv_kpoint_groups_release(&groups);
        return status;
    }
    for (int k = 0; k < kpoints; k++) groups.group_of[k] = -1;
    for (int n = 0; n < kpoints; n++) {
        const int k = dearest_left(&groups, cost), g = least_busy(count, load);
        groups.group_of[k] = g;
        load[g] += cost[k];
    }
    pv_mem_free(load);
    *groups_p = groups;
    return PV_OK;
}

void pv_kpoint_groups_release(pv_kpoint_groups *groups)
{
    pv_mem_free(groups->group_of);
    *groups = (pv_kpoint_groups){0};
}

int pv_kpoint_groups_nearest(int ranks, int kpoints, int asked)
{
    int nearest = 1;
    for (int count = 2; count <= ranks && count <= kpoints; count++)
        if (ranks % count == 0 && llabs((long long)count - asked) < llabs((long long)nearest - asked)) nearest = count;
    return nearest;
}

double pv_kpoint_groups_time(const pv_kpoint_groups *groups, const double *cost, int bands)
{
    double most = 0.0;
    for (int g = 0; g < groups->count; g++) {
        double load = 0.0;
        for (int k = 0; k < groups->kpoints; k++)
            if (groups->group_of[k] == g) load += cost[k];
        most = fmax(most, load);
    }
    const int pairs = (bands + 1) / 2, rounds = (pairs + groups->size - 1) / groups->size;
    return most * (products / groups->size + transforms * rounds / pairs + alone);
}
