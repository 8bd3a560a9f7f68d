// SPDX-License-Identifier: Apache-2.0
#include "base/json_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"

enum { DEEPEST = 32 };

typedef struct level {
    char closing;    // '}' or ']'
    int count;       // values so far
    int is_spread;   // the last value began a line of its own, so the closing bracket does too
} level;

struct pv_json {
    char *text;
    size_t length, room;
    int indent, depth, failed;
    level levels[DEEPEST];
};

pv_json *pv_json_create(int indent)
{
    pv_json *json = NULL;
    if (PV_ALLOC(1, &json) != PV_OK) return NULL;
    json->indent = indent;
    return json;
}

void pv_json_destroy(pv_json *json)
{
    if (!json) return;
    pv_mem_free(json->text);
    pv_mem_free(json);
}

static int make_room(pv_json *json, size_t bytes)
{
    if (json->failed) return 0;
    if (json->length + bytes < json->room) return 1;
    size_t room = 2 * (json->length + bytes) + 256;
    char *text = NULL;
    if (PV_ALLOC(room, &text) != PV_OK) {
        json->failed = 1;
        return 0;
    }
    if (json->text) memcpy(text, json->text, json->length);
    pv_mem_free(json->text);
    json->text = text;
    json->room = room;
    return 1;
}

static void append(pv_json *json, const char *text, size_t length)
{
    if (!make_room(json, length)) return;
    memcpy(json->text + json->length, text, length);
    json->length += length;
    json->text[json->length] = '\0';
}

static void append_text(pv_json *json, const char *text)
{
    append(json, text, strlen(text));
}

static void append_line(pv_json *json)
{
    append_text(json, "\n");
    for (int i = 0; i < json->indent * json->depth; i++) append_text(json, " ");
}

// Bytes of the character of UTF-8 at `text`; 0: there is none (RFC 3629).
static size_t character_bytes(const unsigned char *text)
{
    static const struct {
        unsigned char first, last, low, high; // of the first byte, of the second one
        size_t bytes;
    } forms[] = {{0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
                 {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
                 {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        if (text[0] < forms[f].first || text[0] > forms[f].last) continue;
        if (forms[f].bytes > 1 && (text[1] < forms[f].low || text[1] > forms[f].high)) return 0;
        for (size_t i = 2; i < forms[f].bytes; i++)
            if (text[i] >> 6 != 2) return 0;
        return forms[f].bytes;
    }
    return 0;
}

// JSON is UTF-8: a byte that belongs to no character becomes the one that stands for such.
static void append_quoted(pv_json *json, const char *text)
{
    append_text(json, "\"");
    for (size_t bytes; *text; text += bytes > 0 ? bytes : 1) {
        bytes = character_bytes((const unsigned char *)text);
        unsigned char c = (unsigned char)*text;
        char escape[8];
        if (c == '"' || c == '\\')
            snprintf(escape, sizeof escape, "\\%c", c);
        else if (c == '\n')
            snprintf(escape, sizeof escape, "\\n");
        else if (bytes == 0)
            snprintf(escape, sizeof escape, "\xef\xbf\xbd");
        else if (c < 0x20)
            snprintf(escape, sizeof escape, "\\u%04x", c);
        else
            snprintf(escape, sizeof escape, "%.*s", (int)bytes, text);
        append_text(json, escape);
    }
    append_text(json, "\"");
}

// Comma, line break and key before a value. Plain values of a list stay on one line: rows of numbers read as rows.
static void begin_value(pv_json *json, const char *key, int is_plain)
{
    if (json->depth == 0) return;
    level *here = &json->levels[json->depth - 1];
    int is_spread = json->indent > 0 && (here->closing == '}' || !is_plain);
    if (here->count++ > 0) append_text(json, is_spread ? "," : ", ");
    if (is_spread) append_line(json);
    here->is_spread = is_spread;
    PV_ASSERT((here->closing == '}') == (key != NULL));
    if (key) {
        append_quoted(json, key);
        append_text(json, ": ");
    }
}

static void open_level(pv_json *json, const char *key, const char *opening, char closing)
{
    if (!json) return;
    begin_value(json, key, 0);
    if (json->depth == DEEPEST) {
        json->failed = 1;
        return;
    }
    json->levels[json->depth++] = (level){.closing = closing};
    append_text(json, opening);
}

void pv_json_object(pv_json *json, const char *key)
{
    open_level(json, key, "{", '}');
}

void pv_json_list(pv_json *json, const char *key)
{
    open_level(json, key, "[", ']');
}

void pv_json_end(pv_json *json)
{
    if (!json || json->depth == 0) return;
    level closed = json->levels[--json->depth];
    if (closed.is_spread) append_line(json);
    append(json, &closed.closing, 1);
}

static void plain_value(pv_json *json, const char *key, const char *value)
{
    if (!json) return;
    begin_value(json, key, 1);
    append_text(json, value);
}

void pv_json_number(pv_json *json, const char *key, double value)
{
    char digits[40] = "null";
    for (int precision = 1; isfinite(value) && precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) break;
    }
    plain_value(json, key, digits);
}

void pv_json_integer(pv_json *json, const char *key, int64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", (long long)value);
    plain_value(json, key, digits);
}

void pv_json_text_value(pv_json *json, const char *key, const char *value)
{
    if (!json) return;
    begin_value(json, key, 1);
    if (value)
        append_quoted(json, value);
    else
        append_text(json, "null");
}

void pv_json_bool(pv_json *json, const char *key, int value)
{
    plain_value(json, key, value ? "true" : "false");
}

void pv_json_null(pv_json *json, const char *key)
{
    plain_value(json, key, "null");
}

const char *pv_json_text(pv_json *json)
{
    if (!json || json->failed) return NULL;
    return json->text ? json->text : "";
}
