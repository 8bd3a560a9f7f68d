// SPDX-License-Identifier: Apache-2.0
#include "cli/manual.h"

#include <string.h>

static void print_indented(FILE *out, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (length > 0) fprintf(out, "    %.*s", (int)length, text);
        fputc('\n', out);
        text += length + (text[length] == '\n');
    }
}

static void print_section(FILE *out, const char *title, const char *text)
{
    fprintf(out, "%s\n", title);
    print_indented(out, text);
    fputc('\n', out);
}

void pv_manual_print(FILE *out, const pv_manual *manual)
{
    fprintf(out, "NAME\n    parseval %s - %s\n\n", manual->name, manual->summary);
    print_section(out, "SYNOPSIS", manual->synopsis);
    print_section(out, "DESCRIPTION", manual->description);
    pv_options_help(out, manual->options, manual->option_count);
    fputc('\n', out);
    print_section(out, "EXAMPLES", manual->examples);
    fprintf(out, "EXIT STATUS\n"
                 "    0  success\n"
                 "    1  the run failed; the message on standard error says why\n"
                 "    2  the command line or an input is wrong; nothing was run\n");
    if (manual->stopped_by) fprintf(out, "    3  stopped on request, by %s\n", manual->stopped_by);
    if (manual->more_exits) print_indented(out, manual->more_exits);
}
