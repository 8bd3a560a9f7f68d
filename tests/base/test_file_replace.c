// SPDX-License-Identifier: Apache-2.0
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_read.h"
#include "base/file_replace.h"
#include "base/file_text.h"
#include "base/mem.h"

static void expect_text(const char *path, const char *expected)
{
    char *text;
    size_t length;
    assert_ok(pv_file_read(path, 64, &text, &length));
    assert_string_equal(text, expected);
    pv_mem_free(text);
}

static void a_file_is_replaced_whole(void **state)
{
    (void)state;
    char folder[] = "/tmp/parseval_test_XXXXXX", path[64], aside[80];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/record.json", folder);
    snprintf(aside, sizeof aside, "%s.tmp", path);
    assert_ok(pv_file_replace(path, "an older and longer text"));
    assert_ok(pv_file_replace(path, "newer"));
    expect_text(path, "newer");
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
    char folder[] = "/tmp/parseval_test_XXXXXX", path[64], link[64], pipe[64];
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
    expect_text(path, "new");

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
static void what_is_read_is_not_written(void **state)
{
    (void)state;
    char folder[] = "/tmp/parseval_test_XXXXXX", path[64], other[64], link_path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/POSCAR", folder);
    snprintf(other, sizeof other, "%s/./table.csv", folder);
    snprintf(link_path, sizeof link_path, "%s/link", folder);
    assert_ok(pv_file_check_apart(path, folder, "POSCAR")); // neither is there
    assert_ok(pv_file_replace(path, "cell"));
    assert_ok(pv_file_check_apart(other, folder, "POSCAR"));
    assert_ok(pv_file_check_apart(path, folder, "INCAR"));
    assert_int_equal(symlink(path, link_path), 0);
    assert_fails(PV_ERR_INPUT, pv_file_check_apart(path, folder, "POSCAR"));
    assert_fails(PV_ERR_INPUT, pv_file_check_apart(link_path, NULL, path));
    assert_non_null(strstr(pv_last_error(), link_path));
    unlink(link_path);
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
}

static void texts_become_files_at_their_end(void **state)
{
    (void)state;
    char path[] = "/tmp/parseval-text-XXXXXX";
    close(mkstemp(path));
    assert_ok(pv_file_replace(path, "before"));
    pv_file_text text;
    assert_ok(pv_file_text_begin(path, &text));
    for (int i = 0; i < 3; i++) fprintf(text.out, "%d,", i);
    expect_text(path, "before");
    assert_ok(pv_file_text_end(&text));
    expect_text(path, "0,1,2,");
    remove(path);
    assert_ok(pv_file_text_begin("/nowhere/text", &text));
    assert_fails(PV_ERR_IO, pv_file_text_end(&text));
}

PV_TEST_MAIN(PV_TEST(a_file_is_replaced_whole), PV_TEST(links_are_followed_and_special_files_refused),
             PV_TEST(files_are_set_aside), PV_TEST(what_is_read_is_not_written), PV_TEST(texts_become_files_at_their_end))
