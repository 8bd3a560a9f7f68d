// SPDX-License-Identifier: Apache-2.0
// GPUs, their links, NUMA nodes and network cards, as `parseval info` tells them.
#ifndef PV_CLI_INFO_HARDWARE_H
#define PV_CLI_INFO_HARDWARE_H

#include "base/json_write.h"
#include "cli/topology/topology.h"
#include "device/device_ops.h"

typedef struct pv_hardware {
    int gpu_count;
    pv_device_facts *gpus;
    pv_device_link *links; // [gpu_count][gpu_count]
    char no_gpus[256];     // why there are none; "" when there are some
    pv_topology *topology; // NULL: not told
} pv_hardware;

// What is missing is left out, and said.
pv_status pv_hardware_read(pv_hardware *hardware_p);
void pv_hardware_forget(pv_hardware *hardware);

void pv_hardware_print(const pv_hardware *hardware);
void pv_hardware_add(pv_json *json, const pv_hardware *hardware);

#endif
