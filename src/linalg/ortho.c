// SPDX-License-Identifier: Apache-2.0
#include "linalg/ortho.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"

#define DROP_BELOW 1e-12

pv_status pv_ortho_overlap(const pv_dense *dense, pv_scalar scalar, int64_t length, int64_t m, const void *x,
                           int64_t n, const void *y, void *s)
{
    const int64_t ld = length > 0 ? length : 1;
    pv_dense_gemm(dense, scalar, 'C', 'N', m, n, length, 1.0, x, ld, y, ld, 0.0, s, m);
    return pv_comm_reduce_f64(pv_dense_comm(dense), PV_SUM, m * n * pv_scalar_reals(scalar), s);
}

pv_status pv_ortho_project_out(const pv_dense *dense, pv_scalar scalar, int64_t length, int64_t m, const void *v,
                               int64_t n, void *x, void *s)
{
    PV_TRY(pv_ortho_overlap(dense, scalar, length, m, v, n, x, s));
    if (length > 0) pv_dense_gemm(dense, scalar, 'N', 'N', length, n, m, -1.0, v, length, s, m, 1.0, x, length);
    return PV_OK;
}

// x := x u diag(values^-1/2) over the eigenvectors u that count, from the gram matrix in s.
static pv_status by_eigenvectors(const pv_dense *dense, pv_scalar scalar, int64_t length, int64_t n, void *x,
                                 void *work, double *s, int64_t *kept_p, double *least_p)
{
    const int64_t reals = pv_scalar_reals(scalar);
    double *values;
    PV_TRY(PV_ALLOC(n, &values));
    pv_status status = pv_dense_heevd(dense, scalar, n, s, values);
    int64_t first = 0;
    if (status == PV_OK) {
        while (first < n && !(values[first] > DROP_BELOW * values[n - 1])) first++;
        for (int64_t j = first; j < n; j++) {
            const double factor = 1.0 / sqrt(values[j]);
            for (int64_t i = 0; i < n * reals; i++) s[j * n * reals + i] *= factor;
        }
        const int64_t kept = n - first;
        memcpy(work, x, (size_t)(length * n * reals) * sizeof(double));
        if (length > 0)
            pv_dense_gemm(dense, scalar, 'N', 'N', length, kept, n, 1.0, work, length, s + first * n * reals, n, 0.0, x,
                          length);
        *kept_p = kept;
        *least_p = sqrt(values[first]);
    }
    pv_mem_free(values);
    return status;
}

pv_status pv_ortho_normalise(const pv_dense *dense, pv_scalar scalar, int64_t length, int64_t n, void *x, void *work,
                             void *s, int64_t *kept_p, double *least_p)
{
    const int64_t reals = pv_scalar_reals(scalar);
    double *gram = s, *factor = gram + n * n * reals;
    PV_TRY(pv_ortho_overlap(dense, scalar, length, n, x, n, x, gram));
    memcpy(factor, gram, (size_t)(n * n * reals) * sizeof(double));
    int positive;
    PV_TRY(pv_dense_potrf(dense, scalar, n, factor, &positive));
    if (!positive) return by_eigenvectors(dense, scalar, length, n, x, work, gram, kept_p, least_p);
    if (length > 0) pv_dense_trsm_right(dense, scalar, length, n, factor, n, x, length);
    *kept_p = n;
    *least_p = INFINITY;
    for (int64_t j = 0; j < n; j++) *least_p = fmin(*least_p, factor[(j * n + j) * reals]);
    return PV_OK;
}
