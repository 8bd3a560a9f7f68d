// SPDX-License-Identifier: Apache-2.0
#include "cli/info/machine.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/free_memory.h"

// Copies what follows "name   : " in the first such line of a file of /proc.
static int read_entry(const char *path, const char *name, char *text, size_t size)
{
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    char line[4096];
    int found = 0;
    while (!found && fgets(line, sizeof line, file)) {
        size_t length = strlen(name);
        if (strncmp(line, name, length) != 0) continue;
        const char *at = line + length + strspn(line + length, " \t");
        if (*at != ':') continue;
        at += 1 + strspn(at + 1, " \t");
        snprintf(text, size, "%.*s", (int)strcspn(at, "\n"), at);
        found = 1;
    }
    fclose(file);
    return found;
}

// The first number of a file of /sys, which may carry a unit: "48K", "2M".
static int64_t read_size(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    int64_t value = 0;
    char unit = ' ';
    if (fscanf(file, "%" SCNd64 "%c", &value, &unit) < 1) value = 0;
    fclose(file);
    return value * (unit == 'K' ? 1024 : unit == 'M' ? 1024 * 1024 : 1);
}

static void read_caches(pv_machine *machine)
{
    for (int index = 0; index < 8; index++) {
        char path[128], type[32] = "";
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/type", index);
        FILE *file = fopen(path, "r");
        if (!file) return;
        int has_type = fscanf(file, "%31s", type) == 1;
        fclose(file);
        if (!has_type || strcmp(type, "Instruction") == 0) continue;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/level", index);
        int64_t level = read_size(path);
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
        int64_t bytes = read_size(path);
        if (level == 1) machine->l1d_bytes = bytes;
        if (level == 2) machine->l2_bytes = bytes;
        if (level == 3) machine->l3_bytes = bytes;
    }
}

static int count_numa_nodes(void)
{
    char path[64];
    int count = 0;
    for (int node = 0; node < 1024; node++) {
        snprintf(path, sizeof path, "/sys/devices/system/node/node%d", node);
        if (access(path, F_OK) == 0) count++;
    }
    return count > 0 ? count : 1;
}

static void read_simd(char *text, size_t size)
{
    static const char *const names[] = {"neon", "asimd", "sve", "sve2", "sse2", "avx", "avx2", "fma", "avx512f"};
    char flags[4096] = " ";
    if (!read_entry("/proc/cpuinfo", "flags", flags + 1, sizeof flags - 2))
        read_entry("/proc/cpuinfo", "Features", flags + 1, sizeof flags - 2);
    strcat(flags, " ");
    text[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char word[32];
        snprintf(word, sizeof word, " %s ", names[i]);
        size_t used = strlen(text);
        if (strstr(flags, word)) snprintf(text + used, size - used, "%s%s", used ? " " : "", names[i]);
    }
}

pv_machine pv_machine_read(void)
{
    pv_machine machine = {.cpu = "unknown"};
    read_entry("/proc/cpuinfo", "model name", machine.cpu, sizeof machine.cpu);
    read_simd(machine.simd, sizeof machine.simd);
    machine.cores_online = (int)sysconf(_SC_NPROCESSORS_ONLN);
    cpu_set_t allowed;
    machine.cores_allowed =
        sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : machine.cores_online;
    machine.numa_nodes = count_numa_nodes();
    read_caches(&machine);
    machine.memory_bytes = pv_memory_total_bytes();
    machine.memory_available_bytes = pv_free_memory_bytes();
    return machine;
}
