// SPDX-License-Identifier: Apache-2.0
#include "dns/files/table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
static pv_status make_room(pv_table *t)
{
    if (t->rows < t->room) return PV_OK;
    const int more = t->room > 0 ? 2 * t->room : 256;
    for (int c = 0; c < t->columns; c++) {
        double *larger;
        PV_TRY(PV_ALLOC(more, &larger));
        if (t->rows > 0) memcpy(larger, t->value[c], (size_t)t->rows * sizeof *larger);
        pv_mem_free(t->value[c]);
        t->value[c] = larger;
    }
    t->room = more;
    return PV_OK;
}

static pv_status read_row(const char *path, int number, char *line, pv_table *t)
{
    PV_TRY(make_room(t));
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
    int number = 0;
    pv_status status = PV_OK;
    while (status == PV_OK && getline(&line, &size, in) >= 0) {
        number++;
        if (line[0] == '#' || line[0] == '\n') continue;
        status = t->columns == 0 ? read_names(path, line, t) : read_row(path, number, line, t);
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

// ---- Writing -----------------------------------------------------------------------------------------------------

pv_status pv_table_add(pv_table *t, const double *row)
{
    PV_TRY(make_room(t));
    for (int c = 0; c < t->columns; c++) t->value[c][t->rows] = row[c];
    t->rows++;
    return PV_OK;
}

static void write_rows(FILE *out, const pv_table *t, int first)
{
    for (int row = first; row < t->rows; row++)
        for (int c = 0; c < t->columns; c++)
            fprintf(out, "%.17g%c", t->value[c][row], c + 1 < t->columns ? ',' : '\n');
}

static pv_status finish(const char *path, FILE *out)
{
    const int failed = ferror(out), why = errno, closed = fclose(out) == 0;
    PV_REQUIRE(closed && !failed, PV_ERR_IO, "cannot write %s: %s", path, strerror(failed ? why : errno));
    return PV_OK;
}

static pv_status open_to_write(const char *path, const char *mode, FILE **out_p)
{
    *out_p = fopen(path, mode);
    PV_REQUIRE(*out_p, PV_ERR_IO, "cannot write %s: %s", path, strerror(errno));
    return PV_OK;
}

pv_status pv_table_write(const char *path, const char *about, const pv_table *t)
{
    FILE *out;
    PV_TRY(open_to_write(path, "w", &out));
    if (about) fprintf(out, "# %s\n", about);
    for (int c = 0; c < t->columns; c++) fprintf(out, "%s%c", t->name[c], c + 1 < t->columns ? ',' : '\n');
    write_rows(out, t, 0);
    return finish(path, out);
}

pv_status pv_table_append(const char *path, const pv_table *t, int first)
{
    FILE *out;
    PV_TRY(open_to_write(path, "a", &out));
    write_rows(out, t, first);
    return finish(path, out);
}

// ---- Cutting -----------------------------------------------------------------------------------------------------

static int has_names(const char *line, const pv_table *t)
{
    for (int c = 0; c < t->columns; c++) {
        const size_t length = strlen(t->name[c]);
        if (strncmp(line, t->name[c], length) != 0) return 0;
        line += length;
        if (*line++ != (c + 1 < t->columns ? ',' : '\n')) return 0;
    }
    return *line == '\0';
}

static double number_at(const char *line, int column)
{
    for (; column > 0 && *line; line++) column -= *line == ',';
    return strtod(line, NULL);
}

// Where the lines to be kept end; *fits_p once the names have been found.
static long long end_of_kept(FILE *in, const pv_table *t, int column, double time, int *fits_p)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    long long end = 0;
    for (; (length = getline(&line, &size, in)) > 0 && line[length - 1] == '\n'; end += length) {
        if (line[0] == '#') continue;
        if (*fits_p && number_at(line, column) > time) break;
        if (!*fits_p && !(*fits_p = has_names(line, t))) break;
    }
    free(line);
    return end;
}

pv_status pv_table_cut(const char *path, const pv_table *t, double time, int *fits_p)
{
    int column = 0;
    while (column < t->columns - 1 && strcmp(t->name[column], "time") != 0) column++;
    *fits_p = 0;
    FILE *in = fopen(path, "rb");
    if (!in && errno == ENOENT) return PV_OK;
    PV_REQUIRE(in, PV_ERR_IO, "cannot read %s: %s", path, strerror(errno));
    const long long end = end_of_kept(in, t, column, time, fits_p);
    fclose(in);
    PV_REQUIRE(!*fits_p || truncate(path, (off_t)end) == 0, PV_ERR_IO, "cannot shorten %s: %s", path, strerror(errno));
    return PV_OK;
}
