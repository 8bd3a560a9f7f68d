// SPDX-License-Identifier: Apache-2.0
// The transports by name.
#ifndef PV_COMM_COMM_LIST_H
#define PV_COMM_COMM_LIST_H

#include "comm/comm_ops.h"

struct pv_comm_setup;    // what MPI has given; see mpi/mpi_comm.h

typedef struct pv_transport {
    const char *name;
    const char *device;    // the one whose memory it moves; NULL: any
    // Finds device, rank, size and timeout_s set; sets ops, node_size and state. `setup` lives during the call and is
    // NULL without MPI. NULL: known, not built in.
    pv_status (*open)(pv_comm *comm, const struct pv_comm_setup *setup);
} pv_transport;

// The error lists the known ones.
pv_status pv_transport_find(const char *name, const pv_transport **transport_p);
// Fails when the transport does not serve the device, and names those that do.
pv_status pv_transport_check(const pv_transport *transport, const pv_device *device);
// Names of known transports for index 0, 1, ...; NULL after the last.
const char *pv_transport_known(int index, int *is_built_p);

#endif
