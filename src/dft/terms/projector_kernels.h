// SPDX-License-Identifier: Apache-2.0
// How functions of an atom at the origin come to their place, for both compilers; included by projector.c and
// cuda/projector.cu alone.
#ifndef PV_DFT_PROJECTOR_KERNELS_H
#define PV_DFT_PROJECTOR_KERNELS_H

#include "device/columns.h"

// exp(-i G tau) is the product of three numbers of short tables, [-reach, reach] of each axis.
typedef struct place_atom_arguments {
    int64_t rows;          // plane waves here
    int64_t single;        // the one that is a real number; outside [0, rows): none
    int64_t reach[3];
    const double *table[3];
    double of_k[2];        // exp(-i k tau)
    const int32_t *miller; // [rows][3]
    const double *shape;   // [functions][rows]
    double *out;
} place_atom_arguments;

PV_KERNEL_FUNCTION void place_atom_at(place_atom_arguments a, int64_t f, int64_t g)
{
    double re = a.of_k[0], im = a.of_k[1];
    for (int d = 0; d < 3; d++) {
        const double *p = a.table[d] + 2 * (a.reach[d] + a.miller[3 * g + d]), old = re;
        re = old * p[0] - im * p[1];
        im = old * p[1] + im * p[0];
    }
    const double *shape = a.shape + 2 * (f * a.rows + g);
    double *out = a.out + 2 * (f * a.rows + g);
    out[0] = shape[0] * re - shape[1] * im;
    out[1] = g == a.single ? 0.0 : shape[0] * im + shape[1] * re;
}
PV_COLUMNS(place_atom, place_atom_arguments, place_atom_at)

#endif
