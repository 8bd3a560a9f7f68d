// SPDX-License-Identifier: Apache-2.0
// One rank without MPI: the oracle of the other transports.
#ifndef PV_COMM_SELF_SELF_COMM_H
#define PV_COMM_SELF_SELF_COMM_H

#include "comm/comm_list.h"

pv_status pv_self_open(pv_comm *comm, const struct pv_comm_setup *setup);

#endif
