// SPDX-License-Identifier: Apache-2.0
#include "io/spread.h"

#include <inttypes.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"

// The columns of one rank.
typedef struct share {
    int64_t stretches;
    pv_stretch *stretch;
    int64_t *before; // [stretches + 1], local columns before each
} share;

struct pv_spread {
    pv_comm *comm;
    int64_t total;
    share mine;
    share *shares; // [ranks] on rank 0
};

// ---- Shares ------------------------------------------------------------------------------------------------------

static pv_status share_allocate(int64_t stretches, share *share)
{
    share->stretches = stretches;
    PV_TRY(PV_ALLOC(stretches, &share->stretch));
    return PV_ALLOC(stretches + 1, &share->before);
}

static void share_count(share *share)
{
    for (int64_t i = 0; i < share->stretches; i++) share->before[i + 1] = share->before[i] + share->stretch[i].count;
}

static void share_release(share *share)
{
    pv_mem_free(share->stretch);
    pv_mem_free(share->before);
}

// The first stretch that ends behind `column`.
static int64_t stretch_at(const share *share, int64_t column)
{
    int64_t low = 0, high = share->stretches;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (share->stretch[middle].first + share->stretch[middle].count <= column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Local columns before `column`.
static int64_t local_before(const share *share, int64_t column)
{
    const int64_t i = stretch_at(share, column);
    if (i == share->stretches) return share->before[i];
    const int64_t inside = column - share->stretch[i].first;
    return share->before[i] + (inside > 0 ? inside : 0);
}

// Copies between rows of a share's part, [rows][part], and rows of the whole, [rows][upper - lower].
static void share_copy(const share *share, int64_t lower, int64_t upper, int64_t rows, size_t bytes, char *part,
                       char *whole, int into_whole)
{
    const int64_t first = local_before(share, lower), count = local_before(share, upper) - first;
    for (int64_t row = 0; row < rows; row++) {
        char *at = part + (size_t)(row * count) * bytes;
        for (int64_t i = stretch_at(share, lower); i < share->stretches && share->stretch[i].first < upper; i++) {
            const pv_stretch *s = &share->stretch[i];
            const int64_t from = s->first > lower ? s->first : lower;
            const int64_t to = s->first + s->count < upper ? s->first + s->count : upper;
            char *there = whole + (size_t)(row * (upper - lower) + from - lower) * bytes;
            const size_t length = (size_t)(to - from) * bytes;
            if (into_whole)
                memcpy(there, at, length);
            else
                memcpy(at, there, length);
            at += length;
        }
    }
}

// ---- Messages ------------------------------------------------------------------------------------------------------

// From all ranks to rank 0, or back. mine_bytes of this rank; bytes[ranks] on rank 0, where `all` holds them in order.
static pv_status carry(pv_comm *comm, int to_root, size_t mine_bytes, const size_t *bytes, void *mine, void *all)
{
    const int ranks = pv_comm_size(comm), is_root = pv_comm_rank(comm) == 0;
    pv_device *device = pv_comm_device(comm);
    pv_message one = {0, 0, mine_bytes}, *many = NULL;
    pv_exchange *exchange = NULL;
    pv_buffer *near = NULL, *far = NULL;
    size_t total = 0;
    pv_status status = is_root ? PV_ALLOC(ranks, &many) : PV_OK;
    for (int r = 0; status == PV_OK && is_root && r < ranks; r++) {
        many[r] = (pv_message){r, total, bytes[r]};
        total += bytes[r];
    }
    if (status == PV_OK) status = pv_buffer_create(device, mine_bytes, &near);
    if (status == PV_OK) status = pv_buffer_create(device, total, &far);
    if (status == PV_OK && to_root) status = pv_buffer_write(near, 0, mine, mine_bytes);
    if (status == PV_OK && !to_root) status = pv_buffer_write(far, 0, all, total);
    status = pv_comm_agree(comm, status);
    const int count = is_root ? ranks : 0;
    if (status == PV_OK)
        status = to_root ? pv_exchange_create(comm, 1, &one, count, many, &exchange)
                         : pv_exchange_create(comm, count, many, 1, &one, &exchange);
    if (status == PV_OK)
        status =
            pv_exchange_start(exchange, pv_buffer_data(to_root ? near : far), pv_buffer_data(to_root ? far : near));
    if (status == PV_OK) status = pv_exchange_wait(exchange);
    if (status == PV_OK && to_root) status = pv_buffer_read(far, 0, all, total);
    if (status == PV_OK && !to_root) status = pv_buffer_read(near, 0, mine, mine_bytes);
    pv_exchange_destroy(exchange);
    pv_buffer_destroy(near);
    pv_buffer_destroy(far);
    pv_mem_free(many);
    return status;
}

// ---- Making --------------------------------------------------------------------------------------------------------

static pv_status take_own(int64_t columns, int64_t count, const pv_stretch *stretches, share *mine)
{
    PV_TRY(share_allocate(count, mine));
    int64_t end = 0;
    for (int64_t i = 0; i < count; i++) {
        const pv_stretch *s = &stretches[i];
        PV_REQUIRE(s->first >= end && s->count >= 0 && s->count <= columns - s->first, PV_ERR_ARGUMENT,
                   "stretch %" PRId64 " has %" PRId64 " columns from %" PRId64 " on; from %" PRId64 " to %" PRId64
                   " is accepted",
                   i, s->count, s->first, end, columns);
        end = s->first + s->count;
        mine->stretch[i] = *s;
    }
    share_count(mine);
    return PV_OK;
}

static pv_status prepare_shares(pv_spread *spread, const int64_t *counts, size_t *bytes, pv_stretch **all_p)
{
    int64_t total = 0;
    const int ranks = pv_comm_size(spread->comm);
    if (pv_comm_rank(spread->comm) > 0) return PV_OK;
    PV_TRY(PV_ALLOC(ranks, &spread->shares));
    for (int r = 0; r < ranks; r++) {
        PV_TRY(share_allocate(counts[r], &spread->shares[r]));
        bytes[r] = (size_t)counts[r] * sizeof(pv_stretch);
        total += counts[r];
    }
    return PV_ALLOC(total, all_p);
}

static pv_status gather_shares(pv_spread *spread)
{
    const int ranks = pv_comm_size(spread->comm);
    int64_t *counts = NULL;
    size_t *bytes = NULL;
    pv_stretch *all = NULL;
    pv_status status = PV_ALLOC(ranks, &counts);
    if (status == PV_OK) status = PV_ALLOC(ranks, &bytes);
    status = pv_comm_agree(spread->comm, status);
    if (status == PV_OK) status = pv_comm_gather(spread->comm, sizeof *counts, &spread->mine.stretches, counts);
    if (status == PV_OK) status = pv_comm_agree(spread->comm, prepare_shares(spread, counts, bytes, &all));
    if (status == PV_OK)
        status = carry(spread->comm, 1, (size_t)spread->mine.stretches * sizeof(pv_stretch), bytes,
                       spread->mine.stretch, all);
    const pv_stretch *at = all;
    for (int r = 0; status == PV_OK && spread->shares && r < ranks; r++) {
        share *share = &spread->shares[r];
        if (counts[r] > 0) memcpy(share->stretch, at, bytes[r]);
        at += counts[r];
        share_count(share);
    }
    pv_mem_free(all);
    pv_mem_free(bytes);
    pv_mem_free(counts);
    return status;
}

pv_status pv_spread_create(pv_comm *comm, int64_t columns, int64_t stretch_count, const pv_stretch *stretches,
                           pv_spread **spread_p)
{
    pv_spread *spread = NULL;
    pv_status status = PV_ALLOC(1, &spread);
    if (status == PV_OK) {
        spread->comm = comm;
        status = take_own(columns, stretch_count, stretches, &spread->mine);
    }
    status = pv_comm_agree(comm, status);
    if (status == PV_OK) status = gather_shares(spread);
    if (status == PV_OK) {
        spread->total = spread->mine.before[spread->mine.stretches];
        status = pv_comm_reduce_i64(comm, PV_SUM, 1, &spread->total);
    }
    if (status != PV_OK) {
        pv_spread_destroy(spread);
        return status;
    }
    *spread_p = spread;
    return PV_OK;
}

void pv_spread_destroy(pv_spread *spread)
{
    if (!spread) return;
    for (int r = 0; spread->shares && r < pv_comm_size(spread->comm); r++) share_release(&spread->shares[r]);
    share_release(&spread->mine);
    pv_mem_free(spread->shares);
    pv_mem_free(spread);
}

int64_t pv_spread_total(const pv_spread *spread)
{
    return spread->total;
}

void pv_spread_local(const pv_spread *spread, int64_t lower, int64_t upper, int64_t *first_p, int64_t *count_p)
{
    *first_p = local_before(&spread->mine, lower);
    *count_p = local_before(&spread->mine, upper) - *first_p;
}

// ---- Moving --------------------------------------------------------------------------------------------------------

static pv_status move(const pv_spread *spread, int to_root, int64_t lower, int64_t upper, int64_t rows, size_t size,
                      void *mine, void *whole)
{
    const int ranks = pv_comm_size(spread->comm), is_root = pv_comm_rank(spread->comm) == 0;
    size_t *bytes = NULL, total = 0;
    char *parts = NULL;
    int64_t first, count;
    pv_status status = is_root ? PV_ALLOC(ranks, &bytes) : PV_OK;
    for (int r = 0; status == PV_OK && is_root && r < ranks; r++) {
        const share *share = &spread->shares[r];
        bytes[r] = (size_t)((local_before(share, upper) - local_before(share, lower)) * rows) * size;
        total += bytes[r];
    }
    if (status == PV_OK) status = pv_mem_alloc_raw(total, 1, (void **)&parts);
    PV_TRY_GOTO(pv_comm_agree(spread->comm, status), status, done);
    char *at = parts;
    for (int r = 0; is_root && !to_root && r < ranks; at += bytes[r++])
        share_copy(&spread->shares[r], lower, upper, rows, size, at, whole, 0);
    pv_spread_local(spread, lower, upper, &first, &count);
    PV_TRY_GOTO(carry(spread->comm, to_root, (size_t)(count * rows) * size, bytes, mine, parts), status, done);
    for (int r = 0; is_root && to_root && r < ranks; at += bytes[r++])
        share_copy(&spread->shares[r], lower, upper, rows, size, at, whole, 1);
done:
    pv_mem_free(parts);
    pv_mem_free(bytes);
    return status;
}

pv_status pv_spread_collect(const pv_spread *spread, int64_t lower, int64_t upper, int64_t rows, size_t bytes,
                            const void *mine, void *whole)
{
    return move(spread, 1, lower, upper, rows, bytes, (void *)mine, whole);
}

pv_status pv_spread_hand_out(const pv_spread *spread, int64_t lower, int64_t upper, int64_t rows, size_t bytes,
                             const void *whole, void *mine)
{
    return move(spread, 0, lower, upper, rows, bytes, mine, (void *)whole);
}
