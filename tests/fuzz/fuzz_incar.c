// SPDX-License-Identifier: Apache-2.0
// seeds: examples/hfo2/INCAR tests/dft/data/tags.INCAR
#include "fuzz.h"

#include "base/mem.h"
#include "dft/model/params_kpoints.h"

// Two atoms of four electrons at a mesh of 4 x 2 x 1 points.
static void complete(pv_dft_params *params)
{
    static const double valence = 4.0, advised = 10.0, shift[3] = {0.0, 0.0, 0.0};
    static const int mesh[3] = {4, 2, 1};
    pv_cell *cell;
    pv_kpoints *kpoints = NULL;
    if (pv_cell_create(2, 1, 0, &cell) != PV_OK) return;
    cell->count_of[0] = 2;
    if (pv_dft_params_complete(params, cell, &valence, &advised) == PV_OK
        && pv_kpoints_create_mesh(mesh, shift, &kpoints) == PV_OK)
        (void)pv_dft_params_check_kpoints(params, kpoints);
    pv_kpoints_destroy(kpoints);
    pv_cell_destroy(cell);
}

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
    if (pv_dft_params_read(incar, &params) == PV_OK) {
        complete(&params);
        pv_dft_params_release(&params);
    }
    pv_incar_destroy(incar);
    return 0;
}
