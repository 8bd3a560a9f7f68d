// SPDX-License-Identifier: Apache-2.0
#include "dft/model/band_path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/check.h"
#include "base/mem.h"

static const double same_place = 1e-6;   // 1/bohr
static const double jump = 3.0;          // steps this much longer than both neighbours are none
static const double straight = 0.999;    // cosine between steps along one line

static pv_status allocate(int count, pv_band_path **path_p)
{
    pv_band_path *path;
    PV_TRY(PV_ALLOC(1, &path));
    pv_status status = PV_ALLOC(count, &path->point);
    if (status == PV_OK) status = PV_ALLOC(count, &path->at);
    if (status == PV_OK) status = PV_ALLOC(count, &path->begins);
    if (status == PV_OK) status = PV_ALLOC(count, &path->tick_at);
    if (status == PV_OK) status = PV_ALLOC(count, &path->tick_label);
    if (status == PV_OK) *path_p = path;
    else pv_band_path_destroy(path);
    return status;
}

void pv_band_path_destroy(pv_band_path *path)
{
    if (!path) return;
    pv_mem_free(path->point);
    pv_mem_free(path->at);
    pv_mem_free(path->begins);
    pv_mem_free(path->tick_at);
    pv_mem_free(path->tick_label);
    pv_mem_free(path);
}

// ---- Steps -------------------------------------------------------------------------------------------------------

// From point i - 1 of the path to point i, Cartesian; returns its length.
static double step_to(const pv_band_path *path, const pv_cell *cell, const double (*kpoint)[3], int i, double step[3])
{
    const double *from = kpoint[path->point[i - 1]], *to = kpoint[path->point[i]];
    double square = 0.0;
    for (int c = 0; c < 3; c++) {
        step[c] = 0.0;
        for (int j = 0; j < 3; j++) step[c] += (to[j] - from[j]) * cell->reciprocal[j][c];
        square += step[c] * step[c];
    }
    return sqrt(square);
}

// A line of KPOINTS begins where it likes; in a list a step that is far longer than those around it is a jump.
static int jumps_to(const pv_band_path *path, const pv_cell *cell, const double (*kpoint)[3], int i, int line_points)
{
    double step[3];
    const double length = step_to(path, cell, kpoint, i, step);
    if (length < same_place) return 0;
    if (line_points > 0) return i % line_points == 0;
    const double before = i > 1 ? step_to(path, cell, kpoint, i - 1, step) : 0.0;
    const double after = i + 1 < path->count ? step_to(path, cell, kpoint, i + 1, step) : 0.0;
    const double longest = fmax(before, after);
    return longest > same_place && length > jump * longest;
}

static void walk(pv_band_path *path, const pv_cell *cell, const double (*kpoint)[3], int line_points)
{
    path->begins[0] = 1;
    for (int i = 1; i < path->count; i++) {
        double step[3];
        const double length = step_to(path, cell, kpoint, i, step);
        path->begins[i] = (unsigned char)jumps_to(path, cell, kpoint, i, line_points);
        path->at[i] = path->at[i - 1] + (path->begins[i] ? 0.0 : length);
    }
}

static int turns_at(const pv_band_path *path, const pv_cell *cell, const double (*kpoint)[3], int i)
{
    double in[3], out[3];
    const double a = step_to(path, cell, kpoint, i, in), b = step_to(path, cell, kpoint, i + 1, out);
    if (a < same_place || b < same_place) return 1;
    return (in[0] * out[0] + in[1] * out[1] + in[2] * out[2]) < straight * a * b;
}

// ---- Ticks -------------------------------------------------------------------------------------------------------

static void put_fraction(double value, char text[16])
{
    for (int below = 1; below <= 12; below++) {
        const double above = round(value * below);
        if (fabs(value * below - above) > 1e-4) continue;
        if (below == 1) snprintf(text, 16, "%.0f", above == 0.0 ? 0.0 : above);
        else snprintf(text, 16, "%.0f/%d", above, below);
        return;
    }
    snprintf(text, 16, "%.3f", value);
}

static void name_by_place(const double k[3], char label[PV_BAND_PATH_LABEL])
{
    char part[3][16];
    if (fabs(k[0]) + fabs(k[1]) + fabs(k[2]) < 1e-6) {
        snprintf(label, PV_BAND_PATH_LABEL, "Γ");
        return;
    }
    for (int i = 0; i < 3; i++) put_fraction(k[i], part[i]);
    snprintf(label, PV_BAND_PATH_LABEL, "%.14s\n%.14s\n%.14s", part[0], part[1], part[2]);
}

