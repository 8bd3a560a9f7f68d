// SPDX-License-Identifier: Apache-2.0
// The Hamiltonian of one k-point and spin acting on a block of orbitals: kinetic energy, local potential on the grid,
// separable potentials, compressed exact exchange. Orbitals and potential are arrays of the device of the basis.
#ifndef PV_DFT_HAMILTONIAN_H
#define PV_DFT_HAMILTONIAN_H

#include "dft/model/band_split.h"
#include "dft/terms/ace.h"
#include "dft/terms/nonlocal.h"

typedef struct pv_hamiltonian {
    const pv_basis *basis;
    pv_band_split *split;
    pv_nonlocal *nonlocal;
    pv_ace *ace;                       // exact exchange of this k-point and spin; NULL: none
    const double *potential_ha;        // on the whole grid, of this spin, packed by the basis' sphere
    int64_t applied;                   // bands that it has acted on so far
    double local_s, nonlocal_s, ace_s, move_s; // time in its parts so far
} pv_hamiltonian;

// out = H in, [bands][local]; in and out do not overlap. Collective.
pv_status pv_hamiltonian_apply(pv_hamiltonian *hamiltonian, int64_t bands, const double _Complex *in,
                               double _Complex *out);

#endif
