// SPDX-License-Identifier: Apache-2.0
#include "harness.h"

#include <string.h>

#include "base/mem.h"

static void memory_is_zeroed_and_aligned(void **state)
{
    (void)state;
    const size_t sizes[] = {1, 63, 64, 65, 4097, 5 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        unsigned char *memory = NULL;
        assert_ok(PV_ALLOC(sizes[i], &memory));
        assert_int_equal((uintptr_t)memory % 64, 0);
        for (size_t j = 0; j < sizes[i]; j++)
            if (memory[j] != 0) fail_msg("byte %zu of %zu is not zero", j, sizes[i]);
        memset(memory, 0xA5, sizes[i]);
        pv_mem_free(memory);
    }
}

static void large_memory_begins_on_a_huge_page(void **state)
{
    (void)state;
    double *memory = NULL;
    assert_ok(PV_ALLOC(1 << 20, &memory));
    assert_int_equal((uintptr_t)memory % (2u << 20), 0);
    pv_mem_free(memory);
}

static void nothing_is_asked_and_nothing_given(void **state)
{
    (void)state;
    void *memory = &memory;
    assert_ok(pv_mem_alloc(0, 8, &memory));
    assert_null(memory);
    memory = &memory;
    assert_ok(pv_mem_alloc_raw(8, 0, &memory));
    assert_null(memory);
    pv_mem_free(NULL);
}

static void overflow_and_exhaustion_are_refused(void **state)
{
    (void)state;
    void *memory = &memory;
    assert_fails(PV_ERR_MEMORY, pv_mem_alloc(SIZE_MAX / 4, 8, &memory));
    assert_fails(PV_ERR_MEMORY, pv_mem_alloc(SIZE_MAX, 1, &memory));
    assert_ptr_equal(memory, &memory);
}

static void live_and_peak_follow_what_is_held(void **state)
{
    (void)state;
    const size_t before = pv_mem_live_bytes();
    void *first, *second;
    assert_ok(pv_mem_alloc(1000, 1, &first));
    assert_ok(pv_mem_alloc_raw(10, 200, &second));
    assert_int_equal(pv_mem_live_bytes() - before, 3000);
    pv_mem_free(first);
    assert_int_equal(pv_mem_live_bytes() - before, 2000);
    pv_mem_account(1 << 26, 0);
    pv_mem_account(0, 1 << 26);
    pv_mem_free(second);
    assert_int_equal(pv_mem_live_bytes(), before);
    assert_true(pv_mem_peak_bytes() >= before + 2000 + (1 << 26));
    pv_mem_restart_peak();
    assert_int_equal(pv_mem_peak_bytes(), pv_mem_live_bytes());
}

static void strings_are_copied(void **state)
{
    (void)state;
    const char *text = "a shape";
    char *copy = NULL;
    assert_ok(pv_mem_strdup(text, &copy));
    assert_ptr_not_equal(copy, text);
    assert_string_equal(copy, text);
    pv_mem_free(copy);
}

PV_TEST_MAIN(PV_TEST(memory_is_zeroed_and_aligned), PV_TEST(large_memory_begins_on_a_huge_page),
             PV_TEST(nothing_is_asked_and_nothing_given), PV_TEST(overflow_and_exhaustion_are_refused),
             PV_TEST(live_and_peak_follow_what_is_held), PV_TEST(strings_are_copied))
