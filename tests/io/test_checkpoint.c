// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
#include "io/checkpoint.h"

#include <complex.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <parseval/comm_mpi.h>

#include "harness.h"

typedef struct fixture {
    pv_device *device;
    pv_comm *comm;
    char folder[64], path[128];
} fixture;

static void open_fixture(fixture *f)
{
    if (!pv_checkpoint_is_built()) pv_test_skip("this build has no HDF5");
    assert_ok(pv_device_open("cpu:1", &f->device));
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, f->device, NULL, &f->comm));
    strcpy(f->folder, "/tmp/parseval_checkpoint_XXXXXX");
    if (pv_test_rank() == 0) assert_non_null(mkdtemp(f->folder));
    assert_ok(pv_comm_broadcast(f->comm, 0, sizeof f->folder, f->folder));
    snprintf(f->path, sizeof f->path, "%s/state.h5", f->folder);
}

static int is_there(const fixture *f, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    return access(path, F_OK) == 0;
}

static void close_fixture(fixture *f)
{
    assert_ok(pv_comm_barrier(f->comm));
    if (pv_test_rank() == 0) {
        unlink(f->path);
        assert_int_equal(rmdir(f->folder), 0);
    }
    pv_comm_close(f->comm);
    pv_device_close(f->device);
}

// ---- Contents ----------------------------------------------------------------------------------------------------

enum { ROWS = 5, COLUMNS = 97 };
static const pv_array matrix = {PV_NUMBER_COMPLEX, 2, {ROWS, COLUMNS}};

static double _Complex value_at(int64_t row, int64_t column)
{
    return CMPLX((double)(1000 * row + column), (double)-row);
}

// Column c belongs to rank (c / 3) % size, or to (c / 4) % size: the layout of who reads.
typedef struct holder {
    int64_t count;
    int64_t column[COLUMNS];
    double _Complex value[ROWS][COLUMNS];
} holder;

static int64_t share_columns(int width, holder *h, pv_stretch *stretches)
{
    int64_t used = 0;
    memset(h, 0, sizeof *h);
    for (int64_t c = 0; c < COLUMNS; c++) {
        if ((c / width) % pv_test_size() != pv_test_rank()) continue;
        h->column[h->count++] = c;
        if (used > 0 && stretches[used - 1].first + stretches[used - 1].count == c)
            stretches[used - 1].count++;
        else
            stretches[used++] = (pv_stretch){c, 1};
    }
    return used;
}

static void give(void *context, int64_t row, int64_t first, int64_t count, void *numbers)
{
    const holder *h = context;
    for (int64_t j = 0; j < count; j++) ((double _Complex *)numbers)[j] = value_at(row, h->column[first + j]);
}

static void take(void *context, int64_t row, int64_t first, int64_t count, const void *numbers)
{
    holder *h = context;
    memcpy(&h->value[row][first], numbers, (size_t)count * sizeof(double _Complex));
}

static const double reals[2][3] = {{1.5, -2.25, 1e300}, {0.0, 3.0, -1e-300}};
static const pv_array reals_array = {PV_NUMBER_REAL, 2, {2, 3}};

static void write_all(const fixture *f)
{
    holder h;
    pv_stretch stretches[COLUMNS];
    pv_spread *spread;
    pv_checkpoint *file;
    const int64_t used = share_columns(3, &h, stretches);
    assert_ok(pv_spread_create(f->comm, COLUMNS, used, stretches, &spread));
    assert_ok(pv_checkpoint_create(f->comm, f->path, &file));
    assert_ok(pv_checkpoint_put(file, "name", &(pv_array){PV_NUMBER_TEXT, 1, {9}}, "some text"));
    assert_ok(pv_checkpoint_put(file, "a/b/reals", &reals_array, reals));
    assert_ok(pv_checkpoint_put(file, "a/count", &(pv_array){PV_NUMBER_INT64, 1, {1}}, &(int64_t){(int64_t)1 << 40}));
    assert_ok(pv_checkpoint_put_rows(file, "a/matrix", &matrix, spread, give, &h));
    assert_ok(pv_checkpoint_commit(file));
    pv_checkpoint_destroy(file);
    pv_spread_destroy(spread);
}

static pv_status read_matrix(const fixture *f, holder *h)
{
    pv_stretch stretches[COLUMNS];
    pv_spread *spread = NULL;
    pv_checkpoint *file;
    const int64_t used = share_columns(4, h, stretches);
    pv_status status = pv_checkpoint_open(f->comm, f->path, &file);
    if (status != PV_OK) return status;
    status = pv_spread_create(f->comm, COLUMNS, used, stretches, &spread);
    if (status == PV_OK) status = pv_checkpoint_get_rows(file, "a/matrix", &matrix, ROWS - 1, spread, take, h);
    pv_spread_destroy(spread);
    pv_checkpoint_destroy(file);
    return status;
}

