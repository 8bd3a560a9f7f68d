// SPDX-License-Identifier: Apache-2.0
#ifndef PV_COMM_CUDA_GPUS_APART_H
#define PV_COMM_CUDA_GPUS_APART_H

#include "comm/comm_ops.h"

// For libraries that want a GPU for each rank, and hang or fail obscurely without. Collective.
pv_status pv_gpus_check_apart(pv_comm *comm, const char *transport);

#endif
