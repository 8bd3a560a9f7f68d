// SPDX-License-Identifier: Apache-2.0
#include "comm/comm_ops.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "comm/left.h"
#include "comm/life.h"

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "counters in shared memory need lock-free 64-bit atomics");

enum { YIELDS_PER_LOOK = 16 };

size_t pv_window_flags_bytes(int senders)
{
    return (size_t)senders * PV_WINDOW_FLAGS * sizeof(pv_window_flag);
}

// Also an empty window has a base: NULL means not reachable.
static size_t private_bytes(const pv_window *window)
{
    return window->bytes ? window->bytes : 1;
}

static pv_status alloc_zeroed(pv_device *device, size_t bytes, void **data_p)
{
    void *data;
    PV_TRY(device->ops->alloc(device, bytes, &data));
    pv_status status = pv_stream_zero(device->stream, data, bytes);
    if (status == PV_OK) status = pv_stream_wait(device->stream);
    if (status == PV_OK) *data_p = data;
    else device->ops->free(device, data, bytes);
    return status;
}

pv_status pv_window_create_private(pv_window *window)
{
    pv_device *device = window->comm->device;
    const int rank = window->comm->rank;
    void *flags;
    PV_TRY(alloc_zeroed(device, pv_window_flags_bytes(1), &flags));
    pv_status status = alloc_zeroed(device, private_bytes(window), &window->bases[rank]);
    if (status != PV_OK) {
        device->ops->free(device, flags, pv_window_flags_bytes(1));
        return status;
    }
    window->flags[rank] = flags;
    window->slots[rank] = 0;
    return PV_OK;
}

void pv_window_destroy_private(pv_window *window)
{
    pv_device *device = window->comm->device;
    if (window->comm->is_lost) pv_leave(window->bases[window->comm->rank]);
    else device->ops->free(device, window->bases[window->comm->rank], private_bytes(window));
    device->ops->free(device, window->flags[window->comm->rank], pv_window_flags_bytes(1));
}

static void forget(pv_window *window)
{
    pv_mem_free(window->bases);
    pv_mem_free(window->flags);
    pv_mem_free(window->slots);
    pv_mem_free(window->last);
    pv_mem_free(window);
}

static pv_status begin(pv_comm *comm, size_t bytes, pv_window **window_p)
{
    pv_window *window;
    PV_REQUIRE(bytes <= (size_t)PTRDIFF_MAX / (size_t)comm->size, PV_ERR_MEMORY,
               "a window of %zu bytes was asked for on each of %d ranks; less than 2^63 in all is accepted", bytes,
               comm->size);
    PV_TRY(PV_ALLOC(1, &window));
    *window_p = window;
    window->comm = comm;
    window->bytes = bytes;
    PV_TRY(PV_ALLOC(comm->size, &window->bases));
    PV_TRY(PV_ALLOC(comm->size, &window->flags));
    PV_TRY(PV_ALLOC(comm->size, &window->slots));
    if (comm->device->ops->is_host) PV_TRY(PV_ALLOC(2 * PV_WINDOW_FLAGS * (size_t)comm->size, &window->last));
    for (int rank = 0; rank < comm->size; rank++) window->slots[rank] = -1;
    return PV_OK;
}

pv_status pv_window_create(pv_comm *comm, size_t bytes, pv_window **window_p)
{
    PV_REQUIRE_GIVEN(comm);
    PV_REQUIRE_GIVEN(window_p);
    pv_window *window = NULL;
    pv_status status;
    PV_TRY_GOTO(pv_comm_agree(comm, begin(comm, bytes, &window)), status, undo);
    pv_status mine = comm->ops->window_create(window);
    const int has_memory = mine == PV_OK;
    if (has_memory && !comm->device->ops->is_host) mine = pv_window_tables_create(window);
    status = pv_comm_agree(comm, mine);
    if (status != PV_OK && has_memory) comm->ops->window_destroy(window);
    if (status != PV_OK) goto undo;
    *window_p = window;
    return PV_OK;

undo:
    if (window) pv_window_tables_destroy(window);
    if (window) forget(window);
    return status;
}

