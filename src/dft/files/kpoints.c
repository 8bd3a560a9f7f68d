// SPDX-License-Identifier: Apache-2.0
#include "dft/files/kpoints.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/log.h"
#include "base/mem.h"
#include "dft/files/text.h"
#include "dft/model/units.h"

static const double farthest = 1e3; // of a point, in reciprocal lattice vectors
enum {
    SHORTEST_POINT = 5,        // characters of "0 0 0": the weight, when it is missing, is missed in its line
    MOST_PER_LINE = 100000,
    MOST_POINTS = 1000000
};

static pv_status take_line(pv_text *text, const char *what, pv_word *line)
{
    PV_REQUIRE(pv_text_filled_line(text, line), PV_ERR_INPUT, "%s ends after line %d where %s should follow",
               text->name, text->line, what);
    *line = pv_word_trim(*line);
    return PV_OK;
}

// Three numbers; `line` keeps what follows them.
static pv_status take_vector(const pv_text *text, const char *what, pv_word *line, double vector[3])
{
    char shown[PV_WORD_SHOWN];
    const pv_word whole = *line;
    pv_word word;
    for (int i = 0; i < 3; i++)
        PV_REQUIRE(pv_word_next(line, &word) && pv_word_real(word, &vector[i]) && fabs(vector[i]) < farthest,
                   PV_ERR_INPUT, "%s:%d: found '%s'; %s is three numbers below %g", text->name, text->line,
                   pv_word_show(whole, shown), what, farthest);
    return PV_OK;
}

static pv_status take_mesh_numbers(pv_text *text, int mesh[3])
{
    char shown[PV_WORD_SHOWN];
    pv_word line, rest, word;
    PV_TRY(take_line(text, "the three numbers of the mesh", &line));
    rest = line;
    for (int i = 0; i < 3; i++)
        PV_REQUIRE(pv_word_next(&rest, &word) && pv_word_int(word, &mesh[i]) && mesh[i] > 0, PV_ERR_INPUT,
                   "%s:%d: found '%s'; a mesh is three positive integers", text->name, text->line,
                   pv_word_show(line, shown));
    return PV_OK;
}

static pv_status take_mesh(pv_text *text, int gamma_centred, pv_kpoints **kpoints_p)
{
    int mesh[3];
    double shift[3] = {0.0, 0.0, 0.0};
    pv_word line;
    PV_TRY(take_mesh_numbers(text, mesh));
    if (pv_text_filled_line(text, &line)) PV_TRY(take_vector(text, "the shift of the mesh", &line, shift));
    for (int i = 0; i < 3 && !gamma_centred; i++) shift[i] += 0.5 * (1 - mesh[i]);
    return pv_kpoints_create_mesh(mesh, shift, kpoints_p);
}

// VASP's rule: N_i = max(1, R |b_i| + 1/2), with b_i free of 2 pi; Gamma-centred.
static pv_status take_length(pv_text *text, const pv_cell *cell, pv_kpoints **kpoints_p)
{
    char shown[PV_WORD_SHOWN];
    const double shift[3] = {0.0, 0.0, 0.0};
    double length = 0.0;
    int mesh[3];
    pv_word line, rest, word;
    PV_TRY(take_line(text, "the length that sets the mesh", &line));
    rest = line;
    PV_REQUIRE(pv_word_next(&rest, &word) && pv_word_real(word, &length) && length > 0.0, PV_ERR_INPUT,
               "%s:%d: found '%s'; the automatic mesh takes one positive length in Angstrom", text->name, text->line,
               pv_word_show(line, shown));
    for (int i = 0; i < 3; i++) {
        const double *b = cell->reciprocal[i];
        double per_angstrom = sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]) / (2.0 * PV_PI * PV_BOHR_ANGSTROM);
        double wanted = floor(length * per_angstrom + 0.5);
        mesh[i] = wanted < 1.0 ? 1 : wanted > MOST_POINTS ? MOST_POINTS + 1 : (int)wanted;
    }
    return pv_kpoints_create_mesh(mesh, shift, kpoints_p);
}

static pv_status take_automatic(pv_text *text, const pv_cell *cell, pv_kpoints **kpoints_p)
{
    char shown[PV_WORD_SHOWN];
    pv_word line;
    PV_TRY(take_line(text, "Gamma, Monkhorst-Pack or Automatic", &line));
    switch (toupper((unsigned char)*line.begin)) {
    case 'G': return take_mesh(text, 1, kpoints_p);
    case 'M': return take_mesh(text, 0, kpoints_p);
    case 'A': return take_length(text, cell, kpoints_p);
    default: break;
    }
    PV_FAIL(PV_ERR_INPUT, "%s:%d: found '%s' after a count of 0; Gamma, Monkhorst-Pack and Automatic are accepted "
            "(generating vectors are not)", text->name, text->line, pv_word_show(line, shown));
}

