// SPDX-License-Identifier: Apache-2.0
// Included by fock_energy.c and cuda/fock_energy.cu alone.
#ifndef PV_DFT_FOCK_ENERGY_KERNEL_H
#define PV_DFT_FOCK_ENERGY_KERNEL_H

#include "device/reduce.h"

typedef struct fock_energy_arguments {
    double *parts;
    int64_t length;               // reals of a band
    const double *weight, *u, *v; // [bands], [bands][length]
} fock_energy_arguments;

PV_KERNEL_FUNCTION void fock_energy_at(fock_energy_arguments a, int64_t i, double term[1])
{
    term[0] = a.weight[i / a.length] * a.u[i] * a.v[i];
}
PV_REDUCTION(fock_energy_sum, fock_energy_arguments, 1, PV_REDUCE_ADD, fock_energy_at)

#endif
