// SPDX-License-Identifier: Apache-2.0
#include "comm/life_guard.h"

#include <stdio.h>

#include "base/clock.h"

static const char *find_fault(void *context)
{
    pv_life_guard *guard = context;
    const double now_s = pv_clock_s();
    if (guard->fault[0]) return guard->fault;
    if (!guard->processes || now_s < guard->look_s) return NULL;
    guard->look_s = now_s + PV_LOOK_AT_LIFE_S;
    for (int i = 0; i < guard->count; i++) {
        if (!pv_process_has_ended(&guard->processes[i])) continue;
        snprintf(guard->fault, sizeof guard->fault, "the process of rank %d, which a stream may wait for, has ended",
                 guard->processes[i].rank);
        return guard->fault;
    }
    return NULL;
}

static void abandon(void *context)
{
    pv_life_guard *guard = context;
    if (guard->fault[0]) guard->device->ops->flags->abandon(guard->device);
}

void pv_life_guard_set(pv_life_guard *guard, pv_device *device, const pv_process *processes, int count)
{
    *guard = (pv_life_guard){.device = device, .processes = processes, .count = count};
    guard->guard = (pv_guard){
        .find_fault = find_fault, .release = abandon, .limit_s = 1e30, .context = guard};
    pv_guard_set(device, &guard->guard);
}
