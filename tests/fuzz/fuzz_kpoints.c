// SPDX-License-Identifier: Apache-2.0
// seeds: examples/hfo2/KPOINTS
#include "fuzz.h"

#include <math.h>

#include "dft/files/kpoints.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const double lattice[3][3] = {{8, 0, 0}, {0, 9, 1}, {-2, 0, 10}};
    pv_cell *cell;
    pv_kpoints *kpoints = NULL;
    MUST(pv_cell_create(1, 1, 0, &cell) == PV_OK && pv_cell_set_lattice(cell, lattice) == PV_OK);
    if (pv_kpoints_parse((const char *)data, size, "KPOINTS", cell, &kpoints) == PV_OK) {
        double sum = 0.0;
        for (int k = 0; k < kpoints->count; k++) {
            MUST(kpoints->first_of[k] >= 0 && kpoints->first_of[k] <= k && kpoints->weight[k] >= 0.0);
            sum += kpoints->weight[k];
        }
        MUST(fabs(sum - 1.0) < 1e-9);
    }
    pv_kpoints_destroy(kpoints);
    pv_cell_destroy(cell);
    return 0;
}
