// SPDX-License-Identifier: Apache-2.0
#include "linalg/dense_ops.h"

#include <cblas.h>
#include <complex.h>
#define lapack_complex_double double _Complex
#define lapack_complex_float float _Complex
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "linalg/openblas_core.h"

// OpenBLAS's own call; its header is not the one of every cblas.
void openblas_set_num_threads(int threads);

static pv_status open(pv_device *device, void **state_p)
{
    openblas_set_num_threads(pv_device_threads(device));
    *state_p = NULL;
    return PV_OK;
}

static void close(void *state) { (void)state; }

static CBLAS_TRANSPOSE transpose_of(char op) { return op == 'C' ? CblasConjTrans : CblasNoTrans; }

static pv_status gemm(void *state, pv_scalar scalar, char op_a, char op_b, int64_t m, int64_t n, int64_t k,
                      double alpha, const void *a, int64_t lda, const void *b, int64_t ldb, double beta, void *c,
                      int64_t ldc)
{
    (void)state;
    if (m == 0 || n == 0) return PV_OK;
    if (scalar == PV_SCALAR_REAL) {
        cblas_dgemm(CblasColMajor, transpose_of(op_a), transpose_of(op_b), (int)m, (int)n, (int)k, alpha, a, (int)lda,
                    b, (int)ldb, beta, c, (int)ldc);
        return PV_OK;
    }
    const double _Complex factor = alpha, old = beta;
    cblas_zgemm(CblasColMajor, transpose_of(op_a), transpose_of(op_b), (int)m, (int)n, (int)k, &factor, a, (int)lda, b,
                (int)ldb, &old, c, (int)ldc);
    return PV_OK;
}

static pv_status trsm_right(void *state, pv_scalar scalar, int64_t m, int64_t n, const void *a, int64_t lda, void *b,
                            int64_t ldb)
{
    (void)state;
    if (m == 0 || n == 0) return PV_OK;
    if (scalar == PV_SCALAR_REAL) {
        cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, (int)m, (int)n, 1.0, a,
                    (int)lda, b, (int)ldb);
        return PV_OK;
    }
    const double _Complex one = 1.0;
    cblas_ztrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, (int)m, (int)n, &one, a, (int)lda, b,
                (int)ldb);
    return PV_OK;
}

static pv_status potrf(void *state, pv_scalar scalar, int64_t n, void *a, int64_t lda, int *info_p, double range[2])
{
    (void)state;
    const int64_t reals = pv_scalar_reals(scalar);
    *info_p = 0;
    range[0] = INFINITY;
    range[1] = 0.0;
    if (n == 0) return PV_OK;
    *info_p = scalar == PV_SCALAR_REAL ? LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', (int)n, a, (int)lda)
                                       : LAPACKE_zpotrf(LAPACK_COL_MAJOR, 'U', (int)n, a, (int)lda);
    const double *diagonal = a;
    for (int64_t j = 0; j < n; j++) {
        range[0] = fmin(range[0], diagonal[j * (lda + 1) * reals]);
        range[1] = fmax(range[1], diagonal[j * (lda + 1) * reals]);
    }
    return PV_OK;
}

static pv_status heevd(void *state, pv_scalar scalar, int64_t n, void *a, int64_t lda, double *values, int *info_p)
{
    (void)state;
    *info_p = 0;
    if (n == 0) return PV_OK;
    *info_p = scalar == PV_SCALAR_REAL ? LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', (int)n, a, (int)lda, values)
                                       : LAPACKE_zheevd(LAPACK_COL_MAJOR, 'V', 'U', (int)n, a, (int)lda, values);
    return PV_OK;
}

static pv_status copy(void *state, pv_scalar scalar, int64_t rows, int64_t columns, const void *from, int64_t ld_from,
                      void *to, int64_t ld_to)
{
    (void)state;
    const size_t bytes = (size_t)pv_scalar_reals(scalar) * sizeof(double);
    for (int64_t j = 0; j < columns; j++)
        memcpy((char *)to + (size_t)(j * ld_to) * bytes, (const char *)from + (size_t)(j * ld_from) * bytes,
               (size_t)rows * bytes);
    return PV_OK;
}

const pv_dense_ops pv_dense_ops_cpu = {
    .name = "openblas",
    .kernels = pv_openblas_core,
    .open = open,
    .close = close,
    .gemm = gemm,
    .trsm_right = trsm_right,
    .potrf = potrf,
    .heevd = heevd,
    .copy = copy,
};
