// SPDX-License-Identifier: Apache-2.0
// What happens to single numbers of small matrices on a stream's device; column-major, scalars of `scalar`. Local.
#ifndef PV_LINALG_MATRIX_H
#define PV_LINALG_MATRIX_H

#include "linalg/dense_ops.h"

// diagonal[n] := real parts of the diagonal.
pv_status pv_matrix_take_diagonal(pv_stream *stream, pv_scalar scalar, int64_t n, const void *a, int64_t lda,
                                  double *diagonal);
// a[n][n] := the diagonal matrix of these numbers.
pv_status pv_matrix_set_diagonal(pv_stream *stream, pv_scalar scalar, int64_t n, const double *diagonal, void *a,
                                 int64_t lda);
// Column j of out[rows][columns] := factor[j] times column from[j] of `a`; factor and from on the device, NULL for 1
// and for j. out == a is allowed without `from`.
pv_status pv_matrix_pick_columns(pv_stream *stream, pv_scalar scalar, int64_t rows, int64_t columns, const void *a,
                                 int64_t lda, const int64_t *from, const double *factor, void *out, int64_t ldo);
// a := factor (a + a^H) / 2.
pv_status pv_matrix_symmetrise(pv_stream *stream, pv_scalar scalar, int64_t n, double factor, void *a);
// Largest distance of a number of a[n][n] from the unit matrix. parts: PV_REDUCE_PARTS doubles on the device.
pv_status pv_matrix_distance_from_unit(pv_stream *stream, pv_scalar scalar, int64_t n, const void *a, pv_buffer *parts,
                                       double *distance_p);

#endif
