// SPDX-License-Identifier: Apache-2.0
#include "comm/self/self_comm.h"

#include <string.h>

#include "base/check.h"

static void close(pv_comm *comm)
{
    (void)comm;
}

static pv_status split(pv_comm *comm, int color, int key, pv_comm *part)
{
    (void)key;
    part->rank = 0;
    part->size = color < 0 ? 0 : comm->size;
    part->node_size = part->size;
    return PV_OK;
}

static pv_status barrier(pv_comm *comm)
{
    (void)comm;
    return PV_OK;
}

static pv_status reduce(pv_comm *comm, pv_reduce_type type, pv_reduce op, int64_t count, void *values)
{
    (void)comm, (void)type, (void)op, (void)count, (void)values;
    return PV_OK;
}

static pv_status broadcast(pv_comm *comm, int root, size_t bytes, void *data)
{
    (void)comm, (void)root, (void)bytes, (void)data;
    return PV_OK;
}

static pv_status gather(pv_comm *comm, size_t bytes, const void *mine, void *all)
{
    (void)comm;
    memmove(all, mine, bytes);
    return PV_OK;
}

static pv_status exchange_create(pv_exchange *exchange)
{
    (void)exchange;
    return PV_OK;
}

static void exchange_destroy(pv_exchange *exchange)
{
    (void)exchange;
}

static pv_status exchange_start(pv_exchange *exchange, pv_stream *stream, const void *send, void *receive)
{
    (void)exchange, (void)stream, (void)send, (void)receive;
    return PV_OK;
}

static pv_status exchange_progress(pv_exchange *exchange, int block, int *done)
{
    (void)exchange, (void)block;
    *done = 1;
    return PV_OK;
}

static pv_status exchange_join(pv_exchange *exchange, pv_stream *stream)
{
    (void)exchange, (void)stream;
    return PV_OK;
}

static const pv_comm_ops ops = {
    .name = "self",
    .close = close,
    .split = split,
    .barrier = barrier,
    .reduce = reduce,
    .broadcast = broadcast,
    .gather = gather,
    .exchange_create = exchange_create,
    .exchange_destroy = exchange_destroy,
    .exchange_start = exchange_start,
    .exchange_progress = exchange_progress,
    .exchange_join = exchange_join,
    .window_create = pv_window_create_private,
    .window_destroy = pv_window_destroy_private,
};

pv_status pv_self_open(pv_comm *comm, const struct pv_comm_setup *setup)
{
    (void)setup;
    PV_REQUIRE(comm->size == 1, PV_ERR_ARGUMENT, "transport \"self\" is for one rank; there are %d", comm->size);
    comm->ops = &ops;
    comm->node_size = 1;
    return PV_OK;
}