static int is_cartesian(pv_word line)
{
    return strchr("CcKk", *line.begin) != NULL;
}

// Cartesian points are in units of 2 pi / scale.
static pv_status to_fractional(const pv_text *text, const pv_cell *cell, double point[3])
{
    const double per_bohr = PV_BOHR_ANGSTROM / cell->scale_angstrom;
    double fractional[3];
    for (int i = 0; i < 3; i++) {
        fractional[i] = 0.0;
        for (int c = 0; c < 3; c++) fractional[i] += cell->lattice_bohr[i][c] * point[c] * per_bohr;
        PV_REQUIRE(fabs(fractional[i]) < farthest, PV_ERR_INPUT,
                   "%s:%d: the k-point lies %g reciprocal lattice vectors away, "
                   "fewer than %g are accepted",
                   text->name, text->line, fabs(fractional[i]), farthest);
    }
    memcpy(point, fractional, sizeof fractional);
    return PV_OK;
}

static pv_status take_points(pv_text *text, const pv_cell *cell, int cartesian, pv_kpoints *kpoints)
{
    char shown[PV_WORD_SHOWN];
    double sum = 0.0;
    for (int k = 0; k < kpoints->count; k++) {
        pv_word line, rest, word;
        PV_REQUIRE(pv_text_filled_line(text, &line), PV_ERR_INPUT, "%s ends after line %d with %d of %d k-points",
                   text->name, text->line, k, kpoints->count);
        rest = line;
        PV_TRY(take_vector(text, "a k-point", &rest, kpoints->fractional[k]));
        PV_REQUIRE(pv_word_next(&rest, &word), PV_ERR_INPUT,
                   "%s:%d: found '%s', without a weight; a k-point of a list is three numbers and a weight (a mesh has "
                   "the count 0)",
                   text->name, text->line, pv_word_show(line, shown));
        PV_REQUIRE(
            pv_word_real(word, &kpoints->weight[k]) && kpoints->weight[k] >= 0.0 &&
                kpoints->weight[k] < 1e100,
            PV_ERR_INPUT,
            "%s:%d: found '%s'; a k-point of a list is three numbers and a weight that is not negative (a mesh has "
            "the count 0)",
            text->name, text->line, pv_word_show(line, shown));
        if (cartesian) PV_TRY(to_fractional(text, cell, kpoints->fractional[k]));
        sum += kpoints->weight[k];
    }
    PV_REQUIRE(isnormal(sum), PV_ERR_INPUT,
               "%s: the weights of all %d k-points are zero; points of positive weight are "
               "needed for the density",
               text->name, kpoints->count);
    for (int k = 0; k < kpoints->count; k++) kpoints->weight[k] /= sum;
    return PV_OK;
}

static pv_status take_list(pv_text *text, const pv_cell *cell, int count, int cartesian, pv_kpoints **kpoints_p)
{
    const long long room = (text->end - text->at + 1) / (SHORTEST_POINT + 1);
    PV_REQUIRE(count <= room, PV_ERR_INPUT, "%s: %d k-points are announced, but what follows has room for at most %lld",
               text->name, count, room);
    pv_kpoints *kpoints;
    pv_status status;
    PV_TRY(pv_kpoints_create(count, &kpoints));
    PV_TRY_GOTO(take_points(text, cell, cartesian, kpoints), status, failed);
    PV_TRY_GOTO(pv_kpoints_mark_equal(kpoints), status, failed);
    for (int k = 0; k < count; k++)
        if (kpoints->weight[k] > 0.0 && kpoints->first_of[k] != k)
            pv_log(PV_LOG_WARN, "%s: k-point %d repeats point %d; both weights count", text->name, k + 1,
                   kpoints->first_of[k] + 1);
    *kpoints_p = kpoints;
    return PV_OK;
failed:
    pv_kpoints_destroy(kpoints);
    return status;
}

// What follows the three numbers, without a comment sign: "! GAMMA" and "GAMMA" alike.
static void take_label(pv_word rest, char label[PV_KPOINTS_LABEL])
{
    pv_word word;
    while (pv_word_next(&rest, &word)) {
        while (word.begin < word.end && (*word.begin == '!' || *word.begin == '#')) word.begin++;
        if (word.begin == word.end) continue;
        snprintf(label, PV_KPOINTS_LABEL, "%.*s", (int)(word.end - word.begin), word.begin);
        return;
    }
}

typedef struct line_end {
    double point[3];
    char label[PV_KPOINTS_LABEL];
} line_end;

