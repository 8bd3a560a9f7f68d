// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/hartree.h"

#include "base/check.h"
#include "dft/model/units.h"
#include "dft/terms/hartree_kernels.h"

pv_status pv_hartree(const pv_grid *grid, const double _Complex *density, double _Complex *potential,
                     double *energy_ha_p)
{
    const hartree_arguments arguments = {pv_buffer_data(grid->parts), grid->there.g2, grid->there.weight,
                                         (const double *)density, (double *)potential};
    if (energy_ha_p) {
        PV_TRY(pv_grid_reduce(grid, &hartree_energy, grid->waves, &arguments, energy_ha_p));
        *energy_ha_p *= grid->volume_bohr3;
    }
    return potential ? pv_kernel_launch(grid->stream, &hartree_potential, grid->waves, &arguments) : PV_OK;
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
