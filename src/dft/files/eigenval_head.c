// SPDX-License-Identifier: Apache-2.0
#include "dft/files/eigenval_head.h"

#include <math.h>

#include "dft/model/units.h"

void pv_eigenval_put_head(FILE *out, const pv_run *run, int third, int fourth)
{
    const pv_cell *cell = run->cell;
    fprintf(out, "%5d%5d%5d%5d\n", cell->atoms, cell->atoms, third, fourth);
    // Volume an atom in Angstrom^3, lengths of the lattice vectors in metres, time step of the ions.
    fprintf(out, "  %14.7E", cell->volume_bohr3 * pow(PV_BOHR_ANGSTROM, 3) / cell->atoms);
    for (int i = 0; i < 3; i++) {
        const double *a = cell->lattice_bohr[i];
        fprintf(out, "  %14.7E", sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * PV_BOHR_METRE);
    }
    fputs("  0.5000000E-15\n  1.000000000000000E-004\n  CAR \n", out);
    fprintf(out, " %s\n", *run->params->system ? run->params->system : "unknown system");
}
