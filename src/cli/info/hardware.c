// SPDX-License-Identifier: Apache-2.0
#include "cli/info/hardware.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/message.h"
#include "cli/topology/find.h"

enum { LIST_BYTES = 512 };

static const char *const link_texts[] = {
    [PV_DEVICE_LINK_NONE] = "none", [PV_DEVICE_LINK_PCI] = "PCI", [PV_DEVICE_LINK_NVLINK] = "NVLink"};

// ---- Reading ------------------------------------------------------------------------------------------------------

static pv_status read_gpus(pv_hardware *hardware)
{
    const pv_device_ops *ops;
    int count = 0;
    PV_TRY(pv_device_find("cuda", strlen("cuda"), &ops));
    PV_TRY(ops->count(&count));
    PV_REQUIRE(count > 0, PV_ERR_DEVICE, "the driver shows none");
    PV_TRY(PV_ALLOC(count, &hardware->gpus));
    PV_TRY(PV_ALLOC(count * count, &hardware->links));
    for (int i = 0; i < count; i++) {
        PV_TRY(ops->describe(i, &hardware->gpus[i]));
        for (int j = 0; j < count; j++)
            if (j != i) PV_TRY(ops->find_link(i, j, &hardware->links[i * count + j]));
    }
    hardware->gpu_count = count;
    return PV_OK;
}

pv_status pv_hardware_read(pv_hardware *hardware_p)
{
    pv_hardware hardware = {.gpu_count = 0};
    if (read_gpus(&hardware) != PV_OK)
        snprintf(hardware.no_gpus, sizeof hardware.no_gpus, "%s", pv_message_without_function(pv_last_error()));
    const pv_status status = pv_topology_read(NULL, &hardware.topology);
    if (status != PV_OK && status != PV_ERR_NOT_BUILT && status != PV_ERR_DEVICE) {
        pv_hardware_forget(&hardware);
        return status;
    }
    *hardware_p = hardware;
    return PV_OK;
}

void pv_hardware_forget(pv_hardware *hardware)
{
    pv_mem_free(hardware->gpus);
    pv_mem_free(hardware->links);
    pv_topology_destroy(hardware->topology);
}

// Where hwloc sees the GPU with this PCI address; NULL when it does not.
static const pv_gpu *find_place(const pv_hardware *hardware, const char *pci)
{
    const pv_topology *topology = hardware->topology;
    for (int i = 0; topology && i < topology->gpu_count; i++)
        if (strcmp(topology->gpus[i].pci, pci) == 0) return &topology->gpus[i];
    return NULL;
}

// ---- For people ---------------------------------------------------------------------------------------------------

static void print_numa(int numa)
{
    if (numa >= 0) printf(", NUMA node %d", numa);
}

static void print_gpu(const pv_hardware *hardware, int number)
{
    const pv_device_facts *gpu = &hardware->gpus[number];
    const pv_gpu *place = find_place(hardware, gpu->pci);
    char title[24];
    snprintf(title, sizeof title, "cuda:%d", number);
    printf("  %-14s  %s, %.4g GiB, compute capability %d.%d, PCI %s", title, gpu->name,
           (double)gpu->memory_bytes / 0x1p30, gpu->major, gpu->minor, gpu->pci);
    if (place) print_numa(place->place.numa);
    if (gpu->links > 0) printf(", %d NVLinks", gpu->links);
    putchar('\n');
}

static void print_links(const pv_hardware *hardware)
{
    const int count = hardware->gpu_count;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            printf("  %-14s  cuda:%d - cuda:%d: %s\n", i == 0 && j == 1 ? "links" : "", i, j,
                   link_texts[hardware->links[i * count + j]]);
}

