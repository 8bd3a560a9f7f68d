// SPDX-License-Identifier: Apache-2.0
// Fields at points as files that ParaView and other programs on VTK open: VTKHDF, ImageData.
#ifndef PV_DNS_FIELD_FILE_H
#define PV_DNS_FIELD_FILE_H

#include "dns/state.h"

// The names in "velocity,q": a bit a field, in the order of the file. PV_ERR_INPUT names a wrong one. Pure.
pv_status pv_dns_fields_parse(const char *text, unsigned *fields_p);

// Replaces `path` whole or not at all. Takes the work fields. Collective.
pv_status pv_dns_fields_write_file(pv_dns_state *state, const char *path);

#endif
