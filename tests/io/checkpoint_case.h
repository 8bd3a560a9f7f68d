// SPDX-License-Identifier: Apache-2.0
// A checkpoint in a folder of its own: its content, who writes which of it, and its reading by other ranks.
#ifndef PV_TESTS_IO_CHECKPOINT_CASE_H
#define PV_TESTS_IO_CHECKPOINT_CASE_H

#include <complex.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <parseval/comm_mpi.h>

#include "harness.h"
#include "io/checkpoint.h"

typedef struct fixture {
    pv_device *device;
    pv_comm *comm;
    char folder[64], path[128];
} fixture;

static inline void open_fixture(fixture *f)
{
    if (!pv_checkpoint_is_built()) pv_test_skip("this build has no HDF5");
    assert_ok(pv_device_open("cpu:1", &f->device));
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, f->device, NULL, &f->comm));
    strcpy(f->folder, "/tmp/parseval_checkpoint_XXXXXX");
    if (pv_test_rank() == 0) assert_non_null(mkdtemp(f->folder));
    assert_ok(pv_comm_broadcast(f->comm, 0, sizeof f->folder, f->folder));
    snprintf(f->path, sizeof f->path, "%s/state.h5", f->folder);
}

static inline int is_there(const fixture *f, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    return access(path, F_OK) == 0;
}

static inline void close_fixture(fixture *f)
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

static inline double _Complex value_at(int64_t row, int64_t column)
{
    return CMPLX((double)(1000 * row + column), (double)-row);
}

// Column c belongs to rank (c / 3) % size, or to (c / 4) % size: the layout of who reads.
typedef struct holder {
    int64_t count;
    int64_t column[COLUMNS];
    double _Complex value[ROWS][COLUMNS];
} holder;

static inline int64_t share_columns(int width, holder *h, pv_stretch *stretches)
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

static inline void give(void *context, int64_t row, int64_t first, int64_t count, void *numbers)
{
    const holder *h = context;
    for (int64_t j = 0; j < count; j++) ((double _Complex *)numbers)[j] = value_at(row, h->column[first + j]);
}

static inline void take(void *context, int64_t row, int64_t first, int64_t count, const void *numbers)
{
    holder *h = context;
    memcpy(&h->value[row][first], numbers, (size_t)count * sizeof(double _Complex));
}

static const double reals[2][3] = {{1.5, -2.25, 1e300}, {0.0, 3.0, -1e-300}};
static const pv_array reals_array = {PV_NUMBER_REAL, 2, {2, 3}};

static inline void write_all(const fixture *f)
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

static inline pv_status read_matrix(const fixture *f, holder *h)
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

// Fails on all ranks: where the file is, with the reason, and elsewhere because of that.
static inline void expect_failure(pv_status status, pv_status expected, const char *words)
{
    assert_int_equal(status, pv_test_rank() == 0 ? expected : PV_ERR_PEER);
    if (pv_test_rank() == 0 && !strstr(pv_last_error(), words)) fail_msg("'%s' lacks '%s'", pv_last_error(), words);
}

#endif
