// SPDX-License-Identifier: Apache-2.0
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_text.h"
#include "base/mem.h"
#include "base/report.h"

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

static void a_file_is_replaced_whole(void **state)
{
    (void)state;
    char folder[] = "/tmp/parseval_test_XXXXXX", path[64], aside[80], text[64] = "";
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/record.json", folder);
    snprintf(aside, sizeof aside, "%s.tmp", path);
    assert_ok(pv_file_replace(path, "an older and longer text"));
    assert_ok(pv_file_replace(path, "newer"));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(text, 1, sizeof text, file), 5);
    fclose(file);
    assert_string_equal(text, "newer");
    assert_int_equal(access(aside, F_OK), -1);
    unlink(path);

    assert_int_equal(rmdir(folder), 0);
    assert_fails(PV_ERR_IO, pv_file_replace(path, "nowhere"));
    assert_non_null(strstr(pv_last_error(), path));
    assert_fails(PV_ERR_INPUT, pv_file_check_replace(path));
    assert_fails(PV_ERR_INPUT, pv_file_check_replace("/tmp"));
    assert_fails(PV_ERR_ARGUMENT, pv_file_check_replace(""));
}

static int is_kind(const char *path, mode_t kind)
{
    struct stat found;
    return lstat(path, &found) == 0 && (found.st_mode & S_IFMT) == kind;
}

static void links_are_followed_and_special_files_refused(void **state)
{
    (void)state;
    char folder[] = "/tmp/parseval_test_XXXXXX", path[64], link[64], pipe[64], text[8] = "";
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/record.json", folder);
    snprintf(link, sizeof link, "%s/link.json", folder);
    snprintf(pipe, sizeof pipe, "%s/pipe", folder);
    assert_int_equal(symlink("record.json", link), 0);
    assert_fails(PV_ERR_INPUT, pv_file_check_replace(link)); // it leads nowhere yet
    assert_ok(pv_file_replace(path, "old"));
    assert_ok(pv_file_check_replace(link));
    assert_ok(pv_file_replace(link, "new"));
    assert_true(is_kind(link, S_IFLNK) && is_kind(path, S_IFREG));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(text, 1, sizeof text, file), 3);
    fclose(file);
    assert_string_equal(text, "new");

    assert_int_equal(mkfifo(pipe, 0666), 0);
    assert_fails(PV_ERR_INPUT, pv_file_check_replace(pipe));
    assert_fails(PV_ERR_INPUT, pv_file_replace(pipe, "text"));
    assert_true(is_kind(pipe, S_IFIFO));
    assert_fails(PV_ERR_INPUT, pv_file_check_replace("/dev/null"));
    unlink(pipe);
    unlink(link);
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
}

static void expect_text(const char *path, const char *expected)
{
    char text[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_string_equal(text, expected);
}

static void files_are_set_aside(void **state)
{
    (void)state;
    char folder[] = "/tmp/parseval_test_XXXXXX", path[64], before[80], link[64];
    int was_there = 1;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/OUTCAR", folder);
    snprintf(before, sizeof before, "%s.before", path);
    snprintf(link, sizeof link, "%s/link", folder);
    assert_ok(pv_file_set_aside(path, &was_there));
    assert_int_equal(was_there, 0);
    assert_ok(pv_file_replace(before, "the oldest"));
    assert_ok(pv_file_replace(path, "old"));
    assert_ok(pv_file_set_aside(path, &was_there));
    assert_int_equal(was_there, 1);
    assert_int_equal(access(path, F_OK), -1);
    expect_text(before, "old");

    assert_int_equal(symlink("OUTCAR", link), 0);
    assert_fails(PV_ERR_INPUT, pv_file_set_aside(link, &was_there)); // it leads nowhere
    assert_ok(pv_file_replace(path, "newer"));
    assert_ok(pv_file_set_aside(link, &was_there));
    assert_true(is_kind(link, S_IFLNK));
    expect_text(path, "");
    expect_text(before, "newer");
    unlink(link);
    unlink(path);
    unlink(before);
    assert_int_equal(rmdir(folder), 0);
}

// A file stays as it is until its text is whole.
static void texts_become_files_at_their_end(void **state)
{
    (void)state;
    char path[] = "/tmp/parseval-text-XXXXXX", found[64] = "";
    close(mkstemp(path));
    assert_ok(pv_file_replace(path, "before"));
    pv_file_text text;
    assert_ok(pv_file_text_begin(path, &text));
    for (int i = 0; i < 3; i++) fprintf(text.out, "%d,", i);
    FILE *in = fopen(path, "r");
    assert_int_equal(fread(found, 1, sizeof found - 1, in), 6);
    fclose(in);
    assert_string_equal(found, "before");
    assert_ok(pv_file_text_end(&text));
    in = fopen(path, "r");
    assert_int_equal(fread(found, 1, sizeof found - 1, in), 6);
    fclose(in);
    assert_string_equal(found, "0,1,2,");
    remove(path);
    assert_ok(pv_file_text_begin("/nowhere/text", &text));
    assert_fails(PV_ERR_IO, pv_file_text_end(&text));
}

PV_TEST_MAIN(PV_TEST(texts_become_files_at_their_end), PV_TEST(one_line_without_indent), PV_TEST(rows_of_numbers_stay_on_a_line_with_indent),
             PV_TEST(numbers_read_back_the_same), PV_TEST(texts_become_utf8), PV_TEST(long_texts_grow), PV_TEST(too_deep_gives_no_text),
             PV_TEST(a_file_is_replaced_whole), PV_TEST(links_are_followed_and_special_files_refused),
             PV_TEST(files_are_set_aside))
