// SPDX-License-Identifier: Apache-2.0
// A calculation in a file (HDF5, atomic units), for another run to go on from: with another number of ranks, other
// k-points, bands, cutoff or spins.
//
//     format                    "parseval dft 1"
//     cell/lattice_bohr         [3][3]           cell/species        "Hf O"
//     cell/species_of           [atoms]          cell/positions      [atoms][3], fractional
//     parameters/text           for people       parameters/functional
//     parameters/electrons      [1]              parameters/cutoff_ha   [1]
//     kpoints/fractional        [kpoints][3]     kpoints/weight      [kpoints]
//     bands/eigenvalues_ha      [spins][kpoints][bands]              bands/filling   alike
//     bands/fermi_ha            [1]
//     run/steps, run/converged  [1]              run/energy_ha       [1]
//     orbitals/1/miller         [waves][3], sorted
//     orbitals/1/up, down       [bands][waves] complex: every plane wave k + G, normalised to 1 over the cell
//     density                   [spins][nx][ny][nz], electrons / bohr^3: the sum of the spins, up less down
//
// orbitals and density may each be missing (LWAVE, LCHARG). The density is what the next step would begin with.
#ifndef PV_DFT_CHECKPOINT_H
#define PV_DFT_CHECKPOINT_H

#include "dft/solve/scf.h"
#include "io/checkpoint.h"

#define PV_SAVED_FORMAT "parseval dft 1"

// Everything but the large arrays; the same on every rank.
typedef struct pv_saved {
    pv_cell *cell; // lattice, atoms and species alone
    char functional[64];
    double electrons, cutoff_ha, fermi_ha, energy_ha;
    int steps, converged;
    int spins, kpoints, bands;
    double (*kpoint)[3], *weight;
    double *eigenvalues_ha, *filling; // [spins][kpoints][bands]
    int has_orbitals, has_density;
    int64_t grid[3]; // of the density
} pv_saved;

// The functional of a run in words, to be compared. Pure.
void pv_saved_functional(const pv_dft_params *params, char text[64]);

// What LWAVE and LCHARG say is written; PV_OK and nothing when both are off. Collective.
pv_status pv_saved_write(const pv_scf *scf, double energy_ha, const char *path);

// PV_ERR_INPUT for a file of another kind. Collective.
pv_status pv_saved_read(pv_checkpoint *file, pv_saved **saved_p);
void pv_saved_destroy(pv_saved *saved);

// Orbitals and eigenvalues of `electrons` from the nearest k-point of the file, wave by wave; what the file lacks stays
// as it is. *exact_p: every state was there, so that nothing but the density can change them. Collective.
pv_status pv_saved_take_orbitals(pv_checkpoint *file, const pv_saved *saved, pv_electrons *electrons, int *exact_p);

// The density as this rank's slab of a grid of the file's shape: [spins of the file][local points]. Collective.
pv_status pv_saved_take_density(pv_checkpoint *file, const pv_saved *saved, const pv_grid *grid, double *slabs);

#endif
