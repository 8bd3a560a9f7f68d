// SPDX-License-Identifier: Apache-2.0
#include "dns/table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"

static pv_status read_names(const char *path, char *line, pv_table *t)
{
    char *rest = NULL;
    for (char *name = strtok_r(line, ",\r\n", &rest); name; name = strtok_r(NULL, ",\r\n", &rest)) {
        PV_REQUIRE(t->columns < PV_TABLE_COLUMNS && strlen(name) < sizeof t->name[0], PV_ERR_INPUT,
                   "%s has more than %d columns, or a name of more than 31 letters", path, PV_TABLE_COLUMNS);
        strcpy(t->name[t->columns++], name);
    }
    return PV_OK;
}

// Doubles the room when it is full.
static pv_status make_room(pv_table *t, int *room)
{
    if (t->rows < *room) return PV_OK;
    const int more = *room > 0 ? 2 * *room : 256;
    for (int c = 0; c < t->columns; c++) {
        double *larger;
        PV_TRY(PV_ALLOC(more, &larger));
        if (t->rows > 0) memcpy(larger, t->value[c], (size_t)t->rows * sizeof *larger);
        pv_mem_free(t->value[c]);
        t->value[c] = larger;
    }
    *room = more;
    return PV_OK;
}

static pv_status read_row(const char *path, int number, char *line, pv_table *t, int *room)
{
    PV_TRY(make_room(t, room));
    char *at = line;
    for (int c = 0; c < t->columns; c++) {
        char *end;
        t->value[c][t->rows] = strtod(at, &end);
        const int is_last = c + 1 == t->columns;
        PV_REQUIRE(end != at && (is_last ? strchr("\r\n", *end) != NULL : *end == ','), PV_ERR_INPUT,
                   "%s:%d: %d numbers with commas between them are expected", path, number, t->columns);
        at = end + 1;
    }
    t->rows++;
    return PV_OK;
}

static pv_status read_lines(const char *path, FILE *in, pv_table *t)
{
    char *line = NULL;
    size_t size = 0;
    int number = 0, room = 0;
    pv_status status = PV_OK;
    while (status == PV_OK && getline(&line, &size, in) >= 0) {
        number++;
        if (line[0] == '#' || line[0] == '\n') continue;
        status = t->columns == 0 ? read_names(path, line, t) : read_row(path, number, line, t, &room);
    }
    free(line);
    return status;
}

pv_status pv_table_read(const char *path, pv_table *t, int *found_p)
{
    *t = (pv_table){0};
    FILE *in = fopen(path, "rb");
    *found_p = in != NULL;
    if (!in && errno == ENOENT) return PV_OK;
    PV_REQUIRE(in, PV_ERR_IO, "cannot read %s: %s", path, strerror(errno));
    const pv_status status = read_lines(path, in, t);
    fclose(in);
    if (status != PV_OK) pv_table_release(t);
    return status;
}

void pv_table_release(pv_table *t)
{
    for (int c = 0; c < PV_TABLE_COLUMNS; c++) pv_mem_free(t->value[c]);
    *t = (pv_table){0};
}

const double *pv_table_column(const pv_table *t, const char *name)
{
    for (int c = 0; c < t->columns; c++)
        if (strcmp(t->name[c], name) == 0) return t->value[c];
    return NULL;
}
