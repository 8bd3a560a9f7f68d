// SPDX-License-Identifier: Apache-2.0
#include "cli/plan/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/file_text.h"
#include "base/folder_make.h"
#include "base/mem.h"
#include "io/plot.h"
#include "scale/level_notes.h"

// ---- Against the first that fits ---------------------------------------------------------------------------------

static int first_that_fits(const pv_plan_rows *rows)
{
    for (int i = 0; i < rows->count; i++)
        if (rows->forecast[i].fits) return i;
    return -1;
}

static double speedup_of(const pv_plan_rows *rows, int i)
{
    return rows->forecast[first_that_fits(rows)].total_s / rows->forecast[i].total_s;
}

static double efficiency_of(const pv_plan_rows *rows, int i)
{
    return speedup_of(rows, i) * rows->forecast[first_that_fits(rows)].plan.ranks / rows->forecast[i].plan.ranks;
}

double pv_plan_threshold(const pv_plan_rows *rows, double level)
{
    int last = -1;
    for (int i = 0; i < rows->count; i++) {
        if (!rows->forecast[i].fits) continue;
        if (last >= 0 && efficiency_of(rows, i) < level) {
            const double high = efficiency_of(rows, last), low = efficiency_of(rows, i);
            const double a = log(rows->forecast[last].plan.ranks), b = log(rows->forecast[i].plan.ranks);
            return exp(a + (high - level) / (high - low) * (b - a));
        }
        last = i;
    }
    return NAN;
}

// ---- CSV ---------------------------------------------------------------------------------------------------------

static void put_rows(FILE *out, const pv_plan_rows *rows)
{
    fprintf(out,
            "%s,kpoint_groups,bytes_least,bytes_used,orbitals,states,states_at_once,ends_s,step_s,steps,build_s,builds,"
            "communication_s,total_s,speedup,efficiency\n",
            rows->unit);
    for (int i = 0; i < rows->count; i++) {
        const pv_dft_forecast *f = &rows->forecast[i];
        fprintf(out, "%d,%d,%.6g,%.6g,%s,%d,%d", f->plan.ranks, f->plan.groups, f->bytes, f->held_bytes, rows->held[i],
                f->states, f->tile);
        if (f->fits)
            fprintf(out, ",%.6g,%.6g,%d,%.6g,%d,%.6g,%.6g,%.6g,%.6g\n", f->start_s + f->end_s, f->step_s, rows->steps,
                    f->build_s, rows->builds, f->comm_s, f->total_s, speedup_of(rows, i), efficiency_of(rows, i));
        else
            fprintf(out, ",,,%d,,%d,,,,\n", rows->steps, rows->builds);
    }
}

pv_status pv_plan_csv_write(const char *path, const pv_plan_rows *rows)
{
    pv_file_text text;
    PV_TRY(pv_file_text_begin(path, &text));
    put_rows(text.out, rows);
    return pv_file_text_end(&text);
}

// ---- Figures -----------------------------------------------------------------------------------------------------

enum { PARTS = 5, LEVELS = 2 };

static const double width_pt = 345.0, height_pt = 220.0, least_share = 1e-3; // of the total, to be drawn

typedef struct part {
    const char *label;
    double (*seconds)(const pv_plan_rows *rows, int i);
} part;

static double total_s(const pv_plan_rows *rows, int i) { return rows->forecast[i].total_s; }
static double steps_s(const pv_plan_rows *rows, int i) { return rows->steps * rows->forecast[i].step_s; }
static double builds_s(const pv_plan_rows *rows, int i) { return rows->builds * rows->forecast[i].build_s; }
static double comm_s(const pv_plan_rows *rows, int i) { return rows->forecast[i].comm_s; }
static double ends_s(const pv_plan_rows *rows, int i) { return rows->forecast[i].start_s + rows->forecast[i].end_s; }

static const part parts[PARTS] = {{"plan (model)", total_s}, {"steps", steps_s}, {"exchange", builds_s},
                                  {"communication", comm_s}, {"start, end", ends_s}};

typedef struct figure {
    const pv_plan_rows *rows;
    char x_label[64];
    pv_plot plot;
    pv_plot_curve curve[PARTS + 1];
    double ideal_x[2], ideal_y[2];
    double *x, *y; // [count], [PARTS][count]
} figure;

static void begin(figure *f, const char *y_label)
{
    const pv_plan_rows *rows = f->rows;
    double first = INFINITY, last = 0.0;
    for (int i = 0; i < rows->count; i++) {
        f->x[i] = log10(rows->forecast[i].plan.ranks);
        if (!rows->forecast[i].fits) continue;
        first = fmin(first, f->x[i]);
        last = fmax(last, f->x[i]);
    }
    snprintf(f->x_label, sizeof f->x_label, "Number of %s", rows->unit);
    f->plot = (pv_plot){.x_label = f->x_label, .y_label = y_label, .x_log = 1, .x_twos = 1, .curves = f->curve,
                        .width_pt = width_pt, .height_pt = height_pt};
    f->plot.x_range[0] = first - 0.03 * (last - first);
    f->plot.x_range[1] = last + 0.03 * (last - first);
}

