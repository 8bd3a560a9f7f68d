// SPDX-License-Identifier: Apache-2.0
#include "base/json_read.h"

#include <string.h>

#include "harness.h"

static pv_json_value read(const char *text)
{
    pv_json_value value = {0};
    assert_true(pv_json_read(text, strlen(text), &value));
    return value;
}

static void members_and_elements(void **state)
{
    (void)state;
    const pv_json_value root =
        read(" {\"a\": 1, \"b\": [1.5, \"x,]\\\"}\", [2, 3], {\"a\": 7}, null], \"c\": {\"d\": true}}\n");
    pv_json_value value, at;
    double number = 0.0;
    int flag;
    char text[4];
    assert_true(pv_json_member(root, "a", &value) && pv_json_as_number(value, &number));
    assert_near(number, 1.0, 0.0);
    assert_true(pv_json_member(root, "b", &value));
    assert_int_equal(pv_json_length(value), 5);
    assert_true(pv_json_first(value, &at) && pv_json_as_number(at, &number));
    assert_near(number, 1.5, 0.0);
    assert_true(pv_json_next(value, &at) && pv_json_as_text(at, sizeof text, text));
    assert_string_equal(text, "x,]");
    assert_false(pv_json_as_number(at, &number));
    assert_true(pv_json_next(value, &at));
    assert_int_equal(pv_json_length(at), 2);
    assert_true(pv_json_member(root, "c", &value) && pv_json_member(value, "d", &at) && pv_json_as_bool(at, &flag) &&
                flag);
    assert_false(pv_json_member(root, "d", &value));
    assert_false(pv_json_member(at, "d", &value));
    assert_false(pv_json_first(root, &at));
    assert_int_equal(pv_json_length(read("[]")), 0);
    assert_false(pv_json_member(read("{}"), "a", &value));
}

static void what_does_not_close_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", " ", "{", "[1, 2", "{\"a\": \"b}", "[1] 2", "\"\\"};
    pv_json_value value;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (pv_json_read(wrong[i], strlen(wrong[i]), &value)) fail_msg("%s was read", wrong[i]);
    assert_false(pv_json_member(read("{\"a\" 1}"), "a", &value));
    assert_false(pv_json_member(read("{a: 1}"), "a", &value));
}

PV_TEST_MAIN(PV_TEST(members_and_elements), PV_TEST(what_does_not_close_is_refused))
