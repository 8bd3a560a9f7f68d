// SPDX-License-Identifier: Apache-2.0
#include "base/mem.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/check.h"

enum { ALIGNMENT = 64, HUGE_PAGE = 2 << 20, HUGE_FROM = 4 << 20 };

// Lies right before the memory handed out, in the padding that alignment costs anyway.
typedef struct header {
    void *block;
    size_t bytes;
} header;

static atomic_size_t live_bytes;
static atomic_size_t peak_bytes;

void pv_mem_account(size_t bytes_added, size_t bytes_removed)
{
    size_t live = atomic_fetch_add(&live_bytes, bytes_added) + bytes_added;
    size_t peak = atomic_load(&peak_bytes);
    while (live > peak && !atomic_compare_exchange_weak(&peak_bytes, &peak, live)) continue;
    atomic_fetch_sub(&live_bytes, bytes_removed);
}

size_t pv_mem_live_bytes(void)
{
    return atomic_load(&live_bytes);
}

size_t pv_mem_peak_bytes(void)
{
    return atomic_load(&peak_bytes);
}

void pv_mem_restart_peak(void)
{
    atomic_store(&peak_bytes, atomic_load(&live_bytes));
}

static header *header_of(void *memory)
{
    return (header *)memory - 1;
}

static pv_status allocate(size_t count, size_t size, int zeroed, void **memory_p)
{
    if (count == 0 || size == 0) {
        *memory_p = NULL;
        return PV_OK;
    }
    const size_t most = PTRDIFF_MAX - 2 * (size_t)HUGE_PAGE;
    PV_REQUIRE(count <= most / size, PV_ERR_MEMORY, "asked for %zu elements of %zu bytes; at most %zu bytes in all",
               count, size, most);

    const size_t bytes = count * size;
    const size_t alignment = bytes >= HUGE_FROM ? HUGE_PAGE : ALIGNMENT;
    void *block = NULL;
    PV_REQUIRE(posix_memalign(&block, alignment, bytes + alignment) == 0, PV_ERR_MEMORY,
               "asked for %zu bytes; Parseval holds %zu bytes in this process and the system has no more", bytes,
               pv_mem_live_bytes());

    void *memory = (char *)block + alignment;
    *header_of(memory) = (header){.block = block, .bytes = bytes};
    // Advice only: without huge pages the memory is slower, not wrong.
    if (alignment == HUGE_PAGE) (void)madvise(memory, bytes, MADV_HUGEPAGE);
    if (zeroed) memset(memory, 0, bytes);
    pv_mem_account(bytes, 0);
    *memory_p = memory;
    return PV_OK;
}

pv_status pv_mem_alloc(size_t count, size_t size, void **memory_p)
{
    return allocate(count, size, 1, memory_p);
}

pv_status pv_mem_alloc_raw(size_t count, size_t size, void **memory_p)
{
    return allocate(count, size, 0, memory_p);
}

void pv_mem_free(void *memory)
{
    if (!memory) return;
    header kept = *header_of(memory);
    pv_mem_account(0, kept.bytes);
    free(kept.block);
}

pv_status pv_mem_strdup(const char *text, char **copy_p)
{
    const size_t bytes = strlen(text) + 1;
    void *copy;
    PV_TRY(pv_mem_alloc_raw(bytes, 1, &copy));
    *copy_p = memcpy(copy, text, bytes);
    return PV_OK;
}