static void add_part(figure *f, int p)
{
    const pv_plan_rows *rows = f->rows;
    double *y = f->y + (int64_t)p * rows->count, most = 0.0;
    for (int i = 0; i < rows->count; i++) {
        const double seconds = parts[p].seconds(rows, i);
        const int is_drawn = rows->forecast[i].fits && seconds > least_share * rows->forecast[i].total_s;
        y[i] = is_drawn ? log10(seconds) : NAN;
        most = fmax(most, is_drawn ? seconds : 0.0);
    }
    if (most == 0.0) return;
    f->curve[f->plot.curve_count++] = (pv_plot_curve){.label = parts[p].label, .points = rows->count, .x = f->x, .y = y,
                                                      .colour = p + 1, .dashed = 1, .width_pt = p == 0 ? 1.4 : 0.8,
                                                      .mark = p == 0 ? PV_MARK_DISC : PV_MARK_NONE};
}

// The highest points of curves, the lowest of these.
static double lowest_top(const figure *f)
{
    double lowest = INFINITY;
    for (int k = 0; k < f->plot.curve_count; k++) {
        double top = -INFINITY;
        for (int i = 0; i < f->curve[k].points; i++) top = isnan(f->curve[k].y[i]) ? top : fmax(top, f->curve[k].y[i]);
        lowest = fmin(lowest, top);
    }
    return lowest;
}

static pv_status write_time(figure *f, const char *directory)
{
    const pv_dft_forecast *first = &f->rows->forecast[first_that_fits(f->rows)];
    char path[4096], label[80];
    snprintf(label, sizeof label, "Time of %d steps (s)", f->rows->steps);
    begin(f, label);
    for (int p = 0; p < PARTS; p++) add_part(f, p);
    double low = log10(first->total_s), high = low;
    for (int i = 0; i < f->rows->count; i++) {
        low = f->rows->forecast[i].fits ? fmin(low, f->y[i]) : low;
        high = f->rows->forecast[i].fits ? fmax(high, f->y[i]) : high;
    }
    f->ideal_x[0] = log10(first->plan.ranks);
    f->ideal_x[1] = f->plot.x_range[1];
    f->ideal_y[0] = log10(first->total_s);
    f->ideal_y[1] = f->ideal_y[0] - (f->ideal_x[1] - f->ideal_x[0]);
    f->curve[f->plot.curve_count++] =
        (pv_plot_curve){.label = "ideal", .points = 2, .x = f->ideal_x, .y = f->ideal_y, .width_pt = 0.6};
    f->plot.y_log = f->plot.y_plain = 1;
    f->plot.y_range[0] = fmin(low - 1.3, lowest_top(f) - 0.2); // what is drawn of parts is seen, at its highest
    f->plot.y_range[1] = high + 0.15;
    snprintf(path, sizeof path, "%s/plan_time.svg", directory);
    return pv_plot_write(path, &f->plot);
}

static pv_status write_efficiency(figure *f, const char *directory)
{
    static const double levels[LEVELS] = {70.0, 50.0};
    char path[4096];
    double most = 100.0;
    begin(f, "Parallel efficiency (%)");
    f->plot.x_range[1] += 0.02 * (f->plot.x_range[1] - f->plot.x_range[0]); // a threshold may be at the last
    for (int i = 0; i < f->rows->count; i++) {
        f->y[i] = f->rows->forecast[i].fits ? 100.0 * efficiency_of(f->rows, i) : NAN;
        most = fmax(most, f->rows->forecast[i].fits ? f->y[i] : 0.0);
    }
    f->curve[f->plot.curve_count++] =
        (pv_plot_curve){.label = "plan (model)", .points = f->rows->count, .x = f->x, .y = f->y,
                        .colour = 1, .dashed = 1, .width_pt = 1.4, .mark = PV_MARK_DISC};
    pv_level_notes notes = {.x = {f->plot.x_range[0], f->plot.x_range[1]}};
    for (int c = 0; c < LEVELS; c++)
        pv_level_notes_add_crossing(&notes, pv_plan_threshold(f->rows, 0.01 * levels[c]), levels[c], 1);
    for (int c = 0; c < LEVELS; c++) pv_level_notes_add_level(&notes, levels[c]);
    f->plot.notes = notes.note;
    f->plot.note_count = notes.count;
    f->plot.y_lines = levels;
    f->plot.y_line_count = LEVELS;
    f->plot.y_range[1] = 10.0 * ceil(most / 10.0 + 0.5);
    snprintf(path, sizeof path, "%s/plan_efficiency.svg", directory);
    return pv_plot_write(path, &f->plot);
}

pv_status pv_plan_figures_write(const char *directory, const pv_plan_rows *rows)
{
    int fit = 0;
    for (int i = 0; i < rows->count; i++) fit += rows->forecast[i].fits;
    PV_REQUIRE(fit >= 2, PV_ERR_INPUT, "figures of %d number%s of %s that fit; two are needed at least", fit,
               fit == 1 ? "" : "s", rows->unit);
    PV_TRY(pv_folder_make(directory));
    figure f = {.rows = rows};
    PV_TRY(PV_ALLOC((1 + PARTS) * (int64_t)rows->count, &f.x));
    f.y = f.x + rows->count;
    pv_status status = write_time(&f, directory);
    if (status == PV_OK) status = write_efficiency(&f, directory);
    pv_mem_free(f.x);
    return status;
}
