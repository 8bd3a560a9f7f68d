// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/atoms.h"

#include <math.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/model/phase.h"
#include "dft/model/slope.h"

// Sum over atoms of one species of exp(-i G tau), each times its weight where there are weights.
static double _Complex structure_of(const pv_cell *cell, const pv_phase *phase, int species, const double *weight,
                                    const int32_t n[3])
{
    double _Complex sum = 0.0;
    for (int a = 0; a < cell->atoms; a++)
        if (cell->species_of[a] == species) sum += (weight ? weight[a] : 1.0) * pv_phase_at(phase, a, n);
    return sum;
}

static double slope_of(const pv_pseudo *pseudo, pv_atom_form form, double q)
{
    const double h = PV_SLOPE_STEP;
    return pv_slope(form(pseudo, q - 2.0 * h), form(pseudo, q - h), form(pseudo, q + h), form(pseudo, q + 2.0 * h));
}

static void fill_form(const pv_grid *grid, const pv_pseudo *pseudo, pv_atom_form form, double *value)
{
#pragma omp parallel for num_threads(pv_grid_threads(grid)) schedule(static)
    for (int64_t i = 0; i < grid->waves; i++) value[i] = form(pseudo, sqrt(grid->g2[i]));
}

pv_status pv_atoms_field(const pv_grid *grid, const pv_cell *cell, pv_pseudo *const *pseudo, pv_atom_form form,
                         double _Complex *waves)
{
    return pv_atoms_weighted_field(grid, cell, pseudo, form, NULL, waves);
}

pv_status pv_atoms_weighted_field(const pv_grid *grid, const pv_cell *cell, pv_pseudo *const *pseudo, pv_atom_form form,
                                  const double *weight, double _Complex *waves)
{
    double *value;
    PV_TRY(PV_ALLOC(grid->waves, &value));
    pv_phase *phase = NULL;
    pv_status status = pv_phase_create(cell, grid->shape, &phase);
    for (int64_t i = 0; i < grid->waves; i++) waves[i] = 0.0;
    for (int s = 0; status == PV_OK && s < cell->species; s++) {
        fill_form(grid, pseudo[s], form, value);
#pragma omp parallel for num_threads(pv_grid_threads(grid)) schedule(static)
        for (int64_t i = 0; i < grid->waves; i++)
            waves[i] += value[i] / grid->volume_bohr3 * structure_of(cell, phase, s, weight, grid->miller[i]);
    }
    pv_phase_destroy(phase);
    pv_mem_free(value);
    return status;
}

pv_status pv_atoms_add_forces(const pv_grid *grid, const pv_cell *cell, pv_pseudo *const *pseudo, pv_atom_form form,
                              const double _Complex *f, double (*forces_ha_bohr)[3])
{
    double *value;
    PV_TRY(PV_ALLOC(grid->waves, &value));
    pv_phase *phase = NULL;
    pv_status status = pv_phase_create(cell, grid->shape, &phase);
    for (int s = 0; status == PV_OK && s < cell->species; s++) {
        fill_form(grid, pseudo[s], form, value);
#pragma omp parallel for num_threads(pv_grid_threads(grid)) schedule(dynamic)
        for (int a = 0; a < cell->atoms; a++) {
            if (cell->species_of[a] != s) continue;
            double force[3] = {0.0, 0.0, 0.0};
            for (int64_t i = 0; i < grid->waves; i++) {
                const double slope = -grid->weight[i] * value[i]
                                     * cimag(conj(f[i]) * pv_phase_at(phase, a, grid->miller[i]));
                for (int d = 0; d < 3; d++) force[d] += slope * grid->g[i][d];
            }
            for (int d = 0; d < 3; d++) forces_ha_bohr[a][d] += force[d];
        }
    }
    pv_phase_destroy(phase);
    pv_mem_free(value);
    return status;
}

// Plane waves in so many parts, whatever the threads: sums do not depend on these.
#define PARTS 64

typedef struct strain_part {
    double sum[3][3];
} strain_part;

// Of the plane waves `lower` to `upper`.
static void add_part(const pv_grid *grid, const pv_cell *cell, const pv_phase *phase, pv_pseudo *const *pseudo,
                     pv_atom_form form, const double _Complex *f, int64_t lower, int64_t upper, strain_part *part)
{
    for (int s = 0; s < cell->species; s++)
        for (int64_t w = lower; w < upper; w++) {
            const double q = sqrt(grid->g2[w]), *g = grid->g[w];
            const double overlap =
                grid->weight[w] * creal(conj(f[w]) * structure_of(cell, phase, s, NULL, grid->miller[w]));
            const double value = overlap * form(pseudo[s], q);
            const double slope = w == grid->zero ? 0.0 : overlap * slope_of(pseudo[s], form, q) / q;
            for (int i = 0; i < 3; i++) {
                part->sum[i][i] -= value;
                for (int j = 0; j < 3; j++) part->sum[i][j] -= slope * g[i] * g[j];
            }
        }
}

pv_status pv_atoms_add_strain(const pv_grid *grid, const pv_cell *cell, pv_pseudo *const *pseudo, pv_atom_form form,
                              const double _Complex *f, double (*strain_ha)[3])
{
    strain_part parts[PARTS] = {{{{0.0}}}};
    pv_phase *phase;
    PV_TRY(pv_phase_create(cell, grid->shape, &phase));
#pragma omp parallel for num_threads(pv_grid_threads(grid)) schedule(dynamic)
    for (int p = 0; p < PARTS; p++)
        add_part(grid, cell, phase, pseudo, form, f, grid->waves * p / PARTS, grid->waves * (p + 1) / PARTS, &parts[p]);
    for (int p = 0; p < PARTS; p++)
        for (int i = 0; i < 9; i++) strain_ha[i / 3][i % 3] += parts[p].sum[i / 3][i % 3];
    pv_phase_destroy(phase);
    return PV_OK;
}
