// SPDX-License-Identifier: Apache-2.0
#include "comm/heap.h"

#include <string.h>

#include "harness.h"

static void parts_fill_gaps(void **state)
{
    (void)state;
    pv_heap *heap;
    size_t a, b, c, d;
    assert_ok(pv_heap_create(3 * PV_HEAP_ALIGN, &heap));
    assert_ok(pv_heap_take(heap, 1, &a));
    assert_ok(pv_heap_take(heap, 0, &b));
    assert_ok(pv_heap_take(heap, PV_HEAP_ALIGN, &c));
    assert_int_equal(a, 0);
    assert_int_equal(b, PV_HEAP_ALIGN);
    assert_int_equal(c, 2 * PV_HEAP_ALIGN);
    assert_int_equal(pv_heap_taken_bytes(heap), 3 * PV_HEAP_ALIGN);
    assert_fails(PV_ERR_MEMORY, pv_heap_take(heap, 1, &d));
    pv_heap_give_back(heap, b);
    assert_fails(PV_ERR_MEMORY, pv_heap_take(heap, PV_HEAP_ALIGN + 1, &d));
    assert_fails(PV_ERR_MEMORY, pv_heap_take(heap, SIZE_MAX, &d));
    assert_ok(pv_heap_take(heap, PV_HEAP_ALIGN, &d));
    assert_int_equal(d, b);
    pv_heap_destroy(heap);
    pv_heap_destroy(NULL);
}

// No two parts ever overlap, and all comes back.
static void parts_are_apart(void **state)
{
    (void)state;
    enum { UNITS = 200, PARTS = 30 };
    char taken[UNITS] = {0};
    size_t offsets[PARTS], units[PARTS] = {0};
    uint32_t random = 1;
    pv_heap *heap;
    assert_ok(pv_heap_create((size_t)UNITS * PV_HEAP_ALIGN + 7, &heap));
    for (int turn = 0; turn < 5000; turn++) {
        random = random * 1664525u + 1013904223u;
        const int i = (int)(random >> 8) % PARTS;
        if (units[i]) {
            pv_heap_give_back(heap, offsets[i]);
            memset(taken + offsets[i] / PV_HEAP_ALIGN, 0, units[i]);
            units[i] = 0;
            continue;
        }
        const size_t wanted = 1 + (random >> 20) % 20;
        pv_test_mute(1);
        const pv_status status = pv_heap_take(heap, wanted * PV_HEAP_ALIGN, &offsets[i]);
        pv_test_mute(0);
        if (status != PV_OK) continue;
        units[i] = wanted;
        for (size_t u = 0; u < wanted; u++) {
            assert_in_range(offsets[i] / PV_HEAP_ALIGN + u, 0, UNITS - 1);
            assert_int_equal(taken[offsets[i] / PV_HEAP_ALIGN + u]++, 0);
        }
    }
    for (int i = 0; i < PARTS; i++)
        if (units[i]) pv_heap_give_back(heap, offsets[i]);
    assert_int_equal(pv_heap_taken_bytes(heap), 0);
    pv_heap_destroy(heap);
}

PV_TEST_MAIN(PV_TEST(parts_fill_gaps), PV_TEST(parts_are_apart))
