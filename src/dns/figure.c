// SPDX-License-Identifier: Apache-2.0
#include "dns/figure.h"

#include <math.h>
#include <stdio.h>

#include "base/check.h"
#include "base/mem.h"
#include "dns/table.h"
#include "io/plot.h"

enum { MOST_TIMES = 5, MOST_CURVES = MOST_TIMES + 1 };

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

pv_status pv_dns_figures_write(const char *folder, pv_dns_figures *figures_p)
{
    char path[4096];
    pv_table series, spectra = {0};
    int has_series, has_spectra;
    *figures_p = (pv_dns_figures){0};
    snprintf(path, sizeof path, "%s/series.csv", folder);
    PV_TRY(pv_table_read(path, &series, &has_series));
    snprintf(path, sizeof path, "%s/spectra.csv", folder);
    pv_status status = pv_table_read(path, &spectra, &has_spectra);
    if (status == PV_OK && !has_series && !has_spectra)
        status = pv_fail(PV_ERR_INPUT, __func__,
                         "%s has neither series.csv nor spectra.csv; the folder of a run is needed", folder);
    if (status == PV_OK && series.rows > 1) status = draw_all_series(folder, &series, figures_p);
    if (status == PV_OK && spectra.rows > 1) status = draw_all_spectra(folder, &spectra, figures_p);
    pv_table_release(&series);
    pv_table_release(&spectra);
    return status;
}
