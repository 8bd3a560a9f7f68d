// SPDX-License-Identifier: Apache-2.0
// seeds: tests/dft/data/analytic.upf
#include "fuzz.h"

#include "dft/files/upf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pv_pseudo *pseudo = NULL;
    char element[8];
    (void)pv_upf_is((const char *)data, size);
    pv_upf_element((const char *)data, size, element);
    MUST(element[0] == 0 || element[1] == 0 || element[2] == 0);
    if (pv_upf_parse((const char *)data, size, "potential", &pseudo) != PV_OK) {
        MUST(!pseudo);
        return 0;
    }
    // The tables of a large mesh take their time and are not what is tested here.
    if (pseudo->radial->points <= 64 && pseudo->projectors <= 4) (void)pv_pseudo_prepare(pseudo);
    pv_pseudo_destroy(pseudo);
    return 0;
}
