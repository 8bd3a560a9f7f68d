// SPDX-License-Identifier: Apache-2.0
// Projectors of all atoms in the plane waves of one k-point: of an atom its functions (i, m), m fastest; atoms in the
// cell's order. Stored as orbitals are, [functions][local], on the device of the basis.
#ifndef PV_DFT_PROJECTOR_H
#define PV_DFT_PROJECTOR_H

#include <complex.h>

#include "dft/model/basis.h"
#include "dft/model/pseudo_form.h"

// Of one atom: sum of 2 l + 1. Pure.
int64_t pv_projector_functions(const pv_pseudo *pseudo);

// What they are made from: functions of each species at the origin, a small part of the projectors' memory, and phases.
// place writes the projectors, in the order of the device's stream. Local.
typedef struct pv_projector_parts pv_projector_parts;
pv_status pv_projector_parts_create(const pv_basis *basis, const pv_cell *cell, pv_pseudo *const *pseudo,
                                    pv_projector_parts **parts_p);
void pv_projector_parts_destroy(pv_projector_parts *parts);
pv_status pv_projector_parts_place(const pv_projector_parts *parts, double _Complex *to);

// The projectors. Local.
pv_status pv_projectors_fill(const pv_basis *basis, const pv_cell *cell, pv_pseudo *const *pseudo, double _Complex *to);
// Their derivative by the symmetric strain epsilon_ij, but for that of the factor 1 / sqrt(volume). Local.
pv_status pv_projectors_fill_strain(const pv_basis *basis, const pv_cell *cell, pv_pseudo *const *pseudo, int i, int j,
                                    double _Complex *to);

#endif
