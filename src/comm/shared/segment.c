// SPDX-License-Identifier: Apache-2.0
#include "comm/shared/segment.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "base/check.h"
#include "base/clock.h"

// Values of Linux 5.14 and 6.1, for C libraries that are older. A kernel that lacks them says EINVAL.
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

enum { PAGE_BYTES = 4096 };

static char *align_up(char *address, size_t alignment)
{
    return (char *)(((uintptr_t)address + alignment - 1) & ~(uintptr_t)(alignment - 1));
}

// Attaches at an address that huge pages can map.
static void *attach_aligned(int id, size_t bytes)
{
    const size_t room_bytes = bytes + PV_HUGE_PAGE_BYTES;
    char *room = mmap(NULL, room_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return NULL;
    char *base = align_up(room, PV_HUGE_PAGE_BYTES), *end = align_up(base + bytes, PAGE_BYTES);
    const int is_attached = shmat(id, base, SHM_REMAP) != (void *)-1;
    const int error = errno;
    if (!is_attached) {
        munmap(room, room_bytes);
    } else {
        if (base > room) munmap(room, (size_t)(base - room));
        if (room + room_bytes > end) munmap(end, (size_t)(room + room_bytes - end));
    }
    errno = error;
    return is_attached ? base : NULL;
}

// What the first rank tells the others. The token shows that an id means the same segment to them: containers on one
// node may count their segments apart.
typedef struct invitation {
    int id;
    uint64_t token;
} invitation;

static void *found(size_t bytes, invitation *made)
{
    made->id = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
    if (made->id < 0) return NULL;
    void *base = attach_aligned(made->id, bytes);
    const int error = errno;
    // Linux lets others attach what is marked for removal, and removes it with the last of them.
    (void)shmctl(made->id, IPC_RMID, NULL);
    if (!base) made->id = -1;
    errno = error;
    made->token = (uint64_t)(pv_clock_s() * 1e9) ^ (uint64_t)getpid() << 44;
    if (base) memcpy(base, &made->token, sizeof made->token);
    return base;
}

static void *join(size_t bytes, const invitation *made)
{
    if (made->id < 0) return NULL;
    void *base = attach_aligned(made->id, bytes);
    if (base && memcmp(base, &made->token, sizeof made->token) != 0) {
        pv_segment_detach(base);
        errno = EXDEV;
        base = NULL;
    }
    return base;
}

void *pv_segment_attach(MPI_Comm node, size_t bytes, const char **reason_p)
{
    int rank;
    invitation made = {.id = -1};
    *reason_p = "MPI could not tell the ranks of the node";
    if (MPI_Comm_rank(node, &rank) != MPI_SUCCESS) return NULL;
    void *base = rank == 0 ? found(bytes, &made) : NULL;
    int why = errno; // before MPI sets it
    const int told = MPI_Bcast(&made, sizeof made, MPI_BYTE, 0, node) == MPI_SUCCESS;
    if (told && rank != 0) {
        base = join(bytes, &made);
        why = made.id < 0 ? 0 : errno;
    }
    const char *reason = base || why == 0 ? "another rank of the node could not attach" : strerror(why);

    int all_have = base != NULL;
    if (MPI_Allreduce(MPI_IN_PLACE, &all_have, 1, MPI_INT, MPI_MIN, node) != MPI_SUCCESS) all_have = 0;
    if (!all_have) {
        if (base) pv_segment_detach(base);
        *reason_p = reason;
        return NULL;
    }
    if (rank == 0) memset(base, 0, sizeof made.token);
    return base;
}

void pv_segment_detach(void *base)
{
    (void)shmdt(base);
}

// Advice is enough where the system's setting for shared memory is "advise"; where it is "never", the pages have to be
// made huge by name. Either may fail: the memory is slower then, not wrong.
static void make_huge(char *part, size_t bytes)
{
    char *begin = align_up(part, PV_HUGE_PAGE_BYTES);
    if (begin >= part + bytes) return;
    const size_t whole = (size_t)(part + bytes - begin) / PV_HUGE_PAGE_BYTES * PV_HUGE_PAGE_BYTES;
    if (whole == 0) return;
    (void)madvise(begin, whole, MADV_HUGEPAGE);
    for (size_t i = 0; i < whole; i += PV_HUGE_PAGE_BYTES)
        if (madvise(begin + i, PAGE_BYTES, MADV_POPULATE_WRITE) != 0) return;
    (void)madvise(begin, whole, MADV_COLLAPSE);
}

pv_status pv_segment_take(void *part, size_t bytes)
{
    make_huge(part, bytes);
    char *begin = align_up((char *)part - (PAGE_BYTES - 1), PAGE_BYTES);
    const size_t length = (size_t)(align_up((char *)part + bytes, PAGE_BYTES) - begin);
    if (madvise(begin, length, MADV_POPULATE_WRITE) == 0) return PV_OK;
    PV_REQUIRE(errno == EINVAL, PV_ERR_MEMORY, "asked for %zu bytes of shared memory: %s", bytes, strerror(errno));
    for (size_t i = 0; i < bytes; i += PAGE_BYTES) ((volatile char *)part)[i] = 0;
    return PV_OK;
}
