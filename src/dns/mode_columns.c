// SPDX-License-Identifier: Apache-2.0
#include "dns/mode_columns.h"

#include "base/check.h"
#include "base/mem.h"

// Kept number of a signed index along a position; -1: not here.
static int64_t kept_number(const dns_modes *m, int position, int64_t index)
{
    const int64_t number = index >= 0 ? index : index + m->length[position];
    if (index > m->keep[position] || index < -m->keep[position]) return -1;
    const int64_t j = number - m->first[position];
    return j >= 0 && j < m->count[position] ? j : -1;
}

pv_status pv_dns_columns_make(const dns_modes *m, const int64_t keep[3], pv_dns_columns *columns)
{
    const int64_t most = m->total > 0 ? m->count[m->y] * m->count[m->x] : 0;
    *columns = (pv_dns_columns){.keep = {keep[0], keep[1], keep[2]}};
    PV_TRY(PV_ALLOC(most, &columns->y));
    PV_TRY(PV_ALLOC(most, &columns->x));
    PV_TRY(PV_ALLOC(most, &columns->stretch));
    for (int64_t y = -keep[1]; y <= keep[1] && most > 0; y++)
        for (int64_t x = 0; x <= keep[0]; x++) {
            const int64_t jy = kept_number(m, m->y, y), jx = kept_number(m, m->x, x);
            if (jy < 0 || jx < 0) continue;
            const int64_t at = (y + keep[1]) * (keep[0] + 1) + x;
            pv_stretch *last = columns->stretches > 0 ? &columns->stretch[columns->stretches - 1] : NULL;
            if (last && last->first + last->count == at)
                last->count++;
            else
                columns->stretch[columns->stretches++] = (pv_stretch){at, 1};
            columns->y[columns->count] = jy;
            columns->x[columns->count++] = jx;
        }
    return PV_OK;
}

void pv_dns_columns_release(pv_dns_columns *columns)
{
    pv_mem_free(columns->y);
    pv_mem_free(columns->x);
    pv_mem_free(columns->stretch);
    *columns = (pv_dns_columns){0};
}

int64_t pv_dns_columns_place(const dns_modes *m, const pv_dns_columns *columns, int64_t row, int64_t c)
{
    int64_t j[3];
    j[m->z] = kept_number(m, m->z, row - columns->keep[2]);
    j[m->y] = columns->y[c];
    j[m->x] = columns->x[c];
    return j[m->z] < 0 ? -1 : (j[0] * m->count[1] + j[1]) * m->count[2] + j[2];
}
