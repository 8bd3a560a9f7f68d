// SPDX-License-Identifier: Apache-2.0
// Bodies of waves.h for both compilers; included by waves.c and cuda/waves.cu alone. Coefficients are pairs of reals.
#ifndef PV_DFT_WAVES_KERNELS_H
#define PV_DFT_WAVES_KERNELS_H

#include <math.h>

#include "device/columns.h"

typedef struct add_kinetic_arguments {
    int64_t rows;
    const double *kinetic, *in;
    double *out;
} add_kinetic_arguments;

PV_KERNEL_FUNCTION void add_kinetic_at(add_kinetic_arguments a, int64_t band, int64_t i)
{
    const int64_t at = 2 * (band * a.rows + i);
    a.out[at] += a.kinetic[i] * a.in[at];
    a.out[at + 1] += a.kinetic[i] * a.in[at + 1];
}
PV_COLUMNS(add_kinetic, add_kinetic_arguments, add_kinetic_at)

typedef struct add_diagonals_arguments {
    const double *a, *b;
    double constant;
    double *out;
} add_diagonals_arguments;

PV_KERNEL_FUNCTION void add_diagonals_at(add_diagonals_arguments a, int64_t i)
{
    a.out[i] = a.a[i] + a.constant + a.b[i];
}
PV_KERNEL(add_diagonals, add_diagonals_arguments, add_diagonals_at)

typedef struct wave_squares_arguments {
    double *sums;
    int64_t rows;          // reals of a band
    const double *block;
} wave_squares_arguments;

PV_KERNEL_FUNCTION double wave_square_at(wave_squares_arguments a, int64_t band, int64_t i)
{
    const double x = a.block[band * a.rows + i];
    return x * x;
}
PV_COLUMN_SUMS(wave_squares, wave_squares_arguments, wave_square_at)

typedef struct divide_by_norms_arguments {
    int64_t rows;          // reals of a band
    const double *squares;
    double *block;
} divide_by_norms_arguments;

PV_KERNEL_FUNCTION void divide_by_norms_at(divide_by_norms_arguments a, int64_t band, int64_t i)
{
    a.block[band * a.rows + i] *= 1.0 / sqrt(a.squares[band]);
}
PV_COLUMNS(divide_by_norms, divide_by_norms_arguments, divide_by_norms_at)

typedef struct precondition_arguments {
    int64_t rows;
    const double *diagonal, *energy;
    const int64_t *from;
    const double *in;
    double *out;
} precondition_arguments;

PV_KERNEL_FUNCTION void precondition_at(precondition_arguments a, int64_t band, int64_t i)
{
    const int64_t in = 2 * (a.from[band] * a.rows + i), out = 2 * (band * a.rows + i);
    const double x = 2.0 * (a.diagonal[i] - a.energy[band]);
    const double factor = 2.0 / (1.0 + x + sqrt(1.0 + (x - 1.0) * (x - 1.0)));
    a.out[out] = factor * a.in[in];
    a.out[out + 1] = factor * a.in[in + 1];
}
PV_COLUMNS(precondition, precondition_arguments, precondition_at)

typedef struct differentiate_arguments {
    int64_t rows;
    int axis;
    const double *q, *in;
    double *out;
} differentiate_arguments;

PV_KERNEL_FUNCTION void differentiate_at(differentiate_arguments a, int64_t band, int64_t i)
{
    const int64_t at = 2 * (band * a.rows + i);
    const double q = a.q[3 * i + a.axis];
    a.out[at] = -q * a.in[at + 1];
    a.out[at + 1] = q * a.in[at];
}
PV_COLUMNS(differentiate_waves, differentiate_arguments, differentiate_at)

typedef struct weigh_arguments {
    int64_t bands, local;
    const double *weights, *block;
    double *sums;
} weigh_arguments;

PV_KERNEL_FUNCTION void weigh_at(weigh_arguments a, int64_t i)
{
    double sum = 0.0;
    for (int64_t b = 0; b < a.bands; b++) {
        const double *c = a.block + 2 * (b * a.local + i);
        sum += a.weights[b] * (c[0] * c[0] + c[1] * c[1]);
    }
    a.sums[i] = sum;
}
PV_KERNEL(weigh_waves, weigh_arguments, weigh_at)

#endif
