// SPDX-License-Identifier: Apache-2.0
// Runge-Kutta of fourth order with an integrating factor, as a scheme and as the start of AB3.
#ifndef PV_DNS_RUNGE_KUTTA_H
#define PV_DNS_RUNGE_KUTTA_H

#include "dns/step/forcing.h"

// One step of state->dt; the velocity is there as rhs_begin leaves it, or evaluation->ready. With AB3 the first stage's
// term is kept as the newest of the earlier ones. Collective.
pv_status pv_dns_runge_kutta(pv_dns_state *state, const pv_dns_forcing_state *forcing, pv_dns_evaluation *evaluation);
// Frees the fields of its stages, which are kept from step to step. Local.
pv_status pv_dns_runge_kutta_release(pv_dns_state *state);

#endif