// ---- Tests -------------------------------------------------------------------------------------------------------

static void what_is_written_is_read(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    write_all(&f);
    assert_false(is_there(&f, "state.h5.tmp"));
    pv_checkpoint *file;
    pv_array array;
    int found;
    char text[16] = "";
    double numbers[2][3];
    int64_t count;
    assert_ok(pv_checkpoint_open(f.comm, f.path, &file));
    assert_ok(pv_checkpoint_find(file, "name", &array, &found));
    assert_true(found && array.type == PV_NUMBER_TEXT && array.shape[0] == 9);
    assert_ok(pv_checkpoint_get(file, "name", &array, text));
    assert_string_equal(text, "some text");
    assert_ok(pv_checkpoint_get(file, "a/b/reals", &reals_array, numbers));
    assert_memory_equal(numbers, reals, sizeof reals);
    assert_ok(pv_checkpoint_get(file, "a/count", &(pv_array){PV_NUMBER_INT64, 1, {1}}, &count));
    assert_true(count == (int64_t)1 << 40);
    assert_ok(pv_checkpoint_find(file, "a/nothing/here", &array, &found));
    assert_false(found);
    pv_checkpoint_destroy(file);
    close_fixture(&f);
}

static void other_layouts_read_the_same(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    write_all(&f);
    holder *h = calloc(1, sizeof *h);
    assert_ok(read_matrix(&f, h));
    for (int64_t row = 0; row < ROWS; row++)
        for (int64_t j = 0; j < h->count; j++)
            assert_true(h->value[row][j] == (row < ROWS - 1 ? value_at(row, h->column[j]) : 0.0));
    free(h);
    close_fixture(&f);
}

// Fails on all ranks: where the file is, with the reason, and elsewhere because of that.
static void expect_failure(pv_status status, pv_status expected, const char *words)
{
    assert_int_equal(status, pv_test_rank() == 0 ? expected : PV_ERR_PEER);
    if (pv_test_rank() == 0 && !strstr(pv_last_error(), words)) fail_msg("'%s' lacks '%s'", pv_last_error(), words);
}

static void wrong_shapes_are_refused(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    write_all(&f);
    pv_checkpoint *file;
    double numbers[12];
    assert_ok(pv_checkpoint_open(f.comm, f.path, &file));
    pv_test_mute(1);
    expect_failure(pv_checkpoint_get(file, "a/b/reals", &(pv_array){PV_NUMBER_REAL, 2, {3, 2}}, numbers), PV_ERR_INPUT,
                   "2 x 3 reals; 3 x 2 reals");
    expect_failure(pv_checkpoint_get(file, "a/b/none", &reals_array, numbers), PV_ERR_INPUT, "has no a/b/none");
    pv_test_mute(0);
    pv_checkpoint_destroy(file);
    close_fixture(&f);
}

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

static void a_truncated_file_is_refused(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    write_all(&f);
    struct stat about;
    holder *h = calloc(1, sizeof *h);
    assert_int_equal(stat(f.path, &about), 0);
    assert_ok(pv_comm_barrier(f.comm));
    if (pv_test_rank() == 0) assert_int_equal(truncate(f.path, about.st_size - 1), 0);
    assert_ok(pv_comm_barrier(f.comm));
    pv_test_mute(1);
    expect_failure(read_matrix(&f, h), PV_ERR_INPUT, "state.h5");
    pv_test_mute(0);
    free(h);
    close_fixture(&f);
}

// Wherever one byte of the numbers changes, they are not read.
static void a_corrupt_file_is_refused(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    write_all(&f);
    holder *h = calloc(1, sizeof *h);
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
    assert_ok(pv_comm_barrier(f.comm));
    pv_test_mute(1);
    expect_failure(read_matrix(&f, h), PV_ERR_INPUT, "is damaged: a/matrix");
    pv_test_mute(0);
    free(h);
    close_fixture(&f);
}

