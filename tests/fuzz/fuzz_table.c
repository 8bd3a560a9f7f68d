// SPDX-License-Identifier: Apache-2.0
// seeds: tests/dns/data/series.csv
// Tables of an earlier run in the folder of one that goes on.
#include "fuzz.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dns/files/table.h"

static int file = -1;
static char path[64];

static void fill(const uint8_t *data, size_t size)
{
    if (file < 0) file = memfd_create("table", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    MUST(ftruncate(file, 0) == 0);
    MUST(pwrite(file, data, size, 0) == (ssize_t)size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pv_table wanted = {.columns = 3, .name = {"step", "time", "energy"}}, table;
    int found, fits;
    fill(data, size);
    if (pv_table_read(path, &table, &found) == PV_OK) {
        MUST(found && table.columns <= PV_TABLE_COLUMNS);
        pv_table_release(&table);
    }
    // What is left after a cut is the beginning of the file, and has no later times where it can be read.
    MUST(pv_table_cut(path, &wanted, 0.5, &fits) == PV_OK);
    if (!fits || pv_table_read(path, &table, &found) != PV_OK) return 0;
    for (int row = 0; row < table.rows; row++) MUST(!(table.value[1][row] > 0.5));
    pv_table_release(&table);
    return 0;
}
