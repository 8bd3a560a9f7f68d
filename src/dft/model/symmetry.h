// SPDX-License-Identifier: Apache-2.0
// The space group of a crystal (found by spglib: A. Togo and I. Tanaka, arXiv:1808.01590), as plain data.
#ifndef PV_DFT_SYMMETRY_H
#define PV_DFT_SYMMETRY_H

#include "dft/model/cell.h"

// x -> rotation x + translation in fractional coordinates; a wave G or k goes to `reciprocal` G (the inverse
// transpose of rotation, in units of b1, b2, b3).
typedef struct pv_operation {
    int rotation[3][3];
    int reciprocal[3][3];
    double translation[3];
} pv_operation;

typedef struct pv_symmetry {
    int time_reversal;         // the states of -k are the conjugates of those of k
    int count;                 // operations; the first is the identity
    pv_operation *operation;   // [count], a group modulo the lattice; cells that repeat have pure translations too
    int rotations;             // different ones among them
    int atoms;
    int *image;                // [count][atoms]: the atom that the operation takes each atom to
    int number;                // of the space group, 1 to 230; 0 when it was not looked for
    char symbol[12];           // Hermann-Mauguin, short; "" likewise
} pv_symmetry;

// level, VASP's ISYM: -1 nothing, 0 time reversal alone, 1 to 3 the space group too. moments: [atoms], collinear, which
// make atoms different (up and down too); NULL: none. Atoms count as mapped when they are within the tolerance; where
// spglib finds no symmetry there is the identity alone, with a warning. Local.
pv_status pv_symmetry_create(const pv_cell *cell, const double *moments, int level, double tolerance_angstrom,
                             pv_symmetry **symmetry_p);
void pv_symmetry_destroy(pv_symmetry *symmetry);

// Those operations of a symmetry for which keep[count] is not 0; they must form a group. Local.
pv_status pv_symmetry_create_part(const pv_symmetry *symmetry, const unsigned char *keep, pv_symmetry **part_p);

// Numbers of points that a grid should divide by along each axis for translations to take points into points: at most
// 12 each, 1 where no such number does it. Pure.
void pv_symmetry_grid_multiples(const pv_symmetry *symmetry, int multiple[3]);

// Moves atoms and lattice vectors, by no more than the tolerance that the symmetry was found with, so that every
// operation holds to rounding. moved_bohr_p: the largest shift of an atom. Local.
pv_status pv_symmetry_refine_cell(const pv_symmetry *symmetry, pv_cell *cell, double *moved_bohr_p);

#endif
