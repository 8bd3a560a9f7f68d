// SPDX-License-Identifier: Apache-2.0
// Bodies of the separable potential's loops for both compilers; included by nonlocal.c and cuda/nonlocal.cu alone.
#ifndef PV_DFT_NONLOCAL_KERNELS_H
#define PV_DFT_NONLOCAL_KERNELS_H

#include "device/columns.h"

// Row f of D: numbers value[f][width] at the functions partner[f][width]; zeros fill rows up.
typedef struct coupling_table {
    int width;
    const int32_t *partner;
    const double *value;
} coupling_table;

// Rows are functions, columns bands.
typedef struct couple_arguments {
    int64_t rows, reals;   // functions; reals of a scalar
    coupling_table table;
    const double *overlap;
    double *coupled;
} couple_arguments;

PV_KERNEL_FUNCTION void couple_at(couple_arguments a, int64_t band, int64_t f)
{
    const double *overlap = a.overlap + band * a.rows * a.reals;
    for (int64_t r = 0; r < a.reals; r++) {
        double sum = 0.0;
        for (int t = 0; t < a.table.width; t++) {
            const int64_t entry = f * a.table.width + t;
            sum += a.table.value[entry] * overlap[a.table.partner[entry] * a.reals + r];
        }
        a.coupled[(band * a.rows + f) * a.reals + r] = sum;
    }
}
PV_COLUMNS(couple_projections, couple_arguments, couple_at)

// Diagonal of the operator at plane wave g. Half spheres carry all but a single wave sqrt(2) times: `share` is 1/2.
typedef struct projector_diagonal_arguments {
    int64_t functions, local;
    coupling_table table;
    int64_t single;
    double share;
    const double *projector;
    double *diagonal;
} projector_diagonal_arguments;

PV_KERNEL_FUNCTION void projector_diagonal_at(projector_diagonal_arguments a, int64_t g)
{
    double sum = 0.0;
    for (int64_t f = 0; f < a.functions; f++) {
        const double *p = a.projector + 2 * (f * a.local + g);
        for (int t = 0; t < a.table.width; t++) {
            const int64_t entry = f * a.table.width + t;
            const double *q = a.projector + 2 * (a.table.partner[entry] * a.local + g);
            sum += a.table.value[entry] * (p[0] * q[0] + p[1] * q[1]);
        }
    }
    a.diagonal[g] = (g == a.single ? 1.0 : a.share) * sum;
}
PV_KERNEL(projector_diagonal, projector_diagonal_arguments, projector_diagonal_at)

// sums[f] = sum over bands of weight Re <left|right>, the numbers of function f.
typedef struct contract_arguments {
    int64_t functions, reals, bands;
    const double *weight, *left, *right;
    double *sums;
} contract_arguments;

PV_KERNEL_FUNCTION void contract_at(contract_arguments a, int64_t f)
{
    double sum = 0.0;
    for (int64_t b = 0; b < a.bands; b++) {
        const int64_t at = (b * a.functions + f) * a.reals;
        double product = a.left[at] * a.right[at];
        if (a.reals == 2) product += a.left[at + 1] * a.right[at + 1];
        sum += a.weight[b] * product;
    }
    a.sums[f] = sum;
}
PV_KERNEL(contract_projections, contract_arguments, contract_at)

#endif
