// SPDX-License-Identifier: Apache-2.0
#include "linalg/dense.h"

#include "base/check.h"
#include "base/mem.h"

struct pv_dense {
    const pv_dense_ops *ops;
    pv_comm *comm;
};

pv_status pv_dense_open(pv_comm *comm, pv_dense **dense_p)
{
    pv_device *device = pv_comm_device(comm);
    PV_REQUIRE(pv_device_is_host(device), PV_ERR_NOT_BUILT, "dense algebra on device '%s'; known: cpu",
               pv_device_name(device));
    pv_dense *dense;
    PV_TRY(PV_ALLOC(1, &dense));
    dense->ops = &pv_dense_ops_cpu;
    dense->comm = comm;
    dense->ops->set_threads(pv_device_threads(device));
    *dense_p = dense;
    return PV_OK;
}

void pv_dense_close(pv_dense *dense) { pv_mem_free(dense); }

const char *pv_dense_name(const pv_dense *dense) { return dense->ops->name; }

const char *pv_dense_kernels(const pv_dense *dense) { return dense->ops->kernels(); }

pv_comm *pv_dense_comm(const pv_dense *dense) { return dense->comm; }

void pv_dense_gemm(const pv_dense *dense, pv_scalar scalar, char op_a, char op_b, int64_t m, int64_t n, int64_t k,
                   double alpha, const void *a, int64_t lda, const void *b, int64_t ldb, double beta, void *c,
                   int64_t ldc)
{
    dense->ops->gemm(scalar, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

void pv_dense_trsm_right(const pv_dense *dense, pv_scalar scalar, int64_t m, int64_t n, const void *a, int64_t lda,
                         void *b, int64_t ldb)
{
    dense->ops->trsm_right(scalar, m, n, a, lda, b, ldb);
}

static size_t matrix_bytes(pv_scalar scalar, int64_t n)
{
    return (size_t)(n * n * pv_scalar_reals(scalar)) * sizeof(double);
}

pv_status pv_dense_potrf(const pv_dense *dense, pv_scalar scalar, int64_t n, void *a, int *positive_p)
{
    int info = 0;
    if (pv_comm_rank(dense->comm) == 0) info = dense->ops->potrf(scalar, n, a, n);
    PV_TRY(pv_comm_broadcast(dense->comm, 0, sizeof info, &info));
    PV_REQUIRE(info >= 0, PV_ERR_INTERNAL, "Cholesky of order %lld: argument %d refused", (long long)n, -info);
    if (info == 0) PV_TRY(pv_comm_broadcast(dense->comm, 0, matrix_bytes(scalar, n), a));
    *positive_p = info == 0;
    return PV_OK;
}

pv_status pv_dense_heevd(const pv_dense *dense, pv_scalar scalar, int64_t n, void *a, double *values)
{
    int info = 0;
    if (pv_comm_rank(dense->comm) == 0) info = dense->ops->heevd(scalar, n, a, n, values);
    PV_TRY(pv_comm_broadcast(dense->comm, 0, sizeof info, &info));
    PV_REQUIRE(info == 0, PV_ERR_CONVERGENCE, "eigenproblem of order %lld: LAPACK info %d", (long long)n, info);
    PV_TRY(pv_comm_broadcast(dense->comm, 0, matrix_bytes(scalar, n), a));
    return pv_comm_broadcast(dense->comm, 0, (size_t)n * sizeof *values, values);
}
