// SPDX-License-Identifier: Apache-2.0
#include "fft/layout/box.h"

#include <inttypes.h>
#include <stdio.h>

void pv_split(int64_t n, int parts, int part, int64_t *lower, int64_t *upper)
{
    int64_t base = n / parts, rest = n % parts;
    *lower = part * base + (part < rest ? part : rest);
    *upper = *lower + base + (part < rest);
}

int64_t pv_box_extent(const pv_box *box, int axis)
{
    return box->upper[axis] > box->lower[axis] ? box->upper[axis] - box->lower[axis] : 0;
}

int64_t pv_box_count(const pv_box *box)
{
    return pv_box_extent(box, 0) * pv_box_extent(box, 1) * pv_box_extent(box, 2);
}

int pv_box_is_empty(const pv_box *box)
{
    for (int axis = 0; axis < 3; axis++)
        if (box->upper[axis] <= box->lower[axis]) return 1;
    return 0;
}

int pv_box_is_equal(const pv_box *a, const pv_box *b)
{
    if (pv_box_is_empty(a) || pv_box_is_empty(b)) return pv_box_is_empty(a) && pv_box_is_empty(b);
    for (int axis = 0; axis < 3; axis++)
        if (a->lower[axis] != b->lower[axis] || a->upper[axis] != b->upper[axis]) return 0;
    return 1;
}

pv_box pv_box_intersect(const pv_box *a, const pv_box *b)
{
    pv_box both;
    for (int axis = 0; axis < 3; axis++) {
        both.lower[axis] = a->lower[axis] > b->lower[axis] ? a->lower[axis] : b->lower[axis];
        both.upper[axis] = a->upper[axis] < b->upper[axis] ? a->upper[axis] : b->upper[axis];
    }
    return pv_box_is_empty(&both) ? (pv_box){{0}, {0}} : both;
}

void pv_box_describe(const pv_box *box, char *text, size_t size)
{
    snprintf(text, size, "[%" PRId64 ",%" PRId64 ")x[%" PRId64 ",%" PRId64 ")x[%" PRId64 ",%" PRId64 ")",
             box->lower[0], box->upper[0], box->lower[1], box->upper[1], box->lower[2], box->upper[2]);
}
