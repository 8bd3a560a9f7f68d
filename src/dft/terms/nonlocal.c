// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/nonlocal.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/terms/projector.h"
#include "linalg/ortho.h"

// D of one atom over its functions (i, m), m fastest.
static pv_status make_coupling(const pv_pseudo *pseudo, pv_scalar scalar, double **coupling_p)
{
    const int64_t n = pv_projector_functions(pseudo), reals = pv_scalar_reals(scalar);
    double *coupling;
    PV_TRY(PV_ALLOC(n * n * reals, &coupling));
    int64_t row = 0;
    for (int i = 0; i < pseudo->projectors; i++) {
        int64_t column = 0;
        for (int j = 0; j < pseudo->projectors; j++) {
            for (int m = 0; pseudo->l[i] == pseudo->l[j] && m < 2 * pseudo->l[i] + 1; m++)
                coupling[((column + m) * n + row + m) * reals] = pseudo->coupling_ha[i * pseudo->projectors + j];
            column += 2 * pseudo->l[j] + 1;
        }
        row += 2 * pseudo->l[i] + 1;
    }
    *coupling_p = coupling;
    return PV_OK;
}

pv_status pv_nonlocal_create(const pv_dense *dense, const pv_basis *basis, const pv_cell *cell,
                             pv_pseudo *const *pseudo, int64_t bands_most, pv_nonlocal **nonlocal_p)
{
    pv_nonlocal *nonlocal;
    PV_TRY(PV_ALLOC(1, &nonlocal));
    nonlocal->basis = basis;
    nonlocal->dense = dense;
    nonlocal->atoms = cell->atoms;
    nonlocal->species = cell->species;
    pv_status status;
    PV_TRY_GOTO(PV_ALLOC(cell->atoms + 1, &nonlocal->first), status, failed);
    PV_TRY_GOTO(PV_ALLOC(cell->atoms, &nonlocal->species_of), status, failed);
    PV_TRY_GOTO(PV_ALLOC(cell->species, &nonlocal->coupling), status, failed);
    memcpy(nonlocal->species_of, cell->species_of, (size_t)cell->atoms * sizeof *cell->species_of);
    for (int a = 0; a < cell->atoms; a++)
        nonlocal->first[a + 1] = nonlocal->first[a] + pv_projector_functions(pseudo[cell->species_of[a]]);
    nonlocal->count = nonlocal->first[cell->atoms];
    for (int s = 0; s < cell->species; s++)
        PV_TRY_GOTO(make_coupling(pseudo[s], basis->scalar, &nonlocal->coupling[s]), status, failed);
    const int64_t scratch = bands_most * nonlocal->count * pv_scalar_reals(basis->scalar);
    PV_TRY_GOTO(PV_ALLOC(nonlocal->count * basis->local, &nonlocal->projector), status, failed);
    PV_TRY_GOTO(PV_ALLOC(scratch, &nonlocal->overlap), status, failed);
    PV_TRY_GOTO(PV_ALLOC(scratch, &nonlocal->coupled), status, failed);
    PV_TRY_GOTO(pv_projectors_fill(basis, cell, pseudo, nonlocal->projector), status, failed);
    *nonlocal_p = nonlocal;
    return PV_OK;
failed:
    pv_nonlocal_destroy(nonlocal);
    return status;
}

void pv_nonlocal_destroy(pv_nonlocal *nonlocal)
{
    if (!nonlocal) return;
    for (int s = 0; nonlocal->coupling && s < nonlocal->species; s++) pv_mem_free(nonlocal->coupling[s]);
    pv_mem_free(nonlocal->coupling);
    pv_mem_free(nonlocal->first);
    pv_mem_free(nonlocal->species_of);
    pv_mem_free(nonlocal->projector);
    pv_mem_free(nonlocal->overlap);
    pv_mem_free(nonlocal->coupled);
    pv_mem_free(nonlocal);
}

void pv_nonlocal_diagonal(const pv_nonlocal *nonlocal, double *diagonal_ha)
{
    const pv_basis *basis = nonlocal->basis;
    const int64_t n = basis->local, reals = pv_scalar_reals(basis->scalar);
    for (int64_t g = 0; g < n; g++) diagonal_ha[g] = 0.0;
    for (int a = 0; a < nonlocal->atoms; a++) {
        const int64_t first = nonlocal->first[a], count = nonlocal->first[a + 1] - first;
        const double *coupling = nonlocal->coupling[nonlocal->species_of[a]];
        for (int64_t i = 0; i < count; i++)
            for (int64_t j = 0; j < count; j++) {
                const double d = coupling[(j * count + i) * reals];
                if (d == 0.0) continue;
                const double _Complex *p = nonlocal->projector + (first + i) * n,
                                      *q = nonlocal->projector + (first + j) * n;
                for (int64_t g = 0; g < n; g++)
                    diagonal_ha[g] += d * (creal(p[g]) * creal(q[g]) + cimag(p[g]) * cimag(q[g]))
                                      / pow(pv_basis_fold(basis, g), 2);
            }
    }
}

// coupled := D overlap, atom by atom.
static void couple(pv_nonlocal *nonlocal, int64_t bands)
{
    const pv_scalar scalar = nonlocal->basis->scalar;
    const int64_t reals = pv_scalar_reals(scalar);
    for (int a = 0; a < nonlocal->atoms; a++) {
        const int64_t first = nonlocal->first[a], n = nonlocal->first[a + 1] - first;
        pv_dense_gemm(nonlocal->dense, scalar, 'N', 'N', n, bands, n, 1.0, nonlocal->coupling[nonlocal->species_of[a]],
                      n, nonlocal->overlap + first * reals, nonlocal->count, 0.0, nonlocal->coupled + first * reals,
                      nonlocal->count);
    }
}

