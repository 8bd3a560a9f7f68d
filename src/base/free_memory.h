// SPDX-License-Identifier: Apache-2.0
// The memory of this node, as the operating system tells it.
#ifndef PV_BASE_FREE_MEMORY_H
#define PV_BASE_FREE_MEMORY_H

#include <stdint.h>

// What new allocations of this node may take, a container's own limit counted; 0: unknown.
int64_t pv_free_memory_bytes(void);
// What all processes of this node can have together, a container's own limit counted; 0: unknown.
int64_t pv_memory_total_bytes(void);

// The same for processes under one kernel, which share its memory, and for no others.
uint64_t pv_node_identity(void);

#endif
