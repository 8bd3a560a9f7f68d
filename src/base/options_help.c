// SPDX-License-Identifier: Apache-2.0
#include "base/options.h"

// before, between: "--name value" of a command line, "name = value" of a file.
static void print_form(FILE *out, const pv_option *option, const char *before, const char *between)
{
    static const char *const units[] = {
        [PV_OPTION_FLAG] = NULL,   [PV_OPTION_INT] = "N",       [PV_OPTION_REAL] = "X",       [PV_OPTION_TEXT] = "TEXT",
        [PV_OPTION_CHOICE] = NULL, [PV_OPTION_SHAPE] = "AxBxC", [PV_OPTION_REALS] = "X,X,..."};
    const char *value = option->type == PV_OPTION_CHOICE ? option->choices
                        : option->unit                   ? option->unit
                                                         : units[option->type];
    fprintf(out, "  %s%s%s%s\n", before, option->name, value ? between : "", value ? value : "");
}

// Prints the index-th of "a|b|c".
static void print_choice(FILE *out, const char *choices, int index)
{
    for (; index > 0; choices++) {
        if (*choices == '\0') return;
        if (*choices == '|') index--;
    }
    for (; *choices != '\0' && *choices != '|'; choices++) fputc(*choices, out);
}

static void print_real(FILE *out, double value)
{
    const double two_pi = 6.283185307179586;
    if (value == two_pi)
        fprintf(out, " Default: %.16g (2 pi).", value); // that a file can say it
    else
        fprintf(out, " Default: %g.", value);
}

static void print_default(FILE *out, const pv_option *option)
{
    const int64_t *shape = option->value;
    const char *text;
    switch (option->type) {
    case PV_OPTION_FLAG: return;
    case PV_OPTION_TEXT:
        text = *(const char *const *)option->value;
        if (text) fprintf(out, " Default: \"%s\".", text);
        return;
    case PV_OPTION_SHAPE:
        // A shape that must be given has no sensible default and is declared as zeros.
        if (shape[2] > 0)
            fprintf(out, " Default: %lldx%lldx%lld.", (long long)shape[0], (long long)shape[1], (long long)shape[2]);
        return;
    case PV_OPTION_INT: fprintf(out, " Default: %lld.", (long long)*(const int64_t *)option->value); return;
    case PV_OPTION_REAL: print_real(out, *(const double *)option->value); return;
    case PV_OPTION_REALS:
        for (int64_t i = 0; i < *option->count; i++)
            fprintf(out, "%s%g", i == 0 ? " Default: " : ", ", ((const double *)option->value)[i]);
        fputc('.', out);
        return;
    case PV_OPTION_CHOICE:
        fputs(" Default: ", out);
        print_choice(out, option->choices, *(const int *)option->value);
        fputc('.', out);
        return;
    }
}

static void print_option(FILE *out, const pv_option *option, const char *before, const char *between)
{
    const int is_real = option->type == PV_OPTION_REAL || option->type == PV_OPTION_REALS;
    print_form(out, option, before, between);
    fprintf(out, "      %s%s%s", option->only ? option->only : "", option->only ? ": " : "", option->help);
    if (option->minimum != 0.0 || option->maximum != 0.0)
        fprintf(out, is_real ? " From %g to %g." : " From %.0f to %.0f.", option->minimum, option->maximum);
    print_default(out, option);
    fputc('\n', out);
}

void pv_options_help(FILE *out, const pv_option *options, int count)
{
    fputs("OPTIONS\n", out);
    for (int i = 0; i < count; i++) print_option(out, &options[i], "--", " ");
    fputs("  --help\n      Show this text.\n", out);
}

void pv_options_explain(FILE *out, const pv_option *options, int count)
{
    for (int i = 0; i < count; i++) print_option(out, &options[i], "", " = ");
}
