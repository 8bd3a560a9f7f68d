// SPDX-License-Identifier: Apache-2.0
#include "dft/files/poscar.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/log.h"
#include "base/mem.h"
#include "dft/files/text.h"
#include "dft/model/element.h"
#include "dft/model/units.h"

static const double closest_angstrom = 0.05;
static const double largest_angstrom = 1e6, most_angstrom3 = 1e18;
static const double farthest_fractional = 1e3;
enum {
    SHORTEST_ATOM = 5,         // characters of "0 0 0"
    MOST_ELEMENTS = 128        // above every atomic number
};

typedef struct header {
    pv_word comment;
    double factor[3];          // as in the file; factor[0] may be negative
    int factors;               // 1 or 3
    double vector[3][3];
    int groups;                // species names and counts as they stand
    char (*name)[8];           // [groups]
    int *count;                // [groups]
    int atoms;
    int selective, cartesian;
} header;

// The next line that is not blank, or an error that says what should have been there.
static pv_status take_line(pv_text *text, const char *what, pv_word *line)
{
    PV_REQUIRE(pv_text_filled_line(text, line), PV_ERR_INPUT, "%s ends after line %d where %s should follow",
               text->name, text->line, what);
    return PV_OK;
}

static pv_status take_factors(pv_text *text, header *head)
{
    char shown[PV_WORD_SHOWN];
    pv_word line, rest, word;
    PV_TRY(take_line(text, "the scale factor", &line));
    rest = line;
    while (head->factors < 3 && pv_word_next(&rest, &word) && pv_word_real(word, &head->factor[head->factors]))
        head->factors++;
    int positive = head->factors == 1 || (head->factor[0] > 0.0 && head->factor[1] > 0.0 && head->factor[2] > 0.0);
    for (int i = 0; i < head->factors; i++)
        PV_REQUIRE(head->factor[i] > -most_angstrom3 && head->factor[i] < largest_angstrom, PV_ERR_INPUT,
                   "%s:%d: found '%s', an absurd length; a scale factor below %g (or a volume below %g Angstrom^3) is "
                   "accepted",
                   text->name, text->line, pv_word_show(line, shown), largest_angstrom, most_angstrom3);
    PV_REQUIRE((head->factors == 1 || head->factors == 3) && positive && head->factor[0] != 0.0, PV_ERR_INPUT,
               "%s:%d: found '%s'; a scale factor is one number (negative: the cell's volume in Angstrom^3) or three "
               "positive ones", text->name, text->line, pv_word_show(line, shown));
    return PV_OK;
}

static pv_status take_vectors(pv_text *text, header *head)
{
    char shown[PV_WORD_SHOWN];
    for (int i = 0; i < 3; i++) {
        pv_word line, rest, word;
        PV_TRY(take_line(text, "a lattice vector", &line));
        rest = line;
        for (int c = 0; c < 3; c++)
            PV_REQUIRE(pv_word_next(&rest, &word) && pv_word_real(word, &head->vector[i][c]) &&
                           fabs(head->vector[i][c]) < largest_angstrom, PV_ERR_INPUT,
                       "%s:%d: found '%s'; lattice vector %d is three numbers below %g", text->name, text->line,
                       pv_word_show(line, shown), i + 1, largest_angstrom);
    }
    return PV_OK;
}

static int count_words(pv_word line)
{
    int count = 0;
    pv_word word;
    while (pv_word_next_uncommented(&line, &word)) count++;
    return count;
}

// "Hf", "Hf_sv", "Hf/0123abcd", "Fe1", "O-2" all start with the element's letters.
static int element_of(pv_word word, char name[8])
{
    int length = 0;
    while (word.begin + length < word.end && isalpha((unsigned char)word.begin[length])) length++;
    if (length < 1 || length > 2) return 0;
    memcpy(name, word.begin, (size_t)length);
    name[length] = 0;
    return pv_element_number(name);
}

