// SPDX-License-Identifier: Apache-2.0
#include "linalg/dense_ops.h"

#include <cblas.h>
#include <complex.h>
#define lapack_complex_double double _Complex
#define lapack_complex_float float _Complex
#include <lapacke.h>

#include "linalg/openblas_core.h"

// OpenBLAS's own call; its header is not the one of every cblas.
void openblas_set_num_threads(int threads);

static void set_threads(int threads) { openblas_set_num_threads(threads); }

static CBLAS_TRANSPOSE transpose_of(char op) { return op == 'C' ? CblasConjTrans : CblasNoTrans; }

static void gemm(pv_scalar scalar, char op_a, char op_b, int64_t m, int64_t n, int64_t k, double alpha, const void *a,
                 int64_t lda, const void *b, int64_t ldb, double beta, void *c, int64_t ldc)
{
    if (m == 0 || n == 0) return;
    if (scalar == PV_SCALAR_REAL) {
        cblas_dgemm(CblasColMajor, transpose_of(op_a), transpose_of(op_b), (int)m, (int)n, (int)k, alpha, a, (int)lda,
                    b, (int)ldb, beta, c, (int)ldc);
        return;
    }
    const double _Complex factor = alpha, old = beta;
    cblas_zgemm(CblasColMajor, transpose_of(op_a), transpose_of(op_b), (int)m, (int)n, (int)k, &factor, a, (int)lda, b,
                (int)ldb, &old, c, (int)ldc);
}

static void trsm_right(pv_scalar scalar, int64_t m, int64_t n, const void *a, int64_t lda, void *b, int64_t ldb)
{
    if (m == 0 || n == 0) return;
    if (scalar == PV_SCALAR_REAL) {
        cblas_dtrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, (int)m, (int)n, 1.0, a,
                    (int)lda, b, (int)ldb);
        return;
    }
    const double _Complex one = 1.0;
    cblas_ztrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, (int)m, (int)n, &one, a, (int)lda, b,
                (int)ldb);
}

static int potrf(pv_scalar scalar, int64_t n, void *a, int64_t lda)
{
    if (n == 0) return 0;
    if (scalar == PV_SCALAR_REAL) return LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', (int)n, a, (int)lda);
    return LAPACKE_zpotrf(LAPACK_COL_MAJOR, 'U', (int)n, a, (int)lda);
}

static int heevd(pv_scalar scalar, int64_t n, void *a, int64_t lda, double *values)
{
    if (n == 0) return 0;
    if (scalar == PV_SCALAR_REAL) return LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', (int)n, a, (int)lda, values);
    return LAPACKE_zheevd(LAPACK_COL_MAJOR, 'V', 'U', (int)n, a, (int)lda, values);
}

const pv_dense_ops pv_dense_ops_cpu = {
    .name = "openblas",
    .kernels = pv_openblas_core,
    .set_threads = set_threads,
    .gemm = gemm,
    .trsm_right = trsm_right,
    .potrf = potrf,
    .heevd = heevd,
};
