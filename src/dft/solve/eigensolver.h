// SPDX-License-Identifier: Apache-2.0
// The lowest states of a Hamiltonian given only its action: blocked Davidson (E. R. Davidson, J. Comput. Phys. 17, 87
// (1975)) on orthonormal blocks, with products of matrices throughout and the small problems solved on one rank.
#ifndef PV_DFT_EIGENSOLVER_H
#define PV_DFT_EIGENSOLVER_H

#include "dft/terms/hamiltonian.h"

typedef struct pv_eigensolver pv_eigensolver;

// For `bands` orbitals in any basis of at most local_most plane waves on this rank, on the device of dense. dense is
// kept. Local.
pv_status pv_eigensolver_create(pv_dense *dense, pv_scalar scalar, int64_t local_most, int64_t bands,
                                pv_eigensolver **solver_p);
void pv_eigensolver_destroy(pv_eigensolver *solver);

// Asked before each expansion, on every rank; what it returns on any of them, unless it is 0, ends the solution, with
// orbitals that are no worse than the start. NULL: never. Local.
void pv_eigensolver_set_stop(pv_eigensolver *solver, int (*stop)(void *context), void *context);

typedef struct pv_eigen_report {
    int expansions;                    // of the search space
    double residual; // largest |H psi - e psi| over bands before the last expansion, over its tolerance
    int stopped;                       // the same on all ranks
} pv_eigen_report;

// orbitals [bands][local]: a start on entry (need not be orthonormal), the states on return, orthonormal, in the order
// of eigenvalues_ha; the hamiltonian says in which basis (a real one for PV_SCALAR_REAL). Stops when every band's
// residual has been below tolerance[band] once, or after `expansions_most`.
// diagonal_ha[local] is the part of the Hamiltonian that the preconditioner inverts. orbitals and it lie on the device,
// tolerance and eigenvalues on the host. Collective.
pv_status pv_eigensolver_solve(pv_eigensolver *solver, pv_hamiltonian *hamiltonian, const double *diagonal_ha,
                               const double *tolerance, int expansions_most, double _Complex *orbitals,
                               double *eigenvalues_ha, pv_eigen_report *report_p);

#endif