static pv_status take_names(pv_text *text, header *head)
{
    char shown[PV_WORD_SHOWN];
    pv_word line, word;
    PV_TRY(take_line(text, "the names of the elements", &line));
    head->groups = count_words(line);
    PV_REQUIRE(head->groups > 0, PV_ERR_INPUT, "%s:%d: found '%s' where the names of the elements should stand",
               text->name, text->line, pv_word_show(line, shown));
    PV_TRY(PV_ALLOC(head->groups, &head->name));
    pv_word rest = line;
    for (int g = 0; g < head->groups; g++) {
        int number;
        pv_word_next_uncommented(&rest, &word);
        PV_REQUIRE(!pv_word_int(word, &number), PV_ERR_INPUT,
                   "%s:%d: found the number '%s' where the names of the elements should stand: write them in a line of "
                   "their own above the counts, such as 'Hf O'", text->name, text->line, pv_word_show(word, shown));
        PV_REQUIRE(
            element_of(word, head->name[g]), PV_ERR_INPUT,
            "%s:%d: '%s' is not an element; a symbol such as Hf or O is accepted, also with a suffix as in Hf_sv",
            text->name, text->line, pv_word_show(word, shown));
    }
    return PV_OK;
}

static pv_status take_counts(pv_text *text, header *head)
{
    char shown[PV_WORD_SHOWN];
    pv_word line, word;
    PV_TRY(take_line(text, "the number of atoms of each element", &line));
    int counts = count_words(line);
    PV_REQUIRE(counts == head->groups, PV_ERR_INPUT,
               "%s:%d: found '%s', %d counts; the line above names %d elements, one "
               "count for each is needed",
               text->name, text->line, pv_word_show(line, shown), counts, head->groups);
    PV_TRY(PV_ALLOC(head->groups, &head->count));
    const long long room = (text->end - text->at + 1) / (SHORTEST_ATOM + 1);
    long long atoms = 0;
    pv_word rest = line;
    for (int g = 0; g < head->groups; g++) {
        pv_word_next_uncommented(&rest, &word);
        PV_REQUIRE(pv_word_int(word, &head->count[g]) && head->count[g] > 0, PV_ERR_INPUT,
                   "%s:%d: found '%s'; the number of %s atoms is a positive integer", text->name, text->line,
                   pv_word_show(word, shown), head->name[g]);
        atoms += head->count[g];
    }
    PV_REQUIRE(atoms <= room, PV_ERR_INPUT,
               "%s:%d: %lld atoms are announced, but what follows has room for at most %lld", text->name, text->line,
               atoms, room);
    head->atoms = (int)atoms;
    return PV_OK;
}

static pv_status take_mode(pv_text *text, header *head)
{
    char shown[PV_WORD_SHOWN];
    double number;
    pv_word line, word;
    PV_TRY(take_line(text, "'Direct' or 'Cartesian'", &line));
    line = pv_word_trim(line);
    if (toupper((unsigned char)*line.begin) == 'S') {
        head->selective = 1;
        PV_TRY(take_line(text, "'Direct' or 'Cartesian'", &line));
        line = pv_word_trim(line);
    }
    pv_word rest = line;
    PV_REQUIRE(pv_word_next(&rest, &word) && !pv_word_real(word, &number), PV_ERR_INPUT,
               "%s:%d: found '%s' where 'Direct' or 'Cartesian' should stand before the positions", text->name,
               text->line, pv_word_show(line, shown));
    head->cartesian = strchr("CcKk", *line.begin) != NULL;
    return PV_OK;
}

static pv_status take_header(pv_text *text, header *head)
{
    PV_REQUIRE(pv_text_line(text, &head->comment), PV_ERR_INPUT, "%s is empty; a POSCAR starts with a comment line",
               text->name);
    PV_TRY(take_factors(text, head));
    PV_TRY(take_vectors(text, head));
    PV_TRY(take_names(text, head));
    PV_TRY(take_counts(text, head));
    return take_mode(text, head);
}

