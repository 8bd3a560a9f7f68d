// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder_make.h"
#include "harness.h"

static void a_folder_is_made_with_those_above_it(void **state)
{
    (void)state;
    char top[] = "/tmp/parseval_make_XXXXXX", path[64], file[64], beyond[80];
    struct stat found;
    assert_non_null(mkdtemp(top));
    snprintf(path, sizeof path, "%s/a//b/c/", top);
    assert_ok(pv_folder_make(path));
    assert_ok(pv_folder_make(path));
    assert_int_equal(stat(path, &found), 0);
    assert_true(S_ISDIR(found.st_mode));

    snprintf(file, sizeof file, "%s/a/file", top);
    snprintf(beyond, sizeof beyond, "%s/b", file);
    FILE *written = fopen(file, "w");
    assert_non_null(written);
    fclose(written);
    assert_fails(PV_ERR_IO, pv_folder_make(file));
    assert_non_null(strstr(pv_last_error(), "a/file: a file has this name"));
    assert_fails(PV_ERR_IO, pv_folder_make(beyond));
    assert_non_null(strstr(pv_last_error(), "a/file of "));
    assert_fails(PV_ERR_ARGUMENT, pv_folder_make(""));

    assert_int_equal(unlink(file), 0);
    static const char *const made[] = {"/a/b/c", "/a/b", "/a", ""};
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s%s", top, made[i]);
        assert_int_equal(rmdir(path), 0);
    }
}

static void the_present_folder_is_there(void **state)
{
    (void)state;
    assert_ok(pv_folder_make("."));
    assert_ok(pv_folder_make("/"));
}

PV_TEST_MAIN(PV_TEST(a_folder_is_made_with_those_above_it), PV_TEST(the_present_folder_is_there))
