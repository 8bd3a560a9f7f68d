// SPDX-License-Identifier: Apache-2.0
// Where defects can go in a crystal: every choice of sites once, of those that its symmetry makes equal.
#ifndef PV_DFT_DEFECTS_H
#define PV_DFT_DEFECTS_H

#include "dft/model/symmetry.h"

#define PV_DEFECT_KINDS 8

typedef struct pv_defect {
    char from[8], to[8];       // element symbols; to = "": a vacancy
    int count;
} pv_defect;

typedef struct pv_placements {
    int defects;               // sites of a choice: the sum of the counts
    int count;                 // choices
    int complete;              // 0: the search ended at the number asked for
    int *site;                 // [count][defects], atoms in the order of the defects, ascending within each kind
    int *copies;               // [count]: how many choices of the crystal are equal to this one by symmetry
} pv_placements;

// The same for every machine and run: choices ascend by their sites, and the first of equal ones stands for all. kinds
// of defects, each pair of elements at most once; at most `most` choices. PV_ERR_INPUT when the crystal lacks the
// element or has too few atoms of it. symmetry: of the cell. Local.
pv_status pv_placements_create(const pv_cell *cell, const pv_symmetry *symmetry, int kinds, const pv_defect *defects,
                               int most, pv_placements **placements_p);
void pv_placements_destroy(pv_placements *placements);

// The cell with the defects at `site`; atoms stay in groups of species, new species come last. Local.
pv_status pv_defects_apply(const pv_cell *cell, int kinds, const pv_defect *defects, const int *site, pv_cell **cell_p);

#endif