// Turns a negative factor, the cell's volume, into a length, and spreads a single factor over x, y, z.
static pv_status resolve_factors(const pv_text *text, header *head)
{
    if (head->factors == 3) return PV_OK;
    if (head->factor[0] < 0.0) {
        const double (*v)[3] = (const double (*)[3])head->vector;
        double volume = fabs(v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) +
                             v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
                             v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]));
        PV_REQUIRE(isnormal(volume), PV_ERR_INPUT, "%s: the lattice vectors span no volume to scale to %g Angstrom^3",
                   text->name, -head->factor[0]);
        head->factor[0] = cbrt(-head->factor[0] / volume);
    }
    head->factor[1] = head->factor[2] = head->factor[0];
    return PV_OK;
}

static int count_species(const header *head)
{
    unsigned char seen[MOST_ELEMENTS] = {0};
    int species = 0;
    for (int g = 0; g < head->groups; g++) {
        unsigned char *mark = &seen[pv_element_number(head->name[g])];
        species += !*mark;
        *mark = 1;
    }
    return species;
}

// Groups of equal elements become one species.
static void set_species(const header *head, pv_cell *cell)
{
    int atom = 0, species = 0;
    for (int g = 0; g < head->groups; g++) {
        int s = 0;
        while (s < species && strcmp(cell->species_name[s], head->name[g]) != 0) s++;
        if (s == species) memcpy(cell->species_name[species++], head->name[g], sizeof head->name[g]);
        cell->count_of[s] += head->count[g];
        for (int i = 0; i < head->count[g]; i++) cell->species_of[atom++] = s;
    }
}

static pv_status set_lattice(const header *head, pv_cell *cell)
{
    double lattice[3][3];
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) lattice[i][c] = head->vector[i][c] * head->factor[c] / PV_BOHR_ANGSTROM;
    cell->scale_angstrom = head->factors == 1 ? head->factor[0] : 1.0;
    return pv_cell_set_lattice(cell, lattice);
}

static void take_flags(const pv_text *text, pv_word rest, unsigned char movable[3])
{
    char shown[PV_WORD_SHOWN];
    const pv_word all = pv_word_trim(rest);
    pv_word word;
    for (int i = 0; i < 3; i++) {
        movable[i] = 1;
        char letter = 0;
        if (pv_word_next_uncommented(&rest, &word)) {
            if (*word.begin == '.' && word.begin + 1 < word.end) word.begin++;
            letter = (char)toupper((unsigned char)*word.begin);
        }
        if (letter == 'F') movable[i] = 0;
        if (letter == 'F' || letter == 'T') continue;
        pv_log(PV_LOG_WARN,
               "%s:%d: selective dynamics needs three flags T or F after the position, found '%s'; what is "
               "missing counts as T",
               text->name, text->line, pv_word_show(all, shown));
        while (i < 3) movable[i++] = 1;
    }
}

static pv_status take_positions(pv_text *text, const header *head, pv_cell *cell)
{
    char shown[PV_WORD_SHOWN];
    for (int a = 0; a < head->atoms; a++) {
        pv_word line, rest, word;
        double position[3];
        PV_REQUIRE(pv_text_filled_line(text, &line), PV_ERR_INPUT,
                   "%s ends after line %d with %d of %d positions", text->name, text->line, a, head->atoms);
        rest = line;
        for (int c = 0; c < 3; c++)
            PV_REQUIRE(pv_word_next(&rest, &word) && pv_word_real(word, &position[c]), PV_ERR_INPUT,
                       "%s:%d: found '%s'; the position of atom %d of %d is three numbers", text->name, text->line,
                       pv_word_show(line, shown), a + 1, head->atoms);
        if (head->cartesian) {
            for (int c = 0; c < 3; c++) position[c] *= head->factor[c] / PV_BOHR_ANGSTROM;
            pv_cell_to_fractional(cell, position, cell->fractional[a]);
        } else {
            memcpy(cell->fractional[a], position, sizeof position);
        }
        for (int c = 0; c < 3; c++)
            PV_REQUIRE(fabs(cell->fractional[a][c]) < farthest_fractional, PV_ERR_INPUT,
                       "%s:%d: found '%s'; atom %d lies %g cells away, fewer than %g are accepted", text->name,
                       text->line, pv_word_show(line, shown), a + 1, fabs(cell->fractional[a][c]), farthest_fractional);
        if (head->selective) take_flags(text, rest, cell->movable[a]);
    }
    return PV_OK;
}

