// SPDX-License-Identifier: Apache-2.0
#include "linalg/ortho.h"

#include <math.h>

#include "base/check.h"
#include "base/mem.h"
#include "device/array.h"
#include "linalg/matrix.h"

#define DROP_BELOW 1e-12

pv_status pv_ortho_overlap(pv_dense *dense, pv_scalar scalar, int64_t length, int64_t m, const void *x, int64_t n,
                           const void *y, void *s)
{
    const int64_t ld = length > 0 ? length : 1;
    PV_TRY(pv_dense_gemm(dense, scalar, 'C', 'N', m, n, length, 1.0, x, ld, y, ld, 0.0, s, m));
    return pv_dense_sum(dense, m * n * pv_scalar_reals(scalar), s);
}

pv_status pv_ortho_project_out(pv_dense *dense, pv_scalar scalar, int64_t length, int64_t m, const void *v, int64_t n,
                               void *x, void *s)
{
    PV_TRY(pv_ortho_overlap(dense, scalar, length, m, v, n, x, s));
    if (length == 0) return PV_OK;
    return pv_dense_gemm(dense, scalar, 'N', 'N', length, n, m, -1.0, v, length, s, m, 1.0, x, length);
}

// x := x u diag(values^-1/2) over the eigenvectors u that count, from the gram matrix in s; factor[n] on the device.
static pv_status by_eigenvectors(pv_dense *dense, pv_scalar scalar, int64_t length, int64_t n, void *x, void *work,
                                 double *s, double *values, double *factor, int64_t *kept_p, double *least_p)
{
    const int64_t reals = pv_scalar_reals(scalar);
    pv_device *device = pv_dense_device(dense);
    pv_stream *stream = pv_device_stream(device);
    int64_t first = 0;
    PV_TRY(pv_dense_heevd(dense, scalar, n, s, values));
    while (first < n && !(values[first] > DROP_BELOW * values[n - 1])) first++;
    const int64_t kept = n - first;
    *kept_p = kept;
    *least_p = kept > 0 ? sqrt(values[first]) : 0.0;
    for (int64_t j = first; j < n; j++) values[j] = 1.0 / sqrt(values[j]);
    PV_TRY(pv_array_write(device, factor, values + first, (size_t)kept * sizeof *values));
    double *counted = s + first * n * reals;
    PV_TRY(pv_matrix_pick_columns(stream, scalar, n, kept, counted, n, NULL, factor, counted, n));
    if (length == 0) return PV_OK;
    PV_TRY(pv_stream_copy(stream, work, x, (size_t)(length * n * reals) * sizeof(double)));
    return pv_dense_gemm(dense, scalar, 'N', 'N', length, kept, n, 1.0, work, length, counted, n, 0.0, x, length);
}

static pv_status normalise_dependent(pv_dense *dense, pv_scalar scalar, int64_t length, int64_t n, void *x, void *work,
                                     double *s, int64_t *kept_p, double *least_p)
{
    pv_device *device = pv_dense_device(dense);
    double *values, *factor = NULL;
    PV_TRY(PV_ALLOC(n, &values));
    pv_status status = PV_ARRAY(device, "eigenvalues", n, &factor);
    if (status == PV_OK)
        status = by_eigenvectors(dense, scalar, length, n, x, work, s, values, factor, kept_p, least_p);
    pv_array_destroy(device, factor);
    pv_mem_free(values);
    return status;
}

pv_status pv_ortho_normalise(pv_dense *dense, pv_scalar scalar, int64_t length, int64_t n, void *x, void *work, void *s,
                             int64_t *kept_p, double *least_p)
{
    const int64_t reals = pv_scalar_reals(scalar);
    double *gram = s, *factor = gram + n * n * reals;
    PV_TRY(pv_ortho_overlap(dense, scalar, length, n, x, n, x, gram));
    PV_TRY(pv_dense_copy(dense, scalar, n, n, gram, n, factor, n));
    double range[2];
    int positive;
    PV_TRY(pv_dense_potrf(dense, scalar, n, factor, &positive, range));
    // Of dependent vectors rounding may leave a little.
    const int independent = positive && range[0] * range[0] > DROP_BELOW * range[1] * range[1];
    if (!independent) return normalise_dependent(dense, scalar, length, n, x, work, gram, kept_p, least_p);
    *kept_p = n;
    *least_p = range[0];
    return length > 0 ? pv_dense_trsm_right(dense, scalar, length, n, factor, n, x, length) : PV_OK;
}
