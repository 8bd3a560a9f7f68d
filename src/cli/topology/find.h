// SPDX-License-Identifier: Apache-2.0
// Where topologies come from.
#ifndef PV_CLI_TOPOLOGY_FIND_H
#define PV_CLI_TOPOLOGY_FIND_H

#include "cli/topology/topology.h"

// Of this node, as far as this process is allowed to use it; or of another as `lstopo --of xml` has written it.
// PV_ERR_NOT_BUILT without hwloc. Local.
pv_status pv_topology_read(const char *xml_file, pv_topology **topology_p);

#endif
