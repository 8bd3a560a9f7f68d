// SPDX-License-Identifier: Apache-2.0
#include "linalg/dense.h"

#include "base/check.h"
#include "base/mem.h"
#include "device/device_ops.h"

struct pv_dense {
    const pv_dense_ops *ops;
    void *state;           // the backend's own
    pv_comm *comm;
    pv_device *device;
};

static const pv_dense_ops *ops_of(const pv_device *device)
{
#if PV_HAVE_CUDA
    if (device->ops == &pv_device_cuda) return &pv_dense_ops_cuda;
#endif
    (void)device;
    return &pv_dense_ops_cpu;
}

pv_status pv_dense_open(pv_comm *comm, pv_dense **dense_p)
{
    pv_dense *dense;
    PV_TRY(PV_ALLOC(1, &dense));
    dense->device = pv_comm_device(comm);
    dense->ops = ops_of(dense->device);
    dense->comm = comm;
    const pv_status status = dense->ops->open(dense->device, &dense->state);
    if (status != PV_OK) {
        pv_mem_free(dense);
        return status;
    }
    *dense_p = dense;
    return PV_OK;
}

void pv_dense_close(pv_dense *dense)
{
    if (!dense) return;
    dense->ops->close(dense->state);
    pv_mem_free(dense);
}

const char *pv_dense_name(const pv_dense *dense) { return dense->ops->name; }

const char *pv_dense_kernels(const pv_dense *dense) { return dense->ops->kernels(); }

pv_device *pv_dense_device(const pv_dense *dense) { return dense->device; }

pv_status pv_dense_gemm(const pv_dense *dense, pv_scalar scalar, char op_a, char op_b, int64_t m, int64_t n, int64_t k,
                        double alpha, const void *a, int64_t lda, const void *b, int64_t ldb, double beta, void *c,
                        int64_t ldc)
{
    return dense->ops->gemm(dense->state, scalar, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

pv_status pv_dense_trsm_right(const pv_dense *dense, pv_scalar scalar, int64_t m, int64_t n, const void *a, int64_t lda,
                              void *b, int64_t ldb)
{
    return dense->ops->trsm_right(dense->state, scalar, m, n, a, lda, b, ldb);
}

pv_status pv_dense_copy(const pv_dense *dense, pv_scalar scalar, int64_t rows, int64_t columns, const void *from,
                        int64_t ld_from, void *to, int64_t ld_to)
{
    return dense->ops->copy(dense->state, scalar, rows, columns, from, ld_from, to, ld_to);
}

// ---- Over ranks ----------------------------------------------------------------------------------------------------

pv_status pv_dense_sum(pv_dense *dense, int64_t count, double *values)
{
    return pv_comm_sum_on(dense->comm, pv_device_stream(dense->device), count, values);
}

// Rank 0's matrix to everybody.
static pv_status spread(const pv_dense *dense, pv_scalar scalar, int64_t n, void *a)
{
    const size_t bytes = (size_t)(n * n * pv_scalar_reals(scalar)) * sizeof(double);
    return pv_comm_broadcast_on(dense->comm, pv_device_stream(dense->device), bytes, a);
}

// Of rank 0's solution.
typedef struct outcome {
    pv_status status;
    int info;
    double range[2];
} outcome;

static pv_status share(pv_dense *dense, outcome *found)
{
    const pv_status mine = found->status;
    PV_TRY(pv_comm_broadcast(dense->comm, 0, sizeof *found, found));
    return found->status == PV_OK ? PV_OK : pv_comm_agree(dense->comm, mine);
}

pv_status pv_dense_potrf(pv_dense *dense, pv_scalar scalar, int64_t n, void *a, int *positive_p, double range[2])
{
    outcome found = {.status = PV_OK};
    if (pv_comm_rank(dense->comm) == 0)
        found.status = dense->ops->potrf(dense->state, scalar, n, a, n, &found.info, found.range);
    PV_TRY(share(dense, &found));
    PV_REQUIRE(found.info >= 0, PV_ERR_INTERNAL, "Cholesky of order %lld: argument %d refused", (long long)n,
               -found.info);
    if (found.info == 0) PV_TRY(spread(dense, scalar, n, a));
    *positive_p = found.info == 0;
    range[0] = found.range[0];
    range[1] = found.range[1];
    return PV_OK;
}

pv_status pv_dense_heevd(pv_dense *dense, pv_scalar scalar, int64_t n, void *a, double *values)
{
    outcome found = {.status = PV_OK};
    if (pv_comm_rank(dense->comm) == 0)
        found.status = dense->ops->heevd(dense->state, scalar, n, a, n, values, &found.info);
    PV_TRY(share(dense, &found));
    PV_REQUIRE(found.info == 0, PV_ERR_CONVERGENCE, "eigenproblem of order %lld: info of %s is %d", (long long)n,
               dense->ops->name, found.info);
    PV_TRY(spread(dense, scalar, n, a));
    return pv_comm_broadcast(dense->comm, 0, (size_t)n * sizeof *values, values);
}
