// SPDX-License-Identifier: Apache-2.0
// Tables in memory and as files: lines of numbers with commas under a line of names; # begins a comment.
#ifndef PV_DNS_TABLE_H
#define PV_DNS_TABLE_H

#include <parseval/status.h>

enum { PV_TABLE_COLUMNS = 88 };

typedef struct pv_table {
    int columns, rows, room;
    char name[PV_TABLE_COLUMNS][32];
    double *value[PV_TABLE_COLUMNS]; // [rows]
} pv_table;

// *found_p = 0 and an empty table without the file. PV_ERR_INPUT names file and line.
pv_status pv_table_read(const char *path, pv_table *table, int *found_p);
void pv_table_release(pv_table *table);
// NULL without such a column.
const double *pv_table_column(const pv_table *table, const char *name);

// row: [columns].
pv_status pv_table_add(pv_table *table, const double *row);
// A new file with the table's rows under `about` (NULL: nothing) and the names.
pv_status pv_table_write(const char *path, const char *about, const pv_table *table);
// Rows from `first` on behind what the file has, with every digit.
pv_status pv_table_append(const char *path, const pv_table *table, int first);
// Leaves the rows of a file of ascending times that are not after `time` and written to the end of their line. *fits_p
// = 0 and nothing changed without the file, or with other names in it than the table's.
pv_status pv_table_cut(const char *path, const pv_table *table, double time, int *fits_p);

#endif
