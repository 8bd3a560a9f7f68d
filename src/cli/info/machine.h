// SPDX-License-Identifier: Apache-2.0
// What the node of this process offers, as the operating system tells it.
#ifndef PV_CLI_INFO_MACHINE_H
#define PV_CLI_INFO_MACHINE_H

#include <stdint.h>

typedef struct pv_machine {
    char cpu[128];
    char simd[256];                     // instruction sets that matter to transforms, widest last
    int cores_online, cores_allowed;    // allowed: this process may run on them
    int numa_nodes;
    int64_t l1d_bytes, l2_bytes, l3_bytes; // of the first core's caches; 0: unknown
    int64_t memory_bytes, memory_available_bytes;
} pv_machine;

pv_machine pv_machine_read(void);

#endif
