// SPDX-License-Identifier: Apache-2.0
#include "scale/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/folder_make.h"
#include "base/mem.h"
#include "io/plot.h"
#include "scale/level_notes.h"
#include "scale/lines.h"

enum { MOST_LINES = 6, MODEL_POINTS = 120, SCALES = 3 };
enum { MOST_CURVES = 2 * MOST_LINES + SCALES };
_Static_assert(PV_SCALE_LEVELS * (MOST_LINES + 1) <= PV_LEVEL_NOTES, "each line has a note at each level");

#define EFFICIENCY_RIGHT 0.05 // of the axis, beyond the last number

static const double width_pt = 345.0, height_pt = 220.0; // room for 1024 beside 2048

typedef struct figure {
    const pv_scale_study *study;
    double last; // count to draw to
    int curves;
    pv_plot_curve curve[MOST_CURVES];
    char label[MOST_CURVES][40];
    pv_level_notes notes;
    double *numbers; // of the curves, one after the other
    int64_t used;
} figure;

typedef double (*quantity)(const pv_scale_study *study, const pv_scale_line *line, const pv_scale_run *run,
                           double count);

static double log_seconds(const pv_scale_study *s, const pv_scale_line *line, const pv_scale_run *run, double count)
{
    (void)s;
    return log10(run ? run->prediction.total_s : pv_scale_model_seconds(&line->model, count));
}

static double log_speedup(const pv_scale_study *s, const pv_scale_line *line, const pv_scale_run *run, double count)
{
    return log10(s->run[s->reference].prediction.total_s) - log_seconds(s, line, run, count);
}

static double percent(const pv_scale_study *s, const pv_scale_line *line, const pv_scale_run *run, double count)
{
    return 100.0 * (run ? run->efficiency : pv_scale_line_efficiency(s, line, count));
}

static pv_plot_curve *begin_curve(figure *f, int points, double **x, double **y)
{
    pv_plot_curve *curve = &f->curve[f->curves++];
    *x = f->numbers + f->used;
    *y = *x + points;
    f->used += 2 * points;
    *curve = (pv_plot_curve){.points = points, .x = *x, .y = *y};
    return curve;
}

static void set_label(figure *f, const char *format, const char *transport)
{
    char *label = f->label[f->curves - 1];
    snprintf(label, sizeof f->label[0], format, transport);
    f->curve[f->curves - 1].label = label;
}

// As papers write them.
static const char *written(const char *transport)
{
    if (strcmp(transport, "mpi") == 0) return "MPI";
    if (strcmp(transport, "nccl") == 0) return "NCCL";
    return strcmp(transport, "nvshmem") == 0 ? "NVSHMEM" : *transport ? transport : "runs";
}

static void draw_points(figure *f, int l, quantity value)
{
    const pv_scale_study *s = f->study;
    const pv_scale_line *line = &s->line[l];
    double *x, *y;
    pv_plot_curve *curve = begin_curve(f, line->points, &x, &y);
    for (int p = 0; p < line->points; p++) {
        const pv_scale_run *run = &s->run[line->run[p]];
        x[p] = log10(run->count);
        y[p] = value(s, line, run, run->count);
    }
    curve->colour = l + 1;
    curve->mark = PV_MARK_DISC + l % 4;
    set_label(f, "%s", written(line->transport));
}

// From the first run on: the model is to be seen beside the points that it was fitted to.
static void draw_model(figure *f, int l, quantity value)
{
    const pv_scale_study *s = f->study;
    const pv_scale_line *line = &s->line[l];
    const double first = s->run[line->run[0]].count;
    double *x, *y;
    if (!(f->last > first) || !pv_scale_line_has_model(line)) return;
    pv_plot_curve *curve = begin_curve(f, MODEL_POINTS, &x, &y);
    for (int i = 0; i < MODEL_POINTS; i++) {
        x[i] = log10(first) + (log10(f->last) - log10(first)) * i / (MODEL_POINTS - 1);
        y[i] = value(s, line, NULL, pow(10.0, x[i]));
    }
    curve->colour = l + 1;
    curve->dashed = 1;
    curve->width_pt = 0.8;
    set_label(f, s->lines > 1 ? "model, %s" : "model", written(line->transport));
}

