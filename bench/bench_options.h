// SPDX-License-Identifier: Apache-2.0
// How benchmarks read their options, and what all of them are told for their records.
#ifndef PV_BENCH_OPTIONS_H
#define PV_BENCH_OPTIONS_H

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/json_write.h"
#include "base/options.h"

// Of settings with `commit` and `machine`.
#define BENCH_RECORD_OPTIONS(s)                                                                                       \
    {.name = "commit", .type = PV_OPTION_TEXT, .value = &(s)->commit, .unit = "TEXT", .help = "For the record."},     \
    {.name = "machine", .type = PV_OPTION_TEXT, .value = &(s)->machine, .unit = "TEXT", .help = "For the record."}

// With --help, which *help_p reports, the first rank prints what there is.
static inline pv_status bench_options_parse(const pv_option *options, int count, int rank, int argc, char **argv,
                                            int *help_p)
{
    PV_TRY(pv_options_parse(options, count, 0, &argc, argv, help_p));
    if (*help_p && rank == 0) pv_options_help(stdout, options, count);
    return PV_OK;
}

// Whether a list, with commas between its words, has the word.
static inline int bench_is_listed(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, ','), at = at ? at + 1 : NULL)
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0')) return 1;
    return 0;
}

// The record's line on standard output, and its end.
static inline void bench_record_print(pv_json *json)
{
    pv_json_end(json);
    const char *text = pv_json_text(json);
    if (text) printf("%s\n", text);
    fflush(stdout);
    pv_json_destroy(json);
}

// The command of a record, without what has a field of its own.
static inline void bench_command_write(const char *name, int ranks, int argc, char **argv, size_t size, char *command)
{
    size_t used = (size_t)snprintf(command, size, "mpirun -n %d %s", ranks, name);
    for (int i = 1; i < argc && used < size; i++) {
        const int has_own_field = strcmp(argv[i], "--commit") == 0 || strcmp(argv[i], "--machine") == 0;
        if (has_own_field) i++;
        else used += (size_t)snprintf(command + used, size - used, " %s", argv[i]);
    }
}

#endif
