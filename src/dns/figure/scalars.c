// SPDX-License-Identifier: Apache-2.0
#include "dns/figure/scalars.h"

#include <math.h>
#include <stdio.h>

#include "base/check.h"
#include "base/mem.h"
#include "dns/figure/scales.h"
#include "io/plot.h"

enum { MOST_SCALARS = 16, MOST_CURVES = 2 * MOST_SCALARS + 1 };

// Of spectra in three dimensions of turbulence of high Reynolds numbers (Obukhov and Corrsin), as d<c^2>/dt = - chi and
// the integral of the spectrum is <c^2>: 5/3 of the constant 0.4 of one dimension (Sreenivasan 1996).
static const double obukhov_corrsin_constant = 0.67;

static const double *column_of(const pv_table *t, const char *name, int scalar)
{
    char numbered[64];
    snprintf(numbered, sizeof numbered, scalar == 1 ? "%s" : "%s_%d", name, scalar);
    return pv_table_column(t, numbered);
}

// The first one's columns of a series are there without it, too: then they are 0.
static int has_scalar(const pv_table *t, int scalar)
{
    const double *variance = column_of(t, "scalar_variance", scalar);
    for (int row = 0; variance && row < t->rows; row++)
        if (variance[row] != 0.0) return 1;
    return 0;
}

static void name_curve(char label[32], const char *quantity, int scalar, int scalars)
{
    if (scalars > 1)
        snprintf(label, 32, "%s_{%d}", quantity, scalar);
    else
        snprintf(label, 32, "%s", quantity);
}

static pv_status write(const char *folder, const char *file, const pv_plot *plot)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return pv_plot_write(path, plot);
}

// ---- In time --------------------------------------------------------------------------------------------------------

typedef struct curves {
    int count;
    pv_plot_curve of[MOST_CURVES];
    char label[MOST_CURVES][32];
} curves;

// One of each scalar that has such a column which is not 0 throughout.
static void add_series(const pv_table *t, const char *name, const char *quantity, int scalars, int dashed, curves *c)
{
    for (int scalar = 1; scalar <= scalars; scalar++) {
        const double *y = column_of(t, name, scalar);
        int is_zero = 1;
        for (int row = 0; y && row < t->rows; row++) is_zero = is_zero && y[row] == 0.0;
        if (is_zero) continue;
        name_curve(c->label[c->count], quantity, scalar, scalars);
        c->of[c->count] = (pv_plot_curve){.label = c->label[c->count],
                                          .points = t->rows,
                                          .x = pv_table_column(t, "time"),
                                          .y = y,
                                          .colour = scalar,
                                          .dashed = dashed};
        c->count++;
    }
}

static pv_status draw_series(const char *folder, const pv_table *t, int scalars, pv_dns_figures *f)
{
    curves variance = {0}, budget = {0}, mixed = {0};
    add_series(t, "scalar_variance", "\u27e8c^{2}\u27e9", scalars, 0, &variance);
    add_series(t, "scalar_dissipation", "\u03c7", scalars, 0, &budget);
    add_series(t, "scalar_production", "\u22122 G\u00b7\u27e8u c\u27e9", scalars, 1, &budget);
    add_series(t, "mixed_skewness", "S_{uc}", scalars, 0, &mixed);
    const pv_plot of_variance = {.x_label = "t (time)",
                                 .y_label = "variance of scalars",
                                 .curves = variance.of,
                                 .curve_count = variance.count};
    const pv_plot of_budget = {.x_label = "t (time)",
                               .y_label = "rates of variance (1 / time)",
                               .curves = budget.of,
                               .curve_count = budget.count};
    const pv_plot of_mixed = {.x_label = "t (time)",
                              .y_label = "mixed skewness of derivatives",
                              .curves = mixed.of,
                              .curve_count = mixed.count};
    PV_TRY(write(folder, "scalars.svg", &of_variance));
    f->scalars = 1;
    f->scalar_power = budget.count > 0;
    f->mixed_skewness = mixed.count > 0;
    if (budget.count > 0) PV_TRY(write(folder, "scalar_power.svg", &of_budget));
    return mixed.count > 0 ? write(folder, "mixed_skewness.svg", &of_mixed) : PV_OK;
}

