// SPDX-License-Identifier: Apache-2.0
// Tables of runs that are killed and go on.
// ranks: 1 3
#include "dns/files/journal.h"

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
    char folder[64];
} fixture;

static void set_up(fixture *f)
{
    assert_ok(pv_device_open("cpu", &f->device));
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, f->device, NULL, &f->comm));
    strcpy(f->folder, "/tmp/parseval-journal-XXXXXX");
    if (pv_test_rank() == 0) assert_non_null(mkdtemp(f->folder));
    assert_ok(pv_comm_broadcast(f->comm, 0, sizeof f->folder, f->folder));
}

static void tear_down(fixture *f)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", f->folder);
    assert_ok(pv_comm_barrier(f->comm));
    if (pv_test_rank() == 0) assert_int_equal(system(command), 0);
    pv_comm_close(f->comm);
    pv_device_close(f->device);
}

// A third of `step` as time: no short decimal number.
static void add(pv_dns_journal *journal, int step)
{
    const double energy[] = {0.0, 1.0 + step, 0.5};
    const pv_dns_record record = {.step = step, .time = step / 3.0, .energy = 0.1 * step};
    const pv_dns_shells shells = {
        .count = 3, .width = 1.0, .energy = energy, .transfer = energy, .dissipation = energy};
    assert_ok(pv_dns_journal_add(journal, &record, step % 2 == 0 ? &shells : NULL, NULL));
}

static void march(const fixture *f, int goes_on, int from, int to)
{
    pv_dns_journal *journal;
    assert_ok(pv_dns_journal_open(f->comm, f->folder, 0, goes_on, from / 3.0, &journal));
    for (int step = from; step < to; step++) add(journal, step);
    // Closed without a save, as a killed run leaves it.
    pv_dns_journal_close(journal);
    assert_ok(pv_comm_barrier(f->comm));
}

static void path_in(const fixture *f, const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", f->folder, name);
}

static void write_text(const fixture *f, const char *name, const char *mode, const char *text)
{
    char path[128];
    path_in(f, name, path);
    FILE *out = fopen(path, mode);
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static int rows_of(const fixture *f, const char *name, double *last_time_p)
{
    char path[128];
    pv_table table;
    int found;
    path_in(f, name, path);
    assert_ok(pv_table_read(path, &table, &found));
    const int rows = table.rows;
    for (int i = 1; i < rows; i++)
        assert_true(pv_table_column(&table, "time")[i] >= pv_table_column(&table, "time")[i - 1]);
    *last_time_p = rows > 0 ? pv_table_column(&table, "time")[rows - 1] : -1.0;
    pv_table_release(&table);
    return rows;
}

// Killed in a line, after the checkpoint of step 7: rows from there on come once.
static void goes_on_without_repeating(void **state)
{
    (void)state;
    fixture f;
    double last;
    set_up(&f);
    march(&f, 0, 0, 10);
    if (pv_test_rank() == 0) write_text(&f, "series.csv", "a", "10,3.3333");
    assert_ok(pv_comm_barrier(f.comm));
    march(&f, 1, 7, 12);
    if (pv_test_rank() == 0) {
        assert_int_equal(rows_of(&f, "series.csv", &last), 12);
        assert_near(last, 11.0 / 3.0, 0.0);
        assert_int_equal(rows_of(&f, "spectra.csv", &last), 18);
    }
    // A new run puts the old one aside.
    march(&f, 0, 0, 2);
    if (pv_test_rank() == 0) {
        assert_int_equal(rows_of(&f, "series.csv", &last), 2);
        assert_int_equal(rows_of(&f, "series.csv.before", &last), 12);
        assert_int_equal(rows_of(&f, "spectra.csv.before", &last), 18);
    }
    tear_down(&f);
}

// In a folder of its own, and behind tables of other columns.
static void begins_where_there_is_nothing_to_go_on_with(void **state)
{
    (void)state;
    fixture f;
    double last;
    set_up(&f);
    if (pv_test_rank() == 0) write_text(&f, "series.csv", "w", "step,time\n1,0.5\n");
    march(&f, 1, 4, 6);
    if (pv_test_rank() == 0) {
        assert_int_equal(rows_of(&f, "series.csv", &last), 2);
        assert_int_equal(rows_of(&f, "series.csv.before", &last), 1);
        assert_int_equal(rows_of(&f, "spectra.csv", &last), 3);
    }
    tear_down(&f);
}

static void hdf5_has_the_same_rows(void **state)
{
    (void)state;
    if (!pv_checkpoint_is_built()) pv_test_skip("no HDF5 in this build");
    fixture f;
    char path[128];
    double energy[40], k[60];
    set_up(&f);
    march(&f, 0, 0, 20);
    pv_dns_journal *journal;
    assert_ok(pv_dns_journal_open(f.comm, f.folder, 0, 1, 20.0 / 3.0, &journal));
    for (int step = 20; step < 40; step++) add(journal, step);
    assert_ok(pv_dns_journal_save(journal));
    pv_dns_journal_close(journal);
    path_in(&f, "series.h5", path);
    pv_checkpoint *file;
    assert_ok(pv_checkpoint_open(f.comm, path, &file));
    const pv_array rows = {PV_NUMBER_REAL, 1, {40}}, shells = {PV_NUMBER_REAL, 1, {60}},
                   none = {PV_NUMBER_REAL, 1, {0}};
    assert_ok(pv_checkpoint_get(file, "series/energy", &rows, energy));
    assert_ok(pv_checkpoint_get(file, "spectra/k", &shells, k));
    assert_ok(pv_checkpoint_get(file, "structure/longitudinal_2", &none, k));
    for (int i = 0; i < 40; i++) assert_near(energy[i], 0.1 * i, 0.0);
    assert_near(k[58], 1.0, 0.0);
    pv_checkpoint_destroy(file);
    tear_down(&f);
}

static void says_what_cannot_be_written(void **state)
{
    (void)state;
    fixture f;
    char path[128];
    set_up(&f);
    pv_dns_journal *journal;
    assert_ok(pv_dns_journal_open(f.comm, f.folder, 0, 0, 0.0, &journal));
    add(journal, 0);
    path_in(&f, "series.csv", path);
    if (pv_test_rank() == 0) {
        assert_int_equal(unlink(path), 0);
        assert_int_equal(symlink("/dev/full", path), 0);
    }
    const pv_dns_record record = {.step = 1, .time = 1.0};
    pv_test_mute(1);
    const pv_status status = pv_dns_journal_add(journal, &record, NULL, NULL);
    pv_test_mute(0);
    if (pv_test_rank() == 0) {
        assert_int_equal(status, PV_ERR_IO);
        assert_non_null(strstr(pv_last_error(), "series.csv: No space left on device"));
    } else {
        assert_int_equal(status, PV_ERR_PEER);
    }
    pv_dns_journal_close(journal);
    tear_down(&f);
}

PV_TEST_MAIN(PV_TEST(goes_on_without_repeating), PV_TEST(begins_where_there_is_nothing_to_go_on_with),
             PV_TEST(hdf5_has_the_same_rows), PV_TEST(says_what_cannot_be_written))
