// SPDX-License-Identifier: Apache-2.0
// Sums over shells of wave numbers, and fields rescaled shell by shell.
#ifndef PV_DNS_SHELLS_H
#define PV_DNS_SHELLS_H

#include "dns/kernels.h"
#include "dns/state.h"

// values: [DNS_SHELL_VALUES][shell_count], energy, transfer, dissipation, of all ranks; the first `shells` of each are
// summed and the others 0. term: of the velocity that is summed, or NULL for the present one without transfer. Collective.
pv_status pv_dns_shells_sum(pv_dns_state *state, const dns_term *term, int shells, double *values);

// variance: [shell_count], <c^2> of the shells of a scalar without its mean, of all ranks. Collective.
pv_status pv_dns_shells_sum_scalar(pv_dns_state *state, int equation, double *variance);

// u *= factor[shell] for shells below `shells`, the mean mode left alone. Local.
pv_status pv_dns_shells_scale(pv_dns_state *state, int shells, const double *factor);

#endif
