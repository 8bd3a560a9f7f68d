// SPDX-License-Identifier: Apache-2.0
#include "cli/topology/hwloc/read.h"

#include <errno.h>
#include <fcntl.h>
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/file_read.h"
#include "base/mem.h"

enum { VENDOR_NVIDIA = 0x10de, CLASS_VGA = 0x0300, CLASS_3D = 0x0302 };

// ---- Parts of the machine -----------------------------------------------------------------------------------------

static void copy_cpus(hwloc_const_bitmap_t from, cpu_set_t *to)
{
    int cpu;
    CPU_ZERO(to);
    for (cpu = hwloc_bitmap_first(from); cpu >= 0 && cpu < CPU_SETSIZE; cpu = hwloc_bitmap_next(from, cpu))
        CPU_SET((size_t)cpu, to);
}

// The smallest node that holds all of an object, of equal ones the first: memory of GPUs (GH200) and HBM are nodes
// beside those of the cores.
static int numa_of(hwloc_topology_t tree, const struct hwloc_obj *object)
{
    hwloc_obj_t best = NULL;
    for (hwloc_obj_t node = NULL; (node = hwloc_get_next_obj_by_type(tree, HWLOC_OBJ_NUMANODE, node));) {
        if (hwloc_bitmap_iszero(object->cpuset) || !hwloc_bitmap_isincluded(object->cpuset, node->cpuset)) continue;
        const int size = hwloc_bitmap_weight(node->cpuset), least = best ? hwloc_bitmap_weight(best->cpuset) : size + 1;
        if (size < least || (size == least && node->os_index < best->os_index)) best = node;
    }
    return best ? (int)best->os_index : -1;
}

static pv_status read_cores(hwloc_topology_t tree, pv_topology *topology)
{
    // Virtual machines may tell of threads alone.
    const int has_cores = hwloc_get_nbobjs_by_type(tree, HWLOC_OBJ_CORE) > 0;
    const hwloc_obj_type_t type = has_cores ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    const int count = hwloc_get_nbobjs_by_type(tree, type);
    PV_TRY(PV_ALLOC(count, &topology->cores));
    for (int i = 0; i < count; i++) {
        const hwloc_obj_t core = hwloc_get_obj_by_type(tree, type, (unsigned)i);
        pv_core *mine = &topology->cores[topology->core_count];
        copy_cpus(core->cpuset, &mine->cpus);
        mine->numa = numa_of(tree, core);
        topology->core_count += CPU_COUNT(&mine->cpus) > 0;
    }
    return PV_OK;
}

static pv_status read_numas(hwloc_topology_t tree, pv_topology *topology)
{
    topology->numa_count = hwloc_get_nbobjs_by_type(tree, HWLOC_OBJ_NUMANODE);
    PV_TRY(PV_ALLOC(topology->numa_count, &topology->numas));
    for (int i = 0; i < topology->numa_count; i++) {
        const hwloc_obj_t node = hwloc_get_obj_by_type(tree, HWLOC_OBJ_NUMANODE, (unsigned)i);
        topology->numas[i].number = (int)node->os_index;
        topology->numas[i].bytes = (int64_t)node->attr->numanode.local_memory;
        copy_cpus(node->cpuset, &topology->numas[i].cpus);
    }
    return PV_OK;
}

// ---- Devices ------------------------------------------------------------------------------------------------------

static pv_nearness kind_of(const struct hwloc_obj *object)
{
    switch (object->type) {
    case HWLOC_OBJ_MACHINE: return PV_NEAR_MACHINE;
    case HWLOC_OBJ_PACKAGE: return PV_NEAR_PACKAGE;
    case HWLOC_OBJ_BRIDGE:
        return object->attr->bridge.upstream_type == HWLOC_OBJ_BRIDGE_HOST ? PV_NEAR_ROOT : PV_NEAR_SWITCH;
    default: return PV_NEAR_NUMA;
    }
}

static pv_place place_of(hwloc_topology_t tree, hwloc_obj_t device)
{
    pv_place place = {.depth = 0};
    for (hwloc_obj_t at = device->parent; at; at = at->parent) place.depth++;
    int step = place.depth;
    if (place.depth > PV_PLACE_STEPS) place.depth = PV_PLACE_STEPS;
    for (hwloc_obj_t at = device->parent; at; at = at->parent) {
        if (--step >= PV_PLACE_STEPS) continue;
        place.ids[step] = at->gp_index;
        place.kinds[step] = kind_of(at);
    }
    const hwloc_obj_t holder = hwloc_get_non_io_ancestor_obj(tree, device);
    copy_cpus(holder->cpuset, &place.cpus);
    place.numa = numa_of(tree, holder);
    return place;
}

