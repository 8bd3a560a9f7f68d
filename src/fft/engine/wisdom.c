// SPDX-License-Identifier: Apache-2.0
// The file is text: a title, a line "key = value" for each thing learnt, and for each engine a section
// "[engine NAME LENGTH]" with LENGTH bytes of the engine's own wisdom and a line end.
#include "fft/engine/wisdom.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/check.h"
#include "base/file_read.h"
#include "base/file_replace.h"
#include "base/mem.h"
#include "fft/engine/engine.h"
#include "fft/plan/plan.h"

static const char title[] = "parseval wisdom 1\n";
static const char learnt_end[] = "[engines]\n";
enum { MOST_BYTES = 1 << 30 };

typedef struct pv_wisdom_entry {
    struct pv_wisdom_entry *next;
    char *key, *value;
} pv_wisdom_entry;

static pv_wisdom_entry *entries;

static pv_wisdom_entry *find(const char *key)
{
    for (pv_wisdom_entry *e = entries; e; e = e->next)
        if (strcmp(e->key, key) == 0) return e;
    return NULL;
}

const char *pv_wisdom_find(const char *key)
{
    pv_wisdom_entry *entry = find(key);
    return entry ? entry->value : NULL;
}

pv_status pv_wisdom_learn(const char *key, const char *value)
{
    pv_wisdom_entry *entry = find(key);
    char *copy;
    PV_TRY(pv_mem_strdup(value, &copy));
    if (entry) {
        pv_mem_free(entry->value);
        entry->value = copy;
        return PV_OK;
    }
    pv_status status = PV_ALLOC(1, &entry);
    if (status == PV_OK) status = pv_mem_strdup(key, &entry->key);
    if (status != PV_OK) {
        pv_mem_free(entry);
        pv_mem_free(copy);
        return status;
    }
    entry->value = copy;
    entry->next = entries;
    entries = entry;
    return PV_OK;
}

// ---- To text ------------------------------------------------------------------------------------------------------

static void write_engines(FILE *out)
{
    for (int i = 0; pv_engine_at(i); i++) {
        const pv_engine_ops *engine = pv_engine_at(i);
        char *text = NULL;
        if (engine->wisdom_export(&text) == PV_OK && text) {
            fprintf(out, "[engine %s %zu]\n", engine->name, strlen(text));
            fputs(text, out);
            fputc('\n', out);
        }
        pv_mem_free(text);
    }
}

// The text is the caller's to free().
static pv_status to_text(char **text_p)
{
    size_t size = 0;
    FILE *out = open_memstream(text_p, &size);
    PV_REQUIRE(out, PV_ERR_MEMORY, "no memory for the text of the wisdom");
    fputs(title, out);
    for (pv_wisdom_entry *e = entries; e; e = e->next) fprintf(out, "%s = %s\n", e->key, e->value);
    fputs(learnt_end, out);
    write_engines(out);
    PV_REQUIRE(fclose(out) == 0, PV_ERR_MEMORY, "no memory for the text of the wisdom");
    return PV_OK;
}

pv_status pv_wisdom_save(pv_comm *comm, const char *path)
{
    PV_REQUIRE_GIVEN(comm);
    PV_REQUIRE_GIVEN(path);
    pv_status status = PV_OK;
    if (pv_comm_rank(comm) == 0) {
        char *text = NULL;
        status = to_text(&text);
        if (status == PV_OK) status = pv_file_replace(path, text);
        free(text);
    }
    return pv_comm_agree(comm, status);
}

// ---- From text: everything is checked before anything is learnt -----------------------------------------------------

// Of what a message quotes: a line, or its beginning.
static int shown_length(const char *text)
{
    size_t length = strcspn(text, "\n");
    return length < 40 ? (int)length : 40;
}

static int names_an_engine(const char *key, const char *value)
{
    (void)key;
    return pv_engine_is_name(value);
}

// What there is to learn, by the first word of the key.
static const struct {
    const char *word;
    int (*accepts)(const char *key, const char *value);
} kinds[] = {{"plan ", pv_tune_accepts}, {"rates ", pv_rates_accepts}, {"line ", names_an_engine}};

static int is_accepted(const char *key, const char *value)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(key, kinds[i].word, strlen(kinds[i].word)) == 0) return kinds[i].accepts(key, value);
    return 0;
}

static pv_status take_line(const char *path, char *line, int learn)
{
    char *equals = strstr(line, " = ");
    PV_REQUIRE(equals, PV_ERR_INPUT, "wisdom file %s: found \"%.60s\", expected \"key = value\"", path, line);
    *equals = '\0';
    const char *value = equals + 3;
    pv_status status = PV_OK;
    if (learn)
        status = pv_wisdom_learn(line, value);
    else if (!is_accepted(line, value))
        status =
            pv_fail(PV_ERR_INPUT, "pv_wisdom_load", "wisdom file %s: \"%.80s\" cannot be \"%.60s\"", path, line, value);
    *equals = ' ';
    return status;
}