// ---- Of the last time -----------------------------------------------------------------------------------------------

// Rows of shells above the mean, up to the last that is whole.
typedef struct last_time {
    int first, count;
    double time;
    pv_dns_figure_scales scales;
} last_time;

static last_time last_of(const pv_table *series, const pv_table *t)
{
    const double *time = pv_table_column(t, "time"), *k = pv_table_column(t, "k");
    last_time l = {.first = t->rows - 1, .time = time[t->rows - 1]};
    while (l.first > 0 && time[l.first - 1] == l.time) l.first--;
    while (l.first < t->rows && !(k[l.first] > 0.0)) l.first++;
    l.scales = pv_dns_figure_scales_at(series, l.time);
    while (l.first + l.count < t->rows && (l.count < 2 || k[l.first + l.count] <= 1.000001 * l.scales.kmax)) l.count++;
    return l;
}

static double dissipation_at(const pv_table *series, double time, int scalar)
{
    const double *when = pv_table_column(series, "time"), *chi = column_of(series, "scalar_dissipation", scalar);
    for (int row = 0; when && chi && row < series->rows; row++)
        if (when[row] == time) return chi[row];
    return 0.0;
}

// 0.67 chi eps^(-1/3) k^(-5/3) of the first scalar, up to k eta = 0.3 and over half a decade at least.
static void add_law(const pv_table *series, const last_time *l, const double *log_k, double line[2][2], curves *c)
{
    const double eps = l->scales.dissipation, eta = l->scales.kolmogorov, chi = dissipation_at(series, l->time, 1);
    if (!(eps > 0.0 && eta > 0.0 && chi > 0.0) || l->count < 2) return;
    line[0][0] = log_k[0];
    line[0][1] = fmin(fmax(log10(0.3 / eta), log_k[0] + 0.5), log_k[l->count - 1]);
    for (int end = 0; end < 2; end++)
        line[1][end] = log10(obukhov_corrsin_constant * chi) - log10(eps) / 3.0 - 5.0 / 3.0 * line[0][end];
    const int is_alone = c->count == 1;
    c->of[c->count++] = (pv_plot_curve){.label = is_alone ? "0.67 \u03c7\u03b5^{\u22121/3}k^{\u22125/3}"
                                                          : "0.67 \u03c7_{1}\u03b5^{\u22121/3}k^{\u22125/3}",
                                        .points = 2,
                                        .x = line[0],
                                        .y = line[1],
                                        .dashed = 1};
}

// From the highest down to what the least of the spectra has in the last shells, at most ten decades.
static void choose_decades(const curves *c, double range[2])
{
    double top = -300.0, low = 300.0;
    for (int i = 0; i < c->count; i++)
        for (int j = 0; j < c->of[i].points; j++) {
            if (isnan(c->of[i].y[j])) continue;
            top = fmax(top, c->of[i].y[j]);
            low = fmin(low, c->of[i].y[j]);
        }
    range[0] = floor(fmax(low, top - 10.0));
    range[1] = ceil(top + 0.1);
}

