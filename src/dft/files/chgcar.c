// SPDX-License-Identifier: Apache-2.0
// CHGCAR: the density times the volume of the cell, first axis fastest; with spin the magnetisation after it.
#include <inttypes.h>

#include "base/check.h"
#include "dft/files/run.h"
#include "dft/model/units.h"

enum { VALUES_A_LINE = 5 };

static void put_cell(FILE *out, const pv_cell *cell)
{
    fprintf(out, "%s\n   1.00000000000000\n", *cell->comment ? cell->comment : "unknown system");
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < 3; c++)
            fprintf(out, " %15.10f", pv_run_shown(cell->lattice_bohr[i][c] * PV_BOHR_ANGSTROM, 10));
        fputc('\n', out);
    }
    for (int a = 0; a < cell->atoms; a += pv_run_group_at(cell, a).count)
        fprintf(out, "   %-2s ", cell->species_name[cell->species_of[a]]);
    fputc('\n', out);
    for (int a = 0; a < cell->atoms; a += pv_run_group_at(cell, a).count)
        fprintf(out, " %5d", pv_run_group_at(cell, a).count);
    fputs("\nDirect\n", out);
    for (int a = 0; a < cell->atoms; a++) {
        for (int d = 0; d < 3; d++) fprintf(out, " %13.9f", pv_run_shown(cell->fractional[a][d], 9));
        fputc('\n', out);
    }
    fputc('\n', out);
}

static void put_field(FILE *out, const int64_t n[3], const double *field, double factor)
{
    fprintf(out, " %4" PRId64 " %4" PRId64 " %4" PRId64 "\n", n[0], n[1], n[2]);
    int in_line = 0;
    for (int64_t z = 0; z < n[2]; z++)
        for (int64_t y = 0; y < n[1]; y++)
            for (int64_t x = 0; x < n[0]; x++) {
                fprintf(out, " %18.11E", factor * field[(x * n[1] + y) * n[2] + z]);
                if (++in_line < VALUES_A_LINE) continue;
                fputc('\n', out);
                in_line = 0;
            }
    if (in_line > 0) fputc('\n', out);
}

static void put(FILE *out, const pv_run *run)
{
    const int64_t *n = run->grid, points = n[0] * n[1] * n[2];
    put_cell(out, run->cell);
    for (int s = 0; s < run->params->spins; s++)
        put_field(out, n, run->density + s * points, run->cell->volume_bohr3);
}

pv_status pv_chgcar_write(const char *path, const pv_run *run)
{
    PV_REQUIRE(run->density, PV_ERR_ARGUMENT, "CHGCAR of a run without a density, for %s", path);
    return pv_run_write(path, put, run);
}
