// SPDX-License-Identifier: Apache-2.0
// A flow that has blown up is an error, never a result: what is looked at and what is kept passes here.
#ifndef PV_DNS_FINITE_H
#define PV_DNS_FINITE_H

#include "dns/state.h"

// Fails where `value`, of `what` at the present time, is not finite. Local.
pv_status pv_dns_require_finite(const pv_dns_state *state, const char *what, double value);
// The same of the variances of all scalars, and of the velocity's energy too, unless this has been seen of the present
// step. variance: of each scalar, where it is known; NULL: it is summed. Collective, one answer for all ranks.
pv_status pv_dns_require_finite_scalars(pv_dns_state *state, const double *variance);
pv_status pv_dns_require_finite_fields(pv_dns_state *state);
// Fails where products of the field that a run begins with are beyond numbers: no shorter step would help.
pv_status pv_dns_require_finite_start(pv_dns_state *state);

#endif
