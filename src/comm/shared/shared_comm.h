// SPDX-License-Identifier: Apache-2.0
// Ranks of a node reach each other's windows by plain stores; everything else goes through MPI.
#ifndef PV_COMM_SHARED_SHARED_COMM_H
#define PV_COMM_SHARED_SHARED_COMM_H

#include "comm/life_guard.h"
#include "comm/mpi/mpi_comm.h"

typedef struct pv_shared_comm {
    pv_mpi_comm mpi;         // first: the entries of the mpi transport serve here too
    MPI_Comm node;           // the ranks that share memory, in the order of their ranks
    int node_id;             // the same for ranks of a node, also in communicators split from this one
    int spin;                // looks at a flag before a wait yields its core
    int has_parted;          // a rank of the node has not come when all were waited for
    int use_mpi_windows;     // even where the system grants segments
    int *slots;              // [size], rank in `node`; -1: on another node
    uint64_t *sizes;         // [node_size], for the layout of a window in the making
    pv_process *processes;   // [node_size]; NULL: not watched
    pv_life_guard guard;     // of streams, on devices other than the host
    // What stores a message into the memory of another rank of the node; NULL: the device's copies do.
    pv_status (*put)(pv_stream *stream, void *to, const void *from, size_t bytes);
} pv_shared_comm;

pv_status pv_shared_open(pv_comm *comm, const pv_comm_setup *setup);
void pv_shared_close(pv_comm *comm);
pv_status pv_shared_split(pv_comm *comm, int color, int key, pv_comm *part);
// Where there is a limit: the ranks of the node have come to create a window, before calls of MPI without one.
pv_status pv_shared_meet_on_node(pv_comm *comm);
// Ranks of a node must fail together: to give a window back, all of them are needed.
pv_status pv_shared_agree_on_node(MPI_Comm node, pv_status mine);
// What each rank of a node tells the others, in the order of `node`.
pv_status pv_shared_gather_on_node(MPI_Comm node, size_t bytes, const void *mine, void *all);

// Moves other communication on while a rank waits for a counter.
void pv_shared_keep_alive(pv_comm *comm);
// Whether the process of a rank of the node is known to be gone.
int pv_shared_has_ended(const pv_comm *comm, int rank);

// Whether all ranks of the node have come here. One that waited in vain for another, or whose process is gone, must not
// be waited for without end: 0 after the time limit, when a process has ended, and from then on.
int pv_shared_all_have_come(const pv_comm *comm);

// shared_window.c
pv_status pv_shared_window_create(pv_window *window);
void pv_shared_window_destroy(pv_window *window);

#endif
