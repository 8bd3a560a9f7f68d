// SPDX-License-Identifier: Apache-2.0
#include "dns/files/journal.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/check.h"
#include "base/file_replace.h"
#include "base/mem.h"
#include "dns/picture/image_name.h"
#include "io/checkpoint.h"

struct pv_dns_journal {
    pv_comm *comm;
    char *folder;
    pv_table tables[PV_DNS_TABLES]; // rows on rank 0 alone
    int64_t records, saved;         // rows of the series, on every rank
};

enum { MOST_PATH = 4096 };

static void path_of(const pv_dns_journal *j, const char *name, const char *ending, char path[MOST_PATH])
{
    snprintf(path, MOST_PATH, "%s/%s%s", j->folder, name, ending);
}

// ---- Opening --------------------------------------------------------------------------------------------------------

static pv_status open_table(const pv_dns_journal *j, pv_dns_table which, int goes_on, double time, pv_table *table)
{
    char path[MOST_PATH];
    int fits = 0, was_there;
    path_of(j, pv_dns_table_name(which), ".csv", path);
    if (goes_on) PV_TRY(pv_table_cut(path, table, time, &fits));
    return fits ? pv_table_read(path, table, &fits) : pv_file_set_aside(path, &was_there);
}

// Of an earlier run.
static pv_status set_images_aside(const pv_dns_journal *j)
{
    char path[MOST_PATH];
    struct stat found;
    int was_there;
    DIR *folder = opendir(j->folder);
    PV_REQUIRE(folder, PV_ERR_IO, "cannot read the folder %s: %s", j->folder, strerror(errno));
    pv_status status = PV_OK;
    for (const struct dirent *entry; status == PV_OK && (entry = readdir(folder));) {
        path_of(j, entry->d_name, "", path);
        if (pv_dns_is_image_name(entry->d_name) && lstat(path, &found) == 0 && S_ISREG(found.st_mode))
            status = pv_file_set_aside(path, &was_there);
    }
    closedir(folder);
    return status;
}

static pv_status open_tables(pv_dns_journal *j, const char *folder, int scalars, int goes_on, double time)
{
    char path[MOST_PATH];
    int was_there;
    PV_TRY(pv_mem_strdup(folder, &j->folder));
    for (int t = 0; t < PV_DNS_TABLES; t++) pv_dns_table_begin((pv_dns_table)t, scalars, &j->tables[t]);
    if (pv_comm_rank(j->comm) > 0) return PV_OK;
    for (int t = 0; t < PV_DNS_TABLES; t++) PV_TRY(open_table(j, (pv_dns_table)t, goes_on, time, &j->tables[t]));
    if (goes_on) return PV_OK;
    path_of(j, "series", ".h5", path);
    PV_TRY(pv_file_set_aside(path, &was_there));
    return set_images_aside(j);
}

pv_status pv_dns_journal_open(pv_comm *comm, const char *folder, int scalars, int goes_on, double time,
                              pv_dns_journal **journal_p)
{
    pv_dns_journal *j = NULL;
    pv_status status = PV_ALLOC(1, &j);
    if (status == PV_OK) {
        j->comm = comm;
        status = open_tables(j, folder, scalars, goes_on, time);
    }
    status = pv_comm_agree(comm, status);
    if (status == PV_OK) {
        j->records = j->tables[PV_DNS_SERIES].rows;
        status = pv_comm_broadcast(comm, 0, sizeof j->records, &j->records);
    }
    if (status != PV_OK) {
        pv_dns_journal_close(j);
        return status;
    }
    *journal_p = j;
    return PV_OK;
}

void pv_dns_journal_close(pv_dns_journal *j)
{
    if (!j) return;
    for (int t = 0; t < PV_DNS_TABLES; t++) pv_table_release(&j->tables[t]);
    pv_mem_free(j->folder);
    pv_mem_free(j);
}

// ---- Rows ----------------------------------------------------------------------------------------------------------

