// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/hartree.h"

#include "base/check.h"
#include "dft/model/units.h"

pv_status pv_hartree(const pv_grid *grid, const double _Complex *density, double _Complex *potential,
                     double *energy_ha_p)
{
    double energy = 0.0;
    for (int64_t i = 0; i < grid->waves; i++) {
        const double kernel = i == grid->zero ? 0.0 : 4.0 * PV_PI / grid->g2[i];
        const double re = creal(density[i]), im = cimag(density[i]);
        energy += 0.5 * grid->volume_bohr3 * grid->weight[i] * kernel * (re * re + im * im);
        if (potential) potential[i] = kernel * density[i];
    }
    if (!energy_ha_p) return PV_OK;
    *energy_ha_p = energy;
    return pv_comm_reduce_f64(grid->comm, PV_SUM, 1, energy_ha_p);
}

void pv_hartree_add_strain(const pv_grid *grid, const double _Complex *density, double (*strain_ha)[3])
{
    for (int64_t w = 0; w < grid->waves; w++) {
        if (w == grid->zero) continue;
        const double re = creal(density[w]), im = cimag(density[w]), *g = grid->g[w];
        const double energy =
            0.5 * grid->volume_bohr3 * grid->weight[w] * 4.0 * PV_PI / grid->g2[w] * (re * re + im * im);
        for (int i = 0; i < 3; i++) {
            strain_ha[i][i] -= energy;
            for (int j = 0; j < 3; j++) strain_ha[i][j] += energy * 2.0 * g[i] * g[j] / grid->g2[w];
        }
    }
}
