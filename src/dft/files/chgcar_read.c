// SPDX-License-Identifier: Apache-2.0
#include "dft/files/chgcar_read.h"

#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/files/poscar.h"
#include "dft/files/text.h"

enum { MOST_POINTS = 100000 }; // along an axis

// ---- The structure: up to the first empty line ---------------------------------------------------------------------

static pv_status take_cell(pv_text *text, pv_cell **cell_p)
{
    const char *begin = text->at;
    pv_word line, rest, word;
    // A comment may be empty.
    for (int number = 0; pv_text_line(text, &line); number++) {
        rest = line;
        if (number > 0 && !pv_word_next(&rest, &word))
            return pv_poscar_parse(begin, (size_t)(line.begin - begin), text->name, cell_p);
    }
    PV_FAIL(PV_ERR_INPUT, "%s ends after line %d without an empty line between the atoms and the density", text->name,
            text->line);
}

// ---- Fields --------------------------------------------------------------------------------------------------------

static int is_grid(pv_word line, int grid[3])
{
    pv_word word;
    for (int d = 0; d < 3; d++)
        if (!pv_word_next(&line, &word) || !pv_word_int(word, &grid[d])) return 0;
    return !pv_word_next(&line, &word);
}

static pv_status take_grid(pv_text *text, pv_chgcar *chgcar)
{
    char shown[PV_WORD_SHOWN];
    pv_word line;
    int grid[3] = {0};
    PV_REQUIRE(pv_text_filled_line(text, &line), PV_ERR_INPUT, "%s ends after line %d where the grid should follow",
               text->name, text->line);
    int right = is_grid(line, grid);
    for (int d = 0; d < 3; d++) right = right && grid[d] > 0 && grid[d] <= MOST_POINTS;
    PV_REQUIRE(right, PV_ERR_INPUT, "%s:%d: found '%s'; the grid is three positive integers", text->name, text->line,
               pv_word_show(line, shown));
    for (int d = 0; d < 3; d++) chgcar->grid[d] = grid[d];
    return PV_OK;
}

// Values with the first axis fastest into one with the last axis fastest, divided by the volume.
static pv_status take_field(pv_text *text, const pv_chgcar *chgcar, double *field)
{
    char shown[PV_WORD_SHOWN];
    const int64_t *n = chgcar->grid, points = n[0] * n[1] * n[2];
    pv_word rest = {text->at, text->at}, word;
    for (int64_t i = 0; i < points; i++) {
        double value;
        while (!pv_word_next(&rest, &word))
            PV_REQUIRE(pv_text_line(text, &rest), PV_ERR_INPUT, "%s ends after line %d with %lld of %lld values",
                       text->name, text->line, (long long)i, (long long)points);
        PV_REQUIRE(pv_word_real(word, &value), PV_ERR_INPUT, "%s:%d: found '%s'; the density is numbers", text->name,
                   text->line, pv_word_show(word, shown));
        const int64_t x = i % n[0], y = i / n[0] % n[1], z = i / n[0] / n[1];
        field[(x * n[1] + y) * n[2] + z] = value / chgcar->cell->volume_bohr3;
    }
    return PV_OK;
}

// To the line behind the next one that is the grid again; 0 when there is none.
static int find_next_field(pv_text *text, const pv_chgcar *chgcar)
{
    pv_word line;
    int grid[3];
    while (pv_text_line(text, &line))
        if (is_grid(line, grid) && grid[0] == chgcar->grid[0] && grid[1] == chgcar->grid[1] &&
            grid[2] == chgcar->grid[2])
            return 1;
    return 0;
}

static pv_status take_all(pv_text *text, pv_chgcar *chgcar)
{
    PV_TRY(take_cell(text, &chgcar->cell));
    PV_TRY(take_grid(text, chgcar));
    const int64_t *n = chgcar->grid, points = n[0] * n[1] * n[2];
    // Two bytes a value at least: a short file does not ask for the memory of a large one.
    PV_REQUIRE(points <= (text->end - text->at + 1) / 2, PV_ERR_INPUT,
               "%s:%d: a grid of %lld points is announced, but what follows has no room for it", text->name, text->line,
               (long long)points);
    PV_TRY(PV_ALLOC(points, &chgcar->density));
    PV_TRY(take_field(text, chgcar, chgcar->density));
    chgcar->spins = 1;
    if (!find_next_field(text, chgcar)) return PV_OK;
    double *both;
    PV_TRY(PV_ALLOC(2 * points, &both));
    memcpy(both, chgcar->density, (size_t)points * sizeof *both);
    pv_mem_free(chgcar->density);
    chgcar->density = both;
    chgcar->spins = 2;
    return take_field(text, chgcar, both + points);
}

pv_status pv_chgcar_parse(const char *data, size_t length, const char *name, pv_chgcar **chgcar_p)
{
    pv_text text = pv_text_of(data, length, name);
    pv_chgcar *chgcar;
    PV_TRY(PV_ALLOC(1, &chgcar));
    const pv_status status = take_all(&text, chgcar);
    if (status == PV_OK)
        *chgcar_p = chgcar;
    else
        pv_chgcar_destroy(chgcar);
    return status;
}

pv_status pv_chgcar_read(const char *path, pv_chgcar **chgcar_p)
{
    PV_TEXT_PARSE_FILE(path, pv_chgcar_parse, chgcar_p);
}

void pv_chgcar_destroy(pv_chgcar *chgcar)
{
    if (!chgcar) return;
    pv_cell_destroy(chgcar->cell);
    pv_mem_free(chgcar->density);
    pv_mem_free(chgcar);
}
