// SPDX-License-Identifier: Apache-2.0
// The names of fields that can be written. Pure.
#ifndef PV_DNS_FIELD_NAMES_H
#define PV_DNS_FIELD_NAMES_H

#include <parseval/status.h>

// In the order of the file.
typedef enum pv_dns_field_kind {
    PV_DNS_VELOCITY,
    PV_DNS_VORTICITY,
    PV_DNS_Q,
    PV_DNS_PRESSURE,
    PV_DNS_SCALARS,
    PV_DNS_FIELDS
} pv_dns_field_kind;

const char *pv_dns_field_name(pv_dns_field_kind kind);

// The names in "velocity,q": a bit a field. PV_ERR_INPUT names a wrong one.
pv_status pv_dns_fields_parse(const char *text, unsigned *fields_p);

#endif
