// SPDX-License-Identifier: Apache-2.0
#include "dft/files/text.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/check.h"
#include "base/file_read.h"
#include "base/mem.h"

enum { MOST_BYTES = 1 << 30, NUMBER_LENGTH = 63 };

static int is_text(unsigned char c)
{
    return (c >= ' ' && c != 127) || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

// Or a damaged tag would be no tag, and its default would be taken.
static pv_status check_characters(const char *path, char **data_p, size_t length)
{
    const char *data = *data_p;
    int line = 1;
    size_t i = 0;
    for (; i < length && is_text((unsigned char)data[i]); i++)
        line += data[i] == '\n' || (data[i] == '\r' && data[i + 1] != '\n');
    if (i == length) return PV_OK;
    const unsigned found = (unsigned char)data[i];
    pv_mem_free(*data_p);
    *data_p = NULL;
    PV_FAIL(PV_ERR_INPUT, "%s:%d: found the control character 0x%02x; a text is accepted, so the file is damaged or of "
            "another kind", path, line, found);
}

pv_status pv_text_load(const char *path, char **data_p, size_t *length_p)
{
    PV_TRY(pv_file_read(path, MOST_BYTES, data_p, length_p));
    return check_characters(path, data_p, *length_p);
}

pv_text pv_text_of(const char *data, size_t length, const char *name)
{
    if (length >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) {
        data += 3;
        length -= 3;
    }
    return (pv_text){.name = name, .at = data, .end = data + length};
}

int pv_text_line(pv_text *text, pv_word *line)
{
    if (text->at == text->end) return 0;
    const char *at = text->at;
    while (at < text->end && *at != '\n' && *at != '\r') at++;
    *line = (pv_word){text->at, at};
    if (at < text->end) at += (*at == '\r' && at + 1 < text->end && at[1] == '\n') ? 2 : 1;
    text->at = at;
    if (text->line < INT_MAX) text->line++;
    return 1;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == 0 || c == '\v' || c == '\f';
}

int pv_text_filled_line(pv_text *text, pv_word *line)
{
    while (pv_text_line(text, line)) {
        pv_word rest = *line, word;
        if (pv_word_next(&rest, &word)) return 1;
    }
    return 0;
}

int pv_word_next(pv_word *rest, pv_word *word)
{
    while (rest->begin < rest->end && is_blank(*rest->begin)) rest->begin++;
    if (rest->begin == rest->end) return 0;
    word->begin = rest->begin;
    while (rest->begin < rest->end && !is_blank(*rest->begin)) rest->begin++;
    word->end = rest->begin;
    return 1;
}

int pv_word_next_uncommented(pv_word *rest, pv_word *word)
{
    return pv_word_next(rest, word) && *word->begin != '!' && *word->begin != '#';
}

pv_word pv_word_trim(pv_word word)
{
    while (word.begin < word.end && is_blank(*word.begin)) word.begin++;
    while (word.begin < word.end && is_blank(word.end[-1])) word.end--;
    return word;
}

int pv_word_is(pv_word word, const char *text)
{
    size_t length = (size_t)(word.end - word.begin);
    return length == strlen(text) && strncasecmp(word.begin, text, length) == 0;
}

// Copies the word when every character is in `allowed`, so that strtod and strtol see nothing they would take freely
// (blanks, hexadecimals, "nan").
static int copy_number(pv_word word, const char *allowed, char text[NUMBER_LENGTH + 1])
{
    size_t length = (size_t)(word.end - word.begin);
    if (length == 0 || length > NUMBER_LENGTH) return 0;
    for (size_t i = 0; i < length; i++) {
        if (word.begin[i] == 0 || !strchr(allowed, word.begin[i])) return 0;
        text[i] = word.begin[i] == 'd' || word.begin[i] == 'D' ? 'e' : word.begin[i];
    }
    text[length] = 0;
    return 1;
}

int pv_word_real(pv_word word, double *value)
{
    char text[NUMBER_LENGTH + 1], *end;
    if (!copy_number(word, "0123456789+-.eEdD", text)) return 0;
    double number = strtod(text, &end);
    if (*end || end == text || !isfinite(number)) return 0;
    *value = number;
    return 1;
}

int pv_word_int(pv_word word, int *value)
{
    char text[NUMBER_LENGTH + 1], *end;
    if (!copy_number(word, "0123456789+-", text)) return 0;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (*end || end == text || errno || number > INT_MAX || number < INT_MIN) return 0;
    *value = (int)number;
    return 1;
}

const char *pv_word_show(pv_word word, char shown[PV_WORD_SHOWN])
{
    const int most = PV_WORD_SHOWN - 4;
    int length = 0;
    for (; length < most && word.begin + length < word.end; length++) {
        char c = word.begin[length];
        shown[length] = c >= ' ' && c <= '~' ? c : '?';
    }
    strcpy(shown + length, word.begin + length < word.end ? "..." : "");
    return shown;
}
