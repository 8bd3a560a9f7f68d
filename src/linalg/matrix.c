// SPDX-License-Identifier: Apache-2.0
#include "linalg/matrix.h"

#include "linalg/matrix_kernels.h"

pv_status pv_matrix_take_diagonal(pv_stream *stream, pv_scalar scalar, int64_t n, const void *a, int64_t lda,
                                  double *diagonal)
{
    const take_diagonal_arguments arguments = {(lda + 1) * pv_scalar_reals(scalar), a, diagonal};
    return pv_kernel_launch(stream, &take_diagonal, n, &arguments);
}

pv_status pv_matrix_set_diagonal(pv_stream *stream, pv_scalar scalar, int64_t n, const double *diagonal, void *a,
                                 int64_t lda)
{
    const int64_t reals = pv_scalar_reals(scalar);
    const set_diagonal_arguments arguments = {reals, n * reals, lda * reals, diagonal, a};
    return pv_kernel_launch(stream, &set_diagonal, n * n * reals, &arguments);
}

pv_status pv_matrix_pick_columns(pv_stream *stream, pv_scalar scalar, int64_t rows, int64_t columns, const void *a,
                                 int64_t lda, const int64_t *from, const double *factor, void *out, int64_t ldo)
{
    const int64_t reals = pv_scalar_reals(scalar);
    const pick_columns_arguments arguments = {rows * reals, lda * reals, ldo * reals, a, from, factor, out};
    return pv_kernel_launch(stream, &pick_columns, rows * reals * columns, &arguments);
}

pv_status pv_matrix_symmetrise(pv_stream *stream, pv_scalar scalar, int64_t n, double factor, void *a)
{
    const symmetrise_arguments arguments = {n, pv_scalar_reals(scalar), factor, a};
    return pv_kernel_launch(stream, &symmetrise, n * n, &arguments);
}

pv_status pv_matrix_distance_from_unit(pv_stream *stream, pv_scalar scalar, int64_t n, const void *a, pv_buffer *parts,
                                       double *distance_p)
{
    const int64_t reals = pv_scalar_reals(scalar);
    const distance_arguments arguments = {pv_buffer_data(parts), reals, n * reals, a};
    return pv_reduction_run(stream, &largest_distance, n * n * reals, &arguments, parts, distance_p);
}
