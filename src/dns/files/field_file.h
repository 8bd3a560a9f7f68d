// SPDX-License-Identifier: Apache-2.0
// Fields at points as files that ParaView and other programs on VTK open: VTKHDF, ImageData.
#ifndef PV_DNS_FIELD_FILE_H
#define PV_DNS_FIELD_FILE_H

#include "dns/state.h"

// Replaces `path` whole or not at all. Takes the work fields. Collective.
pv_status pv_dns_fields_write_file(pv_dns_state *state, const char *path);

#endif
