// SPDX-License-Identifier: Apache-2.0
// Orbitals of one list of plane waves as coefficients of another: what a symmetry operation (with time reversal) makes
// of them at another k-point, and half spheres (basis.h) written out as whole ones.
#ifndef PV_DFT_CARRY_H
#define PV_DFT_CARRY_H

#include "dft/model/basis.h"
#include "dft/model/symmetry_kpoints.h"

// out[p] = factor[p] * in[from[p]], conjugated first where from[p] is the complement ~i of an index.
typedef struct pv_carry {
    int64_t count;
    int64_t *from;
    double _Complex *factor;
    int64_t single;                    // what is real in the new list, being its own partner; -1: none
} pv_carry;

// The waves of `to` from all waves of `from`, both complete lists. Without an operation the k-points must be the same.
// Local.
pv_status pv_carry_create(const pv_basis *from, const pv_operation *operation, const pv_kpoint_image *image,
                          const pv_basis *to, pv_carry **carry_p);
void pv_carry_destroy(pv_carry *carry);
// in and out do not overlap. Local.
void pv_carry_apply(const pv_carry *carry, const double _Complex *in, double _Complex *out);

#endif