static pv_status take_engine(const char *path, const char *name, const char *text, int learn)
{
    char from[512];
    snprintf(from, sizeof from, "wisdom file %s: the section of engine %s", path, name);
    PV_REQUIRE(pv_engine_is_name(name), PV_ERR_INPUT, "%s: there is no such engine", from);
    const pv_engine_ops *engine = NULL;
    for (int i = 0; pv_engine_at(i); i++)
        if (strcmp(pv_engine_at(i)->name, name) == 0) engine = pv_engine_at(i);
    if (!engine) return PV_OK;          // of another build
    if (learn) return engine->wisdom_import(text);
    return engine->wisdom_check ? engine->wisdom_check(text, from) : PV_OK;
}

static pv_status take_engines(const char *path, char *text, int learn)
{
    while (*text) {
        char name[32];
        size_t length;
        int used = 0;
        PV_REQUIRE(sscanf(text, "[engine %31s %zu]%n", name, &length, &used) == 2 && used > 0 && text[used] == '\n' &&
                       length < strlen(text) - (size_t)used,
                   PV_ERR_INPUT, "wisdom file %s: found \"%.*s\", expected \"[engine NAME LENGTH]\" and as many bytes",
                   path, shown_length(text), text);
        char *body = text + used + 1;
        PV_REQUIRE(body[length] == '\n', PV_ERR_INPUT, "wisdom file %s: the section of engine %s is cut short", path,
                   name);
        body[length] = '\0';
        pv_status status = take_engine(path, name, body, learn);
        body[length] = '\n';
        PV_TRY(status);
        text = body + length + 1;
    }
    return PV_OK;
}

static pv_status take(const char *path, char *text, int learn)
{
    PV_REQUIRE(strncmp(text, title, sizeof title - 1) == 0, PV_ERR_INPUT,
               "wisdom file %s: found \"%.*s\", expected the title \"parseval wisdom 1\"", path, shown_length(text),
               text);
    char *line = text + sizeof title - 1, *end;
    while (strncmp(line, learnt_end, sizeof learnt_end - 1) != 0) {
        end = strchr(line, '\n');
        PV_REQUIRE(end, PV_ERR_INPUT, "wisdom file %s: cut short before the line \"[engines]\"", path);
        *end = '\0';
        pv_status status = take_line(path, line, learn);
        *end = '\n';
        PV_TRY(status);
        line = end + 1;
    }
    return take_engines(path, line + sizeof learnt_end - 1, learn);
}

// Messages quote the text, which must not reach a terminal raw.
static pv_status check_printable(const char *path, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        PV_REQUIRE((text[i] >= ' ' && text[i] <= '~') || text[i] == '\n' || text[i] == '\t', PV_ERR_INPUT,
                   "wisdom file %s: byte %zu is 0x%02x; wisdom is plain text", path, i,
                   (unsigned)(unsigned char)text[i]);
    return PV_OK;
}

// *text_p stays NULL when there is no such file.
static pv_status read_file(const char *path, char **text_p)
{
    struct stat found;
    if (stat(path, &found) != 0 && errno == ENOENT) return PV_OK;
    char *text;
    size_t length;
    PV_TRY(pv_file_read(path, MOST_BYTES, &text, &length));
    const pv_status status = check_printable(path, text, length);
    if (status == PV_OK) *text_p = text;
    else pv_mem_free(text);
    return status;
}

pv_status pv_wisdom_load(pv_comm *comm, const char *path)
{
    PV_REQUIRE_GIVEN(comm);
    PV_REQUIRE_GIVEN(path);
    char *text = NULL;
    pv_status status = pv_comm_rank(comm) == 0 ? read_file(path, &text) : PV_OK;
    int64_t length = text ? (int64_t)strlen(text) : -1;
    status = pv_comm_agree(comm, status);
    if (status == PV_OK) status = pv_comm_broadcast(comm, 0, sizeof length, &length);
    if (status != PV_OK || length < 0) {
        pv_mem_free(text);
        return status;
    }
    status = pv_comm_agree(comm, text ? PV_OK : PV_ALLOC(length + 1, &text));
    if (status == PV_OK) status = pv_comm_broadcast(comm, 0, (size_t)length, text);
    // All ranks read the same text: one of them speaks.
    if (status == PV_OK) status = pv_comm_agree(comm, pv_comm_rank(comm) == 0 ? take(path, text, 0) : PV_OK);
    if (status == PV_OK) status = pv_comm_agree(comm, take(path, text, 1));
    pv_mem_free(text);
    return status;
}
