// SPDX-License-Identifier: Apache-2.0
#include "dft/files/incar.h"

#include <ctype.h>
#include <string.h>

#include "base/check.h"
#include "base/log.h"
#include "base/mem.h"
#include "dft/files/incar_entry.h"
#include "dft/files/text.h"
#include "dft/model/tags.h"

enum { DEEPEST_BLOCK = 8, LONGEST_TAG = 64 };

// One statement as it is collected: left and right of the first `=`, comments gone, quotes gone.
typedef struct reader {
    pv_incar *incar;
    const char *at, *end;
    int line;
    char *buffer;              // as long as the text
    size_t length;
    size_t equals;             // where `=` stood in the buffer; 0 when there was none yet
    int first_line;            // where the statement starts
    char prefix[DEEPEST_BLOCK * LONGEST_TAG]; // "BLOCK/" of the open blocks
    size_t prefix_length[DEEPEST_BLOCK + 1];  // before each of them
    int depth;
} reader;

static pv_status add_entry(pv_incar *incar, const char *tag, pv_word value, int line)
{
    if (incar->count == incar->room) {
        int room = incar->room ? 2 * incar->room : 32;
        pv_incar_entry *entries;
        PV_TRY(PV_ALLOC(room, &entries));
        if (incar->count) memcpy(entries, incar->entries, (size_t)incar->count * sizeof *entries);
        pv_mem_free(incar->entries);
        incar->entries = entries;
        incar->room = room;
    }
    pv_incar_entry *new = &incar->entries[incar->count];
    size_t length = (size_t)(value.end - value.begin);
    PV_TRY(pv_mem_strdup(tag, &new->tag));
    incar->count++;            // from here on destroy frees the tag
    PV_TRY(PV_ALLOC(length + 1, &new->value));
    memcpy(new->value, value.begin, length);
    new->line = line;
    return PV_OK;
}

// A tag is one word of letters, digits, _ and / that starts with a letter; the block's name comes before it.
static int make_tag(const reader *r, pv_word word, char tag[sizeof r->prefix + LONGEST_TAG])
{
    size_t length = (size_t)(word.end - word.begin), before = r->prefix_length[r->depth];
    if (length == 0 || length >= LONGEST_TAG || !isalpha((unsigned char)*word.begin)) return 0;
    memcpy(tag, r->prefix, before);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)word.begin[i];
        if (!isalnum(c) && c != '_' && c != '/') return 0;
        tag[before + i] = (char)toupper(c);
    }
    tag[before + length] = 0;
    return 1;
}

// A heading is words alone. A number, an = or a known tag at the start were meant to count.
static int looks_meant(const reader *r, pv_word text)
{
    char tag[sizeof r->prefix + LONGEST_TAG];
    double number;
    pv_word rest = text, word;
    if (r->equals) return 1;
    pv_word_next(&rest, &word);
    while (word.end > word.begin && word.end[-1] == ':') word.end--;
    if (make_tag(r, word, tag) && pv_tag_find(tag)) return 1;
    while (pv_word_next(&rest, &word))
        if (pv_word_real(word, &number)) return 1;
    return 0;
}

static void note_ignored(const reader *r, pv_word text)
{
    char shown[PV_WORD_SHOWN];
    if (r->incar->silent || text.begin == text.end) return;
    pv_log(looks_meant(r, text) ? PV_LOG_WARN : PV_LOG_INFO,
           "%s:%d: '%s' is not of the form TAG = value and is ignored; a comment begins with # or !", r->incar->name,
           r->first_line, pv_word_show(text, shown));
}

static pv_status keep(reader *r, const char *tag, pv_word value)
{
    char shown[PV_WORD_SHOWN];
    const pv_incar_entry *earlier = pv_incar_find(r->incar, tag);
    if (earlier) {
        if (r->incar->silent) return PV_OK;
        pv_log(PV_LOG_WARN, "%s:%d: %s was given in line %d already; '%s' there counts, '%s' here does not",
               r->incar->name, r->first_line, tag, earlier->line, earlier->value, pv_word_show(value, shown));
        return PV_OK;
    }
    if (!r->incar->silent && memchr(value.begin, '=', (size_t)(value.end - value.begin)))
        pv_log(PV_LOG_WARN, "%s:%d: the value of %s holds another '=': '%s'; statements in one line are separated by ;",
               r->incar->name, r->first_line, tag, pv_word_show(value, shown));
    return add_entry(r->incar, tag, value, r->first_line);
}

static pv_status end_statement(reader *r)
{
    char tag[sizeof r->prefix + LONGEST_TAG];
    pv_word whole = pv_word_trim((pv_word){r->buffer, r->buffer + r->length});
    pv_status status = PV_OK;
    if (r->equals && make_tag(r, pv_word_trim((pv_word){r->buffer, r->buffer + r->equals}), tag))
        status = keep(r, tag, pv_word_trim((pv_word){r->buffer + r->equals + 1, r->buffer + r->length}));
    else
        note_ignored(r, whole);
    r->length = r->equals = 0;
    r->first_line = r->line;
    return status;
}

