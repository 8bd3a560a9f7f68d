// SPDX-License-Identifier: Apache-2.0
// Orbitals of one list of plane waves as coefficients of another: what a symmetry operation (with time reversal) makes
// of them at another k-point, and half spheres (basis.h) written out as whole ones.
#ifndef PV_DFT_CARRY_H
#define PV_DFT_CARRY_H

#include "dft/model/basis.h"
#include "dft/model/symmetry_kpoints.h"

// out[p] = factor[p] * in[from[p]], conjugated first where from[p] is the complement ~i of an index.
typedef struct pv_carry pv_carry;

// The waves of `to` from all waves of `from`, both complete lists. Without an operation the k-points must be the same.
// For vectors in memory of the device, in the order of its own stream. Local.
pv_status pv_carry_create(pv_device *device, const pv_basis *from, const pv_operation *operation,
                          const pv_kpoint_image *image, const pv_basis *to, pv_carry **carry_p);
void pv_carry_destroy(pv_carry *carry);
// in [vectors][waves of `from`], out [vectors][waves of `to`] do not overlap. Local.
pv_status pv_carry_apply(const pv_carry *carry, int64_t vectors, const double _Complex *in, double _Complex *out);

#endif
