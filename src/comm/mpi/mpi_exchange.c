// SPDX-License-Identifier: Apache-2.0
#include "comm/mpi/mpi_exchange.h"

#include "comm/mpi/mpi_patience.h"
#include "comm/mpi/mpi_progress.h"

static const pv_mpi_way *const ways[] = {
    // All messages at once leaves their order to the MPI library; no other way was clearly faster where measured.
    [PV_MPI_AUTO] = &pv_mpi_persistent,         [PV_MPI_PAIRWISE] = &pv_mpi_pairwise,
    [PV_MPI_RING] = &pv_mpi_ring,               [PV_MPI_ALLTOALL] = &pv_mpi_alltoall,
    [PV_MPI_PERSISTENT] = &pv_mpi_persistent,
};

static const pv_mpi_way *way_of(const pv_exchange *exchange)
{
    return *(const pv_mpi_way *const *)exchange->state;
}

pv_status pv_mpi_exchange_create(pv_exchange *exchange)
{
    const pv_mpi_comm *mpi = exchange->comm->state;
    int is_staged;
    const char *reason;
    PV_TRY(pv_mpi_find_staging(exchange->comm, &is_staged, &reason));
    return (is_staged ? &pv_mpi_staged : ways[mpi->schedule])->create(exchange);
}

void pv_mpi_exchange_destroy(pv_exchange *exchange)
{
    way_of(exchange)->destroy(exchange);
}

// A device-aware MPI reads and writes the device's memory in its own order, so that the stream must be done.
pv_status pv_mpi_exchange_start(pv_exchange *exchange, pv_stream *stream, const void *send, void *receive)
{
    const pv_mpi_way *way = way_of(exchange);
    PV_TRY(pv_mpi_check_kept(exchange->comm));
    if (!exchange->comm->device->ops->is_host && way != &pv_mpi_staged) PV_TRY(pv_stream_wait(stream));
    return way->start(exchange, stream, send, receive);
}

static pv_status give_up(const pv_exchange *exchange)
{
    pv_mpi_missing missing = {0};
    way_of(exchange)->list_missing(exchange, &missing);
    return pv_mpi_give_up_exchange(exchange->comm, &missing);
}

static pv_status move_until(pv_exchange *exchange, int (*reached)(const pv_exchange *exchange), int block,
                            int *is_reached_p)
{
    pv_patience patience = pv_patience_begin(exchange->comm);
    PV_TRY(pv_mpi_advance(exchange->comm));
    while (block && !reached(exchange)) {
        if (!pv_patience_rest(&patience)) return give_up(exchange);
        PV_TRY(pv_mpi_advance(exchange->comm));
    }
    *is_reached_p = reached(exchange);
    return PV_OK;
}

pv_status pv_mpi_exchange_progress(pv_exchange *exchange, int block, int *done)
{
    const pv_mpi_way *way = way_of(exchange);
    PV_TRY(pv_mpi_check_kept(exchange->comm));
    return way->progress ? way->progress(exchange, block, done) : move_until(exchange, way->is_done, block, done);
}

pv_status pv_mpi_exchange_join(pv_exchange *exchange, pv_stream *stream)
{
    const pv_mpi_way *way = way_of(exchange);
    int is_reached;
    if (!way->has_arrived) return pv_mpi_exchange_progress(exchange, 1, &is_reached);
    PV_TRY(move_until(exchange, way->has_arrived, 1, &is_reached));
    return way->join(exchange, stream);
}
