// SPDX-License-Identifier: Apache-2.0
#include "dns/figure/structure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "dns/figure/scales.h"
#include "io/plot.h"

enum { MOST_DISTANCES = 64 };

// Sums over the axes of a time, by distance from the smallest on.
typedef struct distances {
    int count;
    struct distance {
        int axes;
        double r, second, third;
    } at[MOST_DISTANCES];
} distances;

// NULL where there is no room left.
static struct distance *place_of(distances *d, double r)
{
    int i = d->count;
    while (i > 0 && d->at[i - 1].r > r * (1.0 - 1e-9)) i--;
    if (i < d->count && d->at[i].r < r * (1.0 + 1e-9)) return &d->at[i];
    if (d->count == MOST_DISTANCES) return NULL;
    memmove(&d->at[i + 1], &d->at[i], (size_t)(d->count - i) * sizeof d->at[0]);
    d->at[i] = (struct distance){.r = r};
    d->count++;
    return &d->at[i];
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
        struct distance *at = place_of(d, r[row]);
        if (!at) continue;
        at->axes++;
        at->second += second[row];
        at->third += third[row];
    }
    return PV_OK;
}

// What Kolmogorov says of the inertial range: <du^2> = 2.1 (eps r)^(2/3), <du^3> = -4/5 eps r.
pv_status pv_dns_structure_draw(const char *folder, const pv_table *series, const pv_table *t, int *drawn_p)
{
    char path[4096], title[32];
    distances d = {.count = 0};
    double time = 0.0, x[MOST_DISTANCES], y[2][MOST_DISTANCES];
    PV_TRY(collect_distances(folder, t, &time, &d));
    const pv_dns_figure_scales scales = pv_dns_figure_scales_at(series, time);
    const double eps = scales.dissipation, unit = scales.kolmogorov > 0.0 ? scales.kolmogorov : 1.0;
    if (eps == 0.0) return PV_OK;
    static const double laws[2][2] = {{2.1, 2.1}, {0.8, 0.8}};
    double range[2] = {laws[1][0], laws[0][0]};
    int is_uneven = 0; // sides with distances of their own, each a mean over fewer axes: no line from one to the other
    for (int i = 0; i < d.count; i++) {
        const struct distance *at = &d.at[i];
        is_uneven |= at->axes != d.at[0].axes || at->axes == 1;
        x[i] = log10(at->r / unit);
        y[0][i] = at->second / at->axes / pow(eps * at->r, 2.0 / 3.0);
        y[1][i] = -at->third / at->axes / (eps * at->r);
        for (int o = 0; o < 2; o++) range[0] = fmin(range[0], y[o][i]), range[1] = fmax(range[1], y[o][i]);
    }
    const double room = 0.05 * (range[1] - range[0]), ends[2] = {x[0] - 0.1, x[d.count - 1] + 0.1};
    const pv_plot_curve curves[] = {{.label = "\u27e8\u03b4u^{2}\u27e9 / (\u03b5r)^{2/3}",
                                     .points = d.count,
                                     .x = x,
                                     .y = y[0],
                                     .colour = 1,
                                     .mark = PV_MARK_DISC,
                                     .no_line = is_uneven},
                                    {.label = "2.1", .points = 2, .x = ends, .y = laws[0], .colour = 1, .dashed = 1},
                                    {.label = "\u2212\u27e8\u03b4u^{3}\u27e9 / \u03b5r",
                                     .points = d.count,
                                     .x = x,
                                     .y = y[1],
                                     .colour = 2,
                                     .mark = PV_MARK_SQUARE,
                                     .no_line = is_uneven},
                                    {.label = "4/5", .points = 2, .x = ends, .y = laws[1], .colour = 2, .dashed = 1}};
    snprintf(title, sizeof title, "t = %.4g", time);
    const pv_plot plot = {.title = title,
                          .x_label = scales.kolmogorov > 0.0 ? "r / \u03b7" : "r (length)",
                          .x_log = 1,
                          .x_range = {ends[0], ends[1]},
                          .y_range = {range[0] - room, range[1] + room},
                          .curves = curves,
                          .curve_count = 4};
    snprintf(path, sizeof path, "%s/structure.svg", folder);
    PV_TRY(pv_plot_write(path, &plot));
    *drawn_p = 1;
    return PV_OK;
}
