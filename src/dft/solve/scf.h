// SPDX-License-Identifier: Apache-2.0
// The self-consistent loop; no physics of its own.
#ifndef PV_DFT_SCF_H
#define PV_DFT_SCF_H

#include <parseval/dft.h>

#include "dft/solve/hybrid.h"
#include "dft/solve/mixer.h"

typedef struct pv_scf_step {
    int step;
    double energy_ha, change_ha;       // Harris-Foulkes, and since the step before
    double distance_ha;                // electrostatic energy of the change of the density
    int expansions;
    double residual_ha;                // of the eigensolver before its last expansion, the worst
    double seconds;
    double gap_ha;                     // 0 for a metal
    int builds;                        // of exact exchange so far
    double exchange_ha, exchange_error_ha, build_s; // of the last build, if this step began with one: build_s > 0
    double single_error_ha;            // of single precision, if that build gave it up
    int interrupted;                   // the step after this one was begun and given up, as was asked for
} pv_scf_step;

// Called on every rank after each step; what it returns, the same on all ranks, ends the run unless it is PV_OK, and after
// an interruption in any case.
typedef pv_status (*pv_scf_report)(void *context, const pv_scf_step *step);

// What the eigensolver's residuals come down to in the first step, in Ha: with random orbitals, and when the density
// is better known than they are.
#define PV_SCF_RESIDUAL_OF_ATOMS 3e-2
#define PV_SCF_RESIDUAL_OF_A_DENSITY 1e-4

typedef struct pv_scf {
    pv_system *system;
    pv_potential *potential;
    pv_electrons *electrons;
    pv_mixer *mixer;
    pv_hybrid *hybrid;                 // NULL unless LHFCALC
    pv_fock_progress note_build;       // heard from during builds of exact exchange; NULL: not
    void *note_context;
    double _Complex *in, *out;         // [spins][waves], on the device
    double ewald_ha;
    double first_residual;             // of the first step; 0: what the tolerance asks for, where orbitals are good
    int fermi_is_known;                // the density's, for bands where it is kept fixed
    double known_fermi_ha;
    int is_loose;                  // the last step left orbitals, empty ones for instance, short of their tolerance
    int converged, steps;
    double potential_s, mix_s;
} pv_scf;

// Starts from the atoms' densities. system is kept. Collective.
pv_status pv_scf_create(pv_system *system, pv_scf **scf_p);
void pv_scf_destroy(pv_scf *scf);

// Has `report` hear that the step after `last` was given up; PV_ERR_STOPPED, or what it fails with. Collective.
pv_status pv_scf_interrupt(const pv_scf_step *last, pv_scf_report report, void *context);

// Runs until energy and density change by less than the tolerance, or steps_max; points of weight 0 rest. report may
// be NULL. Collective.
pv_status pv_scf_run(pv_scf *scf, pv_scf_report report, void *context);

// Between filled and empty states of the points with weight; 0 for a metal. Pure.
// Of the orbitals and the density that they were solved in, by Harris and Foulkes. Pure.
double pv_scf_energy(const pv_scf *scf);

double pv_scf_gap(const pv_electrons *electrons);

// Residual of a state whose error is small against an error of the density of distance_ha. Pure.
double pv_scf_residual_for(const pv_scf *scf, double distance_ha);

#endif
