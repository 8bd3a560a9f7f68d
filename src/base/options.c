// SPDX-License-Identifier: Apache-2.0
#include "base/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/spell.h"

enum { MOST_OPTIONS = 64 };

static pv_status unknown_option(const pv_option *options, int count, const char *name)
{
    const char *nearest = count > 0 ? pv_spell_nearest(name, &options[0].name, count, sizeof options[0]) : NULL;
    PV_REQUIRE(!nearest, PV_ERR_INPUT, "unknown option --%s; did you mean --%s?", name, nearest);
    PV_FAIL(PV_ERR_INPUT, "unknown option --%s; --help lists the known ones", name);
}

static int is_bounded(const pv_option *option)
{
    return option->minimum != 0.0 || option->maximum != 0.0;
}

// Also written as 1e12, where every digit is known.
static int read_whole(const char *text, long long *value_p)
{
    char *end;
    errno = 0;
    *value_p = strtoll(text, &end, 10);
    if (end != text && *end == '\0') return errno == 0;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(fabs(value) <= 0x1p53) || value != floor(value)) return 0;
    *value_p = (long long)value;
    return 1;
}

static pv_status parse_int(const pv_option *option, const char *where, const char *text)
{
    long long value;
    const int is_whole = read_whole(text, &value);
    PV_REQUIRE(is_whole || !is_bounded(option), PV_ERR_INPUT,
               "%s%s is \"%.80s\"; a whole number, %.0f to %.0f, is accepted", where, option->name, text,
               option->minimum, option->maximum);
    PV_REQUIRE(is_whole, PV_ERR_INPUT, "%s%s is \"%.80s\"; a whole number is accepted", where, option->name, text);
    PV_REQUIRE(!is_bounded(option) || ((double)value >= option->minimum && (double)value <= option->maximum),
               PV_ERR_INPUT, "%s%s is %lld; %.0f to %.0f is accepted", where, option->name, value, option->minimum,
               option->maximum);
    *(int64_t *)option->value = value;
    return PV_OK;
}

static pv_status check_range(const pv_option *option, const char *where, double value)
{
    PV_REQUIRE(!is_bounded(option) || (value >= option->minimum && value <= option->maximum), PV_ERR_INPUT,
               "%s%s is %g; %g to %g is accepted", where, option->name, value, option->minimum, option->maximum);
    return PV_OK;
}

static pv_status parse_real(const pv_option *option, const char *where, const char *text)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    PV_REQUIRE(end != text && *end == '\0' && errno == 0 && value - value == 0.0, PV_ERR_INPUT,
               "%s%s is \"%.80s\"; a finite number is accepted", where, option->name, text);
    PV_TRY(check_range(option, where, value));
    *(double *)option->value = value;
    return PV_OK;
}

// Numbers with commas between, and spaces about them.
static pv_status parse_reals(const pv_option *option, const char *where, const char *text)
{
    double values[PV_OPTION_MOST_REALS];
    int count = 0;
    for (const char *at = text;; at++) {
        char *end;
        errno = 0;
        const double value = strtod(at, &end);
        const int is_number = end != at && errno == 0 && value - value == 0.0;
        end += strspn(end, " \t");
        PV_REQUIRE(is_number && (*end == ',' || *end == '\0'), PV_ERR_INPUT,
                   "%s%s is \"%.80s\"; a finite number is accepted, or several with commas between", where,
                   option->name, text);
        PV_REQUIRE(count < PV_OPTION_MOST_REALS, PV_ERR_INPUT, "%s%s is \"%.80s\"; at most %d numbers are accepted",
                   where, option->name, text, PV_OPTION_MOST_REALS);
        PV_TRY(check_range(option, where, value));
        values[count++] = value;
        at = end;
        if (*end == '\0') break;
    }
    memcpy(option->value, values, sizeof(double) * (size_t)count);
    *option->count = count;
    return PV_OK;
}

static pv_status parse_choice(const pv_option *option, const char *where, const char *text)
{
    const size_t length = strlen(text);
    const char *choice = option->choices;
    for (int index = 0; choice; index++) {
        const char *bar = strchr(choice, '|');
        size_t choice_length = bar ? (size_t)(bar - choice) : strlen(choice);
        if (choice_length == length && strncmp(choice, text, length) == 0) {
            *(int *)option->value = index;
            return PV_OK;
        }
        choice = bar ? bar + 1 : NULL;
    }
    PV_FAIL(PV_ERR_INPUT, "%s%s is \"%.80s\"; one of %s is accepted", where, option->name, text, option->choices);
}

// Lengths of at least `least` with x between; returns how many, 0: something else.
static int read_lengths(const char *text, double least, double most, int64_t lengths[3])
{
    int dimensions = 0;
    for (const char *at = text;;) {
        char *end;
        errno = 0;
        const long long length = strtoll(at, &end, 10);
        if (*at < '0' || *at > '9' || errno != 0 || dimensions == 3) return 0;
        if ((double)length < least || (double)length > most) return 0;
        lengths[dimensions++] = length;
        if (*end == '\0') return dimensions;
        if (*end != 'x') return 0;
        at = end + 1;
    }
}

