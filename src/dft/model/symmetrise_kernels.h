// SPDX-License-Identifier: Apache-2.0
// Means over the operations of a space group, star by star, for both compilers; included by symmetrise.c and
// cuda/symmetrise.cu alone. Complex numbers are pairs of doubles.
#ifndef PV_DFT_SYMMETRISE_KERNELS_H
#define PV_DFT_SYMMETRISE_KERNELS_H

#include "device/kernel.h"

// A wave of a star and an operation that takes the star's first wave there, or to its negative (conjugate).
typedef struct symmetrise_member {
    int32_t wave, operation;
    int32_t conjugate;
} symmetrise_member;

typedef struct symmetrise_arguments {
    const int64_t *star;               // [stars + 1], into member
    const symmetrise_member *member;   // [waves], the first of each star first
    const int32_t (*first)[3];         // [stars], Miller indices
    const int32_t *where;              // [box of 2 reach + 1]: 1 + wave; minus that where only -G is there
    const int32_t (*back)[9], (*turn)[9]; // [operations]: where it brings a wave from, and takes it
    const int32_t (*row)[3];           // [operations]: of phase, along each axis
    const double *phase[3];            // [rows][2 reach + 1]: exp(-2 pi i n t)
    int64_t operations;
    int32_t reach[3];                  // |miller[d]| <= reach[d]
    const double *from;
    double *to;
} symmetrise_arguments;

PV_KERNEL_FUNCTION void symmetrise_turn(const int32_t *matrix, const int32_t *g, int32_t *turned)
{
    for (int i = 0; i < 3; i++)
        turned[i] = matrix[3 * i] * g[0] + matrix[3 * i + 1] * g[1] + matrix[3 * i + 2] * g[2];
}

// number *= exp(-i G t) of the operation's translation t.
PV_KERNEL_FUNCTION void symmetrise_shift(const symmetrise_arguments *a, int64_t operation, const int32_t *g,
                                         double *number)
{
    for (int d = 0; d < 3; d++) {
        const int64_t at = (int64_t)a->row[operation][d] * (2 * a->reach[d] + 1) + a->reach[d] + g[d];
        const double c = a->phase[d][2 * at], s = a->phase[d][2 * at + 1], real = number[0];
        number[0] = real * c - number[1] * s;
        number[1] = real * s + number[1] * c;
    }
}

// The operation {R|t} takes u to u'(G) = u(R^T G) exp(-i G t).
PV_KERNEL_FUNCTION void symmetrise_mean(const symmetrise_arguments *a, const int32_t *g, double *mean)
{
    double sum[2] = {0.0, 0.0};
    for (int64_t o = 0; o < a->operations; o++) {
        int32_t source[3];
        symmetrise_turn(a->back[o], g, source);
        int64_t place = 0;
        for (int d = 0; d < 3; d++) place = place * (2 * a->reach[d] + 1) + source[d] + a->reach[d];
        const int64_t found = a->where[place], wave = (found > 0 ? found : -found) - 1;
        double value[2] = {a->from[2 * wave], found > 0 ? a->from[2 * wave + 1] : -a->from[2 * wave + 1]};
        symmetrise_shift(a, o, g, value);
        sum[0] += value[0];
        sum[1] += value[1];
    }
    mean[0] = sum[0] / (double)a->operations;
    mean[1] = sum[1] / (double)a->operations;
}

PV_KERNEL_FUNCTION void symmetrise_star_at(symmetrise_arguments a, int64_t star)
{
    double mean[2];
    symmetrise_mean(&a, a.first[star], mean);
    for (int64_t i = a.star[star]; i < a.star[star + 1]; i++) {
        const symmetrise_member m = a.member[i];
        int32_t g[3];
        double value[2] = {mean[0], mean[1]};
        symmetrise_turn(a.turn[m.operation], a.first[star], g);
        symmetrise_shift(&a, m.operation, g, value);
        a.to[2 * (int64_t)m.wave] = value[0];
        a.to[2 * (int64_t)m.wave + 1] = m.conjugate ? -value[1] : value[1];
    }
}
PV_KERNEL(symmetrise_star, symmetrise_arguments, symmetrise_star_at)

#endif
