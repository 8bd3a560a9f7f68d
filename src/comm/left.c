// SPDX-License-Identifier: Apache-2.0
#include "comm/left.h"

#include <stdatomic.h>

#include "base/mem.h"

typedef struct left {
    void *memory;
    struct left *before;
} left;

static _Atomic(left *) last;

void pv_leave(void *memory)
{
    left *made;
    if (!memory || PV_ALLOC(1, &made) != PV_OK) return;
    made->memory = memory;
    made->before = atomic_load(&last);
    while (!atomic_compare_exchange_weak(&last, &made->before, made)) continue;
}

void pv_free_or_leave(void *memory, int is_lost)
{
    if (is_lost) pv_leave(memory);
    else pv_mem_free(memory);
}

void pv_buffer_destroy_or_leave(pv_buffer *buffer, int is_lost)
{
    if (is_lost) pv_leave(buffer);
    else pv_buffer_destroy(buffer);
}
