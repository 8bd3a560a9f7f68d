// SPDX-License-Identifier: Apache-2.0
// seeds: tests/dft/data/EIGENVAL
#include "fuzz.h"

#include "dft/files/eigenval_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pv_bands *bands = NULL;
    if (pv_eigenval_parse((const char *)data, size, "EIGENVAL", &bands) == PV_OK)
        MUST(bands->kpoints > 0 && bands->bands > 0 && (bands->spins == 1 || bands->spins == 2));
    pv_bands_destroy(bands);
    return 0;
}
