// SPDX-License-Identifier: Apache-2.0
#include "comm/mpi/mpi_exchange.h"

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
    return ways[mpi->schedule]->create(exchange);
}

void pv_mpi_exchange_destroy(pv_exchange *exchange)
{
    way_of(exchange)->destroy(exchange);
}

pv_status pv_mpi_exchange_start(pv_exchange *exchange, const void *send, void *receive)
{
    return way_of(exchange)->start(exchange, send, receive);
}

pv_status pv_mpi_exchange_progress(pv_exchange *exchange, int block, int *done)
{
    return way_of(exchange)->progress(exchange, block, done);
}
