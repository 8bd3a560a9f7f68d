// SPDX-License-Identifier: Apache-2.0
#ifndef PV_COMM_CUDA_GPUS_APART_H
#define PV_COMM_CUDA_GPUS_APART_H

#include "comm/comm_ops.h"

// For libraries that want a GPU for each rank, and hang or fail obscurely without. Collective.
// *pair: two ranks on one GPU, or -1. Collective.
pv_status pv_gpus_find_pair(pv_comm *comm, int pair[2]);
pv_status pv_gpus_check_apart(pv_comm *comm, const char *transport);

#endif
