// SPDX-License-Identifier: Apache-2.0
#include "dns/figure/figure.h"

#include <math.h>
#include <stdio.h>

#include "base/check.h"
#include "base/mem.h"
#include "dns/figure/scalars.h"
#include "dns/figure/spectra.h"
#include "dns/figure/structure.h"
#include "dns/files/table.h"
#include "io/plot.h"

// ---- Series ---------------------------------------------------------------------------------------------------------

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
    const pv_plot plot = {.x_label = "t (time)", .y_label = label, .curves = curves, .curve_count = count};
    snprintf(path, sizeof path, "%s/%s", folder, file);
    PV_TRY(pv_plot_write(path, &plot));
    *drawn_p = 1;
    return PV_OK;
}

static int is_zero(const double *values, int count)
{
    for (int i = 0; values && i < count; i++)
        if (values[i] != 0.0) return 0;
    return 1;
}

static pv_status draw_all_series(const char *folder, const pv_table *t, pv_dns_figures *f)
{
    pv_plot_curve energy = {.colour = 1};
    pv_plot_curve power[] = {{.label = "dissipation \u03b5", .colour = 2},
                             {.label = "injection \u27e8u\u00b7f\u27e9", .colour = 3, .dashed = 1}};
    pv_plot_curve scales[] = {{.label = "Re_{\u03bb} / 100", .colour = 1},
                              {.label = "k_{max}\u03b7", .colour = 2},
                              {.label = "\u2212S", .colour = 3}};
    static const char *const energy_name = "energy", *const power_names[] = {"dissipation", "injection"};
    static const char *const scale_names[] = {"reynolds_taylor", "kmax_eta", "skewness"};
    double *scaled[2] = {NULL, NULL};
    // Nothing is injected where a flow decays.
    const int powers = is_zero(pv_table_column(t, "injection"), t->rows) ? 1 : 2;
    PV_TRY(draw_series(folder, "energy.svg", t, "E (length^{2} / time^{2})", &energy, &energy_name, 1, &f->energy));
    PV_TRY(draw_series(folder, "power.svg", t, "power (length^{2} / time^{3})", power, power_names, powers, &f->power));
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

static pv_status read_table(const char *folder, const char *name, pv_table *table, int *found_p)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    return pv_table_read(path, table, found_p);
}

// A file that is no table at all reads as one of strange names without lines.
static pv_status check_series(const char *folder, const pv_table *t)
{
    PV_REQUIRE(
        pv_table_column(t, "time") && pv_table_column(t, "energy"), PV_ERR_INPUT,
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
    if (status == PV_OK && spectra.rows > 1) status = pv_dns_spectra_draw(folder, &series, &spectra, figures_p);
    if (status == PV_OK && structure.rows > 1)
        status = pv_dns_structure_draw(folder, &series, &structure, &figures_p->structure);
    if (status == PV_OK) status = pv_dns_scalars_draw(folder, &series, &spectra, figures_p);
    if (status == PV_OK) status = check_drawn(folder, figures_p);
    pv_table_release(&series);
    pv_table_release(&spectra);
    pv_table_release(&structure);
    return status;
}
