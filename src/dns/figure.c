// SPDX-License-Identifier: Apache-2.0
#include "dns/figure.h"

#include <math.h>
#include <stdio.h>

#include "base/check.h"
#include "base/mem.h"
#include "dns/table.h"
#include "io/plot.h"

enum { MOST_TIMES = 5, MOST_CURVES = MOST_TIMES + 1, MOST_DISTANCES = 64 };

// ---- Series ----------------------------------------------------------------------------------------------------------

static pv_status draw_series(const char *folder, const char *file, const pv_table *t, const char *label,
                             pv_plot_curve *curves, const char *const *names, int count, int *drawn_p)
{
    char path[4096];
    const double *time = pv_table_column(t, "time");
    for (int i = 0; i < count; i++) {
        curves[i].points = t->rows;
        curves[i].x = time;
        curves[i].y = pv_table_column(t, names[i]);
        PV_REQUIRE(time && curves[i].y, PV_ERR_INPUT, "%s/series.csv has no column time or %s", folder, names[i]);
    }
    const pv_plot plot = {.x_label = "t", .y_label = label, .curves = curves, .curve_count = count};
    snprintf(path, sizeof path, "%s/%s", folder, file);
    PV_TRY(pv_plot_write(path, &plot));
    *drawn_p = 1;
    return PV_OK;
}

static pv_status draw_all_series(const char *folder, const pv_table *t, pv_dns_figures *f)
{
    pv_plot_curve energy = {.colour = 1};
    pv_plot_curve power[] = {{.label = "dissipation", .colour = 2}, {.label = "injection", .colour = 3, .dashed = 1}};
    pv_plot_curve scales[] = {{.label = "Re_{\u03bb} / 100", .colour = 1},
                              {.label = "k_{max}\u03b7", .colour = 2},
                              {.label = "\u2212S", .colour = 3}};
    static const char *const energy_name = "energy", *const power_names[] = {"dissipation", "injection"};
    static const char *const scale_names[] = {"reynolds_taylor", "kmax_eta", "skewness"};
    double *scaled[2] = {NULL, NULL};
    PV_TRY(draw_series(folder, "energy.svg", t, "E", &energy, &energy_name, 1, &f->energy));
    PV_TRY(draw_series(folder, "power.svg", t, "power", power, power_names, 2, &f->power));
    pv_status status = PV_ALLOC(t->rows, &scaled[0]);
    if (status == PV_OK) status = PV_ALLOC(t->rows, &scaled[1]);
    const double *reynolds = pv_table_column(t, scale_names[0]), *skewness = pv_table_column(t, scale_names[2]);
    if (status == PV_OK && reynolds && skewness) {
        for (int i = 0; i < t->rows; i++) {
            scaled[0][i] = reynolds[i] / 100.0;
            scaled[1][i] = -skewness[i];
        }
        pv_table with = *t;
        for (int c = 0; c < t->columns; c++) {
            if (t->value[c] == reynolds) with.value[c] = scaled[0];
            if (t->value[c] == skewness) with.value[c] = scaled[1];
        }
        status = draw_series(folder, "scales.svg", &with, NULL, scales, scale_names, 3, &f->scales);
    }
    pv_mem_free(scaled[0]);
    pv_mem_free(scaled[1]);
    return status;
}

// ---- Spectra ---------------------------------------------------------------------------------------------------------

// Blocks of one time each: where they begin, and their end.
static int find_blocks(const double *time, int rows, int *begin)
{
    int count = 0;
    for (int i = 0; i < rows; i++)
        if (i == 0 || time[i] != time[i - 1]) begin[count++] = i;
    begin[count] = rows;
    return count;
}

typedef struct block {
    int first, count;
    char label[32];
} block;

// At most MOST_TIMES of them, first and last among them.
static int choose_blocks(const double *time, const int *begin, int count, block blocks[MOST_TIMES])
{
    const int chosen = count < MOST_TIMES ? count : MOST_TIMES;
    for (int i = 0; i < chosen; i++) {
        const int b = chosen > 1 ? (int)((long long)i * (count - 1) / (chosen - 1)) : 0;
        blocks[i].first = begin[b];
        blocks[i].count = begin[b + 1] - begin[b];
        snprintf(blocks[i].label, sizeof blocks[i].label, "t = %.4g", time[begin[b]]);
    }
    return chosen;
}

static void take_logarithms(const double *from, int rows, double *to)
{
    for (int i = 0; i < rows; i++) to[i] = from[i] > 0.0 ? log10(from[i]) : NAN;
}

// A line of slope -5/3 through 1.6 times the last spectrum at its fourth wave number.
static void add_inertial_slope(const block *last, const double *k, const double *e, double line[2][2],
                               pv_plot_curve *curve)
{
    const int at = last->count > 6 ? last->first + 4 : last->first + last->count - 1;
    line[0][0] = k[at] - 0.5;
    line[0][1] = k[at] + 0.7;
    for (int end = 0; end < 2; end++) line[1][end] = e[at] + 0.2 - 5.0 / 3.0 * (line[0][end] - k[at]);
    *curve = (pv_plot_curve){.label = "k^{\u22125/3}", .points = 2, .x = line[0], .y = line[1], .dashed = 1};
}

