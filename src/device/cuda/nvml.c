// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/nvml.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { SUCCESS = 0, ENABLED = 1, NVLINK_CAPABILITY = 2, MOST_LINKS = 36, MOST_PROCESSES = 32 };

typedef struct nvmlDevice_st *nvml_device;

// nvmlProcessInfo_v2_t
typedef struct nvml_process {
    unsigned pid;
    unsigned long long bytes;
    unsigned gpu_instance, compute_instance;
} nvml_process;

typedef struct nvml {
    int (*init)(void);
    int (*find)(const char *pci, nvml_device *device_p);
    int (*link_state)(nvml_device device, unsigned link, int *is_active_p);
    int (*peer_status)(nvml_device device, nvml_device other, int capability, int *status_p);
    int (*processes)(nvml_device device, unsigned *count_p, nvml_process *processes);
} nvml;

// Functions and objects have pointers of one size here; C has no cast between them.
static int look_up(void *library, const char *name, void *function_p)
{
    void *address = dlsym(library, name);
    memcpy(function_p, &address, sizeof address);
    return address != NULL;
}

// NULL when it is not there, too old, or does not start.
static const nvml *open_once(void)
{
    static nvml found;
    static int is_open; // 0: not tried, 1: open, -1: not there
    if (is_open == 0) {
        void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        is_open = library && look_up(library, "nvmlInit_v2", &found.init) &&
                          look_up(library, "nvmlDeviceGetHandleByPciBusId_v2", &found.find) &&
                          look_up(library, "nvmlDeviceGetNvLinkState", &found.link_state) &&
                          look_up(library, "nvmlDeviceGetP2PStatus", &found.peer_status) &&
                          look_up(library, "nvmlDeviceGetComputeRunningProcesses_v3", &found.processes) &&
                          found.init() == SUCCESS
                      ? 1
                      : -1;
    }
    return is_open == 1 ? &found : NULL;
}

int pv_nvml_link_count(const char *pci)
{
    const nvml *library = open_once();
    nvml_device device;
    int count = 0, is_active = 0;
    if (!library || library->find(pci, &device) != SUCCESS) return -1;
    for (unsigned link = 0; link < MOST_LINKS && library->link_state(device, link, &is_active) == SUCCESS; link++)
        count += is_active == ENABLED;
    return count;
}

int pv_nvml_are_linked(const char *pci, const char *other_pci)
{
    const nvml *library = open_once();
    nvml_device device, other;
    int status;
    if (!library || library->find(pci, &device) != SUCCESS || library->find(other_pci, &other) != SUCCESS) return -1;
    if (library->peer_status(device, other, NVLINK_CAPABILITY, &status) != SUCCESS) return -1;
    return status == 0;
}

static void read_name(unsigned pid, char *name, size_t size)
{
    char path[32];
    name[0] = '\0';
    snprintf(path, sizeof path, "/proc/%u/comm", pid);
    FILE *file = fopen(path, "r");
    if (!file) return;
    if (!fgets(name, (int)size, file)) name[0] = '\0';
    name[strcspn(name, "\n")] = '\0';
    fclose(file);
}

void pv_nvml_print_holders(const char *pci, char *text, size_t size)
{
    const nvml *library = open_once();
    nvml_device device;
    nvml_process processes[MOST_PROCESSES];
    unsigned count = MOST_PROCESSES;
    size_t used = 0;
    text[0] = '\0';
    if (!library || library->find(pci, &device) != SUCCESS) return;
    if (library->processes(device, &count, processes) != SUCCESS) return;
    for (unsigned i = 0; i < count && used < size; i++) {
        char name[32];
        read_name(processes[i].pid, name, sizeof name);
        used += (size_t)snprintf(text + used, size - used, "%sprocess %u%s%s%s", used ? ", " : "", processes[i].pid,
                                 name[0] ? " (" : "", name, name[0] ? ")" : "");
        // All ones: the driver does not tell, as in containers.
        if (processes[i].bytes != ~0ull && used < size)
            used += (size_t)snprintf(text + used, size - used, " %.3g GB", 1e-9 * (double)processes[i].bytes);
    }
}
