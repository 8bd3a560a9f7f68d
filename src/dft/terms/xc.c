// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/xc.h"

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "device/vector.h"
#include "dft/terms/xc_points.h"

struct pv_xc {
    pv_grid *grid;
    int spins;
    pv_xc_terms terms;
    double _Complex *total;            // [spins][waves] with core
    double *density;                   // [spins][local_points]
    pv_xc_fields fields;
};

static pv_status room(const pv_xc *xc, int64_t count, double **field_p)
{
    return PV_ARRAY(xc->grid->device, "exchange and correlation", count, field_p);
}

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
    PV_TRY_GOTO(room(xc, grid->waves * spins * 2, (double **)&xc->total), status, failed);
    PV_TRY_GOTO(room(xc, points * spins, &xc->density), status, failed);
    PV_TRY_GOTO(room(xc, points, &xc->fields.energy), status, failed);
    PV_TRY_GOTO(room(xc, gradients ? points * spins * 3 : 0, &xc->fields.gradient), status, failed);
    PV_TRY_GOTO(room(xc, gradients ? points * (2 * spins - 1) : 0, &xc->fields.history), status, failed);
    PV_TRY_GOTO(room(xc, xc->terms.hole ? points : 0, &xc->fields.left_out), status, failed);
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
    double *fields[] = {(double *)xc->total, xc->density,         xc->fields.energy, xc->fields.gradient,
                        xc->fields.history,  xc->fields.left_out};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) pv_array_destroy(xc->grid->device, fields[i]);
    pv_mem_free(xc);
}

// Densities with core, and their gradients.
static pv_status to_points(pv_xc *xc, const double _Complex *density, const double _Complex *core)
{
    pv_grid *grid = xc->grid;
    const int64_t waves = grid->waves, points = grid->local_points;
    PV_TRY(pv_stream_copy(grid->stream, xc->total, density, (size_t)(xc->spins * waves) * sizeof *density));
    for (int s = 0; s < xc->spins; s++) {
        double _Complex *total = xc->total + s * waves;
        if (core)
            PV_TRY(pv_vector_axpy(grid->stream, 2 * waves, 1.0 / xc->spins, (const double *)core, (double *)total));
        PV_TRY(pv_grid_to_points(grid, total, xc->density + s * points));
        for (int d = 0; xc->terms.gradients && d < 3; d++)
            PV_TRY(pv_grid_slope_to_points(grid, total, d, xc->fields.gradient + (s * 3 + d) * points));
    }
    return PV_OK;
}

// potential -= divergence of the field that replaced the gradients.
static pv_status subtract_divergence(pv_xc *xc, double *potential)
{
    pv_grid *grid = xc->grid;
    const int64_t points = grid->local_points;
    for (int s = 0; s < xc->spins; s++) {
        double _Complex *sum = xc->total + s * grid->waves;
        PV_TRY(pv_stream_zero(grid->stream, sum, (size_t)grid->waves * sizeof *sum));
        for (int d = 0; d < 3; d++)
            PV_TRY(pv_grid_add_slope_to_waves(grid, xc->fields.gradient + (s * 3 + d) * points, d, sum));
        PV_TRY(pv_grid_to_points(grid, sum, xc->density));
        PV_TRY(pv_vector_axpy(grid->stream, points, -1.0, xc->density, potential + s * points));
    }
    return PV_OK;
}

// The energy itself as the volume grows, less de/d(grad_i rho) grad_j rho. The field has replaced the gradients: they
// are made again.
static pv_status add_strain(pv_xc *xc, double energy_ha, double (*strain_ha)[3])
{
    pv_grid *grid = xc->grid;
    const double part = pv_comm_rank(grid->comm) == 0 ? 1.0 : 0.0; // of sums over all ranks
    for (int i = 0; i < 3; i++) strain_ha[i][i] += part * energy_ha;
    for (int s = 0; xc->terms.gradients && s < xc->spins; s++)
        for (int j = 0; j < 3; j++) {
            PV_TRY(pv_grid_slope_to_points(grid, xc->total + s * grid->waves, j, xc->density));
            for (int i = 0; i < 3; i++) {
                double product;
                const double *field = xc->fields.gradient + (s * 3 + i) * grid->local_points;
                PV_TRY(pv_grid_integral(grid, field, xc->density, &product));
                strain_ha[i][j] -= part * product;
            }
        }
    return PV_OK;
}

pv_status pv_xc_evaluate(pv_xc *xc, const double _Complex *density, const double _Complex *core,
                         double *potential_ha, double *energy_ha_p, double (*strain_ha)[3])
{
    pv_grid *grid = xc->grid;
    PV_TRY(to_points(xc, density, core));
    xc->fields.potential = potential_ha;
    PV_TRY(pv_xc_points(grid->stream, &xc->terms, xc->spins, &xc->fields));
    PV_TRY(pv_grid_integral(grid, xc->fields.energy, NULL, energy_ha_p));
    if (strain_ha) PV_TRY(add_strain(xc, *energy_ha_p, strain_ha));
    return xc->terms.gradients ? subtract_divergence(xc, potential_ha) : PV_OK;
}

pv_status pv_xc_left_out(pv_xc *xc, double *energy_ha_p)
{
    *energy_ha_p = 0.0;
    return xc->terms.flat_weight != 0.0 ? pv_grid_integral(xc->grid, xc->fields.left_out, NULL, energy_ha_p) : PV_OK;
}
