// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/ace.h"

#include <math.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "dft/terms/waves.h"
#include "linalg/matrix.h"
#include "linalg/ortho.h"

#define DROPPED 1e-12

static pv_status make_room(pv_ace *ace)
{
    const int64_t most = ace->most, local = ace->basis->local;
    PV_TRY(PV_ARRAY(ace->device, "compressed exchange", most * local, &ace->xi));
    PV_TRY(PV_ARRAY(ace->device, "exchange of the orbitals", most * local, &ace->work));
    PV_TRY(PV_ARRAY(ace->device, "compressed exchange", most, &ace->numbers));
    return PV_ARRAY(ace->device, "compressed exchange", 2 * most * most * pv_scalar_reals(ace->basis->scalar),
                    &ace->small);
}

pv_status pv_ace_create(pv_dense *dense, const pv_basis *basis, int64_t most, pv_ace **ace_p)
{
    pv_ace *ace;
    PV_TRY(PV_ALLOC(1, &ace));
    *ace = (pv_ace){.basis = basis, .dense = dense, .device = pv_dense_device(dense), .most = most};
    const pv_status status = make_room(ace);
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
    pv_array_destroy(ace->device, ace->xi);
    pv_array_destroy(ace->device, ace->work);
    pv_array_destroy(ace->device, ace->small);
    pv_array_destroy(ace->device, ace->numbers);
    pv_mem_free(ace);
}

// xi = V psi U S^(-1/2) from M = <psi|V|psi> = - U S U^H; values[n]: room on the host. The operator is hermitian;
// rounding and the cut of pair densities are not quite.
static pv_status compress(pv_ace *ace, int64_t n, const double _Complex *orbitals, const double _Complex *acted,
                          double *values)
{
    const pv_basis *basis = ace->basis;
    pv_stream *stream = pv_device_stream(ace->device);
    const int64_t reals = pv_scalar_reals(basis->scalar);
    PV_TRY(pv_ortho_overlap(ace->dense, basis->scalar, basis->length, n, orbitals, n, acted, ace->small));
    PV_TRY(pv_matrix_symmetrise(stream, basis->scalar, n, -1.0, ace->small));
    PV_TRY(pv_dense_heevd(ace->dense, basis->scalar, n, ace->small, values));
    int64_t first = 0;
    while (first < n && values[first] <= DROPPED * values[n - 1]) first++;
    ace->count = n - first;
    for (int64_t j = first; j < n; j++) values[j] = 1.0 / sqrt(values[j]);
    PV_TRY(pv_array_write(ace->device, ace->numbers, values + first, (size_t)ace->count * sizeof *values));
    double *counted = ace->small + first * n * reals;
    PV_TRY(pv_matrix_pick_columns(stream, basis->scalar, n, ace->count, counted, n, NULL, ace->numbers, counted, n));
    return pv_dense_gemm(ace->dense, basis->scalar, 'N', 'N', basis->length, ace->count, n, 1.0, acted, basis->length,
                         counted, n, 0.0, ace->xi, basis->length);
}

pv_status pv_ace_make(pv_ace *ace, int64_t bands, const double _Complex *orbitals, const double _Complex *acted)
{
    double *values;
    PV_TRY(PV_ALLOC(bands, &values));
    const pv_status status = compress(ace, bands, orbitals, acted, values);
    pv_mem_free(values);
    return status;
}

// small := <xi|in>.
static pv_status project(pv_ace *ace, int64_t bands, const double _Complex *in)
{
    const pv_basis *basis = ace->basis;
    return pv_ortho_overlap(ace->dense, basis->scalar, basis->length, ace->count, ace->xi, bands, in, ace->small);
}

pv_status pv_ace_apply(pv_ace *ace, int64_t bands, const double _Complex *in, double _Complex *out)
{
    const pv_basis *basis = ace->basis;
    if (ace->count == 0) return PV_OK;
    PV_TRY(project(ace, bands, in));
    return pv_dense_gemm(ace->dense, basis->scalar, 'N', 'N', basis->length, bands, ace->count, -1.0, ace->xi,
                         basis->length, ace->small, ace->count, 1.0, out, basis->length);
}

pv_status pv_ace_energy(pv_ace *ace, int64_t bands, const double *weights, const double _Complex *in, double *energy_p)
{
    const int64_t reals = ace->count * pv_scalar_reals(ace->basis->scalar);
    double *squares;
    *energy_p = 0.0;
    if (ace->count == 0) return PV_OK;
    PV_TRY(project(ace, bands, in));
    PV_TRY(pv_waves_squares(pv_device_stream(ace->device), bands, reals, ace->small, ace->numbers));
    PV_TRY(PV_ALLOC(bands, &squares));
    const pv_status status = pv_array_read(ace->device, ace->numbers, squares, (size_t)bands * sizeof *squares);
    for (int64_t b = 0; status == PV_OK && b < bands; b++) *energy_p -= weights[b] * squares[b];
    pv_mem_free(squares);
    return status;
}
