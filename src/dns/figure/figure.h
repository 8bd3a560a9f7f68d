// SPDX-License-Identifier: Apache-2.0
// Figures of a run's folder, from series.csv, spectra.csv and structure.csv.
#ifndef PV_DNS_FIGURE_H
#define PV_DNS_FIGURE_H

#include <parseval/status.h>

typedef struct pv_dns_figures {
    int energy, power, scales, spectra, compensated, flux, structure; // drawn: energy.svg, power.svg, ...
    int scalars, scalar_power, mixed_skewness, scalar_spectra, scalar_flux; // of runs with scalars
} pv_dns_figures;

// Draws what the folder has data for. PV_ERR_INPUT when it has neither of the first two, or one that is no table.
// Local.
pv_status pv_dns_figures_write(const char *folder, pv_dns_figures *figures_p);

#endif
