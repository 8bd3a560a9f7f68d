// SPDX-License-Identifier: Apache-2.0
// What the turbulence was like at a time of a run's tables, in which Kolmogorov's laws are written. Pure.
#ifndef PV_DNS_FIGURE_SCALES_H
#define PV_DNS_FIGURE_SCALES_H

#include "dns/files/table.h"

typedef struct pv_dns_figure_scales {
    double dissipation, kolmogorov; // 0 where the series has not this time, or no such column
    double kmax;                    // likewise: infinite
} pv_dns_figure_scales;

pv_dns_figure_scales pv_dns_figure_scales_at(const pv_table *series, double time);

#endif
