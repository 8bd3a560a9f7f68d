// SPDX-License-Identifier: Apache-2.0
// Tables as output.c writes them: lines of numbers with commas under a line of names; # begins a comment.
#ifndef PV_DNS_TABLE_H
#define PV_DNS_TABLE_H

#include <parseval/status.h>

enum { PV_TABLE_COLUMNS = 32 };

typedef struct pv_table {
    int columns, rows;
    char name[PV_TABLE_COLUMNS][32];
    double *value[PV_TABLE_COLUMNS]; // [rows]
} pv_table;

// *found_p = 0 and an empty table without the file. PV_ERR_INPUT names file and line.
pv_status pv_table_read(const char *path, pv_table *table, int *found_p);
void pv_table_release(pv_table *table);
// NULL without such a column.
const double *pv_table_column(const pv_table *table, const char *name);

#endif
