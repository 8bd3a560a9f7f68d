// SPDX-License-Identifier: Apache-2.0
#include "dns/files/case_file.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/file_read.h"
#include "base/mem.h"
#include "base/spell.h"
#include "dns/params.h"

enum { MOST_BYTES = 1 << 20 };

static char *trim(char *text)
{
    while (isspace((unsigned char)*text)) text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1])) *--end = '\0';
    return text;
}

static pv_status refuse(const char *path, int line, const pv_option *table, int count, const char *name)
{
    const char *nearest = pv_spell_nearest(name, &table[0].name, count, sizeof table[0]);
    PV_REQUIRE(!nearest, PV_ERR_INPUT, "%s:%d: there is no parameter '%.60s'; did you mean '%s'?", path, line, name,
               nearest);
    PV_FAIL(PV_ERR_INPUT, "%s:%d: there is no parameter '%.60s'; parseval dns --explain lists all", path, line, name);
}

// Headings are for who reads; one that is none of these may be a line that was meant otherwise.
static pv_status parse_heading(const char *path, int number, char *text)
{
    static const char *const headings[] = {"grid", "equations", "time", "flow", "forcing", "output"};
    const int count = sizeof headings / sizeof headings[0];
    text[strlen(text) - 1] = '\0';
    const char *name = trim(text + 1);
    for (int i = 0; i < count; i++)
        if (strcmp(headings[i], name) == 0) return PV_OK;
    PV_FAIL(
        PV_ERR_INPUT,
        "%s:%d: there is no section [%.60s]; [grid], [equations], [time], [flow], [forcing], [output] are accepted, "
        "or none",
        path, number, name);
}

// lines: where each parameter was given, 0: not yet.
static pv_status parse_line(const char *path, int number, char *line, const pv_option *table, int count, int *lines)
{
    line[strcspn(line, "#;")] = '\0';
    char *text = trim(line);
    if (*text == '\0') return PV_OK;
    if (*text == '[' && text[strlen(text) - 1] == ']') return parse_heading(path, number, text);
    char *equals = strchr(text, '=');
    PV_REQUIRE(equals, PV_ERR_INPUT, "%s:%d: \"%.60s\" has no '='; lines name = value are accepted", path, number,
               text);
    *equals = '\0';
    char *name = trim(text), *value = trim(equals + 1);
    // Names may be written with underscores.
    for (char *at = name; *at; at++) *at = *at == '_' ? '-' : *at;
    for (int i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0) {
            char where[64];
            PV_REQUIRE(lines[i] == 0, PV_ERR_INPUT,
                       "%s:%d: %s was given in line %d already; one line of it is accepted", path, number, name,
                       lines[i]);
            lines[i] = number;
            snprintf(where, sizeof where, "%.50s:%d", path, number);
            return pv_option_set(&table[i], where, value);
        }
    return refuse(path, number, table, count, name);
}

pv_status pv_dns_case_parse(const char *path, char *text, pv_dns_params *params)
{
    pv_option table[PV_DNS_PARAMETERS];
    const int count = pv_dns_declare(params, table);
    int number = 1, lines[PV_DNS_PARAMETERS] = {0};
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) text += 3; // the mark of UTF-8 that some editors begin with
    for (char *line = text; line; number++) {
        char *next = strchr(line, '\n');
        if (next) *next++ = '\0';
        PV_TRY(parse_line(path, number, line, table, count, lines));
        line = next;
    }
    return PV_OK;
}

pv_status pv_dns_case_read(const char *path, pv_dns_params *params, char **memory_p)
{
    char *text;
    size_t length;
    PV_TRY(pv_file_read(path, MOST_BYTES, &text, &length));
    pv_status status = PV_OK;
    if (memchr(text, '\0', length))
        status = pv_fail(PV_ERR_INPUT, __func__, "%s is no text of parameters: it has zero bytes", path);
    if (status == PV_OK) status = pv_dns_case_parse(path, text, params);
    if (status != PV_OK) {
        pv_mem_free(text);
        return status;
    }
    *memory_p = text;
    return PV_OK;
}
