// SPDX-License-Identifier: Apache-2.0
#include "dft/files/incar.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/check.h"
#include "base/log.h"
#include "base/mem.h"
#include "dft/files/incar_entry.h"
#include "dft/files/text.h"

enum { MOST_VALUES = 1 << 22 };

pv_incar_entry *pv_incar_find(const pv_incar *incar, const char *tag)
{
    for (int i = 0; i < incar->count; i++)
        if (strcasecmp(incar->entries[i].tag, tag) == 0) return &incar->entries[i];
    return NULL;
}

static pv_incar_entry *ask(pv_incar *incar, const char *tag)
{
    pv_incar_entry *found = pv_incar_find(incar, tag);
    if (found) found->asked++;
    return found;
}

static pv_word whole_value(const pv_incar_entry *found)
{
    return (pv_word){found->value, found->value + strlen(found->value)};
}

// The first word of the value: units may follow.
static pv_word first_word(const pv_incar_entry *found)
{
    pv_word rest = whole_value(found), word = {found->value, found->value};
    for (char *c = found->value; *c; c++)
        if (*c == '\n') rest.end = c;
    pv_word_next(&rest, &word);
    return word;
}

// Units may follow a number; another number makes one wonder which is meant.
static void warn_of_second(const pv_incar *incar, const pv_incar_entry *found)
{
    char shown[PV_WORD_SHOWN];
    double number;
    pv_word rest = whole_value(found), word;
    if (found->asked > 1 || !pv_word_next(&rest, &word) || !pv_word_next(&rest, &word) || !pv_word_real(word, &number))
        return;
    pv_log(PV_LOG_WARN, "%s:%d: found %s = '%s'; one number is accepted, and the first one counts", incar->name,
           found->line, found->tag, pv_word_show(whole_value(found), shown));
}

// "0,2": is it 0.2? A comma between the numbers of a list may touch them; a single number has none.
static int has_decimal_comma(const pv_incar_entry *found)
{
    const char *end = first_word(found).end;
    return *end == ',' && isdigit((unsigned char)end[1]);
}

static pv_status refuse(const pv_incar *incar, const pv_incar_entry *found, const char *accepted)
{
    char shown[PV_WORD_SHOWN];
    return pv_fail(PV_ERR_INPUT, "pv_incar", "%s:%d: found %s = '%s'; %s is accepted", incar->name, found->line,
                   found->tag, pv_word_show(whole_value(found), shown), accepted);
}

// "200 eV" and "200eV" alike.
static int real_of(pv_word word, double *value)
{
    if (pv_word_real(word, value)) return 1;
    if (word.end - word.begin < 3 || !pv_word_is((pv_word){word.end - 2, word.end}, "eV")) return 0;
    return pv_word_real((pv_word){word.begin, word.end - 2}, value);
}

// INCAR's numbers are in eV, Angstrom and the like: another unit behind one would be left out without a word.
static int has_other_unit(const pv_incar_entry *found)
{
    static const char *const units[] = {"Ha", "Hartree", "Ry", "Rydberg", "meV", "keV", "K", "a.u.", "au", "bohr"};
    pv_word rest = whole_value(found), word;
    if (!pv_word_next(&rest, &word) || !pv_word_next(&rest, &word)) return 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (pv_word_is(word, units[i])) return 1;
    return 0;
}

pv_status pv_incar_real(pv_incar *incar, const char *tag, double *value)
{
    pv_incar_entry *found = ask(incar, tag);
    if (found && has_other_unit(found)) return refuse(incar, found, "a number in VASP's unit (eV of energies)");
    if (found && (has_decimal_comma(found) || !real_of(first_word(found), value)))
        return refuse(incar, found, has_decimal_comma(found) ? "a number with a decimal point" : "a number");
    if (found) warn_of_second(incar, found);
    return PV_OK;
}

pv_status pv_incar_int(pv_incar *incar, const char *tag, int *value)
{
    pv_incar_entry *found = ask(incar, tag);
    if (found && !pv_word_int(first_word(found), value)) return refuse(incar, found, "an integer");
    if (found) warn_of_second(incar, found);
    return PV_OK;
}

pv_status pv_incar_logical(pv_incar *incar, const char *tag, int *value)
{
    pv_incar_entry *found = ask(incar, tag);
    if (!found) return PV_OK;
    pv_word word = first_word(found);
    if (word.begin < word.end && *word.begin == '.') word.begin++;
    if (word.begin < word.end && word.end[-1] == '.') word.end--;
    int yes = pv_word_is(word, "T") || pv_word_is(word, "TRUE");
    int no = pv_word_is(word, "F") || pv_word_is(word, "FALSE");
    if (!yes && !no) return refuse(incar, found, ".TRUE., T, .FALSE. or F");
    *value = yes;
    return PV_OK;
}

pv_status pv_incar_text(pv_incar *incar, const char *tag, const char **value)
{
    pv_incar_entry *found = ask(incar, tag);
    if (found) *value = found->value;
    return PV_OK;
}

// "n*value" or "value".
static int repeated(pv_word word, int *times, double *value)
{
    const char *star = memchr(word.begin, '*', (size_t)(word.end - word.begin));
    *times = 1;
    if (!star) return pv_word_real(word, value);
    return pv_word_int((pv_word){word.begin, star}, times) && *times > 0 &&
           pv_word_real((pv_word){star + 1, word.end}, value);
}

static void blank_line_ends(char *value)
{
    for (; *value; value++)
        if (*value == '\n') *value = ' ';
}

pv_status pv_incar_reals(pv_incar *incar, const char *tag, double **values_p, int *count_p)
{
    pv_incar_entry *found = ask(incar, tag);
    if (!found) {
        *values_p = NULL;
        *count_p = 0;
        return PV_OK;
    }
    blank_line_ends(found->value);
    pv_word rest = whole_value(found), word;
    int64_t count = 0;
    int times;
    double value, *values;
    while (pv_word_next(&rest, &word)) {
        if (!repeated(word, &times, &value))
            return refuse(incar, found, "a list of numbers, n*value for n equal ones,");
        count += times;
        if (count > MOST_VALUES) return refuse(incar, found, "a list of at most 4194304 numbers");
    }
    if (count == 0) return refuse(incar, found, "a list of numbers, n*value for n equal ones,");
    PV_TRY(PV_ALLOC(count, &values));
    rest = whole_value(found);
    for (int64_t i = 0; pv_word_next(&rest, &word);) {
        repeated(word, &times, &value);
        while (times-- > 0) values[i++] = value;
    }
    *values_p = values;
    *count_p = (int)count;
    return PV_OK;
}

int pv_incar_count(const pv_incar *incar)
{
    return incar->count;
}

const char *pv_incar_tag(const pv_incar *incar, int index)
{
    return incar->entries[index].tag;
}

const char *pv_incar_value(const pv_incar *incar, int index)
{
    return incar->entries[index].value;
}

int pv_incar_line(const pv_incar *incar, int index)
{
    return incar->entries[index].line;
}

int pv_incar_asked(const pv_incar *incar, int index)
{
    return incar->entries[index].asked > 0;
}

int pv_incar_has(const pv_incar *incar, const char *tag)
{
    return pv_incar_find(incar, tag) != NULL;
}

const char *pv_incar_name(const pv_incar *incar)
{
    return incar->name;
}
