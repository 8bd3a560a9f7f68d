// SPDX-License-Identifier: Apache-2.0
// Dense algebra for subspaces: thin calls through the device's table, and small problems solved once for all ranks.
// Matrices are arrays of the communicator's device (device/array.h); work is in the order of its own stream.
#ifndef PV_LINALG_DENSE_H
#define PV_LINALG_DENSE_H

#include <parseval/comm.h>

#include "linalg/dense_ops.h"

typedef struct pv_dense pv_dense;

// The library of comm's device, with its threads. Keeps comm, which must outlive it. Local.
pv_status pv_dense_open(pv_comm *comm, pv_dense **dense_p);
void pv_dense_close(pv_dense *dense);
const char *pv_dense_name(const pv_dense *dense);
const char *pv_dense_kernels(const pv_dense *dense); // for which processor
pv_device *pv_dense_device(const pv_dense *dense);

// c = alpha op(a) op(b) + beta c; see dense_ops.h. Local.
pv_status pv_dense_gemm(const pv_dense *dense, pv_scalar scalar, char op_a, char op_b, int64_t m, int64_t n, int64_t k,
                        double alpha, const void *a, int64_t lda, const void *b, int64_t ldb, double beta, void *c,
                        int64_t ldc);
// b := b inverse(r). Local.
pv_status pv_dense_trsm_right(const pv_dense *dense, pv_scalar scalar, int64_t m, int64_t n, const void *a, int64_t lda,
                              void *b, int64_t ldb);
// to[rows][columns] = from, each with its leading dimension. Local.
pv_status pv_dense_copy(const pv_dense *dense, pv_scalar scalar, int64_t rows, int64_t columns, const void *from,
                        int64_t ld_from, void *to, int64_t ld_to);

// values[count], an array of the device, become their sums over the ranks. Collective.
pv_status pv_dense_sum(pv_dense *dense, int64_t count, double *values);

// Small problems: a[n][n] is the same on all ranks, rank 0 solves and the others get its bits, so that ranks never
// disagree on a sign or on a nearly degenerate pair. Collective.
// *positive_p = 0 when a is not positive definite; a is then spoilt. range: the least and the largest
// number on the factor's diagonal.
pv_status pv_dense_potrf(pv_dense *dense, pv_scalar scalar, int64_t n, void *a, int *positive_p, double range[2]);
// values[n] on the host.
pv_status pv_dense_heevd(pv_dense *dense, pv_scalar scalar, int64_t n, void *a, double *values);

#endif