static void without_a_commit_the_old_file_stays(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    write_all(&f);
    pv_checkpoint *file;
    holder *h = calloc(1, sizeof *h);
    assert_ok(pv_checkpoint_create(f.comm, f.path, &file));
    assert_ok(pv_checkpoint_put(file, "other", &reals_array, reals));
    assert_true(is_there(&f, "state.h5.tmp"));
    assert_ok(pv_comm_barrier(f.comm));
    pv_checkpoint_destroy(file);
    assert_ok(pv_comm_barrier(f.comm));
    assert_false(is_there(&f, "state.h5.tmp"));
    assert_ok(read_matrix(&f, h));
    free(h);
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

// ---- Elements --------------------------------------------------------------------------------------------------------

enum { PLANES = 3, LINES = 7, POINTS = 10, ELEMENTS = PLANES * LINES * POINTS };

// Element i belongs to rank (i / 11) % size.
static void give_elements(void *context, int64_t row, int64_t first, int64_t count, void *numbers)
{
    (void)context;
    assert_int_equal(row, 0);
    int64_t mine = 0;
    for (int64_t i = 0; i < ELEMENTS; i++) {
        if ((i / 11) % pv_test_size() != pv_test_rank()) continue;
        if (mine >= first && mine < first + count) ((float *)numbers)[mine - first] = (float)i;
        mine++;
    }
}

static void elements_may_be_spread_anyhow(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    const pv_array array = {PV_NUMBER_SINGLE, 3, {PLANES, LINES, POINTS}}, pair = {PV_NUMBER_INT64, 1, {2}};
    pv_stretch stretches[ELEMENTS];
    float values[ELEMENTS];
    int64_t used = 0;
    for (int64_t i = 11 * pv_test_rank(); i < ELEMENTS; i += 11 * pv_test_size())
        stretches[used++] = (pv_stretch){i, i + 11 < ELEMENTS ? 11 : ELEMENTS - i};
    pv_spread *spread;
    pv_checkpoint *file;
    assert_ok(pv_spread_create(f.comm, ELEMENTS, used, stretches, &spread));
    assert_ok(pv_checkpoint_create(f.comm, f.path, &file));
    assert_ok(pv_checkpoint_note(file, "group", "Version", &pair, (int64_t[]){1, 0}));
    assert_ok(pv_checkpoint_note(file, "", "about", &(pv_array){PV_NUMBER_TEXT, 1, {4}}, "text"));
    assert_ok(pv_checkpoint_put_elements(file, "group/elements", &array, spread, give_elements, NULL));
    assert_ok(pv_checkpoint_commit(file));
    pv_checkpoint_destroy(file);
    pv_spread_destroy(spread);
    assert_ok(pv_checkpoint_open(f.comm, f.path, &file));
    assert_ok(pv_checkpoint_get(file, "group/elements", &array, values));
    for (int i = 0; i < ELEMENTS; i++) assert_near(values[i], i, 0.0);
    pv_checkpoint_destroy(file);
    close_fixture(&f);
}

static void the_file_before_is_kept(void **state)
{
    (void)state;
    fixture f;
    char previous[160];
    open_fixture(&f);
    snprintf(previous, sizeof previous, "%s.previous", f.path);
    const pv_array one = {PV_NUMBER_INT64, 1, {1}};
    for (int64_t number = 1; number <= 3; number++) {
        pv_checkpoint *file;
        assert_ok(pv_checkpoint_create(f.comm, f.path, &file));
        assert_ok(pv_checkpoint_put(file, "number", &one, &number));
        assert_ok(pv_checkpoint_commit_beside(file));
        pv_checkpoint_destroy(file);
        assert_ok(pv_comm_barrier(f.comm));
        assert_int_equal(is_there(&f, "state.h5.previous"), number > 1);
        assert_ok(pv_comm_barrier(f.comm));
    }
    for (int before = 0; before < 2; before++) {
        pv_checkpoint *file;
        int64_t number;
        assert_ok(pv_checkpoint_open(f.comm, before ? previous : f.path, &file));
        assert_ok(pv_checkpoint_get(file, "number", &one, &number));
        assert_int_equal(number, 3 - before);
        pv_checkpoint_destroy(file);
    }
    assert_ok(pv_comm_barrier(f.comm));
    if (pv_test_rank() == 0) unlink(previous);
    close_fixture(&f);
}

PV_TEST_MAIN(PV_TEST(what_is_written_is_read), PV_TEST(other_layouts_read_the_same), PV_TEST(wrong_shapes_are_refused),
             PV_TEST(missing_and_foreign_files_are_refused), PV_TEST(a_truncated_file_is_refused),
             PV_TEST(a_corrupt_file_is_refused), PV_TEST(without_a_commit_the_old_file_stays),
             PV_TEST(a_full_disk_is_an_error_and_no_more), PV_TEST(elements_may_be_spread_anyhow),
             PV_TEST(the_file_before_is_kept))
