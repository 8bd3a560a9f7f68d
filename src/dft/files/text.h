// SPDX-License-Identifier: Apache-2.0
// A text file in memory, taken line by line and word by word, with the name and line number that errors need.
// Line ends LF, CRLF or CR; a byte order mark at the start and a missing final newline are accepted.
#ifndef PV_DFT_TEXT_H
#define PV_DFT_TEXT_H

#include <stddef.h>

#include "base/check.h"
#include "base/mem.h"

typedef struct pv_text {
    const char *name;          // of the file, for messages
    const char *at, *end;      // what is left
    int line;                  // number of the line taken last, from 1
} pv_text;

// A piece of a text that need not end in zero.
typedef struct pv_word {
    const char *begin, *end;
} pv_word;

// The whole file; *data_p belongs to the caller (pv_mem_free) and ends in zero. PV_ERR_INPUT when there is no such
// file, or something that is no regular one or holds control characters; PV_ERR_IO when it cannot be read.
pv_status pv_text_load(const char *path, char **data_p, size_t *length_p);
// Ends the function with what parse(data, length, path, ...) says of the whole file.
#define PV_TEXT_PARSE_FILE(path, parse, ...)                                                                           \
    do {                                                                                                               \
        char *data_;                                                                                                   \
        size_t length_;                                                                                                \
        PV_TRY(pv_text_load(path, &data_, &length_));                                                                  \
        const pv_status status_ = parse(data_, length_, path, __VA_ARGS__);                                            \
        pv_mem_free(data_);                                                                                            \
        return status_;                                                                                                \
    } while (0)
pv_text pv_text_of(const char *data, size_t length, const char *name);

// The next line without its end; 0 when there is none.
int pv_text_line(pv_text *text, pv_word *line);
// As pv_text_line, over lines that hold nothing but blanks.
int pv_text_filled_line(pv_text *text, pv_word *line);

// Takes the next word from `rest`: up to blanks, tabs, commas or zeros; 0 when there is none.
int pv_word_next(pv_word *rest, pv_word *word);
// The same, where a word that starts with ! or # ends the line.
int pv_word_next_uncommented(pv_word *rest, pv_word *word);
pv_word pv_word_trim(pv_word word);
// Compared without case.
int pv_word_is(pv_word word, const char *text);

// Whole words as numbers; 0 when the word is not one. Reals may have Fortran's D exponent; nan, infinities and numbers
// that overflow are none.
int pv_word_real(pv_word word, double *value);
int pv_word_int(pv_word word, int *value);

#define PV_WORD_SHOWN 64
// For messages: at most 60 characters, unprintable ones as ?. Returns `shown`.
const char *pv_word_show(pv_word word, char shown[PV_WORD_SHOWN]);

#endif
