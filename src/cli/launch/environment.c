// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/environment.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// Exact names, of the cards that some rank has: cards for storage stay out of it.
static void list_nics(const pv_topology *topology, int ranks, const pv_binding *bindings, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int nic = 0; nic < topology->nic_count && used < size; nic++) {
        int is_taken = 0;
        for (int r = 0; r < ranks; r++) is_taken |= bindings[r].nic == nic;
        if (is_taken)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "=", topology->nics[nic].name);
    }
    if (used >= size) text[0] = '\0';
}

static void set(pv_launch_variable *variable, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(variable->value, sizeof variable->value, format, arguments);
    va_end(arguments);
    variable->is_set = 1;
}

void pv_launch_environment(const pv_topology *topology, int ranks, const pv_binding *bindings, int rank,
                           pv_launch_variable variables[PV_LAUNCH_VARIABLES])
{
    const pv_binding *mine = &bindings[rank];
    enum { GPUS, ORDER, UCX, NCCL, THREADS };
    static const char *const names[PV_LAUNCH_VARIABLES] = {[GPUS] = "CUDA_VISIBLE_DEVICES",
                                                           [ORDER] = "CUDA_DEVICE_ORDER",
                                                           [UCX] = "UCX_NET_DEVICES",
                                                           [NCCL] = "NCCL_IB_HCA",
                                                           [THREADS] = "OMP_NUM_THREADS"};
    char nics[sizeof variables->value];
    for (int i = 0; i < PV_LAUNCH_VARIABLES; i++) variables[i] = (pv_launch_variable){.name = names[i]};
    if (mine->has_gpu)
        set(&variables[GPUS], "%s", mine->gpu.token);
    else if (topology->gpu_count > 0)
        set(&variables[GPUS], "%s", "");
    // The tokens are numbers by PCI address, or names.
    if (mine->has_gpu && isdigit((unsigned char)mine->gpu.token[0])) set(&variables[ORDER], "PCI_BUS_ID");
    if (mine->nic >= 0) set(&variables[UCX], "%s:%d", topology->nics[mine->nic].name, topology->nics[mine->nic].port);
    list_nics(topology, ranks, bindings, nics, sizeof nics);
    if (nics[0]) set(&variables[NCCL], "%s", nics);
    const int cores = pv_bindings_core_count(topology, &mine->cpus) / (mine->core_sharers > 0 ? mine->core_sharers : 1);
    set(&variables[THREADS], "%d", cores > 1 ? cores : 1);
    // CUDA_VISIBLE_DEVICES has been narrowed, not overruled. Its numbers are none in another order.
    for (int i = ORDER; i < PV_LAUNCH_VARIABLES; i++) {
        if (i == ORDER && variables[i].is_set) continue;
        variables[i].kept = getenv(names[i]);
        if (variables[i].kept) variables[i].is_set = 0;
    }
}
