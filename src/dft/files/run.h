// SPDX-License-Identifier: Apache-2.0
// A finished run as the output files of VASP's format tell it: one plain struct, from which each format takes what it
// has a place for. Borrowed pointers: nothing is copied or freed. NULL (or NaN for a number) leaves out what it is for.
#ifndef PV_DFT_RUN_H
#define PV_DFT_RUN_H

#include <stdint.h>
#include <stdio.h>

#include "dft/files/incar.h"
#include "dft/files/results.h"
#include "dft/model/kpoints.h"
#include "dft/model/params.h"

// A step of the self-consistent loop.
typedef struct pv_run_step {
    double energy_ev, change_ev;       // F of the step, and since the step before
    double sigma0_ev, smearing_ev;     // extrapolated to zero smearing; -TS
    double band_change_ev;             // of the sum of filled eigenvalues, since the step before
    int64_t applications;              // of the Hamiltonian to a band, all k-points and spins
    double residual;                   // norm of the eigensolver's, the worst
    double density_residual;           // electrostatic energy of output less input density, eV; NaN: none
    double seconds, cpu_seconds;       // of the step, and of this process in it
    double solver_s, density_s, potential_s, mixing_s;
    double fock_s;                     // of the build of exact exchange that the step began with
    double fock_double_s;              // of that: in double precision
    double way_s, waited_s;            // and its messages under way, and nothing to work on meanwhile
    double magnetisation;              // up less down, electrons
    double comm_s;                     // of this process in calls that send to other ranks or wait for them
} pv_run_step;

typedef struct pv_run_dos {
    int points;
    const double *energy_ev;           // [points]
    const double *density;             // [spins][points], states / eV
    const double *integral;            // [spins][points], states
} pv_run_dos;

typedef struct pv_run {
    const char *version;               // of the program
    const char *date, *time;           // "2026.01.31", "12:00:00"; of the start
    int ranks, threads;                // threads a rank
    int groups;                        // that the ranks form, each with k-points of its own; 0: not known
    int nodes, gpus;                   // that the ranks stand on; 0: not known, none
    const char *device, *transport;    // names
    int band_ranks;                    // that share the transforms of a band; 0: not known
    const pv_cell *cell;
    const pv_dft_params *params;       // completed
    const pv_incar *incar;             // what the user wrote
    const pv_kpoints *kpoints;         // those of results
    const int64_t *plane_waves;        // [kpoints]
    const char *const *potential;      // [species], a title each
    const double *valence;             // [species]
    int64_t orbital_grid[3], grid[3];  // of orbitals; of density and potentials
    const pv_run_step *step;           // [steps]
    int steps;
    const pv_results *results;
    double smearing_ev;                // -TS in results->energy_ha
    double drift_ev_angstrom[3];       // mean force that was removed times the number of atoms
    const double *density;             // [nx][ny][nz] of grid, electrons / bohr^3; with spin [2]: sum, up less down
    pv_run_dos dos;                    // points = 0: none
    double seconds, cpu_seconds;       // of the whole run
    double setup_s;                    // before the first step
    double forces_s;                   // energies, forces and stress after the last one
    double comm_s;                     // as of a step
    double forecast_bytes;             // memory that a rank was expected to need; 0: not known
    int64_t peak_bytes;                // that the largest rank ever held in memory
} pv_run;

// Atoms of a species that stand together in POSCAR: a type of VASP's files.
typedef struct pv_run_group {
    int first, count, species;
} pv_run_group;

// The group that begins at atom `first`; {.count = 0} when there is no such atom. Pure.
pv_run_group pv_run_group_at(const pv_cell *cell, int first);
int pv_run_groups(const pv_cell *cell);

// Occupation of a state between 0 and 1; electrons of one spin channel; up less down (0 without spin). Pure.
double pv_run_filling(const pv_run *run, int spin, int k, int band);
double pv_run_electrons(const pv_run *run, int spin);
double pv_run_magnetisation(const pv_run *run);

// 0 for what so many decimals show nothing of, and would show as -0. Pure.
double pv_run_shown(double value, int decimals);

// Makes the text by `put` and replaces `path` by it, whole or not at all.
pv_status pv_run_write(const char *path, void (*put)(FILE *out, const pv_run *run), const pv_run *run);

// One format a file. PV_ERR_ARGUMENT when the run lacks what the format cannot do without.
pv_status pv_oszicar_write(const char *path, const pv_run *run);
pv_status pv_outcar_write(const char *path, const pv_run *run);
pv_status pv_eigenval_write(const char *path, const pv_run *run);
pv_status pv_doscar_write(const char *path, const pv_run *run);
pv_status pv_chgcar_write(const char *path, const pv_run *run);
pv_status pv_vasprun_write(const char *path, const pv_run *run);

#endif
