// SPDX-License-Identifier: Apache-2.0
// parseval supercell: a POSCAR repeated, with defects at sites that symmetry tells apart.
#include "cli/commands.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/log.h"
#include "base/options.h"
#include "cli/manual.h"
#include "cli/rank.h"
#include "dft/files/poscar.h"
#include "dft/model/defects.h"
#include "dft/model/element.h"
#include "dft/model/supercell.h"
#include "dft/model/units.h"

static const char synopsis[] =
    "parseval supercell AxBxC POSCAR [--output FILE]\n"
    "parseval supercell AxBxC POSCAR [--substitute X:Y:N,...] [--vacancy X:N,...] [--choice N]\n";

static const char description[] =
    "Repeats the cell of POSCAR A, B and C times along its lattice vectors and writes the result\n"
    "as a POSCAR: to FILE, or to standard output. The images of an atom stand together, elements\n"
    "in groups.\n"
    "\n"
    "--substitute Hf:Si:1 puts one Si in the place of an Hf, --vacancy O:1 removes an O; several\n"
    "are separated by commas. The ways to choose the sites that symmetry does not make equal are\n"
    "numbered, always in the same order, and listed (on standard error when the structure goes to\n"
    "standard output): how many ways of the whole crystal each stands for, the atoms by their\n"
    "number in the cell before the change, and the distance of the closest two defects.\n"
    "--choice picks one.\n";

static const char examples[] =
    "parseval supercell 2x2x2 examples/hfo2/POSCAR --output POSCAR_96\n"
    "parseval supercell 2x2x2 examples/hfo2/POSCAR --vacancy O:1 --choice 2 --output POSCAR_95\n"
    "parseval supercell 2x1x1 examples/hfo2/POSCAR --substitute Hf:Si:2 --output POSCAR_SI\n";

typedef struct request {
    int repeat[3];
    const char *source, *output, *substitute, *vacancy;
    int64_t choice, most;
    double tolerance_angstrom;
    int kinds;
    pv_defect defects[PV_DEFECT_KINDS];
} request;

// ---- Request -----------------------------------------------------------------------------------------------------

// Nine digits fit into an int: with more, sscanf would take another number.
static pv_status parse_repeat(const char *text, int repeat[3])
{
    char rest;
    const int found = sscanf(text, "%9d%*1[xX]%9d%*1[xX]%9d%c", &repeat[0], &repeat[1], &repeat[2], &rest);
    PV_REQUIRE(found == 3 && repeat[0] >= 1 && repeat[1] >= 1 && repeat[2] >= 1, PV_ERR_ARGUMENT,
               "'%s' cells; three positive numbers such as 2x2x2 are accepted", text);
    return PV_OK;
}

static pv_status take_element(const char **at, const char *option, const char *text, char element[8])
{
    const size_t length = strcspn(*at, ":,");
    snprintf(element, 8, "%.*s", length < 8 ? (int)length : 7, *at);
    PV_REQUIRE(pv_element_number(element), PV_ERR_ARGUMENT, "--%s %s: '%.*s' is not an element", option, text,
               (int)length, *at);
    PV_REQUIRE((*at)[length] == ':', PV_ERR_ARGUMENT, "--%s %s: a ':' is missing after %s", option, text, element);
    *at += length + 1;
    return PV_OK;
}

// "Hf:Si:1,Hf:Zr:2" or, of vacancies, "O:1,Hf:2".
static pv_status parse_defects(const char *option, const char *text, request *r)
{
    const int vacancy = strcmp(option, "vacancy") == 0;
    for (const char *at = text; at && *at;) {
        PV_REQUIRE(r->kinds < PV_DEFECT_KINDS, PV_ERR_ARGUMENT, "more than %d kinds of defects", PV_DEFECT_KINDS);
        pv_defect *defect = &r->defects[r->kinds++];
        PV_TRY(take_element(&at, option, text, defect->from));
        if (!vacancy) PV_TRY(take_element(&at, option, text, defect->to));
        char *end;
        const long count = strtol(at, &end, 10);
        PV_REQUIRE(end > at && (*end == '\0' || (*end == ',' && end[1])) && count >= 1 && count <= 1000000,
                   PV_ERR_ARGUMENT, "--%s %s: found '%s' where a positive number should end it; %s is accepted", option,
                   text, at, vacancy ? "O:1" : "Hf:Si:1");
        defect->count = (int)count;
        at = *end ? end + 1 : end;
    }
    return PV_OK;
}

static pv_status parse(int argc, char **argv, request *r, int *help_p)
{
    const pv_option options[] = {
        {.name = "output", .type = PV_OPTION_TEXT, .value = &r->output, .unit = "FILE",
         .help = "Where the structure goes; without it to standard output."},
        {.name = "substitute", .type = PV_OPTION_TEXT, .value = &r->substitute, .unit = "X:Y:N,...",
         .help = "Replace N atoms of X by Y."},
        {.name = "vacancy", .type = PV_OPTION_TEXT, .value = &r->vacancy, .unit = "X:N,...",
         .help = "Remove N atoms of X."},
        {.name = "choice", .type = PV_OPTION_INT, .value = &r->choice, .unit = "N", .minimum = 1, .maximum = 1e6,
         .help = "Which of the listed choices of sites to take."},
        {.name = "list", .type = PV_OPTION_INT, .value = &r->most, .unit = "N", .minimum = 1, .maximum = 1e6,
         .help = "The most choices to look for."},
        {.name = "symprec", .type = PV_OPTION_REAL, .value = &r->tolerance_angstrom, .unit = "A", .minimum = 1e-12,
         .maximum = 1.0, .help = "How far atoms may be from their symmetric places."},
    };
    const int count = sizeof options / sizeof options[0];
    const pv_manual manual = {.name = "supercell",
                              .summary = "repeat a structure, with substituted and missing atoms",
                              .synopsis = synopsis,
                              .description = description,
                              .options = options,
                              .option_count = count,
                              .examples = examples};
    PV_TRY(pv_options_parse(options, count, 1, &argc, argv, help_p));
    if (*help_p) {
        if (pv_rank_speaks()) pv_manual_print(stdout, &manual);
        return PV_OK;
    }
    PV_REQUIRE(argc == 3, PV_ERR_ARGUMENT, "%d words given; two are needed: how often to repeat, such as 2x2x2, and a "
               "POSCAR", argc - 1);
    PV_TRY(parse_repeat(argv[1], r->repeat));
    r->source = argv[2];
    PV_TRY(parse_defects("substitute", r->substitute, r));
    return parse_defects("vacancy", r->vacancy, r);
}

