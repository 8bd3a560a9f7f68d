// SPDX-License-Identifier: Apache-2.0
#include "base/json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) at++;
    return at;
}

// Behind the closing quotes; NULL: there are none.
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end; at++) {
        if (*at == '\\')
            at++;
        else if (*at == '"')
            return at + 1;
    }
    return NULL;
}

// Behind a value that begins here; NULL: it has no end, or there is none.
static const char *skip_value(const char *at, const char *end)
{
    int depth = 0;
    if (at == end) return NULL;
    if (*at != '{' && *at != '[' && *at != '"') {
        const char *begin = at;
        while (at < end && !strchr(",]}: \n\t\r", *at)) at++;
        return at > begin ? at : NULL;
    }
    while (at && at < end) {
        if (*at == '"') {
            at = skip_string(at, end);
        } else {
            depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
            at++;
        }
        if (depth <= 0) return at;
    }
    return NULL;
}

int pv_json_read(const char *data, size_t length, pv_json_value *value_p)
{
    const char *end = data + length, *begin = skip_blanks(data, end), *behind = skip_value(begin, end);
    if (!behind || skip_blanks(behind, end) != end) return 0;
    *value_p = (pv_json_value){begin, behind};
    return 1;
}

// An element or member that begins behind `at`: blanks and the comma between them are passed over.
static int take_value(const char *at, const char *end, pv_json_value *value_p)
{
    at = skip_blanks(at, end);
    const char *behind = skip_value(at, end);
    if (!behind) return 0;
    *value_p = (pv_json_value){at, behind};
    return 1;
}

int pv_json_member(pv_json_value object, const char *name, pv_json_value *value_p)
{
    if (object.begin == object.end || *object.begin != '{') return 0;
    const char *at = object.begin + 1, *end = object.end - 1;
    const size_t length = strlen(name);
    for (;;) {
        pv_json_value key, value;
        if (!take_value(at, end, &key) || *key.begin != '"') return 0;
        at = skip_blanks(key.end, end);
        if (at == end || *at != ':' || !take_value(at + 1, end, &value)) return 0;
        if ((size_t)(key.end - key.begin) == length + 2 && memcmp(key.begin + 1, name, length) == 0) {
            *value_p = value;
            return 1;
        }
        at = skip_blanks(value.end, end);
        if (at == end || *at != ',') return 0;
        at++;
    }
}

int pv_json_first(pv_json_value list, pv_json_value *at)
{
    if (list.begin == list.end || *list.begin != '[') return 0;
    return take_value(list.begin + 1, list.end - 1, at);
}

int pv_json_next(pv_json_value list, pv_json_value *at)
{
    const char *comma = skip_blanks(at->end, list.end - 1);
    if (comma == list.end - 1 || *comma != ',') return 0;
    return take_value(comma + 1, list.end - 1, at);
}

int pv_json_length(pv_json_value list)
{
    pv_json_value at;
    int count = 0;
    for (int more = pv_json_first(list, &at); more; more = pv_json_next(list, &at)) count++;
    return count;
}

int pv_json_as_number(pv_json_value value, double *number_p)
{
    char digits[64], *end;
    const size_t length = (size_t)(value.end - value.begin);
    if (length == 0 || length >= sizeof digits || !strchr("-0123456789", *value.begin)) return 0;
    memcpy(digits, value.begin, length);
    digits[length] = '\0';
    const double number = strtod(digits, &end);
    if (*end != '\0' || !isfinite(number)) return 0;
    *number_p = number;
    return 1;
}

static int is_word(pv_json_value value, const char *word)
{
    return (size_t)(value.end - value.begin) == strlen(word) && memcmp(value.begin, word, strlen(word)) == 0;
}

int pv_json_as_bool(pv_json_value value, int *bool_p)
{
    if (!is_word(value, "true") && !is_word(value, "false")) return 0;
    *bool_p = is_word(value, "true");
    return 1;
}

int pv_json_as_text(pv_json_value value, size_t size, char *text)
{
    if (value.end - value.begin < 2 || *value.begin != '"') return 0;
    size_t length = (size_t)(value.end - value.begin) - 2;
    if (length >= size) length = size - 1;
    memcpy(text, value.begin + 1, length);
    text[length] = '\0';
    return 1;
}
