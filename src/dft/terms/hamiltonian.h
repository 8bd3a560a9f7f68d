// SPDX-License-Identifier: Apache-2.0
// The Hamiltonian of one k-point and spin acting on a block of orbitals: kinetic energy, local potential on the grid,
// separable potentials, compressed exact exchange. Orbitals and potential are arrays of the device of the basis.
#ifndef PV_DFT_HAMILTONIAN_H
#define PV_DFT_HAMILTONIAN_H

#include "device/stopwatch.h"
#include "dft/model/band_split.h"
#include "dft/terms/ace.h"
#include "dft/terms/nonlocal.h"

// Parts of its time.
enum { PV_HAMILTONIAN_MOVE, PV_HAMILTONIAN_LOCAL, PV_HAMILTONIAN_NONLOCAL, PV_HAMILTONIAN_ACE, PV_HAMILTONIAN_PARTS };

typedef struct pv_hamiltonian {
    const pv_basis *basis;
    pv_band_split *split;              // as the sphere of the basis wants bands
    pv_nonlocal *nonlocal;
    pv_ace *ace;                       // exact exchange of this k-point and spin; NULL: none
    const double *potential_ha;        // on the whole grid, of this spin, packed by the basis' sphere
    int64_t applied;                   // bands that it has acted on so far
    pv_stopwatch *watch;               // of its parts, of others too; NULL: none
} pv_hamiltonian;

// out = H in, [bands][local]; in and out do not overlap. Collective.
pv_status pv_hamiltonian_apply(pv_hamiltonian *hamiltonian, int64_t bands, const double _Complex *in,
                               double _Complex *out);

#endif
