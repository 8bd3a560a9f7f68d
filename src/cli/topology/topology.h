// SPDX-License-Identifier: Apache-2.0
// A node as binding needs it: cores, GPUs and network cards, and where they hang in the machine. Plain data.
#ifndef PV_CLI_TOPOLOGY_TOPOLOGY_H
#define PV_CLI_TOPOLOGY_TOPOLOGY_H

#include <sched.h>
#include <stddef.h>
#include <stdint.h>

#include <parseval/status.h>

// How near two devices are: the innermost thing that holds both. Later ones are nearer.
typedef enum pv_nearness {
    PV_NEAR_MACHINE,
    PV_NEAR_PACKAGE, // a socket
    PV_NEAR_NUMA,    // what is smaller than a socket
    PV_NEAR_ROOT,    // a host bridge
    PV_NEAR_SWITCH   // a PCI bridge below it
} pv_nearness;

enum { PV_PLACE_STEPS = 24 };

// The way from the machine down to a device.
typedef struct pv_place {
    int depth;
    uint64_t ids[PV_PLACE_STEPS];
    pv_nearness kinds[PV_PLACE_STEPS];
    cpu_set_t cpus; // of the innermost part of the machine that holds it
    int numa;       // the smallest NUMA node that holds these, -1: none does
} pv_place;

typedef struct pv_core {
    cpu_set_t cpus; // hardware threads, by the numbers of the operating system
    int numa;       // -1: not told
} pv_core;

typedef struct pv_numa {
    int number;
    int64_t bytes;
    cpu_set_t cpus;
} pv_numa;

typedef struct pv_gpu {
    char pci[16];            // "0000:07:00.0"
    char name[64], uuid[48]; // "" when not told
    pv_place place;
} pv_gpu;

typedef struct pv_nic {
    char name[32], pci[16]; // "mlx5_0"
    int port;               // the first that is active
    pv_place place;
} pv_nic;

// GPUs by ascending PCI address, network cards (those with verbs alone) by name.
typedef struct pv_topology {
    char host[64];
    int core_count, numa_count, gpu_count, nic_count;
    pv_core *cores;
    pv_numa *numas;
    pv_gpu *gpus;
    pv_nic *nics;
} pv_topology;

void pv_topology_destroy(pv_topology *topology);

pv_nearness pv_place_nearness(const pv_place *a, const pv_place *b);
// How many steps two ways share: among devices that are equally near, more is nearer.
int pv_place_shared_steps(const pv_place *a, const pv_place *b);

// "0-3,8": at most size - 1 bytes; "none" for an empty set.
void pv_cpu_list_print(const cpu_set_t *cpus, char *text, size_t size);
// The same backwards. Fails with PV_ERR_INPUT; `what` names the list in the message.
pv_status pv_cpu_list_parse(const char *text, const char *what, cpu_set_t *cpus_p);

#endif