// ---- Choices -----------------------------------------------------------------------------------------------------

static double distance(const pv_cell *cell, int a, int b)
{
    double nearest[3], way[3];
    for (int i = 0; i < 3; i++) {
        const double difference = cell->fractional[a][i] - cell->fractional[b][i];
        nearest[i] = difference - round(difference);
    }
    pv_cell_to_cartesian(cell, nearest, way);
    return PV_BOHR_ANGSTROM * sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
}

static void print_choice(FILE *out, const request *r, const pv_cell *cell, const pv_placements *placements, int c)
{
    const int *site = placements->site + (size_t)c * (size_t)placements->defects;
    double closest = INFINITY;
    for (int i = 0; i < placements->defects; i++)
        for (int j = 0; j < i; j++) closest = fmin(closest, distance(cell, site[i], site[j]));
    fprintf(out, "%c%6d  %6d  ", c + 1 == r->choice ? '*' : ' ', c + 1, placements->copies[c]);
    if (isfinite(closest)) fprintf(out, "%8.3f ", closest);
    else fputs("       - ", out);
    for (int k = 0; k < r->kinds; k++)
        for (int i = 0; i < r->defects[k].count; i++, site++) {
            const double *at = cell->fractional[*site];
            fprintf(out, "  %s %d (%.4f %.4f %.4f)", r->defects[k].from, *site + 1, at[0], at[1], at[2]);
            if (r->defects[k].to[0]) fprintf(out, " -> %s", r->defects[k].to);
            else fputs(" -> nothing", out);
        }
    fputc('\n', out);
}

static void print_choices(FILE *out, const request *r, const pv_cell *cell, const pv_symmetry *symmetry,
                          const pv_placements *placements)
{
    fprintf(out, "%d distinct choice%s%s under %d operations (%s, %d rotations)\n",
            placements->count, placements->count == 1 ? "" : "s", placements->complete ? "" : " or more",
            symmetry->count, *symmetry->symbol ? symmetry->symbol : "P1", symmetry->rotations);
    fputs(" choice  copies  closest(A)  sites\n", out);
    for (int c = 0; c < placements->count; c++) print_choice(out, r, cell, placements, c);
}

static pv_status place(const request *r, const pv_cell *cell, pv_cell **changed_p)
{
    pv_symmetry *symmetry;
    pv_placements *placements = NULL;
    PV_TRY(pv_symmetry_create(cell, NULL, 1, r->tolerance_angstrom, &symmetry));
    pv_status status = pv_placements_create(cell, symmetry, r->kinds, r->defects, (int)r->most, &placements);
    if (status == PV_OK) {
        print_choices(r->output ? stdout : stderr, r, cell, symmetry, placements);
        status = r->choice <= placements->count
                     ? pv_defects_apply(cell, r->kinds, r->defects,
                                        placements->site + (size_t)(r->choice - 1) * (size_t)placements->defects,
                                        changed_p)
                     : pv_fail(PV_ERR_INPUT, __func__, "--choice %d is not among the distinct; 1 to %d is accepted",
                               (int)r->choice, placements->count);
    }
    pv_placements_destroy(placements);
    pv_symmetry_destroy(symmetry);
    return status;
}

// ---- The command -------------------------------------------------------------------------------------------------

static pv_status write(const request *r, const pv_cell *cell)
{
    if (!r->output) {
        pv_poscar_put(stdout, cell);
        return PV_OK;
    }
    PV_TRY(pv_poscar_write(r->output, cell));
    printf("%d atoms written to %s\n", cell->atoms, r->output);
    return PV_OK;
}

static pv_status make(const request *r, const pv_cell *cell)
{
    pv_cell *supercell, *changed = NULL;
    PV_TRY(pv_supercell_create(cell, r->repeat, &supercell));
    pv_status status = r->kinds > 0 ? place(r, supercell, &changed) : PV_OK;
    if (status == PV_OK) status = write(r, changed ? changed : supercell);
    pv_cell_destroy(changed);
    pv_cell_destroy(supercell);
    return status;
}

int pv_cmd_supercell(int argc, char **argv)
{
    request r = {.choice = 1, .most = 1000, .tolerance_angstrom = 1e-5};
    int help = 0;
    PV_TRY(parse(argc, argv, &r, &help));
    if (help || !pv_rank_speaks()) return PV_OK;
    pv_cell *cell;
    PV_TRY(pv_poscar_read(r.source, &cell));
    if (cell->velocity) pv_log(PV_LOG_WARN, "%s: velocities are left out of supercells", r.source);
    const pv_status status = make(&r, cell);
    pv_cell_destroy(cell);
    return status;
}
