// SPDX-License-Identifier: Apache-2.0
// The self-consistent loop; no physics of its own.
#ifndef PV_DFT_SCF_H
#define PV_DFT_SCF_H

#include <parseval/dft.h>

#include "dft/solve/electrons.h"
#include "dft/solve/mixer.h"

typedef struct pv_scf_step {
    int step;
    double energy_ha, change_ha;       // Harris-Foulkes, and since the step before
    double distance_ha;                // electrostatic energy of the change of the density
    int expansions;
    double residual_ha;                // of the eigensolver before its last expansion, the worst
    double seconds;
    double gap_ha;                     // 0 for a metal
} pv_scf_step;

typedef void (*pv_scf_report)(void *context, const pv_scf_step *step);

typedef struct pv_scf {
    pv_system *system;
    pv_potential *potential;
    pv_electrons *electrons;
    pv_mixer *mixer;
    double _Complex *in, *out;         // [spins][waves]
    double ewald_ha;
    int converged, steps;
    double potential_s, mix_s;
} pv_scf;

// Starts from the atoms' densities. system is kept. Collective.
pv_status pv_scf_create(pv_system *system, pv_scf **scf_p);
void pv_scf_destroy(pv_scf *scf);

// Runs until energy and density change by less than the tolerance, or steps_max. report may be NULL; it is called on
// every rank. Collective.
pv_status pv_scf_run(pv_scf *scf, pv_scf_report report, void *context);

#endif
