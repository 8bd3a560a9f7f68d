// SPDX-License-Identifier: Apache-2.0
#include "harness.h"

#include <string.h>

#include "base/check.h"

static void every_status_has_name_and_sentence(void **state)
{
    (void)state;
    for (int i = 0; i < PV_STATUS_COUNT; i++) {
        assert_memory_equal(pv_status_name((pv_status)i), "PV_", 3);
        assert_true(strlen(pv_status_text((pv_status)i)) > 3);
    }
    assert_string_equal(pv_status_name(PV_ERR_SHAPE), "PV_ERR_SHAPE");
    assert_string_equal(pv_status_name((pv_status)-1), "PV_STATUS_UNKNOWN");
    assert_string_equal(pv_status_name(PV_STATUS_COUNT), "PV_STATUS_UNKNOWN");
}

static pv_status take_even(int number)
{
    PV_REQUIRE(number % 2 == 0, PV_ERR_ARGUMENT, "number is %d; even ones are accepted", number);
    return PV_OK;
}

static pv_status pass_on(int number, int *reached)
{
    PV_TRY(take_even(number));
    *reached = 1;
    return PV_OK;
}

static void first_detector_speaks_and_callers_pass_on(void **state)
{
    (void)state;
    int reached = 0;
    assert_fails(PV_ERR_ARGUMENT, pass_on(3, &reached));
    assert_int_equal(reached, 0);
    assert_string_equal(pv_last_error(), "take_even: number is 3; even ones are accepted");
    assert_ok(pass_on(4, &reached));
    assert_int_equal(reached, 1);
}

static void last_error_may_be_quoted_in_the_next(void **state)
{
    (void)state;
    pv_test_mute(1);
    pv_fail(PV_ERR_IO, "inner", "disk full");
    pv_fail(PV_ERR_IO, "outer", "could not save: %s", pv_last_error());
    pv_test_mute(0);
    assert_string_equal(pv_last_error(), "outer: could not save: inner: disk full");
}

static void long_messages_are_cut_not_overrun(void **state)
{
    (void)state;
    char text[5000];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    pv_test_mute(1);
    pv_fail(PV_ERR_IO, "here", "%s", text);
    pv_test_mute(0);
    size_t length = strlen(pv_last_error());
    assert_in_range(length, 1000, 4999);
}

PV_TEST_MAIN(PV_TEST(every_status_has_name_and_sentence), PV_TEST(first_detector_speaks_and_callers_pass_on),
             PV_TEST(last_error_may_be_quoted_in_the_next), PV_TEST(long_messages_are_cut_not_overrun))
