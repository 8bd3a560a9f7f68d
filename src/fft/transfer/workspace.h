// SPDX-License-Identifier: Apache-2.0
// Workspace: a window that programs use as two alternating receive regions and a send buffer, and the counters that
// order the ranks' stores into it.
//
// Exchanges are numbered through the life of a workspace. Where counters lie on a device, so does what the numbers of a
// program count from, so that its work can be recorded in a graph, by us or by the caller, and replayed. Number e has
// ARRIVED from a rank when all its stores of e are visible here; a rank has CONSUMED e when it will not read what it
// received in e any more. The first exchange of a program may overwrite any region, so it waits for everybody to have
// consumed e - 1; later ones use the other region than their predecessor, so e - 2 is enough. An exchange may arrive in
// parts, one after another.
#ifndef PV_FFT_TRANSFER_WORKSPACE_H
#define PV_FFT_TRANSFER_WORKSPACE_H

#include <parseval/fft.h>

struct pv_workspace {
    pv_comm *comm;
    pv_window *window;
    size_t bytes;
    uint64_t identity;          // of no other in this process: addresses come again
    void **bases;               // [size], NULL where stores do not reach
    uint64_t exchanges;         // started so far; with a base by the program that runs
    int mark;                   // of the program that runs
    pv_status fault;            // of the first program that failed; PV_OK: none has
    pv_buffer *base;            // where counters lie on a device: what numbers count from, by flag; else NULL
};

// node_p[r]: ranks with the same number reach each other's memory. Collective.
pv_status pv_workspace_nodes(pv_comm *comm, int *node_p);

// In the order of a stream of the communicator's device (at once on the host). Before the first store of exchange
// `index` of a program; returns its number.
pv_status pv_workspace_open_exchange(pv_workspace *workspace, pv_stream *stream, int index, uint64_t *number_p);
pv_status pv_workspace_post_arrived(pv_workspace *workspace, pv_stream *stream, uint64_t number);
pv_status pv_workspace_wait_arrived(pv_workspace *workspace, pv_stream *stream, uint64_t number);
// The first part + 1 parts of the exchange, 0 <= part < PV_EXCHANGE_PARTS - 1; the two above mean all of it. On the
// host there are no parts: their place in the counters says which program a rank runs, and one that runs another is
// told off.
#define PV_EXCHANGE_PARTS 64
pv_status pv_workspace_post_part(pv_workspace *workspace, pv_stream *stream, uint64_t number, int part);
pv_status pv_workspace_wait_part(pv_workspace *workspace, pv_stream *stream, uint64_t number, int part);
pv_status pv_workspace_post_consumed(pv_workspace *workspace, pv_stream *stream, uint64_t number);

// On the host. A program that ends early leaves the ranks out of step: a number means other exchanges to one rank than
// to another. So nothing runs on the workspace after that, and other ranks' programs end instead of waiting.
pv_status pv_workspace_check_kept(const pv_workspace *workspace);
void pv_workspace_give_up(pv_workspace *workspace, pv_status fault);

// A program's exchanges lie between begin and end. Where the workspace has a base, whoever runs the program adds what
// end returns (what ARRIVED and CONSUMED have moved on by) to the two counters there, in the order of the stream.
// Local.
typedef struct pv_workspace_steps {
    uint64_t *base;             // NULL: nothing to add
    uint64_t arrived, consumed;
} pv_workspace_steps;
// 0 <= mark < PV_EXCHANGE_PARTS: the same on all ranks for one program, another for its inverse.
void pv_workspace_begin(pv_workspace *workspace, int mark);
pv_workspace_steps pv_workspace_end(const pv_workspace *workspace);

#endif
