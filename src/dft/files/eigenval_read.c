// SPDX-License-Identifier: Apache-2.0
#include "dft/files/eigenval_read.h"

#include <stdint.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/files/text.h"

enum { SHORTEST_BAND = 4 };    // characters of "1 0\n"

// The next filled line as numbers, at most `most`; how many there are.
static int take_numbers(pv_text *text, int most, double *numbers)
{
    pv_word line, word;
    int count = 0;
    if (!pv_text_filled_line(text, &line)) return 0;
    while (count < most && pv_word_next(&line, &word) && pv_word_real(word, &numbers[count])) count++;
    return count;
}

static pv_status skip_lines(pv_text *text, int count)
{
    pv_word line;
    for (int i = 0; i < count; i++)
        PV_REQUIRE(pv_text_line(text, &line), PV_ERR_INPUT, "%s ends after line %d; six lines stand before the numbers",
                   text->name, text->line);
    return PV_OK;
}

static int is_count(double value) { return value >= 1.0 && value <= 1e9 && value == (double)(int)value; }

static pv_status take_head(pv_text *text, pv_bands *bands)
{
    double n[4];
    PV_REQUIRE(take_numbers(text, 4, n) == 4 && (n[3] == 1.0 || n[3] == 2.0), PV_ERR_INPUT,
               "%s:%d: the first line of an EIGENVAL is four numbers, the last one 1 or 2 (spins)", text->name,
               text->line);
    bands->spins = (int)n[3];
    PV_TRY(skip_lines(text, 4));
    PV_REQUIRE(take_numbers(text, 3, n) == 3 && is_count(n[1]) && is_count(n[2]), PV_ERR_INPUT,
               "%s:%d: the numbers of electrons, k-points and bands should stand here", text->name, text->line);
    bands->electrons = n[0];
    bands->kpoints = (int)n[1];
    bands->bands = (int)n[2];
    const int64_t room = (text->end - text->at) / SHORTEST_BAND;
    PV_REQUIRE((int64_t)bands->kpoints * bands->bands <= room, PV_ERR_INPUT,
               "%s:%d: %d k-points with %d bands are announced, and what follows has no room for them", text->name,
               text->line, bands->kpoints, bands->bands);
    return PV_OK;
}

static pv_status allocate(pv_bands *bands)
{
    const size_t states = (size_t)bands->spins * (size_t)bands->kpoints * (size_t)bands->bands;
    PV_TRY(PV_ALLOC(bands->kpoints, &bands->kpoint));
    PV_TRY(PV_ALLOC(bands->kpoints, &bands->weight));
    PV_TRY(PV_ALLOC(states, &bands->eigenvalue_ev));
    return PV_ALLOC(states, &bands->filling);
}

// A row is the band's number, the energies of the spins, and their fillings unless an older version left these out.
static pv_status take_point(pv_text *text, pv_bands *bands, int k, int *filled)
{
    double n[5];
    PV_REQUIRE(take_numbers(text, 4, n) == 4, PV_ERR_INPUT, "%s:%d: k-point %d of %d is four numbers", text->name,
               text->line, k + 1, bands->kpoints);
    for (int i = 0; i < 3; i++) bands->kpoint[k][i] = n[i];
    bands->weight[k] = n[3];
    for (int b = 0; b < bands->bands; b++) {
        const int count = take_numbers(text, 5, n), spins = bands->spins;
        PV_REQUIRE((count == 1 + spins || count == 1 + 2 * spins) && n[0] == b + 1, PV_ERR_INPUT,
                   "%s:%d: band %d of k-point %d is its number and %d or %d more", text->name, text->line, b + 1, k + 1,
                   spins, 2 * spins);
        if (count == 1 + spins) *filled = 0;
        for (int s = 0; s < spins; s++) {
            const size_t i = ((size_t)s * (size_t)bands->kpoints + (size_t)k) * (size_t)bands->bands + (size_t)b;
            bands->eigenvalue_ev[i] = n[1 + s];
            if (*filled) bands->filling[i] = n[1 + spins + s];
        }
    }
    return PV_OK;
}

static pv_status take_all(pv_text *text, pv_bands *bands)
{
    PV_TRY(take_head(text, bands));
    PV_TRY(allocate(bands));
    int filled = 1;
    for (int k = 0; k < bands->kpoints; k++) PV_TRY(take_point(text, bands, k, &filled));
    if (filled) return PV_OK;
    pv_mem_free(bands->filling);
    bands->filling = NULL;
    return PV_OK;
}

pv_status pv_eigenval_parse(const char *data, size_t length, const char *name, pv_bands **bands_p)
{
    pv_text text = pv_text_of(data, length, name);
    pv_bands *bands;
    PV_TRY(PV_ALLOC(1, &bands));
    const pv_status status = take_all(&text, bands);
    if (status == PV_OK) *bands_p = bands;
    else pv_bands_destroy(bands);
    return status;
}

pv_status pv_eigenval_read(const char *path, pv_bands **bands_p)
{
    PV_TEXT_PARSE_FILE(path, pv_eigenval_parse, bands_p);
}

void pv_bands_destroy(pv_bands *bands)
{
    if (!bands) return;
    pv_mem_free(bands->kpoint);
    pv_mem_free(bands->weight);
    pv_mem_free(bands->eigenvalue_ev);
    pv_mem_free(bands->filling);
    pv_mem_free(bands);
}

static pv_status take_fermi(const char *data, size_t length, const char *name, double *fermi_ev_p)
{
    pv_text text = pv_text_of(data, length, name);
    double n[5];
    PV_TRY(skip_lines(&text, 5));
    PV_REQUIRE(take_numbers(&text, 5, n) >= 4, PV_ERR_INPUT,
               "%s:%d: highest and lowest energy, number of points and Fermi energy should stand here", name,
               text.line);
    *fermi_ev_p = n[3];
    return PV_OK;
}

pv_status pv_doscar_read_fermi(const char *path, double *fermi_ev_p)
{
    PV_TEXT_PARSE_FILE(path, take_fermi, fermi_ev_p);
}
