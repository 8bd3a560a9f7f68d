// SPDX-License-Identifier: Apache-2.0
// The ways in which MPI runs an exchange, and what they have in common.
#ifndef PV_COMM_MPI_MPI_EXCHANGE_H
#define PV_COMM_MPI_MPI_EXCHANGE_H

#include "comm/mpi/mpi_comm.h"
#include "comm/schedule.h"

struct pv_mpi_missing;

// The entries of pv_comm_ops of the same names, for one way.
typedef struct pv_mpi_way {
    const char *name;
    pv_status (*create)(pv_exchange *exchange);
    void (*destroy)(pv_exchange *exchange);
    pv_status (*start)(pv_exchange *exchange, pv_stream *stream, const void *send, void *receive);
    pv_status (*progress)(pv_exchange *exchange, int block, int *done);  // NULL: moved on with the communicator
    int (*is_done)(const pv_exchange *exchange);                         // of those
    void (*list_missing)(const pv_exchange *exchange, struct pv_mpi_missing *missing); // of those: whom it waits for
    // Whether what is left to do is in the order of streams, and to follow it; NULL: done is done.
    int (*has_arrived)(const pv_exchange *exchange);
    pv_status (*join)(pv_exchange *exchange, pv_stream *stream);
} pv_mpi_way;

// mpi_persistent.c, mpi_rounds.c, mpi_alltoall.c. The state of an exchange begins with a pointer to its way.
extern const pv_mpi_way pv_mpi_persistent, pv_mpi_pairwise, pv_mpi_ring, pv_mpi_alltoall;
// mpi_staged.c: in the rounds of pairwise, or of the ring, whatever the schedule.
extern const pv_mpi_way pv_mpi_staged;

// A message, or a piece of one.
typedef struct pv_mpi_leg {
    int peer, bytes;
    size_t offset_bytes;
} pv_mpi_leg;

typedef struct pv_mpi_legs {
    int tag;
    int send_count, receive_count;
    pv_mpi_leg *send, *receive;    // in the order of the schedule's rounds
} pv_mpi_legs;

// With a tag of its own: exchanges in flight together cannot meet each other's messages.
pv_status pv_mpi_legs_create(const pv_exchange *exchange, pv_schedule schedule, size_t piece_bytes,
                             pv_mpi_legs *legs_p);
void pv_mpi_legs_destroy(pv_mpi_legs *legs);

#endif
