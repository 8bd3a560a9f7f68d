// SPDX-License-Identifier: Apache-2.0
#ifndef PV_DNS_PLAN_TEXT_H
#define PV_DNS_PLAN_TEXT_H

#include "dns/state.h"

// What will be computed and how, as text of the caller's (pv_mem_free). Local.
pv_status pv_dns_plan_write(const pv_dns_state *state, char **text_p);

#endif
