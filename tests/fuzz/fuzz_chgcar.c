// SPDX-License-Identifier: Apache-2.0
// seeds: tests/dft/data/CHGCAR
#include "fuzz.h"

#include "dft/files/chgcar_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pv_chgcar *chgcar = NULL;
    if (pv_chgcar_parse((const char *)data, size, "CHGCAR", &chgcar) == PV_OK)
        MUST(chgcar->density && chgcar->grid[0] > 0 && (chgcar->spins == 1 || chgcar->spins == 2));
    pv_chgcar_destroy(chgcar);
    return 0;
}