// Three numbers an atom, in the order of the positions; `line` is the first. Whether all are there.
static int take_triples(pv_text *text, pv_word line, int atoms, double (*triple)[3])
{
    for (int a = 0; a < atoms; a++) {
        pv_word word;
        if (a > 0 && !pv_text_filled_line(text, &line)) return 0;
        for (int c = 0; c < 3; c++)
            if (!pv_word_next(&line, &word) || !pv_word_real(word, &triple[a][c])) return 0;
    }
    return 1;
}

// Whether there is more than zeros from this line on.
static int has_more(pv_text *text, pv_word line)
{
    double number = 0.0;
    pv_word word;
    do {
        while (pv_word_next(&line, &word))
            if (!pv_word_real(word, &number) || number != 0.0) return 1;
    } while (pv_text_filled_line(text, &line));
    return 0;
}

// Velocities, behind a blank line or one with 'Cartesian' or 'Direct'; what molecular dynamics leaves behind them.
static pv_status take_velocities(pv_text *text, pv_cell *cell)
{
    char shown[PV_WORD_SHOWN];
    double number;
    pv_word line, word, rest;
    const int last_position = text->line;
    if (!pv_text_filled_line(text, &line)) return PV_OK;
    rest = line;
    if (!pv_word_next(&rest, &word)) return PV_OK;
    const int first_line = text->line, has_mode = !pv_word_real(word, &number);
    if (!has_mode && first_line == last_position + 1) {
        pv_log(PV_LOG_WARN, "%s:%d: found '%s' right after the last of %d positions: the counts say that there are no "
               "more atoms, and velocities stand behind a blank line; it is not used, nor what follows it", text->name,
               first_line, pv_word_show(line, shown), cell->atoms);
        return PV_OK;
    }
    const int letter = toupper((unsigned char)*word.begin);
    const int is_known = !has_mode || strchr("CKD", letter) != NULL;
    int taken = 0;
    PV_TRY(PV_ALLOC(cell->atoms, &cell->velocity));
    cell->velocity_is_direct = has_mode && letter == 'D';
    if (is_known && (!has_mode || pv_text_filled_line(text, &line)))
        taken = take_triples(text, line, cell->atoms, cell->velocity);
    if (!taken) {
        pv_mem_free(cell->velocity);
        cell->velocity = NULL;
    }
    if (!taken || (pv_text_filled_line(text, &line) && has_more(text, line)))
        pv_log(PV_LOG_WARN, "%s:%d: what follows the %s is not used, nor written again", text->name,
               taken ? text->line : first_line, taken ? "velocities" : "positions");
    return PV_OK;
}

static pv_status build(pv_text *text, header *head, pv_cell **cell_p)
{
    PV_TRY(take_header(text, head));
    PV_TRY(resolve_factors(text, head));
    pv_cell *cell;
    PV_TRY(pv_cell_create(head->atoms, count_species(head), head->selective, &cell));
    set_species(head, cell);
    snprintf(cell->comment, sizeof cell->comment, "%.*s", (int)(head->comment.end - head->comment.begin),
             head->comment.begin);
    pv_status status;
    PV_TRY_GOTO(set_lattice(head, cell), status, failed);
    PV_TRY_GOTO(take_positions(text, head, cell), status, failed);
    PV_TRY_GOTO(pv_cell_check_distances(cell, closest_angstrom / PV_BOHR_ANGSTROM), status, failed);
    PV_TRY_GOTO(take_velocities(text, cell), status, failed);
    *cell_p = cell;
    return PV_OK;
failed:
    pv_cell_destroy(cell);
    return status;
}

pv_status pv_poscar_parse(const char *data, size_t length, const char *name, pv_cell **cell_p)
{
    pv_text text = pv_text_of(data, length, name);
    header head = {0};
    pv_status status = build(&text, &head, cell_p);
    pv_mem_free(head.name);
    pv_mem_free(head.count);
    return status;
}

pv_status pv_poscar_read(const char *path, pv_cell **cell_p)
{
    PV_TEXT_PARSE_FILE(path, pv_poscar_parse, cell_p);
}