static pv_status project(pv_nonlocal *nonlocal, int64_t bands, const double _Complex *in)
{
    PV_TRY(pv_ortho_overlap(nonlocal->dense, nonlocal->basis->scalar, nonlocal->basis->length, nonlocal->count,
                            nonlocal->projector, bands, in, nonlocal->overlap));
    couple(nonlocal, bands);
    return PV_OK;
}

pv_status pv_nonlocal_apply(pv_nonlocal *nonlocal, int64_t bands, const double _Complex *in, double _Complex *out)
{
    const pv_basis *basis = nonlocal->basis;
    if (nonlocal->count == 0) return PV_OK;
    PV_TRY(project(nonlocal, bands, in));
    if (basis->length > 0)
        pv_dense_gemm(nonlocal->dense, basis->scalar, 'N', 'N', basis->length, bands, nonlocal->count, 1.0,
                      nonlocal->projector, basis->length, nonlocal->coupled, nonlocal->count, 1.0, out, basis->length);
    return PV_OK;
}

// sum over bands of weight Re <left|coupled> over the functions of all atoms.
static double contract(const pv_nonlocal *nonlocal, int64_t bands, const double *weight, const double *left)
{
    const int64_t reals = nonlocal->count * pv_scalar_reals(nonlocal->basis->scalar);
    double total = 0.0;
    for (int64_t b = 0; b < bands; b++) {
        double sum = 0.0;
        for (int64_t i = 0; i < reals; i++) sum += left[b * reals + i] * nonlocal->coupled[b * reals + i];
        total += weight[b] * sum;
    }
    return total;
}

pv_status pv_nonlocal_energy(pv_nonlocal *nonlocal, int64_t bands, const double *weight, const double _Complex *in,
                             double *energy_ha_p)
{
    *energy_ha_p = 0.0;
    if (nonlocal->count == 0) return PV_OK;
    PV_TRY(project(nonlocal, bands, in));
    *energy_ha_p = contract(nonlocal, bands, weight, nonlocal->overlap);
    return PV_OK;
}

// d/d tau |beta> = -i q |beta>, hence the force on an atom is -2 Re sum D <psi|beta'> <beta|psi> with
// <beta'|psi> = <beta| i q psi>: overlaps with i q_d psi, one direction after the other.
pv_status pv_nonlocal_add_forces(pv_nonlocal *nonlocal, int64_t bands, const double *weight, const double _Complex *in,
                                 double (*forces_ha_bohr)[3])
{
    const pv_basis *basis = nonlocal->basis;
    if (nonlocal->count == 0) return PV_OK;
    const int64_t reals = nonlocal->count * pv_scalar_reals(basis->scalar), per = pv_scalar_reals(basis->scalar);
    double _Complex *slope;
    PV_TRY(PV_ALLOC(bands * basis->local, &slope));
    double *derivative = NULL;
    pv_status status = PV_ALLOC(bands * reals, &derivative);
    if (status == PV_OK) status = project(nonlocal, bands, in);
    for (int d = 0; status == PV_OK && d < 3; d++) {
        for (int64_t b = 0; b < bands; b++)
            for (int64_t g = 0; g < basis->local; g++)
                slope[b * basis->local + g] = I * basis->q[g][d] * in[b * basis->local + g];
        status = pv_ortho_overlap(nonlocal->dense, basis->scalar, basis->length, nonlocal->count, nonlocal->projector,
                                  bands, slope, derivative);
        for (int a = 0; status == PV_OK && a < nonlocal->atoms; a++)
            for (int64_t b = 0; b < bands; b++) {
                double sum = 0.0;
                for (int64_t i = nonlocal->first[a] * per; i < nonlocal->first[a + 1] * per; i++)
                    sum += derivative[b * reals + i] * nonlocal->coupled[b * reals + i];
                forces_ha_bohr[a][d] -= 2.0 * weight[b] * sum;
            }
    }
    pv_mem_free(derivative);
    pv_mem_free(slope);
    return status;
}

pv_status pv_nonlocal_add_strain(pv_nonlocal *nonlocal, const pv_cell *cell, pv_pseudo *const *pseudo, int64_t bands,
                                 const double *weight, const double _Complex *in, double (*strain_ha)[3])
{
    const pv_basis *basis = nonlocal->basis;
    if (nonlocal->count == 0) return PV_OK;
    double _Complex *slopes;
    PV_TRY(PV_ALLOC(nonlocal->count * basis->local, &slopes));
    double *derivative = NULL;
    pv_status status = PV_ALLOC(bands * nonlocal->count * pv_scalar_reals(basis->scalar), &derivative);
    if (status == PV_OK) status = project(nonlocal, bands, in);
    for (int i = 0; status == PV_OK && i < 3; i++) {
        strain_ha[i][i] -= contract(nonlocal, bands, weight, nonlocal->overlap);
        for (int j = i; status == PV_OK && j < 3; j++) {
            status = pv_projectors_fill_strain(basis, cell, pseudo, i, j, slopes);
            if (status == PV_OK)
                status = pv_ortho_overlap(nonlocal->dense, basis->scalar, basis->length, nonlocal->count, slopes, bands,
                                          in, derivative);
            const double value = status == PV_OK ? 2.0 * contract(nonlocal, bands, weight, derivative) : 0.0;
            strain_ha[i][j] += value;
            if (i != j) strain_ha[j][i] += value;
        }
    }
    pv_mem_free(derivative);
    pv_mem_free(slopes);
    return status;
}
