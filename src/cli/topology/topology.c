// SPDX-License-Identifier: Apache-2.0
#include "cli/topology/topology.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"

void pv_topology_destroy(pv_topology *topology)
{
    if (!topology) return;
    pv_mem_free(topology->cores);
    pv_mem_free(topology->numas);
    pv_mem_free(topology->gpus);
    pv_mem_free(topology->nics);
    pv_mem_free(topology);
}

int pv_place_shared_steps(const pv_place *a, const pv_place *b)
{
    int shared = 0;
    while (shared < a->depth && shared < b->depth && a->ids[shared] == b->ids[shared]) shared++;
    return shared;
}

pv_nearness pv_place_nearness(const pv_place *a, const pv_place *b)
{
    const int shared = pv_place_shared_steps(a, b);
    return shared > 0 ? a->kinds[shared - 1] : PV_NEAR_MACHINE;
}

void pv_cpu_list_print(const cpu_set_t *cpus, char *text, size_t size)
{
    size_t used = 0;
    snprintf(text, size, "none");
    for (int cpu = 0; cpu < CPU_SETSIZE && used < size; cpu++) {
        if (!CPU_ISSET(cpu, cpus)) continue;
        const int first = cpu;
        while (cpu + 1 < CPU_SETSIZE && CPU_ISSET(cpu + 1, cpus)) cpu++;
        used +=
            (size_t)snprintf(text + used, size - used, cpu > first ? "%s%d-%d" : "%s%d", used ? "," : "", first, cpu);
    }
}

pv_status pv_cpu_list_parse(const char *text, const char *what, cpu_set_t *cpus_p)
{
    CPU_ZERO(cpus_p);
    for (const char *at = text; *at;) {
        char *end;
        long first = strtol(at, &end, 10), last = first;
        const int has_first = end > at && *at >= '0' && *at <= '9';
        if (has_first && *end == '-') {
            const char *second = end + 1;
            last = strtol(second, &end, 10);
            if (end == second) last = -1;
        }
        PV_REQUIRE(has_first && first <= last && last < CPU_SETSIZE && (*end == '\0' || (*end == ',' && end[1])),
                   PV_ERR_INPUT, "%s: '%s' is no list of processors; one such as 0-3,8 is accepted, numbers below %d",
                   what, text, CPU_SETSIZE);
        for (long cpu = first; cpu <= last; cpu++) CPU_SET((size_t)cpu, cpus_p);
        at = *end ? end + 1 : end;
    }
    PV_REQUIRE(CPU_COUNT(cpus_p) > 0, PV_ERR_INPUT, "%s: an empty list of processors; one such as 0-3,8 is accepted",
               what);
    return PV_OK;
}
