// SPDX-License-Identifier: Apache-2.0
// The figure of structure.csv: second and third order over what Kolmogorov says of them.
#ifndef PV_DNS_FIGURE_STRUCTURE_H
#define PV_DNS_FIGURE_STRUCTURE_H

#include "dns/files/table.h"

// Nothing where the series does not tell the dissipation at the last time. Local.
pv_status pv_dns_structure_draw(const char *folder, const pv_table *series, const pv_table *structure, int *drawn_p);

#endif
