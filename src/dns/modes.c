// SPDX-License-Identifier: Apache-2.0
#include "dns/modes.h"

#include <math.h>

#define TWO_PI 6.283185307179586476925286766559

int64_t pv_dns_keep(int64_t n, int dealias)
{
    // Two thirds: indices below n / 3, so that the alias n - 2 keep of a product lies above keep.
    if (dealias != PV_DEALIAS_SHIFT) return (n - 1) / 3;
    int64_t keep = (int64_t)floor(sqrt(2.0) / 3.0 * (double)n);
    return keep < (n - 1) / 2 ? keep : (n - 1) / 2;
}

double pv_dns_largest_wave_number(const pv_dns_params *p)
{
    const double length[3] = {p->length_x, p->length_y, p->length_z};
    double least = HUGE_VAL;
    for (int d = 0; d < 3; d++) least = fmin(least, TWO_PI / length[d] * (double)pv_dns_keep(p->grid[d], p->dealias));
    return least;
}

static void place(dns_modes *m, int position, int64_t n, int64_t keep, int64_t lower, int64_t upper)
{
    m->n[position] = n;
    m->keep[position] = keep;
    m->first[position] = lower;
    m->full[position] = upper > lower ? upper - lower : 0;
    const int64_t low_end = keep + 1 < upper ? keep + 1 : upper, high_begin = n - keep > lower ? n - keep : lower;
    const int64_t low = low_end > lower ? low_end - lower : 0, high = upper > high_begin ? upper - high_begin : 0;
    m->low[position] = low;
    m->jump[position] = high_begin;
    m->count[position] = low + high;
}

dns_modes pv_dns_modes_of(const pv_dns_params *p, const pv_layout *spectrum, int rank)
{
    dns_modes m = {0};
    const pv_box *box = &spectrum->boxes[rank];
    const double lengths[3] = {p->length_x, p->length_y, p->length_z};
    int position_of[3];
    double unit[3];
    for (int position = 0; position < 3; position++) {
        const int axis = spectrum->order[position], direction = 2 - axis;
        position_of[direction] = position;
        // The last axis of a real transform has the non-negative half alone.
        const int64_t n = p->grid[direction];
        place(&m, position, n, pv_dns_keep(n, p->dealias), box->lower[axis], box->upper[axis]);
    }
    for (int d = 0; d < 3; d++) unit[d] = TWO_PI / lengths[d];
    m.x = position_of[0];
    m.y = position_of[1];
    m.z = position_of[2];
    m.unit_x = unit[0];
    m.unit_y = unit[1];
    m.unit_z = unit[2];
    m.total = m.count[0] * m.count[1] * m.count[2];
    if (pv_box_count(box) == 0) m.total = 0;
    m.per_count1 = m.count[1] > 0 ? 1.0 / (double)m.count[1] : 1.0;
    m.per_count2 = m.count[2] > 0 ? 1.0 / (double)m.count[2] : 1.0;
    m.per_full1 = m.full[1] > 0 ? 1.0 / (double)m.full[1] : 1.0;
    m.per_full2 = m.full[2] > 0 ? 1.0 / (double)m.full[2] : 1.0;
    m.round = p->dealias != PV_DEALIAS_CUBE;
    return m;
}

int64_t pv_dns_signed_index(const dns_modes *m, int position, int64_t j)
{
    const int64_t i = j < m->low[position] ? m->first[position] + j : m->jump[position] + (j - m->low[position]);
    return 2 * i > m->n[position] ? i - m->n[position] : i;
}