static pv_status parse_shape(const pv_option *option, const char *where, const char *text)
{
    int64_t lengths[3];
    const int has_range = is_bounded(option);
    const int dimensions =
        read_lengths(text, has_range ? option->minimum : 1.0, has_range ? option->maximum : INFINITY, lengths);
    PV_REQUIRE(!has_range || dimensions == 3, PV_ERR_INPUT,
               "%s%s is \"%.80s\"; three lengths of %.0f to %.0f are accepted, as 64x64x128", where, option->name, text,
               option->minimum, option->maximum);
    PV_REQUIRE(dimensions > 0, PV_ERR_INPUT,
               "%s%s is \"%.80s\"; one to three lengths from 1 to 2^63 - 1 are accepted, as 64x64x128; "
               "256 alone is 1x1x256",
               where, option->name, text);
    int64_t *shape = option->value;
    for (int axis = 0; axis < 3; axis++) {
        int given = axis - (3 - dimensions);
        shape[axis] = given < 0 ? 1 : lengths[given];
    }
    return PV_OK;
}

static pv_status parse_text(const pv_option *option, const char *where, const char *text)
{
    PV_REQUIRE(*text, PV_ERR_INPUT, "%s%s was given an empty text; %s is accepted: %s", where, option->name,
               option->unit ? option->unit : "TEXT", option->help);
    *(const char **)option->value = text;
    return PV_OK;
}

static pv_status parse_value(const pv_option *option, const char *where, const char *text)
{
    switch (option->type) {
    case PV_OPTION_INT: return parse_int(option, where, text);
    case PV_OPTION_REAL: return parse_real(option, where, text);
    case PV_OPTION_REALS: return parse_reals(option, where, text);
    case PV_OPTION_CHOICE: return parse_choice(option, where, text);
    case PV_OPTION_SHAPE: return parse_shape(option, where, text);
    case PV_OPTION_TEXT: return parse_text(option, where, text);
    case PV_OPTION_FLAG: break;
    }
    PV_FAIL(PV_ERR_INPUT, "%s%s is a flag and takes no value; \"%s\" was given", where, option->name, text);
}

pv_status pv_option_set(const pv_option *option, const char *where, const char *text)
{
    char prefix[80];
    snprintf(prefix, sizeof prefix, "%s: ", where);
    if (option->type != PV_OPTION_FLAG) return parse_value(option, prefix, text);
    const int is_true = strcmp(text, "true") == 0;
    PV_REQUIRE(is_true || strcmp(text, "false") == 0, PV_ERR_INPUT, "%s%s is \"%.80s\"; true or false is accepted",
               prefix, option->name, text);
    *(int *)option->value = is_true;
    return PV_OK;
}

static const pv_option *find(const pv_option *options, int count, const char *name, size_t length)
{
    for (int i = 0; i < count; i++)
        if (strlen(options[i].name) == length && strncmp(options[i].name, name, length) == 0) return &options[i];
    return NULL;
}

// One option at argv[at]; *next_p is where the next word lies, is_given: [count].
static pv_status parse_option(const pv_option *options, int count, int argc, char **argv, int at, int *next_p,
                              char *is_given)
{
    const char *name = argv[at] + 2;
    const char *equals = strchr(name, '=');
    const size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const pv_option *option = find(options, count, name, length);
    if (!option) {
        char unknown[64];
        snprintf(unknown, sizeof unknown, "%.*s", (int)(length < 60 ? length : 60), name);
        return unknown_option(options, count, unknown);
    }
    PV_REQUIRE(!is_given[option - options], PV_ERR_ARGUMENT, "--%s is given more than once; it is accepted once%s%s",
               option->name, option->unit ? ", with " : "", option->unit ? option->unit : "");
    is_given[option - options] = 1;
    *next_p = at + 1;
    if (equals) return parse_value(option, "--", equals + 1);
    if (option->type == PV_OPTION_FLAG) {
        *(int *)option->value = 1;
        return PV_OK;
    }
    PV_REQUIRE(at + 1 < argc, PV_ERR_INPUT, "--%s needs a value%s%s", option->name, option->unit ? ": " : "",
               option->unit ? option->unit : "");
    *next_p = at + 2;
    return parse_value(option, "--", argv[at + 1]);
}

// A first word that no option asks for is the command's to judge.
static pv_status check_only(const pv_option *options, int count, const char *is_given, char **argv)
{
    int is_known = 0;
    for (int i = 0; i < count && argv[1]; i++) is_known |= options[i].only && strcmp(options[i].only, argv[1]) == 0;
    for (int i = 0; i < count && is_known; i++)
        PV_REQUIRE(!is_given[i] || !options[i].only || strcmp(options[i].only, argv[1]) == 0, PV_ERR_ARGUMENT,
                   "--%s is given to %s %s; %s %s alone takes it", options[i].name, argv[0], argv[1], argv[0],
                   options[i].only);
    return PV_OK;
}

pv_status pv_options_parse(const pv_option *options, int count, int words, int *argc, char **argv, int *help_p)
{
    char is_given[MOST_OPTIONS] = {0};
    int kept = 1;
    int at = 1;
    *help_p = 0;
    PV_REQUIRE(count <= MOST_OPTIONS, PV_ERR_ARGUMENT, "%d options are declared; %d are accepted", count, MOST_OPTIONS);
    while (at < *argc) {
        const char *word = argv[at];
        if (strcmp(word, "--help") == 0) {
            *help_p = 1;
            return PV_OK;
        }
        if (strncmp(word, "--", 2) == 0) {
            // Of the command line, no file: help tells more.
            if (parse_option(options, count, *argc, argv, at, &at, is_given) != PV_OK) return PV_ERR_ARGUMENT;
            continue;
        }
        PV_REQUIRE(word[0] != '-' || word[1] == '\0', PV_ERR_ARGUMENT,
                   "\"%s\" is not an option; options begin with --", word);
        PV_REQUIRE(words, PV_ERR_ARGUMENT, "unexpected word \"%s\"; only options are accepted here", word);
        argv[kept++] = argv[at++];
    }
    *argc = kept;
    argv[kept] = NULL;
    return check_only(options, count, is_given, argv);
}
