// SPDX-License-Identifier: Apache-2.0
// Structure functions: moments of velocity differences over distances along the axes.
#ifndef PV_DNS_STRUCTURE_H
#define PV_DNS_STRUCTURE_H

#include "dns/state.h"

// Takes the work fields. The field at x + r is the inverse transform of e^{i k r} u, so that no rank needs another's
// points: 3 + 9 log2(n / 2) transforms on n^3 points. Collective.
pv_status pv_dns_structure_measure(pv_dns_state *state, pv_dns_structure *structure_p);

#endif
