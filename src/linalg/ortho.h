// SPDX-License-Identifier: Apache-2.0
// Blocks of vectors whose elements are shared out over the ranks: inner products and orthonormalisation.
// A block is column-major: vector j begins at j * length scalars, `length` being this rank's share. All are arrays of
// the device of `dense`.
#ifndef PV_LINALG_ORTHO_H
#define PV_LINALG_ORTHO_H

#include "linalg/dense.h"

// s[m][n] = x^H y summed over ranks, leading dimension m. Collective.
pv_status pv_ortho_overlap(pv_dense *dense, pv_scalar scalar, int64_t length, int64_t m, const void *x, int64_t n,
                           const void *y, void *s);

// x[n] -= v[m] (v^H x). `s` is scratch for m * n scalars. Collective.
pv_status pv_ortho_project_out(pv_dense *dense, pv_scalar scalar, int64_t length, int64_t m, const void *v, int64_t n,
                               void *x, void *s);

// Replaces x[n] by an orthonormal basis of its span. Cholesky where the Gram matrix allows it; else eigenvectors, and
// directions with an eigenvalue below 1e-12 of the largest are dropped: *kept_p <= n vectors remain, in front.
// *least_p is the least norm that was left of a vector without its predecessors (or along an eigenvector): what comes
// out is orthonormal to about round-off over it. `work` has room for n vectors, `s` for 2 n * n scalars. Collective.
pv_status pv_ortho_normalise(pv_dense *dense, pv_scalar scalar, int64_t length, int64_t n, void *x, void *work, void *s,
                             int64_t *kept_p, double *least_p);

#endif