static void print_topology(const pv_topology *topology)
{
    char list[LIST_BYTES], title[24];
    for (int i = 0; i < topology->numa_count; i++) {
        pv_cpu_list_print(&topology->numas[i].cpus, list, sizeof list);
        snprintf(title, sizeof title, "NUMA node %d", topology->numas[i].number);
        printf("  %-14s  %.4g GiB, processors %s\n", title, (double)topology->numas[i].bytes / 0x1p30, list);
    }
    for (int i = 0; i < topology->nic_count; i++) {
        const pv_nic *nic = &topology->nics[i];
        printf("  %-14s  %s, port %d, PCI %s", i == 0 ? "network cards" : "", nic->name, nic->port, nic->pci);
        print_numa(nic->place.numa);
        putchar('\n');
    }
    if (topology->nic_count == 0) printf("  %-14s  none with verbs\n", "network cards");
}

void pv_hardware_print(const pv_hardware *hardware)
{
    if (hardware->topology) print_topology(hardware->topology);
    printf("\nGPUs\n");
    for (int i = 0; i < hardware->gpu_count; i++) print_gpu(hardware, i);
    print_links(hardware);
    if (hardware->gpu_count > 0) return;
    printf("  %-14s  none: %s\n", "device cuda", hardware->no_gpus);
    const pv_topology *topology = hardware->topology;
    for (int i = 0; topology && i < topology->gpu_count; i++) {
        printf("  %-14s  %s at %s", "on PCI", topology->gpus[i].name, topology->gpus[i].pci);
        print_numa(topology->gpus[i].place.numa);
        putchar('\n');
    }
}

// ---- For programs -------------------------------------------------------------------------------------------------

static void add_optional(pv_json *json, const char *key, int value)
{
    if (value >= 0)
        pv_json_integer(json, key, value);
    else
        pv_json_null(json, key);
}

static void add_gpus(pv_json *json, const pv_hardware *hardware)
{
    const int count = hardware->gpu_count;
    pv_json_list(json, "gpus");
    for (int i = 0; i < count; i++) {
        const pv_device_facts *gpu = &hardware->gpus[i];
        const pv_gpu *place = find_place(hardware, gpu->pci);
        pv_json_object(json, NULL);
        pv_json_text_value(json, "name", gpu->name);
        pv_json_text_value(json, "pci", gpu->pci);
        pv_json_integer(json, "memory_bytes", (int64_t)gpu->memory_bytes);
        pv_json_integer(json, "compute_capability", 10 * gpu->major + gpu->minor);
        add_optional(json, "numa", place ? place->place.numa : -1);
        add_optional(json, "nvlinks", gpu->links);
        pv_json_list(json, "links");
        for (int j = 0; j < count; j++)
            pv_json_text_value(json, NULL, i == j ? NULL : link_texts[hardware->links[i * count + j]]);
        pv_json_end(json);
        pv_json_end(json);
    }
    pv_json_end(json);
    pv_json_text_value(json, "no_gpus", hardware->no_gpus[0] ? hardware->no_gpus : NULL);
}

static void add_topology(pv_json *json, const pv_topology *topology)
{
    char list[LIST_BYTES];
    pv_json_list(json, "numa");
    for (int i = 0; topology && i < topology->numa_count; i++) {
        pv_cpu_list_print(&topology->numas[i].cpus, list, sizeof list);
        pv_json_object(json, NULL);
        pv_json_integer(json, "number", topology->numas[i].number);
        pv_json_integer(json, "memory_bytes", topology->numas[i].bytes);
        pv_json_text_value(json, "processors", list);
        pv_json_end(json);
    }
    pv_json_end(json);
    pv_json_list(json, "network_cards");
    for (int i = 0; topology && i < topology->nic_count; i++) {
        const pv_nic *nic = &topology->nics[i];
        pv_json_object(json, NULL);
        pv_json_text_value(json, "name", nic->name);
        pv_json_integer(json, "port", nic->port);
        pv_json_text_value(json, "pci", nic->pci);
        add_optional(json, "numa", nic->place.numa);
        pv_json_end(json);
    }
    pv_json_end(json);
}

void pv_hardware_add(pv_json *json, const pv_hardware *hardware)
{
    add_gpus(json, hardware);
    add_topology(json, hardware->topology);
}
