// SPDX-License-Identifier: Apache-2.0
#include "comm/heap.h"

#include "base/check.h"
#include "base/mem.h"

typedef struct part {
    size_t offset, bytes;
    struct part *next;
} part;

struct pv_heap {
    size_t bytes, taken_bytes;
    part *first; // by ascending offset
};

pv_status pv_heap_create(size_t bytes, pv_heap **heap_p)
{
    pv_heap *heap;
    PV_TRY(PV_ALLOC(1, &heap));
    heap->bytes = bytes;
    *heap_p = heap;
    return PV_OK;
}

void pv_heap_destroy(pv_heap *heap)
{
    if (!heap) return;
    for (part *at = heap->first, *next; at; at = next) {
        next = at->next;
        pv_mem_free(at);
    }
    pv_mem_free(heap);
}

pv_status pv_heap_take(pv_heap *heap, size_t bytes, size_t *offset_p)
{
    const size_t units = bytes / PV_HEAP_ALIGN + (bytes % PV_HEAP_ALIGN > 0 || bytes == 0);
    part **link = &heap->first, *taken;
    size_t end = 0;
    while (*link && ((*link)->offset - end) / PV_HEAP_ALIGN < units) {
        end = (*link)->offset + (*link)->bytes;
        link = &(*link)->next;
    }
    PV_REQUIRE(*link || (heap->bytes - end) / PV_HEAP_ALIGN >= units, PV_ERR_MEMORY,
               "asked for %zu bytes of a heap of %zu, of which %zu are taken", bytes, heap->bytes, heap->taken_bytes);
    PV_TRY(PV_ALLOC(1, &taken));
    *taken = (part){.offset = end, .bytes = units * PV_HEAP_ALIGN, .next = *link};
    *link = taken;
    heap->taken_bytes += taken->bytes;
    *offset_p = end;
    return PV_OK;
}

void pv_heap_give_back(pv_heap *heap, size_t offset)
{
    for (part **link = &heap->first; *link; link = &(*link)->next) {
        part *at = *link;
        if (at->offset != offset) continue;
        *link = at->next;
        heap->taken_bytes -= at->bytes;
        pv_mem_free(at);
        return;
    }
}

size_t pv_heap_taken_bytes(const pv_heap *heap)
{
    return heap->taken_bytes;
}
