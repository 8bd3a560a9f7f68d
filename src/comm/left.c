// SPDX-License-Identifier: Apache-2.0
#include "comm/left.h"

#include <stdatomic.h>

#include "base/check.h"
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
