// SPDX-License-Identifier: Apache-2.0
#include "harness.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/folder_lock.h"

static void a_folder_is_held_alone_or_shared(void **state)
{
    (void)state;
    char folder[] = "/tmp/parseval_lock_XXXXXX";
    int first, second, third;
    assert_non_null(mkdtemp(folder));
    assert_ok(pv_folder_lock(folder, 0, &first));
    assert_fails(PV_ERR_INPUT, pv_folder_lock(folder, 0, &second));
    assert_non_null(strstr(pv_last_error(), "another run is at work in /tmp/parseval_lock_"));
    assert_fails(PV_ERR_INPUT, pv_folder_lock(folder, 1, &second));
    assert_int_equal(second, -1);
    pv_folder_unlock(second);
    pv_folder_unlock(first);
    assert_ok(pv_folder_lock(folder, 1, &second));
    assert_ok(pv_folder_lock(folder, 1, &third));
    assert_fails(PV_ERR_INPUT, pv_folder_lock(folder, 0, &first));
    pv_folder_unlock(second);
    pv_folder_unlock(third);
    assert_false(pv_folder_is_gone(folder));
    assert_int_equal(rmdir(folder), 0);
    assert_true(pv_folder_is_gone(folder));
    assert_fails(PV_ERR_INPUT, pv_folder_lock(folder, 0, &first));
}

static void a_file_is_held_alone(void **state)
{
    (void)state;
    char folder[] = "/tmp/parseval_lock_XXXXXX", path[64], name[80];
    int first, second;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/results", folder);
    snprintf(name, sizeof name, "%s.lock", path);
    assert_ok(pv_file_lock(path, &first));
    assert_fails(PV_ERR_INPUT, pv_file_lock(path, &second));
    assert_non_null(strstr(pv_last_error(), "another run is at work for /tmp/parseval_lock_"));
    assert_int_equal(second, -1);
    pv_file_unlock(path, second); // of nobody
    assert_int_equal(access(name, F_OK), 0);
    pv_file_unlock(path, first);
    assert_int_not_equal(access(name, F_OK), 0);
    assert_ok(pv_file_lock(path, &first));
    close(first); // as if killed
    assert_int_equal(access(name, F_OK), 0);
    assert_ok(pv_file_lock(path, &second));
    pv_file_unlock(path, second);
    assert_int_equal(rmdir(folder), 0);
    assert_fails(PV_ERR_INPUT, pv_file_lock(path, &first));
}

PV_TEST_MAIN(PV_TEST(a_folder_is_held_alone_or_shared), PV_TEST(a_file_is_held_alone))
