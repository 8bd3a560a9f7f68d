// SPDX-License-Identifier: Apache-2.0
// seeds: examples/hfo2/INCAR
#include "fuzz.h"

#include "base/mem.h"
#include "dft/model/params.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pv_incar *incar = NULL;
    if (pv_incar_parse((const char *)data, size, "INCAR", &incar) != PV_OK) {
        MUST(!incar);
        return 0;
    }
    for (int i = 0; i < pv_incar_count(incar); i++) {
        double real = 0.0, *list = NULL;
        int whole = 0, count = 0;
        const char *tag = pv_incar_tag(incar, i);
        MUST(pv_incar_has(incar, tag) && pv_incar_value(incar, i) && pv_incar_line(incar, i) > 0);
        (void)pv_incar_real(incar, tag, &real);
        (void)pv_incar_int(incar, tag, &whole);
        (void)pv_incar_logical(incar, tag, &whole);
        if (pv_incar_reals(incar, tag, &list, &count) == PV_OK) MUST(list && count > 0);
        pv_mem_free(list);
        MUST(pv_incar_asked(incar, i));
    }
    pv_dft_params params;
    if (pv_dft_params_read(incar, &params) == PV_OK) pv_dft_params_release(&params);
    pv_incar_destroy(incar);
    return 0;
}
