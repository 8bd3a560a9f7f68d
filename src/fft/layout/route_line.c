// SPDX-License-Identifier: Apache-2.0
// Layouts of long lines. A line of n = n1 n2 points is n1 rows of n2; its spectrum is n2 rows of n1, kept as the
// transposed array: axis 1 counts k1, axis 2 counts k2, point k1 + n1 k2, so axis 2 is the slower one in memory.
#include "base/check.h"
#include "base/mem.h"
#include "fft/layout/box.h"
#include "fft/layout/route.h"

// Shorter lines fit a cache: one rank takes them whole.
#define PV_LONG_LINE ((int64_t)1 << 16)

int64_t pv_route_long_line(int64_t n, int64_t *n2_p)
{
    if (n < PV_LONG_LINE) return 0;
    int64_t best = 0;
    for (int64_t d = 1; d <= n / d; d++)
        if (n % d == 0) best = d;
    // With few rows, few ranks could take part, and rows would be as long as the line.
    if (best < 64) return 0;
    *n2_p = n / best;
    return best;
}

// Rows of length `row` of a line of n points over the ranks.
static pv_status aligned_slabs(int64_t n, int64_t row, int ranks, pv_layout **layout_p)
{
    int64_t shape[3] = {1, 1, n};
    pv_box *boxes = NULL;
    PV_TRY(PV_ALLOC(ranks, &boxes));
    for (int r = 0; r < ranks; r++) {
        int64_t lower, upper;
        pv_split(n / row, ranks, r, &lower, &upper);
        boxes[r] = (pv_box){{0, 0, lower * row}, {1, 1, upper * row}};
    }
    pv_status status = pv_layout_boxes(shape, ranks, boxes, layout_p);
    pv_mem_free(boxes);
    return status;
}

pv_status pv_route_line_space(int64_t n, int ranks, int line, pv_layout **layout_p)
{
    int64_t n2 = 0, n1 = pv_route_long_line(n, &n2);
    if (!line) return aligned_slabs(n, n2, ranks, layout_p);
    int64_t shape[3] = {1, n1, n2};
    return pv_layout_slab(shape, ranks, 1, layout_p);
}

pv_status pv_route_line_spectrum(int64_t n, int ranks, int line, pv_layout **layout_p)
{
    int64_t n2 = 0, n1 = pv_route_long_line(n, &n2);
    if (!line) return aligned_slabs(n, n1, ranks, layout_p);
    int64_t shape[3] = {1, n1, n2};
    pv_layout *layout;
    PV_TRY(pv_layout_slab(shape, ranks, 2, &layout));
    pv_status status = pv_layout_set_order(layout, (const int[3]){0, 2, 1});
    if (status != PV_OK) {
        pv_layout_destroy(layout);
        return status;
    }
    *layout_p = layout;
    return PV_OK;
}