static pv_status draw_spectra(const char *folder, const pv_table *series, const pv_table *t, const last_time *l,
                              int scalars, const double *log_k, double *log_e, pv_dns_figures *f)
{
    curves c = {0};
    double line[2][2];
    char title[64];
    for (int scalar = 1; scalar <= scalars; scalar++) {
        const double *e = column_of(t, "scalar_variance", scalar);
        double *y = log_e + (scalar - 1) * l->count;
        for (int i = 0; i < l->count; i++) y[i] = e[l->first + i] > 0.0 ? log10(e[l->first + i]) : NAN;
        name_curve(c.label[c.count], "E_{c}", scalar, 1);
        if (scalars > 1) snprintf(c.label[c.count], sizeof c.label[0], "E_{c%d}", scalar);
        c.of[c.count] = (pv_plot_curve){.label = c.label[c.count],
                                        .points = l->count,
                                        .x = log_k,
                                        .y = y,
                                        .colour = scalar,
                                        .mark = isnan(y[1]) ? PV_MARK_DISC : PV_MARK_NONE};
        c.count++;
    }
    add_law(series, l, log_k, line, &c);
    snprintf(title, sizeof title, "t = %.4g", l->time);
    pv_plot plot = {.title = title,
                    .x_label = "k (1 / length)",
                    .y_label = "E_{c}(k) (length)",
                    .x_log = 1,
                    .y_log = 1,
                    .curves = c.of,
                    .curve_count = c.count};
    choose_decades(&c, plot.y_range);
    PV_TRY(write(folder, "scalar_spectra.svg", &plot));
    f->scalar_spectra = 1;
    return PV_OK;
}

// Over what is dissipated: 1 between where variance is fed and where it is dissipated.
static pv_status draw_flux(const char *folder, const pv_table *series, const pv_table *t, const last_time *l,
                           int scalars, const double *log_k, double *flux, pv_dns_figures *f)
{
    static const double one = 1.0;
    curves c = {0};
    char title[64];
    for (int scalar = 1; scalar <= scalars; scalar++) {
        const double *of = column_of(t, "scalar_flux", scalar), chi = dissipation_at(series, l->time, scalar);
        double *y = flux + (scalar - 1) * l->count;
        if (!of || !(chi > 0.0)) continue;
        for (int i = 0; i < l->count; i++) y[i] = of[l->first + i] / chi;
        name_curve(c.label[c.count], "c", scalar, scalars);
        c.of[c.count] = (pv_plot_curve){.label = scalars > 1 ? c.label[c.count] : NULL,
                                        .points = l->count,
                                        .x = log_k,
                                        .y = y,
                                        .colour = scalar,
                                        .filled = scalars == 1};
        c.count++;
    }
    if (c.count == 0) return PV_OK;
    snprintf(title, sizeof title, "t = %.4g", l->time);
    const pv_plot plot = {.title = title,
                          .x_label = "k (1 / length)",
                          .y_label = "\u03a0_{c}(k) / \u03c7",
                          .x_log = 1,
                          .y_lines = &one,
                          .y_line_count = 1,
                          .curves = c.of,
                          .curve_count = c.count};
    PV_TRY(write(folder, "scalar_flux.svg", &plot));
    f->scalar_flux = 1;
    return PV_OK;
}

static pv_status draw_last(const char *folder, const pv_table *series, const pv_table *t, int scalars,
                           pv_dns_figures *f)
{
    const last_time l = last_of(series, t);
    const double *k = pv_table_column(t, "k");
    double *room = NULL;
    if (l.count < 2) return PV_OK;
    PV_TRY(PV_ALLOC(l.count * (1 + scalars), &room));
    for (int i = 0; i < l.count; i++) room[i] = log10(k[l.first + i]);
    pv_status status = draw_spectra(folder, series, t, &l, scalars, room, room + l.count, f);
    if (status == PV_OK) status = draw_flux(folder, series, t, &l, scalars, room, room + l.count, f);
    pv_mem_free(room);
    return status;
}

pv_status pv_dns_scalars_draw(const char *folder, const pv_table *series, const pv_table *spectra, pv_dns_figures *f)
{
    int scalars = 0, with_spectra = 0;
    while (scalars < MOST_SCALARS && has_scalar(series, scalars + 1)) scalars++;
    while (with_spectra < MOST_SCALARS && has_scalar(spectra, with_spectra + 1)) with_spectra++;
    if (scalars > 0 && series->rows > 1) PV_TRY(draw_series(folder, series, scalars, f));
    return with_spectra > 0 ? draw_last(folder, series, spectra, with_spectra, f) : PV_OK;
}
