// SPDX-License-Identifier: Apache-2.0
#include "base/free_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// The first number of a file; 0 when there is none ("max").
static int64_t read_number(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    int64_t value = 0;
    if (fscanf(file, "%" SCNd64, &value) < 1) value = 0;
    fclose(file);
    return value;
}

// A container's limit; 0: none.
static int64_t memory_limit(void)
{
    const int64_t limit = read_number("/sys/fs/cgroup/memory.max");
    return limit > 0 ? limit : read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes");
}

static int64_t limit_left(void)
{
    const int64_t limit = memory_limit();
    if (limit <= 0) return INT64_MAX;
    int64_t used = read_number("/sys/fs/cgroup/memory.current");
    if (used <= 0) used = read_number("/sys/fs/cgroup/memory/memory.usage_in_bytes");
    return limit > used ? limit - used : 0;
}

// The number behind `key` in /proc/meminfo, in bytes; 0 when there is none.
static int64_t read_meminfo(const char *key)
{
    FILE *file = fopen("/proc/meminfo", "r");
    if (!file) return 0;
    char line[256];
    int64_t kibibytes = 0;
    while (fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0) sscanf(line + strlen(key), "%" SCNd64, &kibibytes);
    fclose(file);
    return 1024 * kibibytes;
}

int64_t pv_memory_total_bytes(void)
{
    const int64_t total = read_meminfo("MemTotal:"), limit = memory_limit();
    return limit > 0 && limit < total ? limit : total;
}

int64_t pv_free_memory_bytes(void)
{
    const int64_t free = read_meminfo("MemAvailable:"), left = limit_left();
    return left < free ? left : free;
}

uint64_t pv_node_identity(void)
{
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    uint64_t hash = 14695981039346656037u; // FNV-1a
    for (int c = file ? fgetc(file) : EOF; c != EOF; c = fgetc(file)) hash = (hash ^ (uint64_t)c) * 1099511628211u;
    if (file) fclose(file);
    return hash;
}
