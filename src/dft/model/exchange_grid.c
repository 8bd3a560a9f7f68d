// SPDX-License-Identifier: Apache-2.0
#include "dft/model/exchange_grid.h"

#include <math.h>

#include "base/check.h"
#include "dft/model/units.h"
#include "fft/lines/recipe.h"

// In units of G_cut; measured in docs/decisions/0025-exchange-grid.md.
static double reach_of(const pv_dft_params *params)
{
    if (params->fock.cutoff_ha > 0.0) return sqrt(params->fock.cutoff_ha / params->cutoff_ha);
    if (params->fock.precision == PV_PRECISION_ACCURATE) return 1.5;
    return params->fock.precision == PV_PRECISION_LOW ? 1.1 : 1.25;
}

static int is_smooth(int64_t n)
{
    for (int p = 2; p <= 7; p++)
        while (n % p == 0) n /= p;
    return n == 1;
}

// Time that lines of n points add to a grid, in cycles: transforms, and as much for what goes to and fro; along one
// axis of the three whole vectors count.
static pv_status cost_of(int64_t n, double *cost_p)
{
    enum { LANES = 8 };
    const double moving = 12.0;
    pv_lines_recipe recipes[PV_LINES_RECIPES_MAX];
    int count;
    PV_TRY(pv_lines_recipes_list(n, recipes, &count));
    const double points = (2.0 * (double)n + (double)((n + LANES - 1) / LANES * LANES)) / 3.0;
    *cost_p = points * (recipes[0].cost + moving);
    return PV_OK;
}

// The cheapest length from `least` on.
static pv_status choose_length(int64_t least, int64_t *n_p)
{
    double best = INFINITY;
    for (int64_t n = least; n <= 2 * least; n++) {
        double cost;
        if (!is_smooth(n)) continue;
        PV_TRY(cost_of(n, &cost));
        if (cost < best) {
            best = cost;
            *n_p = n;
        }
    }
    return PV_OK;
}

pv_status pv_exchange_grid_choose(const pv_cell *cell, const pv_dft_params *params, int64_t shape[3],
                                  double *pair_reach_p)
{
    const double g_cut = sqrt(2.0 * params->cutoff_ha), reach = reach_of(params) * g_cut;
    for (int d = 0; d < 3; d++) {
        const double *a = cell->lattice_bohr[d], length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        // |G . a| <= |G| |a|; orbitals of any k are held, too.
        const double pairs = reach * length / (2.0 * PV_PI), orbitals = g_cut * length / (2.0 * PV_PI) + 0.5;
        PV_TRY(choose_length(2 * (int64_t)floor(fmax(pairs, orbitals) + 1e-9) + 1, &shape[d]));
    }
    *pair_reach_p = reach;
    return PV_OK;
}

int pv_exchange_grid_widen(pv_dft_params *params)
{
    const int is_wider = reach_of(params) < 1.999999;
    params->fock.cutoff_ha = 4.0 * params->cutoff_ha;
    params->fock.single = 0;
    return is_wider && params->fock.compares;
}
