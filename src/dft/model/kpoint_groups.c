// SPDX-License-Identifier: Apache-2.0
#include "dft/model/kpoint_groups.h"

#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"

static const double flops_per_s = 1e10, small_flops_per_s = 2e9; // of products, of transforms and small problems
// Measured (decision 28): columns that change hands, each but for the rank's own part, take this much of the transform;
// on smaller grids their messages take as long as what is saved.
static const double exchanged = 0.8, least_points = 60000.0, worth = 0.8;
static const double sums = 12.0, sum_s = 2e-5; // over the ranks of a group: of a block of bands, and the time of one

// Columns that a block of bands meets: the search space (twice the bands on the way) in sums and rotations, projectors.
pv_kpoint_cost pv_kpoint_cost_of(double waves, double grid_points, int bands, double projectors, int is_real)
{
    const double columns = 12.0 * bands + 2.0 * projectors, space = 2.0 * bands;
    const pv_kpoint_cost cost = {8.0 * waves * bands * columns / flops_per_s,
                                 2.0 * bands * 2.5 * grid_points * log2(fmax(grid_points, 2.0)) / small_flops_per_s,
                                 36.0 * space * space * space / small_flops_per_s};
    return is_real ? (pv_kpoint_cost){0.25 * cost.products, 0.5 * cost.transforms, 0.25 * cost.alone} : cost;
}

static double sum_of(const pv_kpoint_cost *cost) { return cost->products + cost->transforms + cost->alone; }

// The group with the least to do; the first of them.
static int least_busy(int count, const double *load)
{
    int least = 0;
    for (int g = 1; g < count; g++)
        if (load[g] < load[least]) least = g;
    return least;
}

typedef struct priced {
    double cost;
    int kpoint;
} priced;

static int dearest_first(const void *a, const void *b)
{
    const priced *p = a, *q = b;
    if (p->cost != q->cost) return p->cost > q->cost ? -1 : 1;
    return p->kpoint - q->kpoint;
}

static pv_status sort_by_cost(int kpoints, const pv_kpoint_cost *cost, priced **order_p)
{
    priced *order;
    PV_TRY(PV_ALLOC(kpoints, &order));
    for (int k = 0; k < kpoints; k++) order[k] = (priced){sum_of(&cost[k]), k};
    qsort(order, (size_t)kpoints, sizeof *order, dearest_first);
    *order_p = order;
    return PV_OK;
}

pv_status pv_kpoint_groups_make(int ranks, int kpoints, int count, const pv_kpoint_cost *cost,
                                pv_kpoint_groups *groups_p)
{
    PV_REQUIRE(count >= 1 && ranks % count == 0 && count <= kpoints, PV_ERR_ARGUMENT,
               "%d groups of %d ranks for %d k-points; the number must divide the ranks and not exceed the k-points",
               count, ranks, kpoints);
    pv_kpoint_groups groups = {ranks, kpoints, count, ranks / count, 1, NULL};
    double *load = NULL;
    priced *order = NULL;
    pv_status status = PV_ALLOC(kpoints, &groups.group_of);
    if (status == PV_OK) status = PV_ALLOC(count, &load);
    if (status == PV_OK) status = sort_by_cost(kpoints, cost, &order);
    if (status != PV_OK) {
        pv_mem_free(load);
        pv_kpoint_groups_release(&groups);
        return status;
    }
    for (int n = 0; n < kpoints; n++) {
        const int g = least_busy(count, load);
        groups.group_of[order[n].kpoint] = g;
        load[g] += order[n].cost;
    }
    pv_mem_free(order);
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

int pv_kpoint_groups_band_ranks(int size, int ncore, int npar)
{
    // What divides a number is what divides it into that many.
    if (npar > 0) return size / pv_kpoint_groups_nearest(size, size, npar);
    return ncore > 0 ? pv_kpoint_groups_nearest(size, size, ncore) : 0;
}

double pv_kpoint_groups_transform_share(int size, int band_ranks, int bands)
{
    const int pairs = (bands + 1) / 2, teams = size / band_ranks, rounds = (pairs + teams - 1) / teams;
    return (double)rounds / pairs * (1.0 + exchanged * (1.0 - 1.0 / band_ranks)) / band_ranks;
}

int pv_kpoint_groups_choose_band_ranks(int size, int bands, double grid_points)
{
    int best = 1;
    if (grid_points < least_points) return 1;
    const double whole = pv_kpoint_groups_transform_share(size, 1, bands);
    for (int each = 2; each <= size; each++)
        if (size % each == 0 && pv_kpoint_groups_transform_share(size, each, bands)
                                    < pv_kpoint_groups_transform_share(size, best, bands))
            best = each;
    return pv_kpoint_groups_transform_share(size, best, bands) < worth * whole ? best : 1;
}

double pv_kpoint_groups_time(const pv_kpoint_groups *groups, const pv_kpoint_cost *cost, int bands)
{
    const int size = groups->size;
    const double share = pv_kpoint_groups_transform_share(size, groups->band_ranks, bands);
    double longest = 0.0;
    for (int g = 0; g < groups->count; g++) {
        double time = 0.0;
        for (int k = 0; k < groups->kpoints; k++)
            if (groups->group_of[k] == g)
                time += cost[k].products / size + cost[k].transforms * share + cost[k].alone
                        + sums * sum_s * log2(size);
        longest = fmax(longest, time);
    }
    return longest;
}