static pv_status draw_spectra(const char *folder, const block *blocks, int count, const double *k, const double *e)
{
    char path[4096];
    pv_plot_curve curves[MOST_CURVES] = {{0}};
    double line[2][2], top = -300.0;
    for (int i = 0; i < count; i++) {
        curves[i] = (pv_plot_curve){.label = blocks[i].label,
                                    .points = blocks[i].count,
                                    .x = k + blocks[i].first,
                                    .y = e + blocks[i].first,
                                    .colour = i + 1};
        for (int j = 0; j < blocks[i].count; j++) top = fmax(top, isnan(curves[i].y[j]) ? -300.0 : curves[i].y[j]);
    }
    add_inertial_slope(&blocks[count - 1], k, e, line, &curves[count]);
    double low = top;
    for (int j = 0; j < blocks[count - 1].count; j++)
        if (!isnan(curves[count - 1].y[j])) low = fmin(low, curves[count - 1].y[j]);
    // Empty shells hold round-off: nothing below ten decades.
    low = fmax(low, top - 10.0);
    const pv_plot plot = {.x_label = "k",
                          .y_label = "E(k)",
                          .x_log = 1,
                          .y_log = 1,
                          .y_range = {floor(low), ceil(top + 0.3)},
                          .curves = curves,
                          .curve_count = count + 1};
    snprintf(path, sizeof path, "%s/spectra.svg", folder);
    return pv_plot_write(path, &plot);
}

static pv_status draw_flux(const char *folder, const block *last, const double *k, const double *flux)
{
    char path[4096];
    pv_plot_curve curve = {
        .points = last->count, .x = k + last->first, .y = flux + last->first, .colour = 1, .filled = 1};
    const pv_plot plot = {
        .x_label = "k", .y_label = "\u03a0(k)", .x_log = 1, .title = last->label, .curves = &curve, .curve_count = 1};
    snprintf(path, sizeof path, "%s/flux.svg", folder);
    return pv_plot_write(path, &plot);
}

static pv_status draw_all_spectra(const char *folder, const pv_table *t, pv_dns_figures *f)
{
    const double *time = pv_table_column(t, "time"), *k = pv_table_column(t, "k"), *e = pv_table_column(t, "energy");
    const double *flux = pv_table_column(t, "flux");
    PV_REQUIRE(time && k && e && flux, PV_ERR_INPUT, "%s/spectra.csv has not the columns time, k, energy, flux",
               folder);
    double *logs[2] = {NULL, NULL};
    int *begin = NULL;
    block blocks[MOST_TIMES];
    pv_status status = PV_ALLOC(t->rows, &logs[0]);
    if (status == PV_OK) status = PV_ALLOC(t->rows, &logs[1]);
    if (status == PV_OK) status = PV_ALLOC(t->rows + 1, &begin);
    if (status == PV_OK) {
        take_logarithms(k, t->rows, logs[0]);
        take_logarithms(e, t->rows, logs[1]);
        const int blocks_found = find_blocks(time, t->rows, begin);
        const int count = choose_blocks(time, begin, blocks_found, blocks);
        status = draw_spectra(folder, blocks, count, logs[0], logs[1]);
        if (status == PV_OK) status = draw_flux(folder, &blocks[count - 1], logs[0], flux);
    }
    f->spectra = f->flux = status == PV_OK;
    for (int i = 0; i < 2; i++) pv_mem_free(logs[i]);
    pv_mem_free(begin);
    return status;
}

// ---- Structure functions ---------------------------------------------------------------------------------------------

// Means over the axes of a time, by distance.
typedef struct distances {
    int count, axes[MOST_DISTANCES];
    double r[MOST_DISTANCES], second[MOST_DISTANCES], third[MOST_DISTANCES];
} distances;

static int place_of(distances *d, double r)
{
    int i = 0;
    while (i < d->count && fabs(d->r[i] - r) > 1e-9 * r) i++;
    if (i == d->count && i < MOST_DISTANCES) d->r[d->count++] = r;
    return i;
}

static pv_status collect_distances(const char *folder, const pv_table *t, double *time_p, distances *d)
{
    const double *time = pv_table_column(t, "time"), *r = pv_table_column(t, "r");
    const double *second = pv_table_column(t, "longitudinal_2"), *third = pv_table_column(t, "longitudinal_3");
    PV_REQUIRE(time && r && second && third, PV_ERR_INPUT,
               "%s/structure.csv has not the columns time, r, longitudinal_2, longitudinal_3", folder);
    *time_p = time[t->rows - 1];
    for (int row = 0; row < t->rows; row++) {
        if (time[row] != *time_p) continue;
        const int i = place_of(d, r[row]);
        if (i == MOST_DISTANCES) continue;
        d->axes[i]++;
        d->second[i] += second[row];
        d->third[i] += third[row];
    }
    return PV_OK;
}

