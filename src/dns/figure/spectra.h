// SPDX-License-Identifier: Apache-2.0
// Figures of spectra.csv: E(k) beside Kolmogorov's law, E(k) over that law, and the flux of energy.
#ifndef PV_DNS_FIGURE_SPECTRA_H
#define PV_DNS_FIGURE_SPECTRA_H

#include "dns/figure/figure.h"
#include "dns/files/table.h"

// series: may have no rows; then there are no laws. Local.
pv_status pv_dns_spectra_draw(const char *folder, const pv_table *series, const pv_table *spectra,
                              pv_dns_figures *figures);

#endif
