// SPDX-License-Identifier: Apache-2.0
// Steps in time. An evaluation that an observer has already made is used instead of a new one.
#ifndef PV_DNS_STEP_H
#define PV_DNS_STEP_H

#include "dns/step/forcing.h"

// Takes one step and leaves `evaluation` not ready. Collective.
pv_status pv_dns_step_take(pv_dns_state *state, pv_dns_forcing_state *forcing, pv_dns_evaluation *evaluation);

#endif
