// SPDX-License-Identifier: Apache-2.0
#include "comm/measure.h"

#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "comm/comm_ops.h"
#include "comm/left.h"

enum { FLAG_ARRIVED, FLAG_SHAKEN, MOST_REPEATS = 20, LEAST_REPEATS = 3, HANDSHAKES = 25 };
static const double budget_s = 0.1;

typedef struct bench {
    pv_comm *comm;
    int size, rank, threads;
    size_t share_bytes;           // to each rank
    pv_stream *stream;
    pv_buffer *memory;
    char *from, *to;              // share_bytes * size each
    pv_window *window;            // of the same size
    pv_exchange *far_shares;      // between ranks that the window does not reach
    pv_exchange *greeting;        // 8 bytes to the next rank
    uint64_t turn, handshake;
} bench;

static void copy_by_threads(int threads, char *to, const char *from, size_t bytes)
{
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
    for (int thread = 0; thread < threads; thread++) {
        const size_t begin = bytes / (size_t)threads * (size_t)thread;
        const size_t end = thread + 1 == threads ? bytes : bytes / (size_t)threads * (size_t)(thread + 1);
        memcpy(to + begin, from + begin, end - begin);
    }
}

static pv_status copy_block(const bench *b, char *to, const char *from, size_t bytes)
{
    if (!pv_device_is_host(pv_comm_device(b->comm))) return pv_stream_copy(b->stream, to, from, bytes);
    copy_by_threads(b->threads, to, from, bytes);
    return PV_OK;
}

static pv_status copy_all(bench *b)
{
    PV_TRY(copy_block(b, b->to, b->from, b->share_bytes * (size_t)b->size));
    return pv_stream_wait(b->stream);
}

static pv_status copy_alone(bench *b)
{
    return b->rank == 0 ? copy_all(b) : PV_OK;
}

// Stores begin with the next rank, so that not all ranks store to the same one.
static pv_status exchange_shares(bench *b)
{
    b->turn++;
    PV_TRY(pv_exchange_start_on(b->far_shares, b->stream, b->from, b->to));
    for (int step = 1; step < b->size; step++) {
        const int peer = (b->rank + step) % b->size;
        char *his = pv_window_base(b->window, peer);
        if (!his) continue;
        char *to = his + b->share_bytes * (size_t)b->rank;
        PV_TRY(copy_block(b, to, b->from + b->share_bytes * (size_t)peer, b->share_bytes));
        PV_TRY(pv_window_post_on(b->window, b->stream, peer, FLAG_ARRIVED, b->turn));
    }
    for (int step = 1; step < b->size; step++) {
        const int peer = (b->rank + b->size - step) % b->size;
        if (!pv_window_base(b->window, peer)) continue;
        PV_TRY(pv_window_wait_on(b->window, b->stream, peer, FLAG_ARRIVED, b->turn));
    }
    PV_TRY(pv_exchange_wait_on(b->far_shares, b->stream));
    return pv_stream_wait(b->stream);
}

static pv_status shake_hands(bench *b)
{
    const int next = (b->rank + 1) % b->size, previous = (b->rank + b->size - 1) % b->size;
    const int by_window = pv_comm_node_size(b->comm) == b->size;
    for (int i = 0; i < HANDSHAKES; i++) {
        if (by_window) {
            PV_TRY(pv_window_post_on(b->window, b->stream, next, FLAG_SHAKEN, ++b->handshake));
            PV_TRY(pv_window_wait_on(b->window, b->stream, previous, FLAG_SHAKEN, b->handshake));
        } else {
            PV_TRY(pv_exchange_start_on(b->greeting, b->stream, b->from, b->to));
            PV_TRY(pv_exchange_wait_on(b->greeting, b->stream));
        }
    }
    return pv_stream_wait(b->stream);
}

static pv_status time_once(bench *b, pv_status (*run)(bench *b), double *seconds_p)
{
    PV_TRY(pv_comm_barrier(b->comm));
    const double begin_s = pv_clock_s();
    PV_TRY(run(b));
    *seconds_p = pv_clock_s() - begin_s;
    return PV_OK;
}