static void print_pci(const struct hwloc_obj *device, char *text, size_t size)
{
    const struct hwloc_pcidev_attr_s *pci = &device->attr->pcidev;
    snprintf(text, size, "%04x:%02x:%02x.%x", (unsigned)pci->domain & 0xffff, pci->bus, pci->dev, pci->func & 0xf);
}

static int is_gpu(const struct hwloc_obj *device)
{
    const struct hwloc_pcidev_attr_s *pci = &device->attr->pcidev;
    return pci->vendor_id == VENDOR_NVIDIA && (pci->class_id == CLASS_VGA || pci->class_id == CLASS_3D);
}

// The value of a line "Name:   value" of what the driver says of a GPU.
static int read_driver_entry(const char *pci, const char *name, char *value, size_t size)
{
    char path[64], line[256];
    int found = 0;
    snprintf(path, sizeof path, "/proc/driver/nvidia/gpus/%s/information", pci);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    while (!found && fgets(line, sizeof line, file)) {
        if (strncmp(line, name, strlen(name)) != 0) continue;
        const char *at = line + strlen(name) + strspn(line + strlen(name), ": \t");
        snprintf(value, size, "%.*s", (int)strcspn(at, "\n"), at);
        found = 1;
    }
    fclose(file);
    return found;
}

// Control groups withhold GPUs by their device files; PCI shows them all the same.
static int may_use(const char *pci)
{
    char minor[16], path[32];
    if (!read_driver_entry(pci, "Device Minor", minor, sizeof minor)) return 1;
    snprintf(path, sizeof path, "/dev/nvidia%d", atoi(minor));
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file >= 0) close(file);
    return file >= 0 || (errno != EPERM && errno != EACCES && errno != ENOENT);
}

static void read_gpu(hwloc_topology_t tree, hwloc_obj_t device, int is_live, pv_topology *topology)
{
    pv_gpu *gpu = &topology->gpus[topology->gpu_count];
    *gpu = (pv_gpu){.place = place_of(tree, device)};
    print_pci(device, gpu->pci, sizeof gpu->pci);
    if (is_live && !may_use(gpu->pci)) return;
    const char *name = hwloc_obj_get_info_by_name(device, "PCIDevice");
    const char *uuid = hwloc_obj_get_info_by_name(device, "NVIDIAUUID");
    if (name) snprintf(gpu->name, sizeof gpu->name, "%s", name);
    if (uuid) snprintf(gpu->uuid, sizeof gpu->uuid, "%s", uuid);
    if (is_live) {
        (void)read_driver_entry(gpu->pci, "Model", gpu->name, sizeof gpu->name);
        (void)read_driver_entry(gpu->pci, "GPU UUID", gpu->uuid, sizeof gpu->uuid);
    }
    topology->gpu_count++;
}

static int by_pci(const void *a, const void *b)
{
    return strcmp(((const pv_gpu *)a)->pci, ((const pv_gpu *)b)->pci);
}

static pv_status read_gpus(hwloc_topology_t tree, int is_live, pv_topology *topology)
{
    int count = 0;
    for (hwloc_obj_t d = NULL; (d = hwloc_get_next_pcidev(tree, d));) count += is_gpu(d);
    PV_TRY(PV_ALLOC(count, &topology->gpus));
    for (hwloc_obj_t d = NULL; (d = hwloc_get_next_pcidev(tree, d));)
        if (is_gpu(d)) read_gpu(tree, d, is_live, topology);
    if (topology->gpu_count > 1) qsort(topology->gpus, (size_t)topology->gpu_count, sizeof *topology->gpus, by_pci);
    return PV_OK;
}

// The first port of a network card that is active, or whose state is not told; 0: none.
static int active_port(hwloc_obj_t card)
{
    for (int port = 1; port <= 8; port++) {
        char key[32];
        snprintf(key, sizeof key, "Port%dState", port);
        const char *state = hwloc_obj_get_info_by_name(card, key);
        if (!state && port == 1) return 1;
        if (!state) return 0;
        if (atoi(state) == 4) return port;
    }
    return 0;
}

// mlx5_9 before mlx5_10.
static int by_name(const void *a, const void *b)
{
    return strverscmp(((const pv_nic *)a)->name, ((const pv_nic *)b)->name);
}

static int is_nic(const struct hwloc_obj *device)
{
    return device->attr->osdev.type == HWLOC_OBJ_OSDEV_OPENFABRICS && device->name;
}

