// SPDX-License-Identifier: Apache-2.0
// Modes without a wave number along x are kept together with their conjugates. What of them belongs to no real field is
// seen by no product, so that nothing drains it: round-off there grows wherever a forcing amplifies, unless it is taken
// away.
#ifndef PV_DNS_SYMMETRY_H
#define PV_DNS_SYMMETRY_H

#include "dns/state.h"

typedef struct pv_dns_symmetry {
    int64_t edge_y, edge_z; // largest indices
    int64_t numbers;
    double *plane; // [2 edge_z + 1][2 edge_y + 1][3][2]
    pv_buffer *device;
} pv_dns_symmetry;

// Of wave numbers up to k. Collective.
pv_status pv_dns_symmetry_create(const pv_dns_state *state, double k, pv_dns_symmetry *symmetry);
void pv_dns_symmetry_destroy(pv_dns_symmetry *symmetry);
// Of the velocity: each mode and its conjugate's become their mean, which products have seen all along. Collective.
pv_status pv_dns_symmetry_restore(pv_dns_state *state, pv_dns_symmetry *symmetry);

#endif
