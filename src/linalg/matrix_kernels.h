// SPDX-License-Identifier: Apache-2.0
// Bodies of matrix.h for both compilers; included by matrix.c and cuda/matrix.cu alone. `reals`: of a scalar.
#ifndef PV_LINALG_MATRIX_KERNELS_H
#define PV_LINALG_MATRIX_KERNELS_H

#include <math.h>

#include "device/reduce.h"

typedef struct take_diagonal_arguments {
    int64_t step;          // reals from one number of the diagonal to the next
    const double *a;
    double *diagonal;
} take_diagonal_arguments;

PV_KERNEL_FUNCTION void take_diagonal_at(take_diagonal_arguments a, int64_t i)
{
    a.diagonal[i] = a.a[i * a.step];
}
PV_KERNEL(take_diagonal, take_diagonal_arguments, take_diagonal_at)

// Indices are reals: column j, real i of it.
typedef struct set_diagonal_arguments {
    int64_t reals, column, lda; // reals of a scalar, of a column, from one column to the next
    const double *diagonal;
    double *a;
} set_diagonal_arguments;

PV_KERNEL_FUNCTION void set_diagonal_at(set_diagonal_arguments a, int64_t index)
{
    const int64_t j = index / a.column, i = index - j * a.column;
    a.a[j * a.lda + i] = i == j * a.reals ? a.diagonal[j] : 0.0;
}
PV_KERNEL(set_diagonal, set_diagonal_arguments, set_diagonal_at)

typedef struct pick_columns_arguments {
    int64_t column, lda, ldo;
    const double *a;
    const int64_t *from;
    const double *factor;
    double *out;
} pick_columns_arguments;

PV_KERNEL_FUNCTION void pick_columns_at(pick_columns_arguments a, int64_t index)
{
    const int64_t j = index / a.column, i = index - j * a.column, from = a.from ? a.from[j] : j;
    a.out[j * a.ldo + i] = (a.factor ? a.factor[j] : 1.0) * a.a[from * a.lda + i];
}
PV_KERNEL(pick_columns, pick_columns_arguments, pick_columns_at)

typedef struct symmetrise_arguments {
    int64_t n, reals;
    double factor;
    double *a;
} symmetrise_arguments;

// The thread of a number above the diagonal, or on it, writes its partner too.
PV_KERNEL_FUNCTION void symmetrise_at(symmetrise_arguments a, int64_t index)
{
    const int64_t j = index / a.n, i = index - j * a.n;
    if (i > j) return;
    for (int64_t r = 0; r < a.reals; r++) {
        const double sign = r == 0 ? 1.0 : -1.0;
        double *upper = &a.a[(j * a.n + i) * a.reals + r], *lower = &a.a[(i * a.n + j) * a.reals + r];
        const double mean = 0.5 * a.factor * (*upper + sign * *lower);
        *upper = mean;
        *lower = sign * mean;
    }
}
PV_KERNEL(symmetrise, symmetrise_arguments, symmetrise_at)

typedef struct distance_arguments {
    double *parts;
    int64_t reals, column;
    const double *a;
} distance_arguments;

PV_KERNEL_FUNCTION void distance_at(distance_arguments a, int64_t index, double term[1])
{
    const int64_t j = index / a.column, i = index - j * a.column;
    term[0] = fabs(a.a[index] - (i == j * a.reals ? 1.0 : 0.0));
}
PV_REDUCTION(largest_distance, distance_arguments, 1, PV_REDUCE_MAX, distance_at)

#endif
