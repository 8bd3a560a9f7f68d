// SPDX-License-Identifier: Apache-2.0
#include "dft/model/supercell.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"

enum { ATOMS_MOST = 1000000 };

static void copy_images(const pv_cell *cell, int atom, const int repeat[3], pv_cell *supercell, int first)
{
    for (int n = 0; n < repeat[0] * repeat[1] * repeat[2]; n++) {
        const int at[3] = {n / (repeat[1] * repeat[2]), n / repeat[2] % repeat[1], n % repeat[2]};
        supercell->species_of[first + n] = cell->species_of[atom];
        for (int i = 0; i < 3; i++)
            supercell->fractional[first + n][i] = (cell->fractional[atom][i] + at[i]) / repeat[i];
        if (cell->selective) memcpy(supercell->movable[first + n], cell->movable[atom], sizeof cell->movable[atom]);
    }
}

static void fill(const pv_cell *cell, const int repeat[3], pv_cell *supercell)
{
    const int images = repeat[0] * repeat[1] * repeat[2];
    memcpy(supercell->species_name, cell->species_name, (size_t)cell->species * sizeof *cell->species_name);
    int next = 0;
    for (int s = 0; s < cell->species; s++) {
        supercell->count_of[s] = images * cell->count_of[s];
        for (int a = 0; a < cell->atoms; a++) {
            if (cell->species_of[a] != s) continue;
            copy_images(cell, a, repeat, supercell, next);
            next += images;
        }
    }
    snprintf(supercell->comment, sizeof supercell->comment, "%.100s %dx%dx%d", cell->comment, repeat[0], repeat[1],
             repeat[2]);
}

pv_status pv_supercell_create(const pv_cell *cell, const int repeat[3], pv_cell **supercell_p)
{
    int64_t atoms = cell->atoms;
    for (int i = 0; i < 3; i++) {
        PV_REQUIRE(repeat[i] >= 1 && repeat[i] <= ATOMS_MOST, PV_ERR_ARGUMENT,
                   "a supercell of %d x %d x %d cells; positive numbers are accepted", repeat[0], repeat[1], repeat[2]);
        atoms *= repeat[i];
        PV_REQUIRE(atoms <= ATOMS_MOST, PV_ERR_ARGUMENT,
                   "a supercell of %d x %d x %d cells of %d atoms; at most %d atoms are accepted", repeat[0], repeat[1],
                   repeat[2], cell->atoms, ATOMS_MOST);
    }
    double lattice[3][3];
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) lattice[i][c] = repeat[i] * cell->lattice_bohr[i][c];
    pv_cell *supercell;
    PV_TRY(pv_cell_create((int)atoms, cell->species, cell->selective, &supercell));
    const pv_status status = pv_cell_set_lattice(supercell, (const double (*)[3])lattice);
    if (status != PV_OK) {
        pv_cell_destroy(supercell);
        return status;
    }
    fill(cell, repeat, supercell);
    *supercell_p = supercell;
    return PV_OK;
}
