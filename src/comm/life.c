// SPDX-License-Identifier: Apache-2.0
#include "comm/life.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

// The third and the 22nd word of /proc/PID/stat. The second is a name in brackets and may hold anything.
static int read_stat(int pid, char *state_p, uint64_t *start_p)
{
    char path[32], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *at = strrchr(text, ')');
    if (!at || sscanf(at + 1, " %c", state_p) != 1) return 0;
    at += 2; // before the third word
    for (int word = 3; word < 22; word++) {
        at = strchr(at + 1, ' ');
        if (!at) return 0;
    }
    return sscanf(at, "%" SCNu64, start_p) == 1;
}

static pv_process self_of(int rank)
{
    pv_process self = {.rank = rank, .pid = (int)getpid()};
    struct stat space;
    char state;
    if (stat("/proc/self/ns/pid", &space) != 0 || !read_stat(self.pid, &state, &self.start)) self.pid = 0;
    else self.space = (uint64_t)space.st_ino;
    return self;
}

static void adopt(pv_process *process, const pv_process *self)
{
    uint64_t start = 0;
    char state;
    if (process->pid == 0) return;
    const int is_known = self->pid != 0 && process->space == self->space && read_stat(process->pid, &state, &start);
    if (!is_known || start != process->start) process->pid = 0;
}

pv_process *pv_process_gather(MPI_Comm node, int rank)
{
    const pv_process self = self_of(rank);
    pv_process *all = NULL;
    int size = 0, all_have = 0;
    if (MPI_Comm_size(node, &size) != MPI_SUCCESS) return NULL;
    int has_room = PV_ALLOC(size, &all) == PV_OK;
    int told = MPI_Allreduce(&has_room, &all_have, 1, MPI_INT, MPI_MIN, node) == MPI_SUCCESS && all_have;
    if (told) told = MPI_Allgather(&self, sizeof self, MPI_BYTE, all, sizeof self, MPI_BYTE, node) == MPI_SUCCESS;
    for (int i = 0; told && i < size; i++) adopt(&all[i], &self);
    if (told) return all;
    pv_mem_free(all);
    return NULL;
}

int pv_process_has_ended(const pv_process *process)
{
    uint64_t start = 0;
    char state = 'R';
    if (process->pid == 0) return 0;
    if (!read_stat(process->pid, &state, &start)) return access("/proc/self/stat", R_OK) == 0;
    return start != process->start || state == 'Z' || state == 'X';
}
