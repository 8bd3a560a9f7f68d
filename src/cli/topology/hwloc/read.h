// SPDX-License-Identifier: Apache-2.0
// hwloc's tree, cut down to what binding needs.
#ifndef PV_CLI_TOPOLOGY_HWLOC_READ_H
#define PV_CLI_TOPOLOGY_HWLOC_READ_H

#include "cli/topology/topology.h"

pv_status pv_hwloc_read_topology(const char *xml_file, pv_topology **topology_p);

#endif