// From the reference's value at its number: that much more, or less, for each GPU more, at an efficiency.
static void draw_scale(figure *f, double start, int sense, double efficiency)
{
    double *x, *y;
    const double count = f->study->run[f->study->reference].count;
    pv_plot_curve *curve = begin_curve(f, 2, &x, &y);
    x[0] = log10(count);
    x[1] = log10(fmax(f->last, 2.0 * count));
    y[0] = start + sense * log10(efficiency);
    y[1] = y[0] + sense * (x[1] - x[0]);
    curve->width_pt = efficiency < 1.0 ? 0.5 : 0.6;
    curve->dashed = efficiency < 1.0;
    if (efficiency == 1.0) set_label(f, "ideal", "");
}

// ---- Notes -------------------------------------------------------------------------------------------------------

static void note_crossings(figure *f)
{
    const pv_scale_study *s = f->study;
    for (int l = 0; l < s->lines && l < MOST_LINES; l++)
        for (int c = 0; s->line[l].points > 1 && c < PV_SCALE_LEVELS; c++) {
            const pv_scale_crossing *crossing = &s->line[l].crossing[c];
            pv_level_notes_add_crossing(&f->notes, crossing->count, 100.0 * crossing->level, l + 1);
        }
    for (int c = 0; c < PV_SCALE_LEVELS; c++)
        pv_level_notes_add_level(&f->notes, 100.0 * s->line[0].crossing[c].level);
}

// ---- Axes --------------------------------------------------------------------------------------------------------

static void find_range(const figure *f, int curves, const double **values, double range[2])
{
    range[0] = 1e300;
    range[1] = -1e300;
    for (int k = 0; k < curves; k++)
        for (int i = 0; i < f->curve[k].points; i++) {
            range[0] = fmin(range[0], values[k][i]);
            range[1] = fmax(range[1], values[k][i]);
        }
}

// right: room beside the last number, as a share of the axis.
static pv_status write(const figure *f, const char *directory, const char *name, double right, pv_plot *plot)
{
    char path[4096], x_label[64];
    const double *x[MOST_CURVES];
    double across[2];
    for (int k = 0; k < f->curves; k++) x[k] = f->curve[k].x;
    find_range(f, f->curves, x, across);
    snprintf(x_label, sizeof x_label, "Number of %s", f->study->unit);
    plot->x_label = x_label;
    plot->curves = f->curve;
    plot->curve_count = f->curves;
    plot->width_pt = width_pt;
    plot->height_pt = height_pt;
    plot->x_range[0] = across[0] - 0.03 * (across[1] - across[0]);
    plot->x_range[1] = across[1] + right * (across[1] - across[0]);
    plot->x_log = plot->x_twos = 1;
    plot->notes = f->notes.note;
    plot->note_count = f->notes.count;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return pv_plot_write(path, plot);
}

// Of runs and models; scales may leave the frame.
static void find_height(const figure *f, int curves, double range[2])
{
    const double *y[MOST_CURVES];
    for (int k = 0; k < curves; k++) y[k] = f->curve[k].y;
    find_range(f, curves, y, range);
}

// ---- Figures -----------------------------------------------------------------------------------------------------

static int draw_all(figure *f, quantity value)
{
    const int lines = f->study->lines < MOST_LINES ? f->study->lines : MOST_LINES;
    f->curves = 0;
    f->notes.count = 0;
    f->used = 0;
    for (int l = 0; l < lines; l++) draw_points(f, l, value);
    for (int l = 0; l < lines; l++) draw_model(f, l, value);
    return f->curves;
}