static pv_status take_ends(pv_text *text, const pv_cell *cell, int cartesian, line_end *ends, int *count_p)
{
    int count = 0;
    pv_word line;
    while (pv_text_filled_line(text, &line)) {
        line_end *new = &ends[count++];
        PV_TRY(take_vector(text, "the end of a line", &line, new->point));
        take_label(line, new->label);
        if (cartesian) PV_TRY(to_fractional(text, cell, new->point));
    }
    PV_REQUIRE(count > 0 && count % 2 == 0, PV_ERR_INPUT, "%s: found %d ends of lines; line mode takes pairs of them",
               text->name, count);
    *count_p = count;
    return PV_OK;
}

static pv_status set_path(const line_end *ends, int lines, int per_line, pv_kpoints *kpoints)
{
    PV_TRY(PV_ALLOC(kpoints->count, &kpoints->label));
    for (int k = 0; k < kpoints->count; k++) {
        const line_end *start = &ends[2 * (k / per_line)], *end = start + 1;
        const int step = k % per_line;
        const double along = (double)step / (per_line - 1);
        for (int i = 0; i < 3; i++)
            kpoints->fractional[k][i] = start->point[i] + along * (end->point[i] - start->point[i]);
        kpoints->weight[k] = 1.0 / ((double)lines * per_line);
        if (step == 0) memcpy(kpoints->label[k], start->label, sizeof start->label);
        if (step == per_line - 1) memcpy(kpoints->label[k], end->label, sizeof end->label);
    }
    kpoints->is_path = 1;
    kpoints->line_points = per_line;
    return pv_kpoints_mark_equal(kpoints);
}

static pv_status take_path(pv_text *text, const pv_cell *cell, int per_line, pv_kpoints **kpoints_p)
{
    pv_word line;
    int count = 0;
    PV_REQUIRE(per_line >= 2 && per_line <= MOST_PER_LINE, PV_ERR_INPUT,
               "%s: %d points a line; line mode takes 2 to %d", text->name, per_line, MOST_PER_LINE);
    PV_TRY(take_line(text, "'Reciprocal' or 'Cartesian'", &line));
    const size_t room = (size_t)(text->end - text->at) / 6 + 1; // "0 0 0" and a line end
    line_end *ends;
    pv_kpoints *kpoints = NULL;
    PV_TRY(PV_ALLOC(room, &ends));
    pv_status status;
    PV_TRY_GOTO(take_ends(text, cell, is_cartesian(line), ends, &count), status, done);
    if (count / 2 > MOST_POINTS / per_line)
        PV_TRY_GOTO(pv_fail(PV_ERR_INPUT, __func__, "%s: %d lines of %d points; at most %d points in all are accepted",
                            text->name, count / 2, per_line, MOST_POINTS), status, done);
    PV_TRY_GOTO(pv_kpoints_create(count / 2 * per_line, &kpoints), status, done);
    PV_TRY_GOTO(set_path(ends, count / 2, per_line, kpoints), status, done);
    *kpoints_p = kpoints;
    kpoints = NULL;
done:
    pv_kpoints_destroy(kpoints);
    pv_mem_free(ends);
    return status;
}

pv_status pv_kpoints_parse(const char *data, size_t length, const char *name, const pv_cell *cell,
                           pv_kpoints **kpoints_p)
{
    char shown[PV_WORD_SHOWN];
    pv_text text = pv_text_of(data, length, name);
    pv_word line, word;
    int count = 0;
    PV_REQUIRE(pv_text_line(&text, &line), PV_ERR_INPUT, "%s is empty; KPOINTS starts with a comment line", name);
    PV_TRY(take_line(&text, "the number of k-points", &line));
    pv_word rest = line;
    PV_REQUIRE(pv_word_next(&rest, &word) && pv_word_int(word, &count) && count >= 0, PV_ERR_INPUT,
               "%s:%d: found '%s'; the number of k-points is an integer, 0 for an automatic mesh", name, text.line,
               pv_word_show(line, shown));
    if (count == 0) return take_automatic(&text, cell, kpoints_p);

    PV_TRY(take_line(&text, "'Reciprocal', 'Cartesian' or 'Line'", &line));
    if (toupper((unsigned char)*line.begin) == 'L') return take_path(&text, cell, count, kpoints_p);
    return take_list(&text, cell, count, is_cartesian(line), kpoints_p);
}

pv_status pv_kpoints_read(const char *path, const pv_cell *cell, double spacing, int gamma_centred,
                          pv_kpoints **kpoints_p)
{
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return pv_kpoints_create_spacing(cell, spacing, gamma_centred, kpoints_p);
    PV_TEXT_PARSE_FILE(path, pv_kpoints_parse, cell, kpoints_p);
}
