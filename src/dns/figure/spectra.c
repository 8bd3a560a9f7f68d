// SPDX-License-Identifier: Apache-2.0
#include "dns/figure/spectra.h"

#include <math.h>
#include <stdio.h>

#include "base/check.h"
#include "base/mem.h"
#include "dns/figure/scales.h"
#include "io/plot.h"

enum { MOST_TIMES = 5, MOST_CURVES = MOST_TIMES + 1 };
static const double kolmogorov_constant = 1.6; // what the largest simulations and measurements agree on within a tenth

// ---- Times ----------------------------------------------------------------------------------------------------------

// Rows of one time, from the first shell that has energy to the last that is whole: those beyond are the corners of
// the kept modes.
typedef struct block {
    int first, count;
    pv_dns_figure_scales scales;
    char label[32];
} block;

// Logarithms of k and E, NAN where there is none.
typedef struct columns {
    const double *time, *k, *flux;
    double *log_k, *log_e;
} columns;

// Where times begin, and the end.
static int find_times(const double *time, int rows, int *begin)
{
    int count = 0;
    for (int i = 0; i < rows; i++)
        if (i == 0 || time[i] != time[i - 1]) begin[count++] = i;
    begin[count] = rows;
    return count;
}

static block block_of(const columns *c, const pv_table *series, int begin, int end)
{
    block b = {.first = begin, .scales = pv_dns_figure_scales_at(series, c->time[begin])};
    double top = -300.0;
    for (int row = begin; row < end; row++) top = isnan(c->log_e[row]) ? top : fmax(top, c->log_e[row]);
    // Large scales without energy hold round-off.
    while (b.first < end && !(c->k[b.first] > 0.0 && c->log_e[b.first] > top - 10.0)) b.first++;
    while (b.first + b.count < end && (b.count < 2 || c->k[b.first + b.count] <= 1.000001 * b.scales.kmax)) b.count++;
    snprintf(b.label, sizeof b.label, "t = %.4g", c->time[begin]);
    return b;
}

// At most MOST_TIMES of them, first and last among them.
static int choose_blocks(const columns *c, const pv_table *series, const int *begin, int count,
                         block blocks[MOST_TIMES])
{
    const int chosen = count < MOST_TIMES ? count : MOST_TIMES;
    for (int i = 0; i < chosen; i++) {
        const int b = chosen > 1 ? (int)((long long)i * (count - 1) / (chosen - 1)) : 0;
        blocks[i] = block_of(c, series, begin[b], begin[b + 1]);
    }
    return chosen;
}

// ---- E(k) -----------------------------------------------------------------------------------------------------------

// E = 1.6 eps^(2/3) k^(-5/3) of the last time, over the wave numbers between energy and dissipation: up to k eta = 0.3,
// and over half a decade where there are none.
static int add_law(const block *last, const columns *c, double line[2][2], pv_plot_curve *curve)
{
    const double eps = last->scales.dissipation, eta = last->scales.kolmogorov;
    if (eps == 0.0 || eta == 0.0 || last->count < 2) return 0;
    line[0][0] = c->log_k[last->first];
    line[0][1] = fmin(fmax(log10(0.3 / eta), line[0][0] + 0.5), c->log_k[last->first + last->count - 1]);
    for (int end = 0; end < 2; end++)
        line[1][end] = log10(kolmogorov_constant) + 2.0 / 3.0 * log10(eps) - 5.0 / 3.0 * line[0][end];
    *curve =
        (pv_plot_curve){.label = "1.6 \u03b5^{2/3}k^{\u22125/3}", .points = 2, .x = line[0], .y = line[1], .dashed = 1};
    return 1;
}

// Of the last time and the law; empty shells hold round-off, so nothing lies below ten decades.
static void choose_decades(const pv_plot_curve *curves, int spectra, int count, double range[2])
{
    double top = -300.0, low = 300.0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < curves[i].points; j++) {
            const double e = curves[i].y[j];
            if (isnan(e)) continue;
            top = fmax(top, e);
            if (i >= spectra - 1) low = fmin(low, e);
        }
    range[0] = floor(fmax(low, top - 10.0));
    range[1] = ceil(top + 0.1);
}

static int is_one_shell(const block *b, const columns *c)
{
    return b->count < 2 || isnan(c->log_e[b->first + 1]);
}

static pv_status draw_energy(const char *folder, const block *blocks, int count, const columns *c)
{
    char path[4096];
    pv_plot_curve curves[MOST_CURVES] = {{0}};
    double line[2][2];
    for (int i = 0; i < count; i++)
        curves[i] = (pv_plot_curve){.label = blocks[i].label,
                                    .points = blocks[i].count,
                                    .x = c->log_k + blocks[i].first,
                                    .y = c->log_e + blocks[i].first,
                                    .mark = is_one_shell(&blocks[i], c) ? PV_MARK_DISC : PV_MARK_NONE,
                                    .colour = i + 1};
    const int laws = add_law(&blocks[count - 1], c, line, &curves[count]);
    pv_plot plot = {.x_label = "k (1 / length)",
                    .y_label = "E(k) (length^{3} / time^{2})",
                    .x_log = 1,
                    .y_log = 1,
                    .curves = curves,
                    .curve_count = count + laws};
    choose_decades(curves, count, count + laws, plot.y_range);
    snprintf(path, sizeof path, "%s/spectra.svg", folder);
    return pv_plot_write(path, &plot);
}

