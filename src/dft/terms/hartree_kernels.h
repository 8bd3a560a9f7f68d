// SPDX-License-Identifier: Apache-2.0
// The potential of a density among itself in plane waves, for both compilers; included by hartree.c and cuda/hartree.cu
// alone.
#ifndef PV_DFT_HARTREE_KERNELS_H
#define PV_DFT_HARTREE_KERNELS_H

#include "device/reduce.h"

typedef struct hartree_arguments {
    double *parts;
    const double *g2, *weight, *density;
    double *potential;
} hartree_arguments;

PV_KERNEL_FUNCTION double hartree_factor(double g2)
{
    return g2 > 0.0 ? 12.566370614359172954 / g2 : 0.0; // 4 pi / G^2
}

PV_KERNEL_FUNCTION void hartree_potential_at(hartree_arguments a, int64_t i)
{
    const double factor = hartree_factor(a.g2[i]);
    a.potential[2 * i] = factor * a.density[2 * i];
    a.potential[2 * i + 1] = factor * a.density[2 * i + 1];
}
PV_KERNEL(hartree_potential, hartree_arguments, hartree_potential_at)

PV_KERNEL_FUNCTION void hartree_energy_at(hartree_arguments a, int64_t i, double term[1])
{
    const double re = a.density[2 * i], im = a.density[2 * i + 1];
    term[0] = 0.5 * a.weight[i] * hartree_factor(a.g2[i]) * (re * re + im * im);
}
PV_REDUCTION(hartree_energy, hartree_arguments, 1, PV_REDUCE_ADD, hartree_energy_at)

#endif