// The slowest rank's time in the best of as many repetitions as the budget grants.
static pv_status time_best(bench *b, pv_status (*run)(bench *b), double *seconds_p)
{
    double seconds[MOST_REPEATS], first;
    PV_TRY(time_once(b, run, &first));
    PV_TRY(pv_comm_reduce_f64(b->comm, PV_MAX, 1, &first));
    int repeats = first * MOST_REPEATS < budget_s ? MOST_REPEATS : (int)(budget_s / first);
    if (repeats < LEAST_REPEATS) repeats = LEAST_REPEATS;
    for (int i = 0; i < repeats; i++) PV_TRY(time_once(b, run, &seconds[i]));
    PV_TRY(pv_comm_reduce_f64(b->comm, PV_MAX, repeats, seconds));
    *seconds_p = pv_timing_of(seconds, repeats).min_s;
    return PV_OK;
}

static pv_status create_far_shares(bench *b)
{
    pv_message *messages = NULL;
    int count = 0;
    PV_TRY(pv_comm_agree(b->comm, PV_ALLOC(b->size, &messages)));
    for (int peer = 0; peer < b->size; peer++)
        if (!pv_window_base(b->window, peer))
            messages[count++] = (pv_message){peer, b->share_bytes * (size_t)peer, b->share_bytes};
    const pv_status status = pv_exchange_create(b->comm, count, messages, count, messages, &b->far_shares);
    pv_mem_free(messages);
    return status;
}

static pv_status prepare(bench *b)
{
    const size_t bytes = (size_t)b->size * b->share_bytes;
    pv_status status = pv_buffer_create(pv_comm_device(b->comm), 2 * bytes, &b->memory);
    if (status == PV_OK) {
        b->from = pv_buffer_data(b->memory);
        b->to = b->from + bytes;
        status = pv_stream_zero(b->stream, b->from, 2 * bytes);
    }
    PV_TRY(pv_comm_agree(b->comm, status));
    PV_TRY(pv_window_create(b->comm, bytes, &b->window));
    PV_TRY(create_far_shares(b));
    const pv_message next = {(b->rank + 1) % b->size, 0, 8}, previous = {(b->rank + b->size - 1) % b->size, 0, 8};
    return pv_exchange_create(b->comm, 1, &next, 1, &previous, &b->greeting);
}

static pv_status measure(bench *b, pv_comm_rates *rates)
{
    double seconds;
    const double bytes = (double)b->share_bytes * b->size;
    PV_TRY(time_best(b, copy_alone, &seconds));
    rates->copy_alone_bytes_per_s = 2 * bytes / seconds;
    PV_TRY(time_best(b, copy_all, &seconds));
    rates->copy_bytes_per_s = 2 * bytes / seconds;
    PV_TRY(time_best(b, exchange_shares, &seconds));
    rates->exchange_bytes_per_s = (double)b->share_bytes * (b->size - 1) / seconds;
    PV_TRY(time_best(b, shake_hands, &seconds));
    rates->latency_s = seconds / HANDSHAKES;
    return PV_OK;
}

pv_status pv_comm_measure(pv_comm *comm, size_t bytes, pv_comm_rates *rates_p)
{
    bench b = {.comm = comm, .size = pv_comm_size(comm), .rank = pv_comm_rank(comm)};
    b.threads = pv_device_threads(pv_comm_device(comm));
    b.stream = pv_device_stream(pv_comm_device(comm));
    b.share_bytes = bytes / (size_t)b.size;
    if (b.share_bytes < 8) b.share_bytes = 8;
    pv_comm_rates rates;
    pv_status status = prepare(&b);
    if (status == PV_OK) status = measure(&b, &rates);
    pv_exchange_destroy(b.greeting);
    pv_exchange_destroy(b.far_shares);
    pv_window_destroy(b.window);
    pv_buffer_destroy_or_leave(b.memory, comm->is_lost);
    if (status == PV_OK) *rates_p = rates;
    return status;
}
