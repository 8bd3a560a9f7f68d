// SPDX-License-Identifier: Apache-2.0
#include "dft/files/psp8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "dft/files/text.h"
#include "dft/model/element.h"
#include "dft/model/units.h"

static const double largest_value = 1e100;
static const double uneven = 1e-6; // bohr, what radii may be off
enum { CHANNELS = 5, SHORTEST_ROW = 6 }; // l from 0 to 4; "1 0 0" and a line end

typedef struct header {
    int number;                // atomic
    double valence, core_scale;
    int code, functional, l_max, l_local, points, extension;
    int projectors[CHANNELS];
} header;

static pv_status refuse(const pv_text *text, pv_word line, const char *accepted)
{
    char shown[PV_WORD_SHOWN];
    return pv_fail(PV_ERR_INPUT, "pv_psp8_parse", "%s:%d: found '%s'; %s", text->name, text->line,
                   pv_word_show(pv_word_trim(line), shown), accepted);
}

static pv_status take_line(pv_text *text, pv_word *line)
{
    PV_REQUIRE(pv_text_filled_line(text, line), PV_ERR_INPUT, "%s ends after line %d, before the potential is complete",
               text->name, text->line);
    return PV_OK;
}

static int take_ints(pv_word *rest, int count, int *values)
{
    pv_word word;
    int taken = 0;
    while (taken < count && pv_word_next(rest, &word) && pv_word_int(word, &values[taken])) taken++;
    return taken;
}

static int take_reals(pv_word *rest, int count, double *values)
{
    pv_word word;
    int taken = 0;
    while (taken < count && pv_word_next(rest, &word) && pv_word_real(word, &values[taken]) &&
           fabs(values[taken]) < largest_value) taken++;
    return taken;
}

static pv_status take_charges(pv_text *text, header *head)
{
    double charges[2];
    pv_word line, rest;
    PV_TRY(take_line(text, &line));
    rest = line;
    if (take_reals(&rest, 2, charges) != 2 || charges[0] < 1.0 || charges[0] > 118.0 ||
        charges[0] != floor(charges[0]) || !(charges[1] > 0.0))
        return refuse(text, line, "the second line is the atomic number and the number of valence electrons");
    head->number = (int)charges[0];
    head->valence = charges[1];
    return PV_OK;
}

static pv_status take_codes(pv_text *text, header *head)
{
    int codes[5];
    pv_word line, rest;
    PV_TRY(take_line(text, &line));
    rest = line;
    if (take_ints(&rest, 5, codes) != 5 || codes[0] != 8)
        return refuse(text, line, "the third line is pspcod = 8, pspxc, lmax, lloc, mmax");
    head->functional = codes[1];
    head->l_max = codes[2];
    head->l_local = codes[3];
    head->points = codes[4];
    if (head->l_max < 0 || head->l_max >= CHANNELS || head->l_local < 0 || head->l_local >= CHANNELS)
        return refuse(text, line, "lmax and lloc from 0 to 4 are accepted");
    if (head->points < 1 || head->points > (text->end - text->at) / SHORTEST_ROW)
        return refuse(text, line, "mmax is more points than the file can hold");
    return PV_OK;
}

static pv_status take_header(pv_text *text, header *head)
{
    pv_word line, rest;
    double core[2];
    PV_REQUIRE(pv_text_line(text, &line), PV_ERR_INPUT, "%s is empty; a psp8 file starts with a title", text->name);
    PV_TRY(take_charges(text, head));
    PV_TRY(take_codes(text, head));
    PV_TRY(take_line(text, &line));
    rest = line;
    if (take_reals(&rest, 2, core) != 2) return refuse(text, line, "the fourth line is rchrg, fchrg, qchrg");
    head->core_scale = core[1];
    PV_TRY(take_line(text, &line));
    rest = line;
    if (take_ints(&rest, CHANNELS, head->projectors) <= head->l_max)
        return refuse(text, line, "the fifth line is the number of projectors of each l from 0 to lmax");
    for (int l = 0; l < CHANNELS; l++)
        if (head->projectors[l] < 0 || head->projectors[l] > PV_PSEUDO_PROJECTORS / CHANNELS ||
            (head->projectors[l] > 0 && (l > PV_PSEUDO_L_MAX || l > head->l_max)))
            return refuse(text, line, "0 to 12 projectors of each l up to the smaller of lmax and 3 are accepted");
    PV_TRY(take_line(text, &line));
    rest = line;
    if (take_ints(&rest, 1, &head->extension) != 1 || head->extension < 0 || head->extension > 1)
        return refuse(text, line, "the sixth line is the extension switch, 0 or 1 (2 and 3 are spin-orbit)");
    return PV_OK;
}

// A block of rows "index r value...", columns to `values`. The first block gives the radii, the others repeat them.
static pv_status take_rows(pv_text *text, pv_pseudo_radial *radial, int columns, double *values)
{
    const int points = radial->points, is_first = radial->r[points - 1] == 0.0;
    for (int i = 0; i < points; i++) {
        double row[PV_PSEUDO_PROJECTORS + 1];
        int index;
        pv_word line, rest;
        PV_TRY(take_line(text, &line));
        rest = line;
        if (take_ints(&rest, 1, &index) != 1 || index != i + 1 || take_reals(&rest, columns + 1, row) != columns + 1)
            return refuse(text, line,
                          "a row is its number, counted from 1, the radius and one value for each function");
        if (!is_first && fabs(row[0] - radial->r[i]) > uneven)
            return refuse(text, line, "the radius differs from that of the first block");
        radial->r[i] = row[0];
        for (int c = 0; c < columns; c++) values[(size_t)c * (size_t)points + (size_t)i] = row[c + 1];
    }
    return PV_OK;
}

