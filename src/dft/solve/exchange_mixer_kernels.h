// SPDX-License-Identifier: Apache-2.0
// What is remembered of builds, element by element, for both compilers; included by exchange_mixer.c and
// cuda/exchange_mixer.cu alone. Indices are reals of a state's frames.
#ifndef PV_DFT_EXCHANGE_MIXER_KERNELS_H
#define PV_DFT_EXCHANGE_MIXER_KERNELS_H

#include "device/reduce.h"

#define REMEMBERED 3                   // builds
#define FORMER (REMEMBERED - 1)        // before the last one
#define PRODUCTS (2 + FORMER + 3 * FORMER * FORMER)

typedef struct remembered_arguments {
    double *parts;
    double *in;                        // what the last build was of
    float *change[REMEMBERED];         // what came of a build, less `in`
    float *residual[REMEMBERED];       // the same less what that build was of; where ages matter, the last build first
    double weight[REMEMBERED];
    double *x;
} remembered_arguments;

// The last build: x is what came of it, less `in`.
PV_KERNEL_FUNCTION void remembered_note_at(remembered_arguments a, int64_t i)
{
    a.change[0][i] = a.residual[0][i] = (float)a.x[i];
}
PV_KERNEL(remembered_note, remembered_arguments, remembered_note_at)

PV_KERNEL_FUNCTION void remembered_residual_at(remembered_arguments a, int64_t i)
{
    double sum = 0.0;
    for (int k = 0; k < REMEMBERED; k++) sum += a.weight[k] * a.residual[k][i];
    a.x[i] = sum;
}
PV_KERNEL(remembered_residual, remembered_arguments, remembered_residual_at)

PV_KERNEL_FUNCTION void remembered_change_at(remembered_arguments a, int64_t i)
{
    double sum = 0.0;
    for (int k = 0; k < REMEMBERED; k++) sum += a.weight[k] * a.change[k][i];
    a.x[i] = sum;
}
PV_KERNEL(remembered_change, remembered_arguments, remembered_change_at)

// Square of the way from `in` to x.
PV_KERNEL_FUNCTION void remembered_way_at(remembered_arguments a, int64_t i, double term[1])
{
    term[0] = (a.x[i] - a.in[i]) * (a.x[i] - a.in[i]);
}
PV_REDUCTION(remembered_way, remembered_arguments, 1, PV_REDUCE_ADD, remembered_way_at)

// x becomes `in`.
PV_KERNEL_FUNCTION void remembered_move_at(remembered_arguments a, int64_t i)
{
    const double moved = a.x[i] - a.in[i];
    for (int k = 0; k < REMEMBERED; k++) a.change[k][i] = (float)(a.change[k][i] - moved);
    a.in[i] = a.x[i];
}
PV_KERNEL(remembered_move, remembered_arguments, remembered_move_at)

// The numbers of pv_anderson, in its order, and the square of what came of the last build.
PV_KERNEL_FUNCTION void remembered_products_at(remembered_arguments a, int64_t i, double term[PRODUCTS])
{
    const double last = a.residual[0][i], out = a.in[i] + a.change[0][i];
    double r[FORMER], x[FORMER];
    for (int j = 0; j < FORMER; j++) {
        r[j] = a.residual[1 + j][i] - last;
        x[j] = a.change[1 + j][i] - a.change[0][i] - r[j];
    }
    term[0] = last * last;
    for (int j = 0; j < FORMER; j++) {
        term[1 + j] = r[j] * last;
        for (int k = 0; k < FORMER; k++) {
            const int at = 1 + FORMER + j * FORMER + k;
            term[at] = r[j] * r[k];
            term[at + FORMER * FORMER] = x[j] * r[k];
            term[at + 2 * FORMER * FORMER] = x[j] * x[k];
        }
    }
    term[PRODUCTS - 1] = out * out;
}
PV_REDUCTION(remembered_products, remembered_arguments, PRODUCTS, PV_REDUCE_ADD, remembered_products_at)

#endif