// Rows from `first` on into the file, which begins with the first of them.
static pv_status write_rows(const pv_dns_journal *j, pv_dns_table which, int first)
{
    char path[MOST_PATH];
    const pv_table *table = &j->tables[which];
    if (table->rows == first) return PV_OK;
    path_of(j, pv_dns_table_name(which), ".csv", path);
    if (first > 0) return pv_table_append(path, table, first);
    // The first line of the series is that of the names, for programs that know no comments.
    return pv_table_write(path, which == PV_DNS_SERIES ? NULL : pv_dns_table_about(which), table);
}

static int has_time(const pv_table *table, double time)
{
    const double *times = pv_table_column(table, "time");
    return table->rows > 0 && times[table->rows - 1] == time;
}

static pv_status add_rows(pv_dns_journal *j, const pv_dns_record *record, const pv_dns_shells *shells,
                          const pv_dns_structure *structure)
{
    int first[PV_DNS_TABLES];
    pv_table *tables = j->tables;
    for (int t = 0; t < PV_DNS_TABLES; t++) first[t] = tables[t].rows;
    const double time = record->time;
    if (!has_time(&tables[PV_DNS_SERIES], time)) PV_TRY(pv_dns_series_add(record, &tables[PV_DNS_SERIES]));
    if (shells && !has_time(&tables[PV_DNS_SPECTRA], time))
        PV_TRY(pv_dns_spectra_add(time, shells, &tables[PV_DNS_SPECTRA]));
    if (structure && !has_time(&tables[PV_DNS_STRUCTURE], time))
        PV_TRY(pv_dns_structure_add(time, structure, &tables[PV_DNS_STRUCTURE]));
    for (int t = 0; t < PV_DNS_TABLES; t++) PV_TRY(write_rows(j, (pv_dns_table)t, first[t]));
    return PV_OK;
}

pv_status pv_dns_journal_add(pv_dns_journal *j, const pv_dns_record *record, const pv_dns_shells *shells,
                             const pv_dns_structure *structure)
{
    const pv_status status = pv_comm_rank(j->comm) == 0 ? add_rows(j, record, shells, structure) : PV_OK;
    PV_TRY(pv_comm_agree(j->comm, status));
    j->records++;
    // Whole copies whenever there is an eighth more: their sum grows like the series.
    return j->records - j->saved > j->records / 8 ? pv_dns_journal_save(j) : PV_OK;
}

// ---- HDF5 -----------------------------------------------------------------------------------------------------------

static pv_status put_table(pv_checkpoint *file, pv_dns_table which, const pv_table *table)
{
    char name[64];
    const char *about = pv_dns_table_about(which);
    const pv_array text = {PV_NUMBER_TEXT, 1, {(int64_t)strlen(about)}}, column = {PV_NUMBER_REAL, 1, {table->rows}};
    snprintf(name, sizeof name, "%s/about", pv_dns_table_name(which));
    PV_TRY(pv_checkpoint_put(file, name, &text, about));
    for (int c = 0; c < table->columns; c++) {
        snprintf(name, sizeof name, "%s/%s", pv_dns_table_name(which), table->name[c]);
        PV_TRY(pv_checkpoint_put(file, name, &column, table->value[c]));
    }
    return PV_OK;
}

pv_status pv_dns_journal_save(pv_dns_journal *j)
{
    char path[MOST_PATH];
    pv_checkpoint *file = NULL;
    if (!pv_checkpoint_is_built() || j->saved == j->records) return PV_OK;
    path_of(j, "series", ".h5", path);
    PV_TRY(pv_checkpoint_create(j->comm, path, &file));
    pv_status status = PV_OK;
    for (int t = 0; t < PV_DNS_TABLES && status == PV_OK; t++)
        status = put_table(file, (pv_dns_table)t, &j->tables[t]);
    if (status == PV_OK) status = pv_checkpoint_commit(file);
    pv_checkpoint_destroy(file);
    if (status == PV_OK) j->saved = j->records;
    return status;
}
