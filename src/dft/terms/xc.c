// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/xc.h"

#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/terms/xc_points.h"

struct pv_xc {
    pv_grid *grid;
    int spins;
    pv_xc_terms terms;
    double _Complex *waves, *total;    // [waves], [spins][waves] with core
    double *density;                   // [spins][local_points]
    pv_xc_fields fields;
};

pv_status pv_xc_create(pv_grid *grid, const pv_functional *functional, int spins, pv_xc **xc_p)
{
    pv_xc *xc;
    PV_TRY(PV_ALLOC(1, &xc));
    xc->grid = grid;
    xc->spins = spins;
    const int64_t points = grid->local_points;
    xc->fields.points = points;
    pv_status status;
    PV_TRY_GOTO(pv_xc_terms_of(functional, &xc->terms), status, failed);
    const int gradients = xc->terms.gradients;
    PV_TRY_GOTO(PV_ALLOC(grid->waves, &xc->waves), status, failed);
    PV_TRY_GOTO(PV_ALLOC(grid->waves * spins, &xc->total), status, failed);
    PV_TRY_GOTO(PV_ALLOC(points * spins, &xc->density), status, failed);
    PV_TRY_GOTO(PV_ALLOC(points, &xc->fields.energy), status, failed);
    PV_TRY_GOTO(PV_ALLOC(gradients ? points * spins * 3 : 0, &xc->fields.gradient), status, failed);
    PV_TRY_GOTO(PV_ALLOC(gradients ? points * (2 * spins - 1) : 0, &xc->fields.history), status, failed);
    PV_TRY_GOTO(PV_ALLOC(xc->terms.hole ? points : 0, &xc->fields.left_out), status, failed);
    xc->fields.density = xc->density;
    *xc_p = xc;
    return PV_OK;
failed:
    pv_xc_destroy(xc);
    return status;
}

void pv_xc_destroy(pv_xc *xc)
{
    if (!xc) return;
    pv_mem_free(xc->waves);
    pv_mem_free(xc->total);
    pv_mem_free(xc->density);
    pv_mem_free(xc->fields.energy);
    pv_mem_free(xc->fields.gradient);
    pv_mem_free(xc->fields.history);
    pv_mem_free(xc->fields.left_out);
    pv_mem_free(xc);
}

// Component d of the gradient of the total density of spin s.
static pv_status gradient(pv_xc *xc, int s, int d, double *field)
{
    const pv_grid *grid = xc->grid;
    const double _Complex *total = xc->total + s * grid->waves;
#pragma omp parallel for num_threads(pv_grid_threads(grid)) schedule(static)
    for (int64_t i = 0; i < grid->waves; i++) xc->waves[i] = I * grid->g[i][d] * total[i];
    return pv_grid_to_points(xc->grid, xc->waves, field);
}

static pv_status to_points(pv_xc *xc, const double _Complex *density, const double _Complex *core)
{
    pv_grid *grid = xc->grid;
    for (int s = 0; s < xc->spins; s++) {
        double _Complex *total = xc->total + s * grid->waves;
#pragma omp parallel for num_threads(pv_grid_threads(grid)) schedule(static)
        for (int64_t i = 0; i < grid->waves; i++)
            total[i] = density[s * grid->waves + i] + (core ? core[i] / xc->spins : 0.0);
        PV_TRY(pv_grid_to_points(grid, total, xc->density + s * grid->local_points));
        for (int d = 0; xc->terms.gradients && d < 3; d++)
            PV_TRY(gradient(xc, s, d, xc->fields.gradient + (s * 3 + d) * grid->local_points));
    }
    return PV_OK;
}

// potential -= divergence of the field that replaced the gradients.
static pv_status subtract_divergence(pv_xc *xc, double *potential)
{
    pv_grid *grid = xc->grid;
    for (int s = 0; s < xc->spins; s++) {
        double _Complex *sum = xc->total + s * grid->waves;
        if (grid->waves > 0) memset(sum, 0, (size_t)grid->waves * sizeof *sum);
        for (int d = 0; d < 3; d++) {
            PV_TRY(pv_grid_to_waves(grid, xc->fields.gradient + (s * 3 + d) * grid->local_points, xc->waves));
#pragma omp parallel for num_threads(pv_grid_threads(grid)) schedule(static)
            for (int64_t i = 0; i < grid->waves; i++) sum[i] += I * grid->g[i][d] * xc->waves[i];
        }
        PV_TRY(pv_grid_to_points(grid, sum, xc->density));
#pragma omp parallel for num_threads(pv_grid_threads(grid)) schedule(static)
        for (int64_t i = 0; i < grid->local_points; i++) potential[s * grid->local_points + i] -= xc->density[i];
    }
    return PV_OK;
}

// The energy itself as the volume grows, less de/d(grad_i rho) grad_j rho. The field has replaced the gradients: they
// are made again.
static pv_status add_strain(pv_xc *xc, double energy_ha, double (*strain_ha)[3])
{
    const pv_grid *grid = xc->grid;
    for (int i = 0; i < 3; i++) strain_ha[i][i] += energy_ha;
    for (int s = 0; xc->terms.gradients && s < xc->spins; s++)
        for (int j = 0; j < 3; j++) {
            PV_TRY(gradient(xc, s, j, xc->density));
            for (int i = 0; i < 3; i++) {
                const double *field = xc->fields.gradient + (s * 3 + i) * grid->local_points;
                double sum = 0.0;
                for (int64_t k = 0; k < grid->local_points; k++) sum += field[k] * xc->density[k];
                strain_ha[i][j] -= sum * grid->spacing_volume;
            }
        }
    return PV_OK;
}

static double sum_of(const pv_grid *grid, const double *field)
{
    double sum = 0.0;
    for (int64_t i = 0; i < grid->local_points; i++) sum += field[i];
    return sum * grid->spacing_volume;
}

pv_status pv_xc_evaluate(pv_xc *xc, const double _Complex *density, const double _Complex *core,
                         double *potential_ha, double *energy_ha_p, double (*strain_ha)[3])
{
    pv_grid *grid = xc->grid;
    PV_TRY(to_points(xc, density, core));
    xc->fields.potential = potential_ha;
    PV_TRY(pv_xc_points(pv_device_stream(pv_comm_device(grid->comm)), &xc->terms, xc->spins, &xc->fields));
    *energy_ha_p = sum_of(grid, xc->fields.energy);
    if (strain_ha) PV_TRY(add_strain(xc, *energy_ha_p, strain_ha));
    PV_TRY(pv_comm_reduce_f64(grid->comm, PV_SUM, 1, energy_ha_p));
    return xc->terms.gradients ? subtract_divergence(xc, potential_ha) : PV_OK;
}

pv_status pv_xc_left_out(pv_xc *xc, double *energy_ha_p)
{
    *energy_ha_p = xc->terms.flat_weight != 0.0 ? sum_of(xc->grid, xc->fields.left_out) : 0.0;
    return pv_comm_reduce_f64(xc->grid->comm, PV_SUM, 1, energy_ha_p);
}
