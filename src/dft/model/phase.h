// SPDX-License-Identifier: Apache-2.0
// exp(-i G tau) of every atom and plane wave, from three short tables an atom.
#ifndef PV_DFT_PHASE_H
#define PV_DFT_PHASE_H

#include <complex.h>
#include <stdint.h>

#include "dft/model/cell.h"

typedef struct pv_phase {
    int64_t reach[3];                  // tables hold |n_d| <= reach[d]
    double _Complex *table[3];         // [atoms][2 reach + 1]
} pv_phase;

// For G with |n_d| <= shape[d] / 2. Local.
pv_status pv_phase_create(const pv_cell *cell, const int64_t shape[3], pv_phase **phase_p);
void pv_phase_destroy(pv_phase *phase);

static inline double _Complex pv_phase_at(const pv_phase *phase, int atom, const int32_t n[3])
{
    const int64_t *reach = phase->reach;
    return phase->table[0][atom * (2 * reach[0] + 1) + reach[0] + n[0]]
           * phase->table[1][atom * (2 * reach[1] + 1) + reach[1] + n[1]]
           * phase->table[2][atom * (2 * reach[2] + 1) + reach[2] + n[2]];
}

#endif
