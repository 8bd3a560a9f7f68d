// SPDX-License-Identifier: Apache-2.0
// results.json: what a run found, for programs. Units are in the names.
#ifndef PV_DFT_RESULTS_H
#define PV_DFT_RESULTS_H

#include <stdint.h>

#include <parseval/dft.h>

#include "dft/model/cell.h"
#include "dft/model/params.h"

typedef struct pv_results_entry {
    const char *name;
    double value;
} pv_results_entry;

typedef struct pv_results_gap {
    int known;                 // 0: a metal, or not looked for: null
    double fundamental, direct, vbm, cbm; // eV
    double vbm_k[3], cbm_k[3]; // fractional
    double spin[2];            // of up alone and of down alone, eV; NaN where it is not known, and without spin
} pv_results_gap;

enum { PV_RESULTS_SECONDS = 6 }; // kinds of seconds of a step

typedef struct pv_results_machine {
    int ranks, threads, nodes, gpus; // threads a rank; gpus 0: the host computes
    int groups;                // that the ranks form for k-points
    const char *device, *transport; // names; NULL: nothing is known, and null is written
} pv_results_machine;

// What was computed. cell NULL: not known, and null is written.
typedef struct pv_results_system {
    const char *version;       // of the program; NULL: not known
    const pv_cell *cell;
    const pv_dft_params *params; // completed
    const char *const *potential; // [species], a title each; NULL: not known
} pv_results_system;

// Borrowed pointers: nothing is copied or freed. NULL (or NaN for a number) is written as null.
typedef struct pv_results {
    pv_results_system system;
    int converged;
    double energy_ha;          // free energy F, with smearing
    double energy_sigma0_ha;   // extrapolated to zero smearing
    int atoms, spins, kpoints, bands;
    const double (*kpoint)[3]; // [kpoints], fractional
    const double *weight;      // [kpoints]
    const double *eigenvalue_ev; // [spins][kpoints][bands]
    const double *occupation;  // [spins][kpoints][bands], 0 to 2 without spin, 0 to 1 with
    pv_results_gap gap_ev;
    const double (*force_ev_angstrom)[3]; // [atoms], POSCAR's order
    const double (*stress_kbar)[3];       // [3], positive when compressed
    double fermi_ev;
    double moment_mu_b;        // up less down; NaN without spin
    pv_dft_grid_error grid_error;
    const pv_results_entry *energy; // energies_ha, one entry a term
    int energies;
    int iterations;
    // [PV_RESULTS_SECONDS][iterations]: all; exchange build, in double precision, its messages, waits; communication
    const double *step_s;
    pv_results_machine machine;
    const pv_results_entry *seconds; // "total" must be among them
    int seconds_count;
    int64_t peak_bytes;
} pv_results;

enum { PV_RESULTS_LINE = 240 };
// For people: a gap that is known.
void pv_results_gap_line(const pv_results_gap *gap, char line[PV_RESULTS_LINE]);
// For people: what the grid of exact exchange changes. Pure.
void pv_results_grid_error_line(const pv_dft_grid_error *error, int atoms, char line[PV_RESULTS_LINE]);

// Replaces `path` whole or not at all. PV_ERR_ARGUMENT when "total" is missing from seconds.
pv_status pv_results_write(const char *path, const pv_results *results);

#endif
