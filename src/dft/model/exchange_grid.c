// SPDX-License-Identifier: Apache-2.0
#include "dft/model/exchange_grid.h"

#include <math.h>

#include "dft/model/grid.h"

void pv_exchange_grid_choose(const pv_cell *cell, const pv_dft_params *params, int64_t shape[3], double *pair_reach_p)
{
    const double g_cut = sqrt(2.0 * params->cutoff_ha);
    double reach = 1.0 + M_SQRT1_2, pairs = M_SQRT2;
    if (params->fock.precision == PV_PRECISION_ACCURATE) reach = pairs = 2.0;
    if (params->fock.precision == PV_PRECISION_LOW) reach = 1.25, pairs = 1.25;
    if (params->fock.cutoff_ha > 0.0) {
        pairs = sqrt(2.0 * params->fock.cutoff_ha) / g_cut;
        reach = fmax(1.0 + 0.5 * pairs, pairs);
    }
    pv_grid_choose_shape(cell, reach * g_cut, NULL, shape);
    *pair_reach_p = pairs * g_cut;
}
