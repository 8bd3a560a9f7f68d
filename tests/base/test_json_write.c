// SPDX-License-Identifier: Apache-2.0
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"

static void fill(pv_json *json)
{
    pv_json_object(json, NULL);
    pv_json_text_value(json, "name", "a \"b\"\\\n\t");
    pv_json_list(json, "numbers");
    pv_json_number(json, NULL, 0.1);
    pv_json_integer(json, NULL, INT64_MIN);
    pv_json_number(json, NULL, NAN);
    pv_json_end(json);
    pv_json_object(json, "empty");
    pv_json_end(json);
    pv_json_list(json, "rows");
    pv_json_object(json, NULL);
    pv_json_bool(json, "good", 2);
    pv_json_end(json);
    pv_json_null(json, NULL);
    pv_json_end(json);
    pv_json_end(json);
}

static void one_line_without_indent(void **state)
{
    (void)state;
    pv_json *json = pv_json_create(0);
    fill(json);
    assert_string_equal(pv_json_text(json),
                        "{\"name\": \"a \\\"b\\\"\\\\\\n\\u0009\", \"numbers\": [0.1, -9223372036854775808, null], "
                        "\"empty\": {}, \"rows\": [{\"good\": true}, null]}");
    pv_json_destroy(json);
}

static void rows_of_numbers_stay_on_a_line_with_indent(void **state)
{
    (void)state;
    pv_json *json = pv_json_create(2);
    fill(json);
    assert_non_null(strstr(pv_json_text(json), "\n  \"numbers\": [0.1, -9223372036854775808, null],\n  \"empty\": {}"));
    assert_non_null(strstr(pv_json_text(json), "\"rows\": [\n    {\n      \"good\": true\n    }, null]\n}"));
    pv_json_destroy(json);
}

static void numbers_read_back_the_same(void **state)
{
    (void)state;
    const double values[] = {0, 1, -1.5, 0.1, 1.0 / 3, 1e300, 4.9406564584124654e-324, 6.02214076e23, 123456789.125};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        pv_json *json = pv_json_create(0);
        pv_json_number(json, NULL, values[i]);
        assert_near(strtod(pv_json_text(json), NULL), values[i], 0);
        pv_json_destroy(json);
    }
}

// Overlong forms, halves of surrogate pairs, and what lies beyond U+10FFFF are no characters, nor is one that is cut.
static void texts_become_utf8(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"\xc3\xa4 \xe2\x82\xac \xed\x9f\xbf \xf4\x8f\xbf\xbf", "\xc3\xa4 \xe2\x82\xac \xed\x9f\xbf \xf4\x8f\xbf\xbf"},
        {"a\xff", "a\xef\xbf\xbd"},
        {"\xc3", "\xef\xbf\xbd"},
        {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xe2\x82x", "\xef\xbf\xbd\xef\xbf\xbdx"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char expected[64];
        pv_json *json = pv_json_create(0);
        pv_json_text_value(json, NULL, pairs[i][0]);
        snprintf(expected, sizeof expected, "\"%s\"", pairs[i][1]);
        assert_string_equal(pv_json_text(json), expected);
        pv_json_destroy(json);
    }
}

static void long_texts_grow(void **state)
{
    (void)state;
    const size_t before = pv_mem_live_bytes();
    pv_json *json = pv_json_create(0);
    pv_json_list(json, NULL);
    for (int i = 0; i < 10000; i++) pv_json_integer(json, NULL, i % 10);
    pv_json_end(json);
    assert_int_equal(strlen(pv_json_text(json)), 2 + 10000 + 2 * 9999);
    pv_json_destroy(json);
    pv_json_destroy(NULL);
    assert_int_equal(pv_mem_live_bytes(), before);
}

static void too_deep_gives_no_text(void **state)
{
    (void)state;
    pv_json *json = pv_json_create(0);
    for (int i = 0; i < 100; i++) pv_json_list(json, NULL);
    assert_null(pv_json_text(json));
    pv_json_destroy(json);
    assert_null(pv_json_text(NULL));
}

PV_TEST_MAIN(PV_TEST(one_line_without_indent), PV_TEST(rows_of_numbers_stay_on_a_line_with_indent),
             PV_TEST(numbers_read_back_the_same), PV_TEST(texts_become_utf8), PV_TEST(long_texts_grow),
             PV_TEST(too_deep_gives_no_text))
