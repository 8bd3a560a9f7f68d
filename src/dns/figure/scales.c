// SPDX-License-Identifier: Apache-2.0
#include "dns/figure/scales.h"

#include <math.h>

static double at_row(const pv_table *t, const char *name, int row)
{
    const double *column = pv_table_column(t, name);
    return column && isfinite(column[row]) && column[row] > 0.0 ? column[row] : 0.0;
}

pv_dns_figure_scales pv_dns_figure_scales_at(const pv_table *series, double time)
{
    pv_dns_figure_scales scales = {.kmax = INFINITY};
    const double *when = pv_table_column(series, "time");
    for (int row = 0; when && row < series->rows; row++) {
        if (when[row] != time) continue;
        scales.dissipation = at_row(series, "dissipation", row);
        scales.kolmogorov = at_row(series, "kolmogorov", row);
        const double kmax_eta = at_row(series, "kmax_eta", row);
        if (kmax_eta > 0.0 && scales.kolmogorov > 0.0) scales.kmax = kmax_eta / scales.kolmogorov;
    }
    return scales;
}
