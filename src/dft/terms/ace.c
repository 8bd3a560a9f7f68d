// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/ace.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "linalg/ortho.h"

#define DROPPED 1e-12

pv_status pv_ace_create(const pv_dense *dense, const pv_basis *basis, int64_t most, pv_ace **ace_p)
{
    pv_ace *ace;
    PV_TRY(PV_ALLOC(1, &ace));
    *ace = (pv_ace){.basis = basis, .dense = dense, .most = most};
    pv_status status = PV_ALLOC(most * basis->local, &ace->xi);
    if (status == PV_OK) status = PV_ALLOC(most * basis->local, &ace->work);
    if (status == PV_OK) status = PV_ALLOC(2 * most * most * pv_scalar_reals(basis->scalar), &ace->small);
    if (status != PV_OK) {
        pv_ace_destroy(ace);
        return status;
    }
    *ace_p = ace;
    return PV_OK;
}

void pv_ace_destroy(pv_ace *ace)
{
    if (!ace) return;
    pv_mem_free(ace->xi);
    pv_mem_free(ace->work);
    pv_mem_free(ace->small);
    pv_mem_free(ace);
}

// The operator is hermitian; rounding and the cut of pair densities are not quite.
static void symmetrise_negative(int64_t n, int64_t reals, double *m)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= j; i++)
            for (int64_t r = 0; r < reals; r++) {
                const double sign = r == 0 ? 1.0 : -1.0;
                double *upper = &m[(j * n + i) * reals + r], *lower = &m[(i * n + j) * reals + r];
                const double mean = -0.5 * (*upper + sign * *lower);
                *upper = mean;
                *lower = sign * mean;
            }
}

// With M = <psi|V|psi> = - U S U^H: xi = V psi U S^(-1/2).
pv_status pv_ace_make(pv_ace *ace, const double _Complex *orbitals, const double _Complex *acted)
{
    const pv_basis *basis = ace->basis;
    const int64_t n = ace->most, reals = pv_scalar_reals(basis->scalar);
    double *vectors = ace->small, *values = ace->small + n * n * reals;
    PV_TRY(pv_ortho_overlap(ace->dense, basis->scalar, basis->length, n, orbitals, n, acted, vectors));
    symmetrise_negative(n, reals, vectors);
    PV_TRY(pv_dense_heevd(ace->dense, basis->scalar, n, vectors, values));
    int64_t first = 0;
    while (first < n && values[first] <= DROPPED * values[n - 1]) first++;
    ace->count = n - first;
    for (int64_t j = first; j < n; j++)
        for (int64_t i = 0; i < n * reals; i++) vectors[j * n * reals + i] /= sqrt(values[j]);
    pv_dense_gemm(ace->dense, basis->scalar, 'N', 'N', basis->length, ace->count, n, 1.0, acted, basis->length,
                  vectors + first * n * reals, n, 0.0, ace->xi, basis->length);
    return PV_OK;
}

pv_status pv_ace_apply(pv_ace *ace, int64_t bands, const double _Complex *in, double _Complex *out)
{
    const pv_basis *basis = ace->basis;
    if (ace->count == 0) return PV_OK;
    PV_TRY(pv_ortho_overlap(ace->dense, basis->scalar, basis->length, ace->count, ace->xi, bands, in, ace->small));
    pv_dense_gemm(ace->dense, basis->scalar, 'N', 'N', basis->length, bands, ace->count, -1.0, ace->xi, basis->length,
                  ace->small, ace->count, 1.0, out, basis->length);
    return PV_OK;
}

pv_status pv_ace_energy(pv_ace *ace, int64_t bands, const double *weights, const double _Complex *in, double *energy_p)
{
    const pv_basis *basis = ace->basis;
    const int64_t column = ace->count * pv_scalar_reals(basis->scalar);
    *energy_p = 0.0;
    if (ace->count == 0) return PV_OK;
    PV_TRY(pv_ortho_overlap(ace->dense, basis->scalar, basis->length, ace->count, ace->xi, bands, in, ace->small));
    for (int64_t b = 0; b < bands; b++) {
        double sum = 0.0;
        for (int64_t i = 0; i < column; i++) sum += ace->small[b * column + i] * ace->small[b * column + i];
        *energy_p -= weights[b] * sum;
    }
    return PV_OK;
}
