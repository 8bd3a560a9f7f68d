// SPDX-License-Identifier: Apache-2.0
// The crystal: lattice, reciprocal lattice, atoms and what they are.
#ifndef PV_DFT_CELL_H
#define PV_DFT_CELL_H

#include <parseval/status.h>

typedef struct pv_cell {
    double lattice_bohr[3][3]; // rows a1, a2, a3
    double reciprocal[3][3];   // rows b1, b2, b3 with a_i . b_j = 2 pi delta_ij, in 1/bohr
    double volume_bohr3;       // positive, for left-handed lattices too
    double scale_angstrom;     // POSCAR's common factor (1 when it gave three); unit of Cartesian KPOINTS
    int atoms, species;
    int *species_of;           // [atoms]
    double (*fractional)[3];   // [atoms], as the file gave them: not wrapped into the cell
    char (*species_name)[8];   // [species], element symbols, each once, in order of appearance
    int *count_of;             // [species], atoms of each
    int selective;             // the file had selective dynamics
    unsigned char (*movable)[3]; // [atoms], along a1, a2, a3; NULL unless selective
    double (*velocity)[3];     // [atoms], what POSCAR says, for CONTCAR: Angstrom/fs, or along a1, a2, a3 a time step;
    int velocity_is_direct;    // NULL where it says nothing
    char comment[128];
} pv_cell;

// A cell of `atoms` atoms and `species` species with all arrays zero; the caller fills them. Local.
pv_status pv_cell_create(int atoms, int species, int selective, pv_cell **cell_p);
void pv_cell_destroy(pv_cell *cell);

// Sets the lattice (rows, bohr) with reciprocal and volume. PV_ERR_INPUT when the three vectors span no volume.
pv_status pv_cell_set_lattice(pv_cell *cell, const double lattice_bohr[3][3]);

// Cartesian = fractional times lattice (rows), both ways, in bohr.
void pv_cell_to_cartesian(const pv_cell *cell, const double fractional[3], double cartesian[3]);
void pv_cell_to_fractional(const pv_cell *cell, const double cartesian[3], double fractional[3]);

// PV_ERR_INPUT, naming both, when two atoms are closer than `closest_bohr` (periodic images included, of an atom too).
// A warning names the two that are closest against the length of a bond between them, when that is less than 0.6 of it.
pv_status pv_cell_check_distances(const pv_cell *cell, double closest_bohr);

#endif
