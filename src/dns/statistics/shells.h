// SPDX-License-Identifier: Apache-2.0
// Sums over shells of wave numbers, and fields rescaled shell by shell.
#ifndef PV_DNS_SHELLS_H
#define PV_DNS_SHELLS_H

#include "dns/kernels.h"
#include "dns/state.h"

// values: [DNS_SHELL_VALUES][shell_count], energy, transfer, dissipation, of all ranks; the first `shells` of each are
// summed and the others 0. term: of the velocity that is summed, or NULL for the present one without transfer. Collective.
pv_status pv_dns_shells_sum(pv_dns_state *state, const dns_term *term, int shells, double *values);

// The same of a scalar's variance <c^2> without its mean, an array of [shell_count] each. term: its, or NULL for
// no transfer. Collective.
pv_status pv_dns_shells_sum_scalar(pv_dns_state *state, int equation, const dns_term *term,
                                   double *const values[DNS_SHELL_VALUES]);

// u *= factor[shell] for shells below `shells`, the mean mode left alone. Local.
pv_status pv_dns_shells_scale(pv_dns_state *state, int shells, const double *factor);

#endif
