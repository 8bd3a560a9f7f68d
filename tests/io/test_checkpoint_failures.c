// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
// Files that are not there, foreign, cut, damaged, or that find no room: an error on each rank, and the old file stays.
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "checkpoint_case.h"

static void missing_and_foreign_files_are_refused(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    pv_checkpoint *file = NULL;
    pv_test_mute(1);
    expect_failure(pv_checkpoint_open(f.comm, f.path, &file), PV_ERR_INPUT, "No such file");
    if (pv_test_rank() == 0) {
        FILE *out = fopen(f.path, "w");
        fputs("no HDF5 at all", out);
        fclose(out);
    }
    assert_ok(pv_comm_barrier(f.comm));
    pv_test_mute(1);
    expect_failure(pv_checkpoint_open(f.comm, f.path, &file), PV_ERR_INPUT, "no HDF5 file");
    expect_failure(pv_checkpoint_create(f.comm, "/nowhere/state.h5", &file), PV_ERR_IO, "/nowhere/state.h5.tmp");
    pv_test_mute(0);
    assert_null(file);
    close_fixture(&f);
}

static void expect_unreadable(fixture *f, const char *message)
{
    holder *h = calloc(1, sizeof *h);
    assert_ok(pv_comm_barrier(f->comm));
    pv_test_mute(1);
    expect_failure(read_matrix(f, h), PV_ERR_INPUT, message);
    pv_test_mute(0);
    free(h);
}

static void a_truncated_file_is_refused(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    write_all(&f);
    struct stat about;
    assert_int_equal(stat(f.path, &about), 0);
    assert_ok(pv_comm_barrier(f.comm));
    if (pv_test_rank() == 0) assert_int_equal(truncate(f.path, about.st_size - 1), 0);
    expect_unreadable(&f, "state.h5");
    close_fixture(&f);
}

// Wherever one byte of the numbers changes, they are not read.
static void a_corrupt_file_is_refused(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    write_all(&f);
    if (pv_test_rank() == 0) {
        const double _Complex wanted = value_at(2, 50);
        char *data = calloc(1, 1 << 20);
        FILE *file = fopen(f.path, "r+b");
        const size_t length = fread(data, 1, 1 << 20, file);
        char *at = memmem(data, length, &wanted, sizeof wanted);
        assert_non_null(at);
        fseek(file, at - data + 3, SEEK_SET);
        fputc(at[3] ^ 1, file);
        fclose(file);
        free(data);
    }
    expect_unreadable(&f, "is damaged: a/matrix");
    close_fixture(&f);
}

// A limit on the size of files acts as a full disk does.
static void a_full_disk_is_an_error_and_no_more(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    write_all(&f);
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){1 << 18, before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    const pv_array large = {PV_NUMBER_REAL, 2, {64, 4096}};
    double *values = calloc(64 * 4096, sizeof *values);
    pv_checkpoint *file;
    assert_ok(pv_checkpoint_create(f.comm, f.path, &file));
    pv_test_mute(1);
    pv_status status = pv_checkpoint_put(file, "large", &large, values);
    if (status == PV_OK) status = pv_checkpoint_commit(file);
    expect_failure(status, PV_ERR_IO, "state.h5.tmp: File too large");
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    pv_checkpoint_destroy(file);
    pv_test_mute(0);
    free(values);
    assert_ok(pv_comm_barrier(f.comm));
    assert_false(is_there(&f, "state.h5.tmp"));
    holder *h = calloc(1, sizeof *h);
    assert_ok(read_matrix(&f, h));
    write_all(&f);
    free(h);
    close_fixture(&f);
}

PV_TEST_MAIN(PV_TEST(missing_and_foreign_files_are_refused), PV_TEST(a_truncated_file_is_refused),
             PV_TEST(a_corrupt_file_is_refused), PV_TEST(a_full_disk_is_an_error_and_no_more))
