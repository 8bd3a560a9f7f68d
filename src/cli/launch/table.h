// SPDX-License-Identifier: Apache-2.0
// Which rank of a node gets what: from a topology to a table. Nothing here looks at the machine.
#ifndef PV_CLI_LAUNCH_TABLE_H
#define PV_CLI_LAUNCH_TABLE_H

#include "cli/topology/topology.h"

enum { PV_GPU_TOKEN_BYTES = 96 };

// A GPU that may be used, in the words of CUDA_VISIBLE_DEVICES.
typedef struct pv_gpu_choice {
    char token[PV_GPU_TOKEN_BYTES];
    int gpu; // of the topology; -1: a GPU that it does not know
} pv_gpu_choice;

// A row of the table, for one rank of the node.
typedef struct pv_binding {
    int has_gpu;
    pv_gpu_choice gpu;
    int gpu_sharers; // ranks on this GPU, this one included
    cpu_set_t cpus;
    int core_sharers; // ranks on the same cores, this one included
    int numa;         // of all the cores, -1: several
    int nic;          // of the topology, -1: none
} pv_binding;

// What CUDA_VISIBLE_DEVICES leaves, in its order; all GPUs without it (text NULL). As CUDA does, it ends at the first
// entry that names nothing. choices_p: [*count_p], for pv_mem_free.
pv_status pv_gpu_choices_make(const pv_topology *topology, const char *visible, int *count_p,
                              pv_gpu_choice **choices_p);
// The choices that `order`, such as "3,2,1,0", names by their number among all GPUs of the node, in that order.
pv_status pv_gpu_choices_order(const char *order, int *count, pv_gpu_choice *choices);
// Their numbers, as "0, 1", or "none".
void pv_gpu_choices_print(int count, const pv_gpu_choice *choices, char *text, size_t size);

// A table in order: GPUs, cores, network cards, the rest. Where a file is given, it has the last word on each.
pv_status pv_bindings_make(const char *file, const pv_topology *topology, int choice_count,
                           const pv_gpu_choice *choices, int ranks, pv_binding *bindings);
// Ranks take the GPUs in order, shared when there are too few.
void pv_bindings_choose_gpus(int choice_count, const pv_gpu_choice *choices, int ranks, pv_binding *bindings);
// Each the cores of its GPU's part of the machine, divided among the ranks of the same part.
pv_status pv_bindings_choose_cores(const pv_topology *topology, int ranks, pv_binding *bindings);
// The nearest to the GPU, without one to the cores; among equally near ones the least taken.
pv_status pv_bindings_choose_nics(const pv_topology *topology, int ranks, pv_binding *bindings);
// Sharers and NUMA node follow from the rest.
void pv_bindings_complete(const pv_topology *topology, int ranks, pv_binding *bindings);

// Member `index` of `count` gets its share of the cores of a part; where they are too few, one that it shares.
void pv_bindings_take_share(const pv_topology *topology, const cpu_set_t *part, int index, int count, cpu_set_t *cpus);
// Cores of the topology that a set has threads of.
int pv_bindings_core_count(const pv_topology *topology, const cpu_set_t *cpus);

#endif
