// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/table.h"

#include <string.h>

#include "base/check.h"
#include "base/mem.h"

// ---- GPUs ---------------------------------------------------------------------------------------------------------

void pv_bindings_choose_gpus(int choice_count, const pv_gpu_choice *choices, int ranks, pv_binding *bindings)
{
    for (int r = 0; r < ranks; r++) {
        bindings[r] = (pv_binding){.has_gpu = choice_count > 0, .nic = -1};
        // Too few: neighbours share, as even as may be.
        const int place = ranks <= choice_count ? r : (int)((int64_t)r * choice_count / ranks);
        if (choice_count > 0) bindings[r].gpu = choices[place];
    }
}

// ---- Cores --------------------------------------------------------------------------------------------------------

static int is_in(const pv_core *core, const cpu_set_t *cpus)
{
    cpu_set_t common;
    CPU_AND(&common, &core->cpus, cpus);
    return CPU_COUNT(&common) > 0;
}

int pv_bindings_core_count(const pv_topology *topology, const cpu_set_t *cpus)
{
    int count = 0;
    for (int i = 0; i < topology->core_count; i++) count += is_in(&topology->cores[i], cpus);
    return count;
}

static int numa_of(const pv_topology *topology, const cpu_set_t *cpus)
{
    int numa = -2;
    for (int i = 0; i < topology->core_count; i++) {
        if (!is_in(&topology->cores[i], cpus)) continue;
        if (numa != -2 && numa != topology->cores[i].numa) return -1;
        numa = topology->cores[i].numa;
    }
    return numa == -2 ? -1 : numa;
}

// The part of the machine that is near the rank's GPU: all of it where that is not known, or has no cores of ours.
static void find_part(const pv_topology *topology, const pv_binding *binding, cpu_set_t *part)
{
    CPU_ZERO(part);
    for (int i = 0; i < topology->core_count; i++) CPU_OR(part, part, &topology->cores[i].cpus);
    if (!binding->has_gpu || binding->gpu.gpu < 0) return;
    const cpu_set_t *near = &topology->gpus[binding->gpu.gpu].place.cpus;
    if (pv_bindings_core_count(topology, near) > 0) CPU_AND(part, part, near);
}

void pv_bindings_take_share(const pv_topology *topology, const cpu_set_t *part, int index, int count, cpu_set_t *cpus)
{
    const int cores = pv_bindings_core_count(topology, part);
    const int first = (int)((int64_t)cores * index / count), end = (int)((int64_t)cores * (index + 1) / count);
    int place = 0;
    CPU_ZERO(cpus);
    for (int i = 0; i < topology->core_count; i++) {
        if (!is_in(&topology->cores[i], part)) continue;
        if (place == first || (place > first && place < end)) CPU_OR(cpus, cpus, &topology->cores[i].cpus);
        place++;
    }
}

// All ranks of a part share what smaller parts have left of it, or all of it when nothing is left.
static void share_part(const pv_topology *topology, int ranks, const cpu_set_t *parts, const cpu_set_t *part,
                       cpu_set_t *taken, pv_binding *bindings)
{
    int members = 0, index = 0;
    cpu_set_t common, left;
    CPU_AND(&common, part, taken);
    CPU_XOR(&left, part, &common);
    if (CPU_COUNT(&left) == 0) left = *part;
    for (int r = 0; r < ranks; r++) members += CPU_EQUAL(&parts[r], part);
    for (int r = 0; r < ranks; r++)
        if (CPU_EQUAL(&parts[r], part)) pv_bindings_take_share(topology, &left, index++, members, &bindings[r].cpus);
    CPU_OR(taken, taken, &left);
}

// Small parts first: a GPU near one NUMA node and another near the whole socket then do not tread on each other.
static void assign_cores(const pv_topology *topology, int ranks, const cpu_set_t *parts, pv_binding *bindings)
{
    cpu_set_t taken;
    int done = 0;
    CPU_ZERO(&taken);
    for (int size = 0; done < ranks;) {
        int next = -1;
        for (int r = 0; r < ranks; r++)
            if (CPU_COUNT(&parts[r]) > size && (next < 0 || CPU_COUNT(&parts[r]) < next)) next = CPU_COUNT(&parts[r]);
        if (next < 0) return;
        size = next;
        for (int r = 0; r < ranks; r++) {
            if (CPU_COUNT(&parts[r]) != size) continue;
            int first = 0;
            while (!CPU_EQUAL(&parts[first], &parts[r])) first++;
            if (first == r) share_part(topology, ranks, parts, &parts[r], &taken, bindings);
            done++;
        }
    }
}

pv_status pv_bindings_choose_cores(const pv_topology *topology, int ranks, pv_binding *bindings)
{
    cpu_set_t *parts;
    PV_TRY(PV_ALLOC(ranks, &parts));
    for (int r = 0; r < ranks; r++) find_part(topology, &bindings[r], &parts[r]);
    assign_cores(topology, ranks, parts, bindings);
    pv_mem_free(parts);
    return PV_OK;
}

// ---- Network cards ------------------------------------------------------------------------------------------------

static int shared_with_cores(const pv_nic *nic, const cpu_set_t *cpus)
{
    cpu_set_t common;
    CPU_AND(&common, &nic->place.cpus, cpus);
    // The smaller the part that holds both, the nearer.
    return CPU_EQUAL(&common, cpus) ? CPU_SETSIZE - CPU_COUNT(&nic->place.cpus) : 0;
}

static int nearest_nic(const pv_topology *topology, const pv_binding *binding, const int *used)
{
    int best = -1, best_score = -1;
    for (int i = 0; i < topology->nic_count; i++) {
        const pv_nic *nic = &topology->nics[i];
        const int score = binding->has_gpu && binding->gpu.gpu >= 0
                              ? pv_place_shared_steps(&nic->place, &topology->gpus[binding->gpu.gpu].place)
                              : shared_with_cores(nic, &binding->cpus);
        if (score < best_score || (score == best_score && used[i] >= used[best])) continue;
        best = i;
        best_score = score;
    }
    return best;
}

pv_status pv_bindings_choose_nics(const pv_topology *topology, int ranks, pv_binding *bindings)
{
    int *used;
    PV_TRY(PV_ALLOC(topology->nic_count + 1, &used));
    for (int r = 0; r < ranks; r++) {
        bindings[r].nic = nearest_nic(topology, &bindings[r], used);
        if (bindings[r].nic >= 0) used[bindings[r].nic]++;
    }
    pv_mem_free(used);
    return PV_OK;
}

// ---- The table ----------------------------------------------------------------------------------------------------

void pv_bindings_complete(const pv_topology *topology, int ranks, pv_binding *bindings)
{
    for (int r = 0; r < ranks; r++) {
        pv_binding *mine = &bindings[r];
        mine->numa = numa_of(topology, &mine->cpus);
        mine->gpu_sharers = mine->core_sharers = 0;
        for (int other = 0; other < ranks; other++) {
            const pv_binding *theirs = &bindings[other];
            cpu_set_t common;
            CPU_AND(&common, &mine->cpus, &theirs->cpus);
            mine->core_sharers += CPU_COUNT(&common) > 0 || other == r;
            mine->gpu_sharers += mine->has_gpu && theirs->has_gpu && strcmp(mine->gpu.token, theirs->gpu.token) == 0;
        }
    }
}
