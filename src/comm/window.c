// SPDX-License-Identifier: Apache-2.0
#include "comm/comm_ops.h"

#include <sched.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "counters in shared memory need lock-free 64-bit atomics");

enum { YIELDS_PER_LOOK = 64 };

size_t pv_window_flags_bytes(int senders)
{
    return (size_t)senders * PV_WINDOW_FLAGS * sizeof(pv_window_flag);
}

pv_status pv_window_create_private(pv_window *window)
{
    const int rank = window->comm->rank;
    void *flags;
    PV_TRY(pv_mem_alloc(1, pv_window_flags_bytes(1), &flags));
    // Also an empty window has a base: NULL means not reachable.
    pv_status status = pv_mem_alloc(window->bytes ? window->bytes : 1, 1, &window->bases[rank]);
    if (status != PV_OK) {
        pv_mem_free(flags);
        return status;
    }
    window->flags[rank] = flags;
    window->slots[rank] = 0;
    return PV_OK;
}

void pv_window_destroy_private(pv_window *window)
{
    pv_mem_free(window->bases[window->comm->rank]);
    pv_mem_free(window->flags[window->comm->rank]);
}

static void forget(pv_window *window)
{
    pv_mem_free(window->bases);
    pv_mem_free(window->flags);
    pv_mem_free(window->slots);
    pv_mem_free(window);
}

static pv_status begin(pv_comm *comm, size_t bytes, pv_window **window_p)
{
    pv_window *window;
    PV_TRY(PV_ALLOC(1, &window));
    *window_p = window;
    window->comm = comm;
    window->bytes = bytes;
    PV_TRY(PV_ALLOC(comm->size, &window->bases));
    PV_TRY(PV_ALLOC(comm->size, &window->flags));
    PV_TRY(PV_ALLOC(comm->size, &window->slots));
    for (int rank = 0; rank < comm->size; rank++) window->slots[rank] = -1;
    return PV_OK;
}

pv_status pv_window_create(pv_comm *comm, size_t bytes, pv_window **window_p)
{
    pv_window *window = NULL;
    pv_status status;
    PV_TRY_GOTO(pv_comm_agree(comm, begin(comm, bytes, &window)), status, undo);
    status = comm->ops->window_create(window);
    const pv_status verdict = pv_comm_agree(comm, status);
    if (status == PV_OK && verdict != PV_OK) comm->ops->window_destroy(window);
    PV_TRY_GOTO(verdict, status, undo);
    *window_p = window;
    return PV_OK;

undo:
    if (window) forget(window);
    return status;
}

void pv_window_destroy(pv_window *window)
{
    if (!window) return;
    window->comm->ops->window_destroy(window);
    forget(window);
}

void *pv_window_base(const pv_window *window, int rank)
{
    return rank >= 0 && rank < window->comm->size ? window->bases[rank] : NULL;
}

size_t pv_window_bytes(const pv_window *window)
{
    return window->bytes;
}

// The counter from rank `from` that rank `at` looks at; NULL when they do not reach each other.
static pv_window_flag *counter(const pv_window *window, int at, int from, int flag)
{
    const int size = window->comm->size;
    if (at < 0 || at >= size || from < 0 || from >= size || flag < 0 || flag >= PV_WINDOW_FLAGS) return NULL;
    if (!window->flags[at] || window->slots[from] < 0) return NULL;
    return window->flags[at] + (ptrdiff_t)window->slots[from] * PV_WINDOW_FLAGS + flag;
}

void pv_window_post(pv_window *window, int rank, int flag, uint64_t value)
{
    pv_window_flag *counted = counter(window, rank, window->comm->rank, flag);
    if (!counted) {
        (void)pv_fail(PV_ERR_ARGUMENT, __func__, "flag %d of rank %d, which is not reachable or has %d flags", flag, rank,
                      PV_WINDOW_FLAGS);
        return;
    }
#ifdef __x86_64__
    __builtin_ia32_sfence(); // streaming stores are not ordered by a release store
#endif
    atomic_store_explicit(&counted->value, value, memory_order_release);
}

static int reached(pv_window_flag *counted, uint64_t value)
{
    return atomic_load_explicit(&counted->value, memory_order_acquire) >= value;
}

static void pause_core(void)
{
#ifdef __x86_64__
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static pv_status wait_long(pv_window *window, int rank, int flag, pv_window_flag *counted, uint64_t value)
{
    const pv_comm *comm = window->comm;
    const double begin_s = pv_clock_s();
    for (;;) {
        for (int i = 0; i < YIELDS_PER_LOOK; i++) {
            if (reached(counted, value)) return PV_OK;
            sched_yield();
        }
        if (window->progress) window->progress(window->comm);
        PV_REQUIRE(pv_clock_s() - begin_s < comm->timeout_s, PV_ERR_TIMEOUT,
                   "rank %d waited %g s for counter %d from rank %d to reach %llu; it is %llu", comm->rank,
                   comm->timeout_s, flag, rank, (unsigned long long)value,
                   (unsigned long long)atomic_load(&counted->value));
    }
}

pv_status pv_window_wait(pv_window *window, int rank, int flag, uint64_t value)
{
    pv_window_flag *counted = counter(window, window->comm->rank, rank, flag);
    PV_REQUIRE(counted, PV_ERR_ARGUMENT, "flag %d from rank %d, which is not reachable or has %d flags", flag, rank,
               PV_WINDOW_FLAGS);
    if (reached(counted, value)) return PV_OK;
    for (int i = 0; i < window->spin; i++) {
        pause_core();
        if (reached(counted, value)) return PV_OK;
    }
    return wait_long(window, rank, flag, counted, value);
}
