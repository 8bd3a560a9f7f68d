// SPDX-License-Identifier: Apache-2.0
#include "dft/model/phase.h"

#include "base/check.h"
#include "base/mem.h"
#include "dft/model/units.h"

pv_status pv_phase_create(const pv_cell *cell, const int64_t shape[3], pv_phase **phase_p)
{
    pv_phase *phase;
    PV_TRY(PV_ALLOC(1, &phase));
    for (int d = 0; d < 3; d++) {
        const int64_t reach = phase->reach[d] = shape[d] / 2, width = 2 * reach + 1;
        const pv_status status = PV_ALLOC(cell->atoms * width, &phase->table[d]);
        if (status != PV_OK) {
            pv_phase_destroy(phase);
            return status;
        }
        for (int a = 0; a < cell->atoms; a++)
            for (int64_t n = -reach; n <= reach; n++)
                phase->table[d][a * width + reach + n] = cexp(-I * 2.0 * PV_PI * (double)n * cell->fractional[a][d]);
    }
    *phase_p = phase;
    return PV_OK;
}

void pv_phase_destroy(pv_phase *phase)
{
    if (!phase) return;
    for (int d = 0; d < 3; d++) pv_mem_free(phase->table[d]);
    pv_mem_free(phase);
}