static pv_status read_nics(hwloc_topology_t tree, pv_topology *topology)
{
    int count = 0;
    for (hwloc_obj_t d = NULL; (d = hwloc_get_next_osdev(tree, d));) count += is_nic(d);
    PV_TRY(PV_ALLOC(count, &topology->nics));
    for (hwloc_obj_t d = NULL; (d = hwloc_get_next_osdev(tree, d));) {
        if (!is_nic(d)) continue;
        pv_nic *nic = &topology->nics[topology->nic_count];
        *nic = (pv_nic){.port = active_port(d), .place = place_of(tree, d)};
        snprintf(nic->name, sizeof nic->name, "%s", d->name);
        if (d->parent && d->parent->type == HWLOC_OBJ_PCI_DEVICE) print_pci(d->parent, nic->pci, sizeof nic->pci);
        topology->nic_count += nic->port > 0;
    }
    if (topology->nic_count > 1) qsort(topology->nics, (size_t)topology->nic_count, sizeof *topology->nics, by_name);
    return PV_OK;
}

// ---- The whole ----------------------------------------------------------------------------------------------------

// Libraries of vendors, which hwloc would start for what PCI tells anyway.
static void leave_out_vendors(hwloc_topology_t tree)
{
    static const char *const names[] = {"cuda", "nvml", "opencl", "rsmi", "levelzero", "gl"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        (void)hwloc_topology_set_components(tree, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, names[i]);
}

// What these variables name hwloc passes over in silence when it cannot read it, and describes this machine instead.
static pv_status check_taken(hwloc_topology_t tree)
{
    static const char *const names[] = {"HWLOC_XMLFILE", "HWLOC_SYNTHETIC"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        PV_REQUIRE(!value || !*value || getenv("HWLOC_THISSYSTEM") || !hwloc_topology_is_thissystem(tree),
                   PV_ERR_INPUT, "%s is \"%s\", which hwloc could not read; %s is accepted", names[i], value,
                   i == 0 ? "a file written by lstopo --of xml" : "a description such as \"numa:2 core:8 pu:2\"");
    }
    return PV_OK;
}

static pv_status load(hwloc_topology_t tree, const char *xml_file)
{
    (void)hwloc_topology_set_io_types_filter(tree, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
    if (!xml_file) {
        leave_out_vendors(tree);
        PV_REQUIRE(hwloc_topology_load(tree) == 0, PV_ERR_DEVICE,
                   "hwloc could not read the topology of this machine: %s", strerror(errno));
        return check_taken(tree);
    }
    PV_TRY(pv_file_check_read(xml_file));
    PV_REQUIRE(access(xml_file, R_OK) == 0, PV_ERR_INPUT, "the topology %s cannot be read: %s", xml_file,
               strerror(errno));
    PV_REQUIRE(hwloc_topology_set_xml(tree, xml_file) == 0 && hwloc_topology_load(tree) == 0, PV_ERR_INPUT,
               "%s is no topology; a file written by lstopo --of xml is accepted", xml_file);
    return PV_OK;
}

static pv_status read_all(hwloc_topology_t tree, int is_live, pv_topology *topology)
{
    const char *host = hwloc_obj_get_info_by_name(hwloc_get_root_obj(tree), "HostName");
    if (is_live)
        (void)gethostname(topology->host, sizeof topology->host - 1);
    else
        snprintf(topology->host, sizeof topology->host, "%s", host ? host : "unnamed");
    PV_TRY(read_cores(tree, topology));
    PV_TRY(read_numas(tree, topology));
    PV_TRY(read_gpus(tree, is_live, topology));
    return read_nics(tree, topology);
}

pv_status pv_hwloc_read_topology(const char *xml_file, pv_topology **topology_p)
{
    hwloc_topology_t tree;
    pv_topology *topology = NULL;
    // Its remarks on doubtful firmware are no news to who wants to run a program.
    (void)setenv("HWLOC_HIDE_ERRORS", "2", 0);
    PV_REQUIRE(hwloc_topology_init(&tree) == 0, PV_ERR_MEMORY, "hwloc could not begin: %s", strerror(errno));
    pv_status status = load(tree, xml_file);
    if (status == PV_OK) status = PV_ALLOC(1, &topology);
    if (status == PV_OK) status = read_all(tree, xml_file == NULL, topology);
    hwloc_topology_destroy(tree);
    if (status == PV_OK)
        *topology_p = topology;
    else
        pv_topology_destroy(topology);
    return status;
}
