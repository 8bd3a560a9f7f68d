// SPDX-License-Identifier: Apache-2.0
// The orbitals of a run, for all k-points and spins, with what acts on them, their energies and fillings. Each group of
// ranks (model/kpoint_groups.h) keeps and solves the states of its k-points; energies and fillings of all states are on
// every rank.
#ifndef PV_DFT_ELECTRONS_H
#define PV_DFT_ELECTRONS_H

#include "dft/model/system.h"
#include "dft/solve/eigensolver.h"
#include "dft/solve/occupation.h"
#include "dft/solve/potential.h"

typedef struct pv_electrons {
    pv_system *system;
    int states;                        // spins * kpoints; state = spin * kpoints + k
    double _Complex **orbitals;        // [states]: [bands][local of the basis], sliced over the ranks of the group that
                                       // owns the state, on their device; NULL on all others
    pv_band_room *room;                // of all Hamiltonians of this rank
    pv_nonlocal_room *projectors;      // of all of them, one after the other; NULL on the host: all have their own
    pv_hamiltonian *hamiltonian;       // [kpoints]; both spins take turns; empty where another group owns k
    double **projector_diagonal;       // [kpoints]: [local], the separable potential's part of the diagonal of H, on
                                       // the device; NULL where another group owns k
    double *diagonal;                  // [largest local], on the device: scratch
    pv_ace **ace;                      // [states], exact exchange (hybrid.h); NULL: none
    pv_eigensolver *solver;
    pv_stopwatch *watch;               // of the Hamiltonians' parts
    unsigned char *rests;              // [kpoints]: solve passes over it; at first the points of weight 0
    double *eigenvalues_ha, *filling;  // [states][bands]; filling 0 to 2, with spin 0 to 1
    double *whole, *packed;            // [points + 1], and in the order of the spheres, on the device: scratch
    double *tolerance;                 // [bands]: scratch
    double *weights;                   // [bands], on the device: scratch
    double held_fermi_ha;              // where states are to be filled up to it; NAN: as many as there are electrons
    pv_occupation occupation;
    int (*stop)(void *context);        // asked on every rank while states are solved: whether it wants to stop; NULL: never
    void *stop_context;
    int solved, to_solve;              // this group's states in the solve at work, or the last one
    int64_t applied;                   // bands that a Hamiltonian has acted on so far, all groups
    double solve_s, density_s;         // time so far
} pv_electrons;

// ---- Who has what: known on every rank, pure --------------------------------------------------------------------

// The group that owns a state: its ranks are first_rank <= rank < first_rank + ranks of system->comm, in the order of
// their group_comm; rank first_rank + i keeps the plane waves that pv_split(count of the basis, ranks, i) says.
typedef struct pv_owner {
    int group, first_rank, ranks;
} pv_owner;

static inline pv_owner pv_electrons_owner(const pv_electrons *electrons, int state)
{
    const pv_kpoint_groups *groups = &electrons->system->groups;
    const int group = groups->group_of[state % groups->kpoints];
    return (pv_owner){group, pv_kpoint_groups_first_rank(groups, group), groups->size};
}

// Whether this rank keeps a slice of the state's orbitals.
static inline int pv_electrons_owns(const pv_electrons *electrons, int state)
{
    return pv_system_owns(electrons->system, state % electrons->system->kpoints->count);
}

// -----------------------------------------------------------------------------------------------------------------

// A state of this group on the host: the orbitals themselves where they live there, else a copy. The caller releases
// it, also after a failure; put takes what it holds for the orbitals. Local.
pv_status pv_electrons_fetch(const pv_electrons *electrons, int state, const double _Complex **orbitals_p);
pv_status pv_electrons_put(const pv_electrons *electrons, int state, const double _Complex *orbitals);
void pv_electrons_release(const pv_electrons *electrons, int state, const double _Complex *orbitals);

// Random orbitals that do not depend on the number of ranks. system is kept. Collective.
pv_status pv_electrons_create(pv_system *system, pv_electrons **electrons_p);
void pv_electrons_destroy(pv_electrons *electrons);

// Diagonalises in the potential: residuals of filled bands to `tolerance`, of empty ones (all, in the first call) to
// empty_tolerance, with at most `expansions_most` expansions; rank 0's tolerances count. Then rank 0 fills for all.
// report_p: the worst of all states. PV_ERR_STOPPED on all ranks, without a message, where `stop` asked for it: energies
// and fillings may be of the solution before then. Collective.
pv_status pv_electrons_solve(pv_electrons *electrons, const pv_potential *potential, double tolerance,
                             double empty_tolerance, int expansions_most, pv_eigen_report *report_p);

// Fills the states after their energies; by rank 0 for all. Collective.
pv_status pv_electrons_fill(pv_electrons *electrons);

// density [spins][waves] of the filled orbitals, on the device. Collective.
pv_status pv_electrons_density(pv_electrons *electrons, double _Complex *density);

// values[count], of this group's states and the same on each of its ranks, become their sum over the groups. Collective.
pv_status pv_electrons_sum(const pv_electrons *electrons, int64_t count, double *values);

// Weight of a state in sums over k-points times its filling, for all bands: weights[bands].
void pv_electrons_weights(const pv_electrons *electrons, int state, double *weights);

// wave_weights[local] = sum over the bands of a state of this group, so weighted, of |c|^2. Local.
pv_status pv_electrons_wave_weights(pv_electrons *electrons, int state, double *wave_weights);

#endif
