// SPDX-License-Identifier: Apache-2.0
// Initial fields, as coefficients of Fourier series: functions of the wave numbers' indices alone, so the same for any
// number of ranks, and low modes the same for any grid.
#ifndef PV_DNS_FLOW_H
#define PV_DNS_FLOW_H

#include "dns/state.h"

// Fills the velocity (and scalars, with independent fields of the velocity's spectrum where the flow is random, else
// with the x component). Collective.
pv_status pv_dns_flow_set(pv_dns_state *state);

// E(k) of a declared spectrum, not normalised. Pure.
double pv_dns_spectrum_at(const pv_dns_params *params, double k);

#endif
