// SPDX-License-Identifier: Apache-2.0
#ifndef PV_COMM_NVSHMEM_NVSHMEM_LOAD_H
#define PV_COMM_NVSHMEM_NVSHMEM_LOAD_H

#include <parseval/status.h>

#include "comm/nvshmem/plugin/plugin.h"

// Opens the plug-in at the first call and keeps it. PV_ERR_NOT_BUILT with where it was looked for, PV_ERR_UNSUPPORTED
// when it or its NVSHMEM are of other versions than they were built for. Local.
pv_status pv_nvshmem_load(const pv_nvshmem_plugin **plugin_p);

#endif
