// SPDX-License-Identifier: Apache-2.0
#include "dft/files/poscar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/file_text.h"
#include "dft/model/units.h"

// Elements in groups as the atoms stand, so that a file with the order Hf O Hf keeps it.
static void write_groups(FILE *out, const pv_cell *cell, int names)
{
    for (int a = 0; a < cell->atoms;) {
        int first = a, species = cell->species_of[a];
        while (a < cell->atoms && cell->species_of[a] == species) a++;
        if (names) fprintf(out, "  %s", cell->species_name[species]);
        else fprintf(out, "  %d", a - first);
    }
    fputc('\n', out);
}

// What rounding leaves of a zero is one.
static double tidy(double value) { return fabs(value) < 1e-12 ? 0.0 : value; }

// The shortest decimal that is the value but for what the way to bohr and back rounds, with sixteen decimals.
static void put_length(FILE *out, double angstrom)
{
    static const char zeros[] = "0000000000000000";
    char text[64];
    int decimals = 0;
    do snprintf(text, sizeof text, "%.*f", ++decimals, angstrom);
    while (decimals < 16 && fabs(strtod(text, NULL) - angstrom) > 1e-15 * fabs(angstrom));
    fprintf(out, " %*s%s", 5 + decimals, text, zeros + decimals);
}

void pv_poscar_put(FILE *out, const pv_cell *cell)
{
    fprintf(out, "%s\n1.0\n", cell->comment);
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < 3; c++) put_length(out, tidy(cell->lattice_bohr[i][c] * PV_BOHR_ANGSTROM));
        fputc('\n', out);
    }
    write_groups(out, cell, 1);
    write_groups(out, cell, 0);
    fputs(cell->selective ? "Selective dynamics\nDirect\n" : "Direct\n", out);
    for (int a = 0; a < cell->atoms; a++) {
        for (int c = 0; c < 3; c++) fprintf(out, " %19.16f", tidy(cell->fractional[a][c]));
        for (int c = 0; c < 3 && cell->selective; c++) fputs(cell->movable[a][c] ? " T" : " F", out);
        fputc('\n', out);
    }
    if (!cell->velocity) return;
    fputs(cell->velocity_is_direct ? "Direct\n" : "\n", out);
    for (int a = 0; a < cell->atoms; a++)
        fprintf(out, " %23.15E %23.15E %23.15E\n", cell->velocity[a][0], cell->velocity[a][1], cell->velocity[a][2]);
}

pv_status pv_poscar_write(const char *path, const pv_cell *cell)
{
    pv_file_text text;
    PV_TRY(pv_file_text_begin(path, &text));
    pv_poscar_put(text.out, cell);
    return pv_file_text_end(&text);
}