void pv_window_destroy(pv_window *window)
{
    if (!window) return;
    pv_window_tables_destroy(window);
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

pv_window_flag *pv_window_counter(const pv_window *window, int at, int from, int flag)
{
    const int size = window->comm->size;
    if (at < 0 || at >= size || from < 0 || from >= size || flag < 0 || flag >= PV_WINDOW_FLAGS) return NULL;
    if (!window->flags[at] || window->slots[from] < 0) return NULL;
    return window->flags[at] + (ptrdiff_t)window->slots[from] * PV_WINDOW_FLAGS + flag;
}

static pv_status find_counter(const pv_window *window, int at, int from, int flag, pv_window_flag **counter_p)
{
    *counter_p = pv_window_counter(window, at, from, flag);
    PV_REQUIRE(*counter_p, PV_ERR_ARGUMENT,
               "there is no flag %d between rank %d and rank %d; 0 to %d are accepted, with ranks that can be reached",
               flag, window->comm->rank, at == window->comm->rank ? from : at, PV_WINDOW_FLAGS - 1);
    return PV_OK;
}

void pv_window_post(pv_window *window, int rank, int flag, uint64_t value)
{
    pv_window_flag *counted;
    if (find_counter(window, rank, window->comm->rank, flag, &counted) != PV_OK) return;
    if (window->tables) {
        (void)pv_window_post_on(window, window->comm->device->stream, rank, flag, value);
        return;
    }
#ifdef __x86_64__
    __builtin_ia32_sfence(); // streaming stores are not ordered by a release store
#endif
    // Either the receiver sees the value before it sleeps, or this sees that it sleeps.
    atomic_store(&counted->value, value);
    if (atomic_load(&counted->asleep)) syscall(SYS_futex, (uint32_t *)&counted->value, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static uint64_t look(pv_window_flag *counted)
{
    return atomic_load_explicit(&counted->value, memory_order_acquire);
}

static void pause_core(void)
{
#ifdef __x86_64__
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// A rank that shares its core with others leaves it to them until the value is posted; not for ever, since progress
// of other kinds may be wanted meanwhile.
static void sleep_until_posted(pv_window_flag *counted, uint64_t value)
{
    const struct timespec most = {0, 2000000};
    atomic_store(&counted->asleep, 1);
    const uint64_t found = atomic_load(&counted->value);
    if (found < value)
        syscall(SYS_futex, (uint32_t *)&counted->value, FUTEX_WAIT, (uint32_t)found, &most, NULL, 0);
    atomic_store(&counted->asleep, 0);
}

static pv_status look_often(pv_window *window, pv_window_flag *counted, uint64_t value, uint64_t *found_p)
{
    if (window->tables) return pv_window_look(window, counted, found_p);
    for (int i = 0; i < YIELDS_PER_LOOK; i++) {
        *found_p = look(counted);
        if (*found_p >= value) return PV_OK;
        sched_yield();
    }
    sleep_until_posted(counted, value);
    *found_p = look(counted);
    return PV_OK;
}

static pv_status wait_long(pv_window *window, int rank, int flag, pv_window_flag *counted, uint64_t value)
{
    const pv_comm *comm = window->comm;
    const double begin_s = pv_clock_s();
    double look_s = begin_s + PV_LOOK_AT_LIFE_S;
    for (int is_gone = 0;;) {
        uint64_t found;
        PV_TRY(look_often(window, counted, value, &found));
        if (found >= value) return PV_OK;
        // It may have posted before it went.
        PV_REQUIRE(!is_gone, PV_ERR_COMM, "rank %d waits for rank %d, whose process has ended", comm->rank, rank);
        if (window->progress) window->progress(window->comm);
        const double now_s = pv_clock_s();
        PV_REQUIRE(now_s - begin_s < comm->timeout_s, PV_ERR_TIMEOUT,
                   "rank %d waited %g s for counter %d from rank %d to reach %llu; it is %llu. All ranks must make the "
                   "same calls; PARSEVAL_TIMEOUT_S sets the limit",
                   comm->rank, comm->timeout_s, flag, rank, (unsigned long long)value, (unsigned long long)found);
        if (now_s < look_s || !window->has_ended) continue;
        is_gone = window->has_ended(comm, rank);
        look_s = now_s + PV_LOOK_AT_LIFE_S;
    }
}

pv_status pv_window_wait(pv_window *window, int rank, int flag, uint64_t value)
{
    pv_window_flag *counted;
    PV_REQUIRE_GIVEN(window);
    PV_TRY(find_counter(window, window->comm->rank, rank, flag, &counted));
    if (window->tables) return wait_long(window, rank, flag, counted, value);
    if (look(counted) >= value) return PV_OK;
    for (int i = 0; i < window->spin; i++) {
        pause_core();
        if (look(counted) >= value) return PV_OK;
    }
    return wait_long(window, rank, flag, counted, value);
}
