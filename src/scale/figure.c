// SPDX-License-Identifier: Apache-2.0
#include "scale/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "io/plot.h"

enum { MOST_LINES = 6, MODEL_POINTS = 120, MOST_TICKS = 24, MOST_LABELS = 12 };

static const double width_pt = 330.0, height_pt = 220.0; // room for 1024 beside 2048

typedef struct figure {
    const pv_scale_study *study;
    int curves;
    pv_plot_curve curve[2 * MOST_LINES + 1];
    char label[2 * MOST_LINES + 1][40];
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

// From the reference on: the model is to be seen beside the points that it was fitted to.
static void draw_model(figure *f, int l, quantity value)
{
    const pv_scale_study *s = f->study;
    const pv_scale_line *line = &s->line[l];
    const double first = s->run[line->run[0]].count, last = s->settings.most;
    double *x, *y;
    if (!(last > first) || line->points < 2) return;
    pv_plot_curve *curve = begin_curve(f, MODEL_POINTS, &x, &y);
    for (int i = 0; i < MODEL_POINTS; i++) {
        x[i] = log10(first) + (log10(last) - log10(first)) * i / (MODEL_POINTS - 1);
        y[i] = value(s, line, NULL, pow(10.0, x[i]));
    }
    curve->colour = l + 1;
    curve->dashed = 1;
    curve->width_pt = 0.8;
    set_label(f, s->lines > 1 ? "model, %s" : "model", written(line->transport));
}

static void draw_ideal(figure *f)
{
    const pv_scale_study *s = f->study;
    const pv_scale_run *reference = &s->run[s->reference];
    double *x, *y;
    const double last = fmax(s->settings.most, s->run[s->runs - 1].count);
    pv_plot_curve *curve = begin_curve(f, 2, &x, &y);
    x[0] = log10(reference->count);
    x[1] = log10(fmax(last, 2.0 * reference->count));
    y[0] = log10(reference->prediction.total_s);
    y[1] = y[0] - (x[1] - x[0]);
    curve->width_pt = 0.6;
    set_label(f, "ideal", "");
}

// ---- Axes --------------------------------------------------------------------------------------------------------

// Powers of two.
static int make_ticks(const double range[2], pv_plot_tick *ticks, char labels[MOST_TICKS][12])
{
    int count = 0;
    const int all = (int)floor(range[1] / log10(2.0) + 1e-9) + 1, stride = all > MOST_LABELS ? 2 : 1;
    for (int power = 0; power < all && count < MOST_TICKS; power++) {
        const double at = power * log10(2.0);
        if (at < range[0] - 1e-9) continue;
        if ((all - 1 - power) % stride)
            labels[count][0] = '\0';
        else
            snprintf(labels[count], sizeof labels[0], "%.0f", pow(2.0, power));
        ticks[count] = (pv_plot_tick){at, labels[count]};
        count++;
    }
    return count;
}

static void find_range(const figure *f, int first_curve, const double **values, double range[2])
{
    range[0] = 1e300;
    range[1] = -1e300;
    for (int k = first_curve; k < f->curves; k++)
        for (int i = 0; i < f->curve[k].points; i++) {
            range[0] = fmin(range[0], values[k][i]);
            range[1] = fmax(range[1], values[k][i]);
        }
}

static pv_status write(const figure *f, const char *directory, const char *name, const char *y_label, int is_time)
{
    char path[4096], x_label[64], labels[MOST_TICKS][12];
    const double *x[2 * MOST_LINES + 1], *y[2 * MOST_LINES + 1];
    static const double levels[] = {50.0, 70.0};
    pv_plot_tick ticks[MOST_TICKS];
    double across[2], up[2];
    for (int k = 0; k < f->curves; k++) x[k] = f->curve[k].x, y[k] = f->curve[k].y;
    find_range(f, 0, x, across);
    find_range(f, is_time, y, up); // the ideal line may leave the frame
    snprintf(x_label, sizeof x_label, "Number of %s", f->study->unit);
    pv_plot plot = {.x_label = x_label,
                    .y_label = y_label,
                    .curves = f->curve,
                    .curve_count = f->curves,
                    .width_pt = width_pt,
                    .height_pt = height_pt};
    plot.x_range[0] = across[0] - 0.03 * (across[1] - across[0]);
    plot.x_range[1] = across[1] + 0.03 * (across[1] - across[0]);
    plot.x_ticks = ticks;
    plot.x_tick_count = make_ticks(plot.x_range, ticks, labels);
    plot.short_ticks = 1;
    plot.y_log = is_time;
    plot.y_range[0] = is_time ? floor(up[0] - 0.3) : 0.0;
    plot.y_range[1] = is_time ? ceil(up[1] + 0.05) : fmax(10.0 * ceil(up[1] / 10.0 + 0.5), 110.0);
    plot.y_lines = levels;
    plot.y_line_count = is_time ? 0 : 2;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return pv_plot_write(path, &plot);
}

// ---- Figures -----------------------------------------------------------------------------------------------------

static void draw_all(figure *f, quantity value)
{
    const int lines = f->study->lines < MOST_LINES ? f->study->lines : MOST_LINES;
    for (int l = 0; l < lines; l++) draw_model(f, l, value);
    for (int l = 0; l < lines; l++) draw_points(f, l, value);
}

pv_status pv_scale_figures_write(const char *directory, const pv_scale_study *study)
{
    figure f = {.study = study};
    char label[64];
    const int64_t numbers = 2 * ((int64_t)MODEL_POINTS * MOST_LINES + (study->runs + 1) * MOST_LINES + 2);
    PV_TRY(PV_ALLOC(numbers, &f.numbers));
    draw_ideal(&f);
    draw_all(&f, log_seconds);
    snprintf(label, sizeof label, "Time of %d iteration%s (s)", study->settings.iterations,
             study->settings.iterations == 1 ? "" : "s");
    pv_status status = write(&f, directory, "scaling_time.svg", label, 1);
    f.curves = 0;
    f.used = 0;
    draw_all(&f, percent);
    if (status == PV_OK) status = write(&f, directory, "scaling_efficiency.svg", "Parallel efficiency (%)", 0);
    pv_mem_free(f.numbers);
    return status;
}