// ---- E(k) over Kolmogorov's law -------------------------------------------------------------------------------------

// Of the later half of the times that E(k) is drawn of: turbulence takes time to develop. x, y: as long as the table.
static pv_status draw_compensated(const char *folder, const block *blocks, int count, const columns *c, double *x,
                                  double *y, int *drawn_p)
{
    char path[4096];
    pv_plot_curve curves[MOST_CURVES] = {{0}};
    double ends[2] = {300.0, -300.0}, top = kolmogorov_constant;
    const double law[2] = {kolmogorov_constant, kolmogorov_constant};
    int drawn = 0;
    for (int i = count / 2; i < count; i++) {
        const block *b = &blocks[i];
        const double eps = b->scales.dissipation, eta = b->scales.kolmogorov;
        if (eps == 0.0 || eta == 0.0) continue;
        for (int row = b->first; row < b->first + b->count; row++) {
            x[row] = c->log_k[row] + log10(eta);
            y[row] =
                isnan(c->log_e[row]) ? 0.0 : pow(10.0, c->log_e[row] + 5.0 / 3.0 * c->log_k[row]) / pow(eps, 2.0 / 3.0);
            ends[0] = fmin(ends[0], x[row]);
            ends[1] = fmax(ends[1], x[row]);
            top = fmax(top, y[row]);
        }
        curves[drawn++] = (pv_plot_curve){
            .label = b->label, .points = b->count, .x = x + b->first, .y = y + b->first, .colour = i + 1};
    }
    if (drawn == 0 || !(ends[1] > ends[0])) return PV_OK;
    curves[drawn] = (pv_plot_curve){.label = "1.6", .points = 2, .x = ends, .y = law, .dashed = 1};
    const pv_plot plot = {.x_label = "k\u03b7",
                          .y_label = "E(k) k^{5/3} \u03b5^{\u22122/3}",
                          .x_log = 1,
                          .y_range = {0.0, 1.05 * top},
                          .curves = curves,
                          .curve_count = drawn + 1};
    snprintf(path, sizeof path, "%s/compensated.svg", folder);
    PV_TRY(pv_plot_write(path, &plot));
    *drawn_p = 1;
    return PV_OK;
}

// ---- Flux -----------------------------------------------------------------------------------------------------------

// Between forcing and dissipation the flux is what is dissipated.
static pv_status draw_flux(const char *folder, const block *last, const columns *c)
{
    char path[4096];
    const double eps = last->scales.dissipation, level[2] = {eps, eps};
    const double ends[2] = {c->log_k[last->first], c->log_k[last->first + last->count - 1]};
    const pv_plot_curve curves[] = {{.label = last->label,
                                     .points = last->count,
                                     .x = c->log_k + last->first,
                                     .y = c->flux + last->first,
                                     .colour = 1,
                                     .filled = 1},
                                    {.label = "\u03b5", .points = 2, .x = ends, .y = level, .dashed = 1}};
    const pv_plot plot = {.x_label = "k (1 / length)",
                          .y_label = "\u03a0(k) (length^{2} / time^{3})",
                          .x_log = 1,
                          .curves = curves,
                          .curve_count = eps > 0.0 ? 2 : 1};
    snprintf(path, sizeof path, "%s/flux.svg", folder);
    return pv_plot_write(path, &plot);
}

// ---- All ------------------------------------------------------------------------------------------------------------

static void take_logarithms(const double *from, int rows, double *to)
{
    for (int i = 0; i < rows; i++) to[i] = from[i] > 0.0 ? log10(from[i]) : NAN;
}

static pv_status draw(const char *folder, const pv_table *series, const columns *c, int rows, int *begin, double *x,
                      double *y, pv_dns_figures *f)
{
    block blocks[MOST_TIMES];
    const int count = choose_blocks(c, series, begin, find_times(c->time, rows, begin), blocks);
    PV_TRY(draw_energy(folder, blocks, count, c));
    PV_TRY(draw_flux(folder, &blocks[count - 1], c));
    f->spectra = f->flux = 1;
    return draw_compensated(folder, blocks, count, c, x, y, &f->compensated);
}

pv_status pv_dns_spectra_draw(const char *folder, const pv_table *series, const pv_table *t, pv_dns_figures *f)
{
    columns c = {.time = pv_table_column(t, "time"), .k = pv_table_column(t, "k"), .flux = pv_table_column(t, "flux")};
    const double *e = pv_table_column(t, "energy");
    PV_REQUIRE(c.time && c.k && e && c.flux, PV_ERR_INPUT, "%s/spectra.csv has not the columns time, k, energy, flux",
               folder);
    double *room[4] = {NULL};
    int *begin = NULL;
    pv_status status = PV_ALLOC(t->rows + 1, &begin);
    for (int i = 0; i < 4 && status == PV_OK; i++) status = PV_ALLOC(t->rows, &room[i]);
    if (status == PV_OK) {
        c.log_k = room[0];
        c.log_e = room[1];
        take_logarithms(c.k, t->rows, c.log_k);
        take_logarithms(e, t->rows, c.log_e);
        status = draw(folder, series, &c, t->rows, begin, room[2], room[3], f);
    }
    for (int i = 0; i < 4; i++) pv_mem_free(room[i]);
    pv_mem_free(begin);
    return status;
}