static pv_status open_block(reader *r)
{
    char shown[PV_WORD_SHOWN], tag[sizeof r->prefix + LONGEST_TAG];
    pv_word name = pv_word_trim((pv_word){r->buffer, r->buffer + r->length});
    PV_REQUIRE(make_tag(r, name, tag), PV_ERR_INPUT, "%s:%d: found '%s {'; a block is a name and {", r->incar->name,
               r->line, pv_word_show(name, shown));
    PV_REQUIRE(r->depth + 1 < DEEPEST_BLOCK, PV_ERR_INPUT, "%s:%d: blocks are nested deeper than %d", r->incar->name,
               r->line, DEEPEST_BLOCK - 1);
    size_t length = strlen(tag);
    memcpy(r->prefix, tag, length);
    r->prefix[length] = '/';
    r->prefix_length[++r->depth] = length + 1;
    r->length = 0;
    return PV_OK;
}

static pv_status close_block(reader *r)
{
    PV_TRY(end_statement(r));
    PV_REQUIRE(r->depth > 0, PV_ERR_INPUT, "%s:%d: } without a block that it closes", r->incar->name, r->line);
    r->depth--;
    return PV_OK;
}

static void put(reader *r, char c)
{
    if (r->length == 0) r->first_line = r->line;
    if (c == '=' && !r->equals) r->equals = r->length;
    r->buffer[r->length++] = c;
}

static void skip_comment(reader *r)
{
    while (r->at < r->end && *r->at != '\n' && *r->at != '\r') r->at++;
}

// After a backslash: takes blanks and the line's end; anything else stays where it is.
static int continues(reader *r)
{
    const char *at = r->at;
    while (at < r->end && (*at == ' ' || *at == '\t')) at++;
    if (at < r->end && *at != '\n' && *at != '\r') return 0;
    if (at < r->end) at += (*at == '\r' && at + 1 < r->end && at[1] == '\n') ? 2 : 1;
    r->at = at;
    r->line++;
    return 1;
}

static pv_status take_quoted(reader *r)
{
    const int opened = r->line;
    while (r->at < r->end && *r->at != '"') {
        if (*r->at == '\n') r->line++;
        if (*r->at != '\r') put(r, *r->at == '\0' ? ' ' : *r->at);
        r->at++;
    }
    PV_REQUIRE(r->at < r->end, PV_ERR_INPUT, "%s:%d: the quotation mark opened here is never closed", r->incar->name,
               opened);
    r->at++;
    return PV_OK;
}

static pv_status take_character(reader *r)
{
    char c = *r->at++;
    switch (c) {
    case '\r':
        if (r->at < r->end && *r->at == '\n') return PV_OK;
        // fall through
    case '\n':
        r->line++;
        return end_statement(r);
    case ';': return end_statement(r);
    case '#':
    case '!': skip_comment(r); return PV_OK;
    case '"': if (r->equals) return take_quoted(r); break;
    case '{': if (!r->equals) return open_block(r); break;
    case '}': return close_block(r);
    case '\\':
        if (continues(r)) c = ' ';
        break;
    case '=': if (r->length == 0) put(r, ' '); break; // `equals` is 0 only when there is none
    case '\0': c = ' '; break;
    default: break;
    }
    put(r, c);
    return PV_OK;
}

static pv_status read_statements(reader *r)
{
    while (r->at < r->end) PV_TRY(take_character(r));
    PV_TRY(end_statement(r));
    PV_REQUIRE(r->depth == 0, PV_ERR_INPUT, "%s: the block %.*s is never closed by }", r->incar->name,
               (int)r->prefix_length[r->depth] - 1, r->prefix);
    return PV_OK;
}

static pv_status parse(const char *data, size_t length, const char *name, int silent, pv_incar **incar_p)
{
    pv_text text = pv_text_of(data, length, name); // drops a byte order mark
    pv_incar *incar;
    reader r = {.at = text.at, .end = text.end, .line = 1, .first_line = 1};
    PV_TRY(PV_ALLOC(1, &incar));
    incar->silent = silent;
    pv_status status;
    PV_TRY_GOTO(pv_mem_strdup(name, &incar->name), status, failed);
    PV_TRY_GOTO(PV_ALLOC(length + 2, &r.buffer), status, failed);
    r.incar = incar;
    PV_TRY_GOTO(read_statements(&r), status, failed);
    pv_mem_free(r.buffer);
    *incar_p = incar;
    return PV_OK;
failed:
    pv_mem_free(r.buffer);
    pv_incar_destroy(incar);
    return status;
}

pv_status pv_incar_parse(const char *data, size_t length, const char *name, pv_incar **incar_p)
{
    return parse(data, length, name, 0, incar_p);
}

static pv_status load(const char *path, int silent, pv_incar **incar_p)
{
    PV_TEXT_PARSE_FILE(path, parse, silent, incar_p);
}

pv_status pv_incar_read(const char *path, pv_incar **incar_p) { return load(path, 0, incar_p); }

pv_status pv_incar_read_again(const char *path, pv_incar **incar_p) { return load(path, 1, incar_p); }

void pv_incar_destroy(pv_incar *incar)
{
    if (!incar) return;
    for (int i = 0; i < incar->count; i++) {
        pv_mem_free(incar->entries[i].tag);
        pv_mem_free(incar->entries[i].value);
    }
    pv_mem_free(incar->entries);
    pv_mem_free(incar->name);
    pv_mem_free(incar);
}
