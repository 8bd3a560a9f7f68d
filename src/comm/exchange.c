// SPDX-License-Identifier: Apache-2.0
#include "comm/exchange.h"

#include <limits.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"

static int by_rank(const void *a, const void *b)
{
    const pv_message *left = a, *right = b;
    return (left->rank > right->rank) - (left->rank < right->rank);
}

// Ranks in range and named once; empty messages count, so that a slip does not hide behind a zero.
static pv_status check_sorted(const char *side, int size, int count, const pv_message *messages)
{
    for (int i = 0; i < count; i++) {
        PV_REQUIRE(messages[i].rank >= 0 && messages[i].rank < size, PV_ERR_ARGUMENT,
                   "%s message names rank %d; ranks are 0 to %d", side, messages[i].rank, size - 1);
        PV_REQUIRE(i == 0 || messages[i].rank != messages[i - 1].rank, PV_ERR_ARGUMENT,
                   "two %s messages for rank %d; at most one a pair", side, messages[i].rank);
    }
    return PV_OK;
}

pv_status pv_message_list_create(const char *side, int size, int rank, int count, const pv_message *messages,
                                 pv_message_list *list_p)
{
    PV_REQUIRE(count >= 0, PV_ERR_ARGUMENT, "%d %s messages; 0 and more are accepted", count, side);
    PV_REQUIRE(count == 0 || messages, PV_ERR_ARGUMENT, "%d %s messages, and the array of them is NULL", count, side);
    pv_message_list list = {.self = {.rank = rank}};
    PV_TRY(PV_ALLOC(count, &list.messages));
    for (int i = 0; i < count; i++) list.messages[i] = messages[i];
    if (count > 1) qsort(list.messages, (size_t)count, sizeof *list.messages, by_rank);

    pv_status status = check_sorted(side, size, count, list.messages);
    if (status != PV_OK) {
        pv_mem_free(list.messages);
        return status;
    }
    for (int i = 0; i < count; i++) {
        const pv_message message = list.messages[i];
        if (message.bytes == 0) continue;
        if (message.rank == rank) list.self = message;
        else list.messages[list.count++] = message;
    }
    *list_p = list;
    return PV_OK;
}

void pv_message_list_destroy(pv_message_list *list)
{
    pv_mem_free(list->messages);
    *list = (pv_message_list){0};
}

size_t pv_message_list_bytes(const pv_message_list *list, int peer)
{
    const pv_message key = {.rank = peer};
    if (list->count == 0) return 0;
    const pv_message *found = bsearch(&key, list->messages, (size_t)list->count, sizeof key, by_rank);
    return found ? found->bytes : 0;
}

// splitmix64's finaliser (Steele, Lea, Flood, OOPSLA 2014).
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t message_hash(int from, int to, size_t bytes)
{
    return mix(mix(((uint64_t)(uint32_t)from << 32 | (uint32_t)to) + 0x9e3779b97f4a7c15u) ^ bytes);
}

void pv_exchange_digest(int rank, const pv_message_list *send, const pv_message_list *receive, int64_t digest[2])
{
    digest[0] = digest[1] = 0;
    for (int i = 0; i < send->count; i++) {
        const uint64_t hash = message_hash(rank, send->messages[i].rank, send->messages[i].bytes);
        digest[0] += (int64_t)(hash >> 32);
        digest[1] += (int64_t)(hash & UINT32_MAX);
    }
    for (int i = 0; i < receive->count; i++) {
        const uint64_t hash = message_hash(receive->messages[i].rank, rank, receive->messages[i].bytes);
        digest[0] -= (int64_t)(hash >> 32);
        digest[1] -= (int64_t)(hash & UINT32_MAX);
    }
}

int64_t pv_piece_count(size_t bytes, size_t piece_bytes)
{
    return (int64_t)(bytes / piece_bytes + (bytes % piece_bytes != 0));
}

size_t pv_piece_bytes(size_t bytes, size_t piece_bytes, int64_t index)
{
    const size_t rest = bytes - (size_t)index * piece_bytes;
    return rest < piece_bytes ? rest : piece_bytes;
}

pv_status pv_int_from_size(size_t value, const char *what, int *value_p)
{
    PV_REQUIRE(value <= INT_MAX, PV_ERR_UNSUPPORTED, "%s is %zu; MPI counts up to %d", what, value, INT_MAX);
    *value_p = (int)value;
    return PV_OK;
}
