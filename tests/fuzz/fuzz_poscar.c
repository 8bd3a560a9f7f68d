// SPDX-License-Identifier: Apache-2.0
// seeds: examples/hfo2/POSCAR
#include "fuzz.h"

#include <math.h>

#include "dft/files/poscar.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pv_cell *cell = NULL;
    if (pv_poscar_parse((const char *)data, size, "POSCAR", &cell) != PV_OK) {
        MUST(!cell);
        return 0;
    }
    int atoms = 0;
    for (int s = 0; s < cell->species; s++) atoms += cell->count_of[s];
    MUST(atoms == cell->atoms && isfinite(cell->volume_bohr3) && cell->volume_bohr3 > 0.0);
    for (int a = 0; a < cell->atoms; a++) {
        MUST(cell->species_of[a] >= 0 && cell->species_of[a] < cell->species);
        for (int i = 0; i < 3; i++) MUST(isfinite(cell->fractional[a][i]));
    }
    pv_cell_destroy(cell);
    return 0;
}
