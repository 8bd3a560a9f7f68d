// SPDX-License-Identifier: Apache-2.0
// Figures of a run's folder, from series.csv and spectra.csv.
#ifndef PV_DNS_FIGURE_H
#define PV_DNS_FIGURE_H

#include <parseval/status.h>

typedef struct pv_dns_figures {
    int energy, power, scales, spectra, flux; // drawn: energy.svg, power.svg, ...
} pv_dns_figures;

// Draws what the folder has data for. PV_ERR_INPUT when it has neither file, or one that is no table. Local.
pv_status pv_dns_figures_write(const char *folder, pv_dns_figures *figures_p);

#endif
