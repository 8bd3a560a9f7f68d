// SPDX-License-Identifier: Apache-2.0
// All plane waves of a k-point in one order, whether its basis keeps them or one of each pair: how orbitals stand in
// files.
#ifndef PV_DFT_WHOLE_SPHERE_H
#define PV_DFT_WHOLE_SPHERE_H

#include "dft/model/basis.h"

typedef struct pv_whole_sphere {
    int64_t count;
    int32_t (*miller)[3];     // [count], sorted by x, y, z
    int64_t *from;            // [count]: index in the basis of the wave, or of its partner
    unsigned char *conjugate; // [count]: it is the partner, whose coefficient is the conjugate
} pv_whole_sphere;

// Local.
pv_status pv_whole_sphere_create(const pv_basis *basis, pv_whole_sphere **sphere_p);
void pv_whole_sphere_destroy(pv_whole_sphere *sphere);

// Index of a wave in a sorted list, -1 when it is not there. Pure.
int64_t pv_miller_find(int64_t count, const int32_t (*miller)[3], const int32_t wanted[3]);

// The other wave of a pair in which real orbitals are conjugate, -G - 2k. Only for bases of real orbitals. Pure.
void pv_miller_partner(const pv_basis *basis, const int32_t miller[3], int32_t partner[3]);

#endif
