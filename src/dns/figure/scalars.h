// SPDX-License-Identifier: Apache-2.0
// Figures of scalars: variances and their budget in time, spectra and fluxes of variance at the last time.
#ifndef PV_DNS_FIGURE_SCALARS_H
#define PV_DNS_FIGURE_SCALARS_H

#include "dns/figure/figure.h"
#include "dns/files/table.h"

// Nothing where the tables have no scalars. Local.
pv_status pv_dns_scalars_draw(const char *folder, const pv_table *series, const pv_table *spectra,
                              pv_dns_figures *figures);

#endif
