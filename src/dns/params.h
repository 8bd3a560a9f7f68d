// SPDX-License-Identifier: Apache-2.0
// The declared parameters of a run: names, units, ranges, sentences; from a file, and what is wrong between them.
#ifndef PV_DNS_PARAMS_H
#define PV_DNS_PARAMS_H

#include <parseval/dns.h>

#include "base/options.h"

enum { PV_DNS_PARAMETERS = 64 };

// The table, its values inside *params. Returns how many.
int pv_dns_declare(pv_dns_params *params, pv_option table[PV_DNS_PARAMETERS]);

// Of scalar 1, 2, ...
double pv_dns_schmidt(const pv_dns_params *params, int scalar);
double pv_dns_scalar_gradient(const pv_dns_params *params, int scalar, int direction);

// Parameters that do not go together. PV_ERR_INPUT.
pv_status pv_dns_params_check(const pv_dns_params *params);
// Warns of parameters that were given and act on nothing. Local.
void pv_dns_params_tell_idle(const pv_dns_params *params);

#endif
