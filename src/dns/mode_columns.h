// SPDX-License-Identifier: Apache-2.0
// Where a rank's kept modes lie in a file's array [2 Kz + 1][2 Ky + 1][Kx + 1] of signed wave numbers: rows along
// z, columns
// y and x. The file's K may be smaller or larger than the run's. Pure.
#ifndef PV_DNS_MODE_COLUMNS_H
#define PV_DNS_MODE_COLUMNS_H

#include "dns/modes.h"
#include "io/spread.h"

typedef struct pv_dns_columns {
    int64_t keep[3];     // of the file: x, y, z
    int64_t count;       // columns of the file that this rank has, ascending
    int64_t *y, *x;      // [count], kept numbers along these directions
    pv_stretch *stretch; // the same columns as stretches
    int64_t stretches;
} pv_dns_columns;

pv_status pv_dns_columns_make(const dns_modes *modes, const int64_t keep[3], pv_dns_columns *columns);
void pv_dns_columns_release(pv_dns_columns *columns);

// Place among the rank's kept modes of column `c` in row `row`; -1 when the run has no such mode.
int64_t pv_dns_columns_place(const dns_modes *modes, const pv_dns_columns *columns, int64_t row, int64_t c);

#endif