static pv_status take_projectors(pv_text *text, const header *head, int l, pv_word rest, pv_word line,
                                 pv_pseudo *pseudo)
{
    int first = 0;
    for (int lower = 0; lower < l; lower++) first += head->projectors[lower];
    const int count = head->projectors[l], n = pseudo->projectors;
    double strength[PV_PSEUDO_PROJECTORS];
    if (take_reals(&rest, count, strength) != count)
        return refuse(text, line, "a block of projectors starts with l and one energy for each");
    for (int i = 0; i < count; i++) {
        pseudo->l[first + i] = l;
        pseudo->coupling_ha[(first + i) * n + first + i] = strength[i];
    }
    return take_rows(text, pseudo->radial, count,
                     pseudo->radial->projector + (size_t)first * (size_t)pseudo->radial->points);
}

// Blocks come by l; that of l_local holds the local potential.
static pv_status take_blocks(pv_text *text, const header *head, pv_pseudo *pseudo)
{
    for (int l = 0; l < CHANNELS; l++) {
        int found;
        pv_word line, rest;
        if (l != head->l_local && head->projectors[l] == 0) continue;
        PV_TRY(take_line(text, &line));
        rest = line;
        if (take_ints(&rest, 1, &found) != 1 || found != l) {
            char accepted[64];
            snprintf(accepted, sizeof accepted, "the block of l = %d should start here", l);
            return refuse(text, line, accepted);
        }
        if (l == head->l_local) PV_TRY(take_rows(text, pseudo->radial, 1, pseudo->radial->local_ha));
        else PV_TRY(take_projectors(text, head, l, rest, line, pseudo));
    }
    return PV_OK;
}

static pv_status set_steps(const pv_text *text, pv_pseudo_radial *radial)
{
    const int points = radial->points;
    const double step = (radial->r[points - 1] - radial->r[0]) / (points - 1);
    for (int i = 0; i < points; i++) {
        PV_REQUIRE(step > 0.0 && fabs(radial->r[i] - radial->r[0] - i * step) <= uneven, PV_ERR_INPUT,
                   "%s: r = %g at point %d leaves the uniform mesh of step %g that psp8 has", text->name, radial->r[i],
                   i + 1, step);
        radial->dr[i] = step;
    }
    return PV_OK;
}

static const char *functional_of(int code)
{
    switch (code) {
    case 11:
    case -101130:
    case -130101: return "PBE";
    case 2:
    case 7:
    case -1009:
    case -1012: return "LDA";
    default: return "";
    }
}

static pv_status fill(pv_text *text, const header *head, pv_pseudo *pseudo)
{
    pv_pseudo_radial *radial = pseudo->radial;
    snprintf(pseudo->element, sizeof pseudo->element, "%s", pv_element_symbol(head->number));
    snprintf(pseudo->functional, sizeof pseudo->functional, "%s", functional_of(head->functional));
    pseudo->valence = head->valence;
    PV_TRY(take_blocks(text, head, pseudo));
    if (radial->core) PV_TRY(take_rows(text, radial, 1, radial->core));
    if (radial->density) PV_TRY(take_rows(text, radial, 1, radial->density));
    for (int i = 0; i < radial->points; i++) {
        if (radial->core) radial->core[i] /= 4.0 * PV_PI;
        if (radial->density) radial->density[i] *= radial->r[i] * radial->r[i];
    }
    PV_TRY(set_steps(text, radial));
    char source[256];
    snprintf(source, sizeof source, "psp8 %s", text->name);
    return pv_mem_strdup(source, &pseudo->source);
}

pv_status pv_psp8_parse(const char *data, size_t length, const char *name, pv_pseudo **pseudo_p)
{
    pv_text text = pv_text_of(data, length, name);
    header head = {0};
    pv_pseudo *pseudo;
    pv_status status;
    PV_TRY(take_header(&text, &head));
    if (head.l_local < CHANNELS) head.projectors[head.l_local] = 0;
    int projectors = 0;
    for (int l = 0; l < CHANNELS; l++) projectors += head.projectors[l];
    PV_TRY(pv_pseudo_create_radial(head.points, projectors, head.core_scale > 0.0, head.extension == 1, &pseudo));
    PV_TRY_GOTO(fill(&text, &head, pseudo), status, failed);
    *pseudo_p = pseudo;
    return PV_OK;
failed:
    pv_pseudo_destroy(pseudo);
    return status;
}

// The first lines alone, without messages.
static int peek(const char *data, size_t length, int *number)
{
    pv_text text = pv_text_of(data, length, "");
    pv_word line;
    double charges[2];
    int code;
    if (!pv_text_line(&text, &line) || !pv_text_filled_line(&text, &line) || take_reals(&line, 2, charges) != 2)
        return 0;
    if (!pv_text_filled_line(&text, &line) || take_ints(&line, 1, &code) != 1 || code != 8) return 0;
    *number = charges[0] >= 1.0 && charges[0] <= 118.0 ? (int)charges[0] : 0;
    return 1;
}

int pv_psp8_is(const char *data, size_t length)
{
    int number;
    return peek(data, length, &number);
}

void pv_psp8_element(const char *data, size_t length, char element[8])
{
    int number;
    const char *symbol = peek(data, length, &number) ? pv_element_symbol(number) : NULL;
    snprintf(element, 8, "%s", symbol ? symbol : "");
}
