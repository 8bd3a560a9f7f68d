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

int64_t pv_dns_row_modes(const pv_dns_params *p)
{
    return (pv_dns_keep(p->grid[0], p->dealias) + 1 + 3) / 4 * 4;
}

int pv_dns_pencil_columns(int64_t planes, int64_t kept, int64_t ranks)
{
    int columns = 1;
    if (ranks <= planes && ranks <= kept) return 0;
    for (int c = 1; (int64_t)c * c <= ranks; c++)
        if (ranks % c == 0) columns = c;
    return columns;
}

dns_modes pv_dns_modes_of(const pv_dns_params *p, const pv_layout *spectrum, int rank)
{
    dns_modes m = {0};
    const pv_box *box = &spectrum->boxes[rank];
    const double lengths[3] = {p->length_x, p->length_y, p->length_z};
    int position_of[3];
    double unit[3];
    m.total = pv_box_count(box);
    for (int position = 0; position < 3; position++) {
        const int axis = spectrum->order[position], direction = 2 - axis;
        position_of[direction] = position;
        m.keep[position] = pv_dns_keep(p->grid[direction], p->dealias);
        m.first[position] = box->lower[axis];
        m.count[position] = m.total > 0 ? box->upper[axis] - box->lower[axis] : 0;
        // Along x there are no negative ones.
        m.length[position] = direction == 0 ? INT32_MAX : 2 * m.keep[position] + 1;
    }
    for (int d = 0; d < 3; d++) unit[d] = TWO_PI / lengths[d];
    m.x = position_of[0];
    m.y = position_of[1];
    m.z = position_of[2];
    m.unit_x = unit[0];
    m.unit_y = unit[1];
    m.unit_z = unit[2];
    m.per_count1 = m.count[1] > 0 ? 1.0 / (double)m.count[1] : 1.0;
    m.per_count2 = m.count[2] > 0 ? 1.0 / (double)m.count[2] : 1.0;
    m.round = p->dealias != PV_DEALIAS_CUBE;
    return m;
}

int64_t pv_dns_signed_index(const dns_modes *m, int position, int64_t j)
{
    const int64_t number = m->first[position] + j, length = m->length[position];
    return 2 * number > length ? number - length : number;
}

dns_box pv_dns_box_of(const dns_modes *m, const double edge[3])
{
    dns_box box = {.count = 1};
    for (int d = 0; d < 3; d++) {
        box.edge[d] = (int64_t)fmin(edge[d], (double)m->keep[d]);
        box.count *= d == m->x ? box.edge[d] + 1 : 2 * box.edge[d] + 1;
    }
    box.is_all = box.count >= m->total;
    if (box.is_all) box.count = m->total;
    return box;
}