// What Kolmogorov says of the inertial range: <du^2> = 2.1 (eps r)^(2/3), <du^3> = -4/5 eps r.
static pv_status draw_structure(const char *folder, const pv_table *series, const pv_table *t, int *drawn_p)
{
    char path[4096], title[32];
    distances d = {.count = 0};
    double time = 0.0, eps = 0.0, x[MOST_DISTANCES], y[2][MOST_DISTANCES];
    PV_TRY(collect_distances(folder, t, &time, &d));
    const double *when = pv_table_column(series, "time"), *dissipation = pv_table_column(series, "dissipation");
    for (int row = 0; when && dissipation && row < series->rows; row++)
        if (when[row] == time) eps = dissipation[row];
    if (!(eps > 0.0)) return PV_OK;
    static const double laws[2][2] = {{2.1, 2.1}, {0.8, 0.8}};
    double range[2] = {laws[1][0], laws[0][0]};
    for (int i = 0; i < d.count; i++) {
        x[i] = log10(d.r[i]);
        y[0][i] = d.second[i] / d.axes[i] / pow(eps * d.r[i], 2.0 / 3.0);
        y[1][i] = -d.third[i] / d.axes[i] / (eps * d.r[i]);
        for (int o = 0; o < 2; o++) range[0] = fmin(range[0], y[o][i]), range[1] = fmax(range[1], y[o][i]);
    }
    const double room = 0.05 * (range[1] - range[0]), ends[2] = {x[0], x[d.count - 1]};
    const pv_plot_curve curves[] = {
        {.label = "\u27e8\u03b4u^{2}\u27e9 / (\u03b5r)^{2/3}", .points = d.count, .x = x, .y = y[0], .colour = 1},
        {.label = "2.1", .points = 2, .x = ends, .y = laws[0], .colour = 1, .dashed = 1},
        {.label = "\u2212\u27e8\u03b4u^{3}\u27e9 / \u03b5r", .points = d.count, .x = x, .y = y[1], .colour = 2},
        {.label = "4/5", .points = 2, .x = ends, .y = laws[1], .colour = 2, .dashed = 1}};
    snprintf(title, sizeof title, "t = %.4g", time);
    const pv_plot plot = {.title = title,
                          .x_label = "r",
                          .x_log = 1,
                          .y_range = {range[0] - room, range[1] + room},
                          .curves = curves,
                          .curve_count = 4};
    snprintf(path, sizeof path, "%s/structure.svg", folder);
    PV_TRY(pv_plot_write(path, &plot));
    *drawn_p = 1;
    return PV_OK;
}

static pv_status read_table(const char *folder, const char *name, pv_table *table, int *found_p)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    return pv_table_read(path, table, found_p);
}

// A file that is no table at all reads as one of strange names without lines.
static pv_status check_series(const char *folder, const pv_table *t)
{
    PV_REQUIRE(pv_table_column(t, "time") && pv_table_column(t, "energy"), PV_ERR_INPUT,
               "%s/series.csv is empty or no table of parseval dns: it has no columns time and energy; the folder of a run "
               "is needed",
               folder);
    PV_REQUIRE(t->rows > 0, PV_ERR_INPUT, "%s/series.csv has no lines below the names; the folder of a run is needed",
               folder);
    return PV_OK;
}

static pv_status check_drawn(const char *folder, const pv_dns_figures *f)
{
    PV_REQUIRE(f->energy || f->power || f->scales || f->spectra || f->flux || f->structure, PV_ERR_INPUT,
               "%s has one time alone in its tables; a run of two observations or a spectrum is needed", folder);
    return PV_OK;
}

pv_status pv_dns_figures_write(const char *folder, pv_dns_figures *figures_p)
{
    pv_table series = {0}, spectra = {0}, structure = {0};
    int has_series = 0, has_spectra = 0, has_structure = 0;
    *figures_p = (pv_dns_figures){0};
    pv_status status = read_table(folder, "series", &series, &has_series);
    if (status == PV_OK) status = read_table(folder, "spectra", &spectra, &has_spectra);
    if (status == PV_OK) status = read_table(folder, "structure", &structure, &has_structure);
    if (status == PV_OK && !has_series && !has_spectra)
        status = pv_fail(PV_ERR_INPUT, __func__,
                         "%s has neither series.csv nor spectra.csv; the folder of a run is needed", folder);
    if (status == PV_OK && has_series) status = check_series(folder, &series);
    if (status == PV_OK && series.rows > 1) status = draw_all_series(folder, &series, figures_p);
    if (status == PV_OK && spectra.rows > 1) status = draw_all_spectra(folder, &spectra, figures_p);
    if (status == PV_OK && structure.rows > 1)
        status = draw_structure(folder, &series, &structure, &figures_p->structure);
    if (status == PV_OK) status = check_drawn(folder, figures_p);
    pv_table_release(&series);
    pv_table_release(&spectra);
    pv_table_release(&structure);
    return status;
}
