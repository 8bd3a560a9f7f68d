// SPDX-License-Identifier: Apache-2.0
#include "cli/topology/find.h"

#include "base/check.h"
#if PV_HAVE_HWLOC
#include "cli/topology/hwloc/read.h"
#endif

pv_status pv_topology_read(const char *xml_file, pv_topology **topology_p)
{
#if PV_HAVE_HWLOC
    return pv_hwloc_read_topology(xml_file, topology_p);
#else
    (void)xml_file;
    (void)topology_p;
    PV_FAIL(PV_ERR_NOT_BUILT, "hwloc, which knows the topology of the node, is not built in; install libhwloc-dev "
                              "(scripts/setup) and build again");
#endif
}
