// SPDX-License-Identifier: Apache-2.0
// Workspace: a window that programs use as two alternating receive regions and a send buffer, and the counters that
// order the ranks' stores into it.
//
// Exchanges are numbered through the life of a workspace. Number e has ARRIVED from a rank when all its stores of e
// are visible here; a rank has CONSUMED e when it will not read what it received in e any more. The first exchange of
// a program may overwrite any region, so it waits for everybody to have consumed e - 1; later ones use the other
// region than their predecessor, so e - 2 is enough. An exchange may arrive in parts, one after another.
#ifndef PV_FFT_WORKSPACE_H
#define PV_FFT_WORKSPACE_H

#include <parseval/fft.h>

struct pv_workspace {
    pv_comm *comm;
    pv_window *window;
    size_t bytes;
    uint64_t identity;          // of no other in this process: addresses come again
    void **bases;               // [size], NULL where stores do not reach
    uint64_t exchanges;         // started so far
    pv_buffer *base;            // of recorded programs, on devices: what their numbers count from, by flag; NULL: none yet
    uint64_t base_exchanges;    // that it stands for
    uint64_t recorded_from;     // while a program is recorded: exchanges before it; else 0
};

// node_p[r]: ranks with the same number reach each other's memory. Collective.
pv_status pv_workspace_nodes(pv_comm *comm, int *node_p);

// In the order of a stream of the communicator's device (at once on the host). Before the first store of exchange
// `index` of a program; returns its number.
pv_status pv_workspace_open_exchange(pv_workspace *workspace, pv_stream *stream, int index, uint64_t *number_p);
pv_status pv_workspace_post_arrived(pv_workspace *workspace, pv_stream *stream, uint64_t number);
pv_status pv_workspace_wait_arrived(pv_workspace *workspace, pv_stream *stream, uint64_t number);
// The first part + 1 parts of the exchange, 0 <= part < PV_EXCHANGE_PARTS - 1; the two above mean all of it.
#define PV_EXCHANGE_PARTS 64
pv_status pv_workspace_post_part(pv_workspace *workspace, pv_stream *stream, uint64_t number, int part);
pv_status pv_workspace_wait_part(pv_workspace *workspace, pv_stream *stream, uint64_t number, int part);
pv_status pv_workspace_post_consumed(pv_workspace *workspace, pv_stream *stream, uint64_t number);

// A program's work on streams can be recorded once and replayed: its numbers then count from where the workspace stands.
// Between begin and end, which returns how many exchanges the program has, the work is only recorded. It must end by adding
// that many times PV_EXCHANGE_PARTS, and that many, to the two counters at pv_workspace_base. Local.
pv_status pv_workspace_begin_record(pv_workspace *workspace);
uint64_t pv_workspace_end_record(pv_workspace *workspace);
uint64_t *pv_workspace_base(const pv_workspace *workspace);
// Before the recorded work is given to the stream.
pv_status pv_workspace_replay(pv_workspace *workspace, pv_stream *stream, uint64_t exchanges);

#endif
