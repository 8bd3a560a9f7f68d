// SPDX-License-Identifier: Apache-2.0
// The orbitals of a run, for all k-points and spins, with what acts on them, their energies and fillings.
#ifndef PV_DFT_ELECTRONS_H
#define PV_DFT_ELECTRONS_H

#include "dft/model/system.h"
#include "dft/solve/eigensolver.h"
#include "dft/solve/occupation.h"
#include "dft/solve/potential.h"

typedef struct pv_electrons {
    pv_system *system;
    int states;                        // spins * kpoints; state = spin * kpoints + k
    double _Complex **orbitals;        // [states]: [bands][local of the basis], sliced over ranks
    pv_hamiltonian *hamiltonian;       // [kpoints]; both spins take turns
    double **projector_diagonal;       // [kpoints]: [local], the separable potential's part of the diagonal of H
    double *diagonal;                  // [largest local]: scratch
    pv_eigensolver *solver;
    double *eigenvalues_ha, *filling;  // [states][bands]; filling 0 to 2, with spin 0 to 1
    double *whole, *packed;            // [points], in the grid's order and in that of the spheres: scratch
    double *tolerance;                 // [bands]: scratch
    pv_occupation occupation;
    double solve_s, density_s;         // time so far
} pv_electrons;

// Random orbitals that do not depend on the number of ranks. system is kept. Collective.
pv_status pv_electrons_create(pv_system *system, pv_electrons **electrons_p);
void pv_electrons_destroy(pv_electrons *electrons);

// Diagonalises in the potential: residuals of filled bands to `tolerance`, of empty ones (all, in the first call) to
// empty_tolerance, with at most `expansions_most` expansions; then fills. report_p: the worst of all states.
// Collective.
pv_status pv_electrons_solve(pv_electrons *electrons, const pv_potential *potential, double tolerance,
                             double empty_tolerance, int expansions_most, pv_eigen_report *report_p);

// density [spins][waves] of the filled orbitals. Collective.
pv_status pv_electrons_density(pv_electrons *electrons, double _Complex *density);

// Weight of a state in sums over k-points times its filling, for all bands: weights[bands].
void pv_electrons_weights(const pv_electrons *electrons, int state, double *weights);

#endif
