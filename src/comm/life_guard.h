// SPDX-License-Identifier: Apache-2.0
// Ends waits of streams for ranks whose processes are gone.
#ifndef PV_COMM_LIFE_GUARD_H
#define PV_COMM_LIFE_GUARD_H

#include "comm/life.h"
#include "device/device_ops.h"

typedef struct pv_life_guard {
    pv_guard guard;
    pv_device *device;
    const pv_process *processes;   // [count]; NULL: none is watched
    int count;
    double look_s;                 // time of the next look
    char fault[96];
} pv_life_guard;

// A guard of its own for streams that wait by counters; to be lifted by pv_guard_lift.
void pv_life_guard_set(pv_life_guard *guard, pv_device *device, const pv_process *processes, int count);

#endif
