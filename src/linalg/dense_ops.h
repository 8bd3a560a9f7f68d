// SPDX-License-Identifier: Apache-2.0
// What a dense-algebra backend must do. Matrices are column-major, as BLAS and LAPACK have them: a block of vectors is
// a matrix whose columns, contiguous in memory, are the vectors. Factors are real in both scalar types. Matrices lie on
// the backend's device, and work is in the order of the device's own stream.
#ifndef PV_LINALG_DENSE_OPS_H
#define PV_LINALG_DENSE_OPS_H

#include <stdint.h>

#include <parseval/device.h>
#include <parseval/status.h>

typedef enum pv_scalar { PV_SCALAR_REAL, PV_SCALAR_COMPLEX } pv_scalar;

static inline int64_t pv_scalar_reals(pv_scalar scalar) { return scalar == PV_SCALAR_REAL ? 1 : 2; }

// 'N': as it is; 'C': conjugate transpose (the transpose of a real matrix). `state` is what open has made.
typedef struct pv_dense_ops {
    const char *name;
    const char *(*kernels)(void);      // what the library has chosen for this processor
    pv_status (*open)(pv_device *device, void **state_p);
    void (*close)(void *state);
    // c[m][n] = alpha op(a) op(b) + beta c, with k the inner length.
    pv_status (*gemm)(void *state, pv_scalar scalar, char op_a, char op_b, int64_t m, int64_t n, int64_t k,
                      double alpha, const void *a, int64_t lda, const void *b, int64_t ldb, double beta, void *c,
                      int64_t ldc);
    // b := b inverse(r) with r the upper triangle of a[n][n]; b[m][n].
    pv_status (*trsm_right)(void *state, pv_scalar scalar, int64_t m, int64_t n, const void *a, int64_t lda, void *b,
                            int64_t ldb);
    // Upper triangle of a := its Cholesky factor r, a = r^H r. LAPACK's info, > 0 when a is not positive, and the least
    // and the largest number on the diagonal of r.
    pv_status (*potrf)(void *state, pv_scalar scalar, int64_t n, void *a, int64_t lda, int *info_p, double range[2]);
    // Eigenvalues ascending into values, on the host, eigenvectors over a; the upper triangle is read. LAPACK's info.
    pv_status (*heevd)(void *state, pv_scalar scalar, int64_t n, void *a, int64_t lda, double *values, int *info_p);
    // to[rows][columns] = from.
    pv_status (*copy)(void *state, pv_scalar scalar, int64_t rows, int64_t columns, const void *from, int64_t ld_from,
                      void *to, int64_t ld_to);
} pv_dense_ops;

extern const pv_dense_ops pv_dense_ops_cpu, pv_dense_ops_cuda;

#endif
