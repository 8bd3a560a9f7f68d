// SPDX-License-Identifier: Apache-2.0
// Plane-wave density-functional theory: a calculation described by VASP's input files, solved to self-consistency.
// Energies in Hartree unless a name says otherwise.
#ifndef PARSEVAL_DFT_H
#define PARSEVAL_DFT_H

#include <stddef.h>
#include <stdint.h>

#include <parseval/comm.h>
#include <parseval/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pv_dft pv_dft;

// Text of a line of progress, without newline; called on rank 0 only.
typedef void (*pv_dft_say)(void *context, const char *line);

typedef struct pv_dft_options {
    const char *directory;         // with POSCAR, INCAR, KPOINTS; "."
    const char *pseudo_directory;  // UPF or psp8 files; NULL: built-in GTH-PBE potentials
    const char *engine;            // of the transforms: "auto" or a name of the FFT's engines
    pv_dft_say say;                // NULL: silent
    void *say_context;
    const char *checkpoint;        // file for orbitals and density, read as ISTART and ICHARG say, and written as LWAVE
                                   // and LCHARG say; NULL: none
    int checkpoint_read_only;
    double checkpoint_interval_s;  // between checkpoints of a running calculation; 300
    const char *progress_directory; // whose OUTCAR and OSZICAR have each step as soon as it is done, and where the
                                   // files of an earlier run become NAME.before then; NULL: none
    const char *version;           // of the program that asks, for OUTCAR and vasprun.xml; ""
    int (*stop)(void *context);    // asked within and after each step: a signal's number to stop, and from then on, 0
                                   // to go on; NULL: never. One rank that wants to stop suffices; the step is given up
    void *stop_context;
    pv_comm *orbital_comm;         // where orbitals, and what acts on them, are to be: the ranks of the calculation in
                                   // the same order, on GPUs; NULL: where the calculation is
} pv_dft_options;

pv_dft_options pv_dft_options_defaults(void);

// Reads the files and makes everything that the run needs. comm, of the host, options' strings and its communicator
// must outlive it. A fault in the input is reported once and fails on every rank. Collective.
pv_status pv_dft_create(pv_comm *comm, const pv_dft_options *options, pv_dft **dft_p);
void pv_dft_destroy(pv_dft *dft);

// What will be computed and how: cell, potentials, plane waves, bands, ranks, memory. Belongs to dft. Local.
const char *pv_dft_plan_text(const pv_dft *dft);

// To self-consistency, then bands of k-points of weight 0, forces and stress; with ICHARG = 10 to 12 the bands of a
// fixed density alone. A run that ends at NELM steps is PV_OK with converged = 0. PV_ERR_STOPPED when options.stop or a
// file STOPCAR (LABORT = T) in the folder ask for it: the checkpoint has been written then. Collective.
pv_status pv_dft_solve(pv_dft *dft);

typedef struct pv_dft_energies {
    double kinetic_ha, local_ha, nonlocal_ha, hartree_ha, xc_ha, ewald_ha;
    double fock_ha;                // exact exchange, times its share
    double smearing_ha;            // -TS
    double free_ha;                // the sum of all above: F
    double sigma0_ha;              // extrapolated to zero smearing
} pv_dft_energies;

// What the grid of exact exchange changes, where it is smaller than products of orbitals need: this run's less the full
// grid's, to first order.
typedef struct pv_dft_grid_error {
    int known;                     // 0: not looked for
    int64_t grid[3], full[3];      // points
    int filled, sums;              // filled bands, and sums of them that stood for them
    double energy_ha, gap_ha;      // of all atoms; NAN without a gap
} pv_dft_grid_error;

// What a solve found; arrays belong to dft and are the same on every rank.
typedef struct pv_dft_summary {
    int converged, steps;
    pv_dft_energies energies;
    double fermi_ha;
    int spins, kpoints, bands, atoms;
    const double (*kpoint)[3];     // [kpoints], fractional
    const double *weight;          // [kpoints]
    const double *eigenvalues_ha;  // [spins][kpoints][bands]
    const double *filling;         // [spins][kpoints][bands]
    const double (*forces_ha_bohr)[3]; // [atoms], mean removed; NULL with a fixed density
    const double (*stress_ha_bohr3)[3]; // [3], positive when the cell is compressed; NULL when ISIF says not to, too
    pv_dft_grid_error grid_error;
} pv_dft_summary;

// Local, after pv_dft_solve().
void pv_dft_summarise(const pv_dft *dft, pv_dft_summary *summary_p);

// results.json of the last solve, replaced whole or not at all; rank 0 writes. Collective.
pv_status pv_dft_write_results(pv_dft *dft, const char *path);

// OSZICAR, OUTCAR, EIGENVAL, DOSCAR, CONTCAR, vasprun.xml and, unless LCHARG = F or the density is fixed, CHGCAR of the
// last solve in VASP's format, in `directory`; each is replaced whole or not at all, but for OUTCAR and OSZICAR in
// options.progress_directory, which get their ends. Rank 0 writes. Collective.
pv_status pv_dft_write_files(pv_dft *dft, const char *directory);

#ifdef __cplusplus
}
#endif
#endif
