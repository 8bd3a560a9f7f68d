// SPDX-License-Identifier: Apache-2.0
#include "dft/solve/start_density.h"

#include <math.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/terms/atoms.h"

static pv_status magnetisation(const pv_system *system, double _Complex *waves)
{
    const pv_cell *cell = system->cell;
    double *share;
    PV_TRY(PV_ALLOC(cell->atoms, &share));
    for (int a = 0; a < cell->atoms; a++) {
        const double all = system->pseudo[cell->species_of[a]]->valence;
        share[a] = fmin(fmax(system->params.magnetic_moments[a] / all, -1.0), 1.0);
    }
    const pv_status status =
        pv_atoms_weighted_field(system->grid, cell, system->pseudo, pv_pseudo_density_form, share, waves);
    pv_mem_free(share);
    return status;
}

pv_status pv_start_density(const pv_system *system, double _Complex *density)
{
    const pv_grid *grid = system->grid;
    const int spins = system->params.spins;
    double _Complex *down = density + grid->waves;
    pv_status status = pv_atoms_field(grid, system->cell, system->pseudo, pv_pseudo_density_form, density);
    if (status == PV_OK && spins == 2) status = magnetisation(system, down);
    PV_TRY(pv_comm_agree(grid->comm, status));
    double electrons = grid->zero >= 0 ? creal(density[grid->zero]) * grid->volume_bohr3 : 0.0;
    PV_TRY(pv_comm_reduce_f64(grid->comm, PV_SUM, 1, &electrons));
    PV_REQUIRE(electrons > 0.0, PV_ERR_INPUT, "the atoms' densities hold %g electrons, must be positive", electrons);
    const double scale = system->params.electrons / electrons;
    for (int64_t i = 0; i < grid->waves; i++) {
        const double _Complex total = scale * density[i], moment = spins == 2 ? scale * down[i] : total;
        density[i] = 0.5 * (total + moment);
        if (spins == 2) down[i] = 0.5 * (total - moment);
    }
    return PV_OK;
}
