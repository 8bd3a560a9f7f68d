// SPDX-License-Identifier: Apache-2.0
// Declared options: a table says name, type, default, unit, range and help; parsing, --help and error texts follow
// from it. Every command declares its options so.
#ifndef PV_BASE_OPTIONS_H
#define PV_BASE_OPTIONS_H

#include <stdint.h>
#include <stdio.h>

#include <parseval/status.h>

typedef enum pv_option_type {
    PV_OPTION_FLAG,   // --verify           -> int 1
    PV_OPTION_INT,    // --repeat N         -> int64_t, 1e12 is one
    PV_OPTION_REAL,   // --time S           -> double
    PV_OPTION_TEXT,   // --pseudo DIR       -> const char *
    PV_OPTION_CHOICE, // --type c2c|r2c     -> int, index into `choices`
    PV_OPTION_SHAPE,  // --shape AxBxC      -> int64_t[3], missing leading dimensions 1 (256 is 1x1x256)
    PV_OPTION_REALS   // --schmidt X,Y,Z    -> double[PV_OPTION_MOST_REALS], and their number into `count`
} pv_option_type;

enum { PV_OPTION_MOST_REALS = 16 };

typedef struct pv_option {
    const char *name;           // without the dashes
    pv_option_type type;
    void *value;                // holds the default before parsing
    const char *unit;           // "s", "N", "DIR"; NULL when none
    const char *choices;        // CHOICE: "c2c|r2c"
    double minimum, maximum;    // INT, REAL, REALS; both 0: no bounds. SHAPE with bounds: three lengths within them
    const char *help;           // one sentence
    const char *only;           // of a command that does several things, named by its first word ("dft"), the one that
                                // takes it; NULL: all
    int64_t *count;             // REALS: how many there are
} pv_option;

// Parses argv[1..]: --name value, --name=value, --flag. Words that are not options are left in argv[1..*argc) when
// `words` is non-zero and refused otherwise. "--help" sets *help_p. PV_ERR_ARGUMENT, also where a name is given twice:
// one of the values would be lost; unknown names get the nearest known one in the error.
pv_status pv_options_parse(const pv_option *options, int count, int words, int *argc, char **argv, int *help_p);
// One option from a text that came from elsewhere than argv: `where` ("case.ini:12") begins messages instead of "--". A
// flag takes true or false.
pv_status pv_option_set(const pv_option *option, const char *where, const char *text);
// The OPTIONS section of a man-style help text: name, choices or unit, range, default, sentence.
void pv_options_help(FILE *out, const pv_option *options, int count);
// The same of a file's lines, "name = value".
void pv_options_explain(FILE *out, const pv_option *options, int count);

#endif