// "\Gamma", "GAMMA", "G" mean the centre; "X_1" has a subscript.
static void name_by_file(const char *name, char label[PV_BAND_PATH_LABEL])
{
    static const char *const letters[][2] = {{"GAMMA", "Γ"}, {"G", "Γ"},      {"DELTA", "Δ"}, {"LAMBDA", "Λ"},
                                             {"SIGMA", "Σ"}, {"THETA", "Θ"}, {"PHI", "Φ"},   {"PI", "Π"}};
    char base[PV_KPOINTS_LABEL];
    if (*name == '\\') name++;
    const size_t length = strcspn(name, "_");
    snprintf(base, sizeof base, "%.*s", (int)length, name);
    const char *shown = base;
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (strcasecmp(base, letters[i][0]) == 0) shown = letters[i][1];
    if (name[length] == '_' && name[length + 1])
        snprintf(label, PV_BAND_PATH_LABEL, "%s_{%s}", shown, name + length + 1);
    else
        snprintf(label, PV_BAND_PATH_LABEL, "%s", shown);
}

static void name_point(const pv_band_path *path, const double (*kpoint)[3], const pv_kpoints *lines, int i,
                       char label[PV_BAND_PATH_LABEL])
{
    const char *name = lines && lines->label ? lines->label[path->point[i]] : "";
    if (*name) name_by_file(name, label);
    else name_by_place(kpoint[path->point[i]], label);
}

// "X|K"; of labels with several lines each line so.
static void join_labels(const char *left, const char *right, char both[PV_BAND_PATH_LABEL])
{
    size_t used = 0;
    while ((*left || *right) && used + 4 < PV_BAND_PATH_LABEL) {
        const size_t l = strcspn(left, "\n"), r = strcspn(right, "\n");
        used += (size_t)snprintf(both + used, PV_BAND_PATH_LABEL - used, "%s%.*s|%.*s", used ? "\n" : "", (int)l, left,
                                 (int)r, right);
        left += l + (left[l] == '\n');
        right += r + (right[r] == '\n');
    }
}

// Two points at one place of the way share a tick unless they have one name.
static void add_tick(pv_band_path *path, double at, const char *label)
{
    const int last = path->ticks - 1;
    if (last < 0 || at - path->tick_at[last] > same_place) {
        path->tick_at[path->ticks] = at;
        memcpy(path->tick_label[path->ticks++], label, PV_BAND_PATH_LABEL);
    } else if (strcmp(path->tick_label[last], label) != 0) {
        char both[PV_BAND_PATH_LABEL];
        join_labels(path->tick_label[last], label, both);
        memcpy(path->tick_label[last], both, sizeof both);
    }
}

static void mark(pv_band_path *path, const pv_cell *cell, const double (*kpoint)[3], const pv_kpoints *lines)
{
    for (int i = 0; i < path->count; i++) {
        const int is_end = i == 0 || i + 1 == path->count;
        int marked = is_end || path->begins[i] || path->begins[i + 1];
        if (lines) marked = marked || i % lines->line_points == 0 || i % lines->line_points == lines->line_points - 1;
        else marked = marked || turns_at(path, cell, kpoint, i);
        if (!marked) continue;
        char label[PV_BAND_PATH_LABEL];
        name_point(path, kpoint, lines, i, label);
        add_tick(path, path->at[i], label);
    }
}

pv_status pv_band_path_create(const pv_cell *cell, int count, const double (*kpoint)[3], const double *weight,
                              const pv_kpoints *lines, pv_band_path **path_p)
{
    PV_REQUIRE(!lines || (lines->is_path && lines->count == count && lines->line_points > 0), PV_ERR_ARGUMENT,
               "a path of %d points for %d k-points; lines with the points of the run are accepted",
               lines ? lines->count : 0, count);
    pv_band_path *path;
    PV_TRY(allocate(count, &path));
    for (int k = 0; k < count; k++)
        if (lines || weight[k] == 0.0) path->point[path->count++] = k;
    if (path->count > 1) {
        walk(path, cell, kpoint, lines ? lines->line_points : 0);
        mark(path, cell, kpoint, lines);
    } else {
        path->count = 0;
    }
    *path_p = path;
    return PV_OK;
}
