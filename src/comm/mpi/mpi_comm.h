// SPDX-License-Identifier: Apache-2.0
// The transport over MPI, whose parts others build on: what reaches further than memory goes through here.
#ifndef PV_COMM_MPI_MPI_COMM_H
#define PV_COMM_MPI_MPI_COMM_H

#include <parseval/comm_mpi.h>

#include "comm/comm_list.h"

typedef struct pv_comm_setup {
    MPI_Comm comm;              // the caller's
    pv_mpi_schedule schedule;
    int node_size;
} pv_comm_setup;

struct pv_mpi_rounds;
struct pv_mpi_stage;

// The state of the transport; the first member of the state of those that build on it.
typedef struct pv_mpi_comm {
    MPI_Comm comm;              // ours alone, returns errors
    pv_mpi_schedule schedule;
    size_t piece_bytes;         // PV_PIECE_BYTES
    int next_tag, last_tag;     // of exchanges
    int roll_call_tag;
    struct pv_mpi_rounds *in_flight;
    struct pv_mpi_stage *stage; // where messages from and to a device stop over; NULL until one is needed
    int64_t scratch_count;      // doubles of each half of scratch
    double *scratch;            // two halves, for reductions
    uint64_t arrived;           // messages that waits have found complete
    char lost[448];             // what the communicator was given up for; "": it is not (mpi_patience.h)
    const char *lost_in;        // the function
    pv_status lost_by;
} pv_mpi_comm;

pv_status pv_mpi_open(pv_comm *comm, const pv_comm_setup *setup);

// Takes `adopted`, also when it fails.
pv_status pv_mpi_comm_begin(pv_mpi_comm *mpi, MPI_Comm adopted, pv_mpi_schedule schedule);
void pv_mpi_comm_end(pv_mpi_comm *mpi);
// MPI_Comm_split, of which rank and size go to `part`. part_p is MPI_COMM_NULL for color < 0.
pv_status pv_mpi_comm_split(pv_comm *comm, int color, int key, pv_comm *part, MPI_Comm *part_p);

// mpi_device.c. Whether messages from and to the communicator's device go through memory of the host, and why.
pv_status pv_mpi_find_staging(const pv_comm *comm, int *is_staged_p, const char **reason_p);
// Sets the text of a communicator on a device other than the host, once the ranks do the same. Collective.
pv_status pv_mpi_describe(pv_comm *comm);

// Entries of the table.
pv_status pv_mpi_barrier(pv_comm *comm);
pv_status pv_mpi_reduce(pv_comm *comm, pv_reduce_type type, pv_reduce op, int64_t count, void *values);
pv_status pv_mpi_broadcast(pv_comm *comm, int root, size_t bytes, void *data);
pv_status pv_mpi_gather(pv_comm *comm, size_t bytes, const void *mine, void *all);
pv_status pv_mpi_exchange_create(pv_exchange *exchange);
void pv_mpi_exchange_destroy(pv_exchange *exchange);
pv_status pv_mpi_exchange_start(pv_exchange *exchange, pv_stream *stream, const void *send, void *receive);
pv_status pv_mpi_exchange_progress(pv_exchange *exchange, int block, int *done);
pv_status pv_mpi_exchange_join(pv_exchange *exchange, pv_stream *stream);

#endif