static pv_status write_time(figure *f, const char *directory)
{
    const pv_scale_study *s = f->study;
    char label[64];
    pv_plot plot = {.y_label = label, .y_log = 1, .y_plain = 1};
    const int curves = draw_all(f, log_seconds);
    draw_scale(f, log_seconds(s, NULL, &s->run[s->reference], 0.0), -1, 1.0);
    snprintf(label, sizeof label, "Time of %d iteration%s (s)", s->settings.iterations,
             s->settings.iterations == 1 ? "" : "s");
    find_height(f, curves, plot.y_range);
    plot.y_range[0] -= 0.3;
    plot.y_range[1] += 0.15;
    return write(f, directory, "scaling_time.svg", 0.03, &plot);
}

static pv_status write_speedup(figure *f, const char *directory)
{
    const pv_scale_study *s = f->study;
    char label[80];
    pv_plot plot = {.y_label = label, .y_log = 1, .y_plain = 1};
    const int curves = draw_all(f, log_speedup);
    const int count = s->run[s->reference].count;
    draw_scale(f, 0.0, 1, 1.0);
    snprintf(label, sizeof label, "Speed-up against %d %.*s", count, (int)strlen(s->unit) - (count == 1), s->unit);
    find_height(f, curves, plot.y_range);
    plot.y_range[0] = fmin(plot.y_range[0], 0.0) - 0.1;
    plot.y_range[1] = fmax(plot.y_range[1], f->curve[curves].y[1]) + 0.15;
    const double half_letter = 0.03 * (plot.y_range[1] - plot.y_range[0]);
    for (int c = 0; c < PV_SCALE_LEVELS; c++) {
        const double level = s->line[0].crossing[c].level;
        draw_scale(f, 0.0, 1, level);
        const pv_plot_curve *line = &f->curve[f->curves - 1];
        pv_level_notes_add(&f->notes, (pv_plot_note){.x = line->x[1], .y = line->y[1] - half_letter}, "%.0f %%",
                           100.0 * level);
    }
    return write(f, directory, "scaling_speedup.svg", 0.09, &plot);
}

static pv_status write_efficiency(figure *f, const char *directory)
{
    const pv_scale_study *s = f->study;
    double levels[PV_SCALE_LEVELS];
    pv_plot plot = {
        .y_label = "Parallel efficiency (%)", .y_lines = levels, .y_line_count = PV_SCALE_LEVELS};
    const int curves = draw_all(f, percent);
    const double first = log10(s->run[0].count), width = log10(f->last) - first;
    for (int c = 0; c < PV_SCALE_LEVELS; c++) levels[c] = 100.0 * s->line[0].crossing[c].level;
    f->notes.x[0] = first - 0.03 * width;
    f->notes.x[1] = first + (1.0 + EFFICIENCY_RIGHT) * width;
    note_crossings(f);
    find_height(f, curves, plot.y_range);
    plot.y_range[0] = 0.0;
    plot.y_range[1] = fmax(10.0 * ceil(plot.y_range[1] / 10.0 + 0.5), 110.0);
    return write(f, directory, "scaling_efficiency.svg", EFFICIENCY_RIGHT, &plot);
}

pv_status pv_scale_figures_write(const char *directory, const pv_scale_study *study)
{
    figure f = {.study = study, .last = 2.0 * study->run[study->runs - 1].count};
    const int64_t numbers = 2 * ((int64_t)MODEL_POINTS * MOST_LINES + (study->runs + 1) * MOST_LINES + 2 * SCALES);
    for (int l = 0; l < study->lines; l++)
        if (study->line[l].points > 1) f.last = fmax(study->settings.most, study->run[study->runs - 1].count);
    PV_TRY(pv_folder_make(directory));
    PV_TRY(PV_ALLOC(numbers, &f.numbers));
    pv_status status = write_time(&f, directory);
    if (status == PV_OK) status = write_speedup(&f, directory);
    if (status == PV_OK) status = write_efficiency(&f, directory);
    pv_mem_free(f.numbers);
    return status;
}
