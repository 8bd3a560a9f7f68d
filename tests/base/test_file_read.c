// SPDX-License-Identifier: Apache-2.0
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_read.h"
#include "base/mem.h"

static void write_bytes(const char *path, const char *bytes, size_t count)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, count, out), count);
    assert_int_equal(fclose(out), 0);
}

static void files_are_read_whole(void **state)
{
    (void)state;
    static const char bytes[] = {'a', '\0', 'b', '\n'};
    char path[] = "/tmp/parseval-read-XXXXXX", *data;
    size_t length;
    close(mkstemp(path));
    assert_ok(pv_file_read(path, 0, &data, &length));
    assert_int_equal(length, 0);
    assert_string_equal(data, "");
    pv_mem_free(data);
    write_bytes(path, bytes, sizeof bytes);
    assert_ok(pv_file_read(path, sizeof bytes, &data, &length));
    assert_int_equal(length, sizeof bytes);
    assert_memory_equal(data, bytes, sizeof bytes);
    assert_int_equal(data[length], 0);
    pv_mem_free(data);
    assert_fails(PV_ERR_INPUT, pv_file_read(path, sizeof bytes - 1, &data, &length));
    assert_non_null(strstr(pv_last_error(), "has 4 bytes; at most 3 are read"));
    unlink(path);
}

static void what_is_no_file_is_refused(void **state)
{
    (void)state;
    char folder[] = "/tmp/parseval_read_XXXXXX", pipe[64], link[64], *data;
    size_t length;
    assert_non_null(mkdtemp(folder));
    snprintf(pipe, sizeof pipe, "%s/pipe", folder);
    snprintf(link, sizeof link, "%s/link", folder);
    assert_int_equal(mkfifo(pipe, 0666), 0);
    assert_int_equal(symlink("nothing", link), 0);
    assert_fails(PV_ERR_INPUT, pv_file_read(pipe, 10, &data, &length));
    assert_fails(PV_ERR_INPUT, pv_file_read(link, 10, &data, &length));
    assert_fails(PV_ERR_INPUT, pv_file_read(folder, 10, &data, &length));
    assert_fails(PV_ERR_INPUT, pv_file_read("/dev/zero", 10, &data, &length));
    assert_fails(PV_ERR_INPUT, pv_file_check_read("/nowhere/file"));
    unlink(pipe);
    unlink(link);
    assert_int_equal(rmdir(folder), 0);
}

PV_TEST_MAIN(PV_TEST(files_are_read_whole), PV_TEST(what_is_no_file_is_refused))
