// SPDX-License-Identifier: Apache-2.0
// Layouts that no rule would make: random cuts, random owners, empty boxes, random order in memory; the same on every
// rank.
#ifndef PV_TESTS_FFT_RANDOM_BOXES_H
#define PV_TESTS_FFT_RANDOM_BOXES_H

#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "fft/layout/layout.h"

typedef struct dice {
    uint64_t seed, throws;
} dice;

// 0 <= value < count.
static inline int64_t dice_throw(dice *d, int64_t count)
{
    return (int64_t)(pv_rng_uniform(d->seed, 0, d->throws++) * (double)count);
}

// Cases are shuffled and dealt to the numbers of ranks where all of them would take too long: one of `parts` (up to 48)
// is here. With PARSEVAL_TEST_ALL (make check-long) each is. `next` counts them.
static inline int case_is_elsewhere(int64_t *next, int64_t parts)
{
    const int64_t card = (int64_t)(pv_rng_uniform(1, 0, (uint64_t)(*next)++) * 48.0);
    return (card + pv_test_size()) % parts != 0 && !getenv("PARSEVAL_TEST_ALL");
}

// Cuts the box for ranks owners[0 .. ranks).
static inline void boxes_cut(dice *d, pv_box box, int ranks, const int *owners, pv_box *boxes)
{
    if (ranks == 1) {
        boxes[owners[0]] = box;
        return;
    }
    int axis = (int)dice_throw(d, 3), few = 1 + (int)dice_throw(d, ranks - 1);
    int64_t length = box.upper[axis] > box.lower[axis] ? box.upper[axis] - box.lower[axis] : 0;
    pv_box below = box, above = box;
    below.upper[axis] = above.lower[axis] = box.lower[axis] + dice_throw(d, length + 1);
    boxes_cut(d, below, few, owners, boxes);
    boxes_cut(d, above, ranks - few, owners + few, boxes);
}

static inline void order_throw(dice *d, int order[3])
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    int which = (int)dice_throw(d, 6);
    for (int i = 0; i < 3; i++) order[i] = orders[which][i];
}

static inline pv_layout *layout_random(dice *d, const int64_t shape[3], int ranks)
{
    pv_box *boxes = NULL;
    int *owners = NULL, order[3];
    assert_ok(PV_ALLOC(ranks, &boxes));
    assert_ok(PV_ALLOC(ranks, &owners));
    for (int i = 0; i < ranks; i++) {
        int j = (int)dice_throw(d, i + 1);
        owners[i] = owners[j];
        owners[j] = i;
    }
    boxes_cut(d, (pv_box){{0, 0, 0}, {shape[0], shape[1], shape[2]}}, ranks, owners, boxes);
    pv_layout *layout = NULL;
    assert_ok(pv_layout_boxes(shape, ranks, boxes, &layout));
    order_throw(d, order);
    assert_ok(pv_layout_set_order(layout, order));
    pv_mem_free(boxes);
    pv_mem_free(owners);
    return layout;
}

// Everything on one rank.
static inline pv_layout *layout_on_one(const int64_t shape[3], int ranks, int owner)
{
    pv_box *boxes = NULL;
    pv_layout *layout = NULL;
    assert_ok(PV_ALLOC(ranks, &boxes));
    boxes[owner] = (pv_box){{0, 0, 0}, {shape[0], shape[1], shape[2]}};
    assert_ok(pv_layout_boxes(shape, ranks, boxes, &layout));
    pv_mem_free(boxes);
    return layout;
}

// A grid of ranks as square as it gets, along the axes that are not `whole` (-1: all three).
static inline pv_layout *layout_bricks(const int64_t shape[3], int ranks, int whole)
{
    int grid[3] = {1, 1, 1}, axis = 0;
    for (int rest = ranks, p = 2; rest > 1;) {
        while (rest % p) p++;
        if (axis == whole) axis = (axis + 1) % 3;
        grid[axis] *= p;
        axis = (axis + 1) % 3;
        rest /= p;
    }
    pv_layout *layout = NULL;
    assert_ok(pv_layout_block(shape, grid, &layout));
    return layout;
}

#endif
