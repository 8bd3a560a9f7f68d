// SPDX-License-Identifier: Apache-2.0
// Communicators: a group of ranks and two ways to move bytes between them, exchange and peer memory.
// Calls marked collective must be made by all ranks of the communicator in the same order.
#ifndef PARSEVAL_COMM_H
#define PARSEVAL_COMM_H

#include <stddef.h>
#include <stdint.h>

#include <parseval/device.h>
#include <parseval/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pv_comm pv_comm;

// One rank without MPI. Local.
pv_status pv_comm_open_self(pv_device *device, pv_comm **comm_p);
// With MPI: see <parseval/comm_mpi.h>.

// Collective: every rank has stopped using what was made on the communicator.
void pv_comm_close(pv_comm *comm);

int pv_comm_rank(const pv_comm *comm);
int pv_comm_size(const pv_comm *comm);
const char *pv_comm_transport(const pv_comm *comm);     // "self", "mpi", "shared", "peer", "nccl", "nvshmem"
// What is in force, for people: "mpi, staged through pinned host memory: MPI is not device-aware". Belongs to comm.
const char *pv_comm_text(const pv_comm *comm);
pv_device *pv_comm_device(const pv_comm *comm);
int pv_comm_node_size(const pv_comm *comm);             // ranks that share memory with this one, itself included

// Ranks with the same color >= 0 form a new communicator, ordered by key then rank, with the parent's transport;
// color < 0: *comm_p becomes NULL. Collective.
pv_status pv_comm_split(pv_comm *comm, int color, int key, pv_comm **comm_p);

// Seconds that this process has spent in calls that send or wait, of all communicators: barriers, reductions,
// broadcasts, gathers, agreements, and exchanges on the host. What is given to streams of a GPU does not count. Local.
double pv_comm_seconds(void);

pv_status pv_comm_barrier(pv_comm *comm);               // collective

typedef enum pv_reduce { PV_SUM, PV_MAX, PV_MIN } pv_reduce;
// In place over all ranks; the same bits on every rank. Collective.
pv_status pv_comm_reduce_f64(pv_comm *comm, pv_reduce op, int64_t count, double *values);
pv_status pv_comm_reduce_i64(pv_comm *comm, pv_reduce op, int64_t count, int64_t *values);
// bytes of `root` to everybody. Collective.
pv_status pv_comm_broadcast(pv_comm *comm, int root, size_t bytes, void *data);
// `bytes` from every rank, in rank order, to everybody: all has size bytes * size. Collective.
pv_status pv_comm_gather(pv_comm *comm, size_t bytes, const void *mine, void *all);

// In the order of a stream of the communicator's device, of which `values` and `data` are memory: numbers become their
// sums over the ranks, the same bits on every rank and by every transport, since they are added in the order of ranks;
// bytes of rank 0 go to everybody. With "peer" and "nvshmem" on one node and with "nccl" calls return when the work is
// queued, except the first ones of a size, which make room for it; with "mpi", and beyond a node, when the messages
// have reached this process. On host devices these are pv_comm_reduce_f64 and pv_comm_broadcast. Collective.
pv_status pv_comm_sum_on(pv_comm *comm, pv_stream *stream, int64_t count, double *values);
pv_status pv_comm_broadcast_on(pv_comm *comm, pv_stream *stream, size_t bytes, void *data);

// Every rank passes its own status and gets the same answer: PV_OK when all passed PV_OK; else a rank that failed
// keeps its own status and the others get PV_ERR_PEER (with the failed rank and status in pv_last_error). Collective.
pv_status pv_comm_agree(pv_comm *comm, pv_status mine);

// ---- Exchange: messages between ranks, described once and run often ------------------------------------------

// `bytes` at `offset_bytes` of the send (receive) buffer go to (come from) `rank`. At most one message a pair.
typedef struct pv_message {
    int rank;
    size_t offset_bytes;
    size_t bytes;
} pv_message;

typedef struct pv_exchange pv_exchange;

// Collective. What rank a sends to b must be what b receives from a; messages of 0 bytes are dropped on both sides.
// A message to oneself is a copy. Beyond 2^31 bytes a message goes in pieces. Buffers are memory of the communicator's
// device.
pv_status pv_exchange_create(pv_comm *comm, int send_count, const pv_message *send, int receive_count,
                             const pv_message *receive, pv_exchange **exchange_p);
void pv_exchange_destroy(pv_exchange *exchange);         // collective on GPUs: memory of other ranks is given back
// start, then wait, on the same exchange; several exchanges may be in flight, started in the same order on all
// ranks. The buffers may not be touched in between. test advances communication and says in *done whether wait
// would return at once.
pv_status pv_exchange_start(pv_exchange *exchange, const void *send, void *receive);
pv_status pv_exchange_test(pv_exchange *exchange, int *done);
pv_status pv_exchange_wait(pv_exchange *exchange);

// The same in the order of a stream of the communicator's device: the messages leave, and the receive buffer is
// written, after all that the stream has been given before start_on; work given to the stream after wait_on finds them
// arrived and may touch both buffers. In between other work may be given to the stream, and overlaps. On host devices
// these are start and wait.
// With "peer", "nccl" and "nvshmem" both return when the work is queued, and a CUDA graph can capture them; with "mpi"
// wait_on (and calls of test, which advance the messages) returns when the messages have reached this process. Any of
// start_on and start may be ended by any of wait_on and wait; start is start_on the device's own stream.
pv_status pv_exchange_start_on(pv_exchange *exchange, pv_stream *stream, const void *send, void *receive);
pv_status pv_exchange_wait_on(pv_exchange *exchange, pv_stream *stream);

// ---- Peer memory: one base pointer a rank, and flags that order the stores ------------------------------------

typedef struct pv_window pv_window;

// Memory of `bytes` (may differ between ranks) on the device of every rank. Ranks whose memory this transport can reach
// by plain stores have a base pointer here; a rank always reaches itself. Zeroed. Collective.
pv_status pv_window_create(pv_comm *comm, size_t bytes, pv_window **window_p);
void pv_window_destroy(pv_window *window);              // collective; what uses the window has come to its end
void *pv_window_base(const pv_window *window, int rank); // NULL: not reachable, use an exchange
size_t pv_window_bytes(const pv_window *window);         // of this rank

// Each ordered pair of reachable ranks has PV_WINDOW_FLAGS monotonic counters. post publishes `value` in counter
// `flag` from this rank to `rank`: all stores made before it are visible to a rank whose wait saw the value.
// wait returns when the counter from `rank` to this rank is at least `value`, or PV_ERR_TIMEOUT after the
// communicator's time limit.
#define PV_WINDOW_FLAGS 4
void pv_window_post(pv_window *window, int rank, int flag, uint64_t value);
pv_status pv_window_wait(pv_window *window, int rank, int flag, uint64_t value);

// The same in the order of a stream of the communicator's device: stores that work given to the stream before post_on
// makes, through base pointers too, are visible to work that the other rank gives its stream after its wait_on. On host
// devices they are post and wait. Nothing waits on the host, and a CUDA graph can capture them: with PV_WINDOW_NEXT the
// value is one more than the last that _on gave for this rank and flag (the first is 1), also when a graph is replayed.
// PV_WINDOW_PEERS as rank: every other reachable rank, at the cost of one.
// When the value does not come within the time limit, the stream goes on, and pv_stream_wait says PV_ERR_TIMEOUT. Where
// ranks share a GPU the host waits for the value, outside graphs, and the call says so.
// Calls on a device may have to wait for what its streams have been given, so that a program must also come to its end
// if every call waited for its work.
#define PV_WINDOW_NEXT UINT64_MAX
#define PV_WINDOW_PEERS (-1)
pv_status pv_window_post_on(pv_window *window, pv_stream *stream, int rank, int flag, uint64_t value);
pv_status pv_window_wait_on(pv_window *window, pv_stream *stream, int rank, int flag, uint64_t value);
// post_on and then wait_on with the same rank, flag and value, at the cost of one: with PV_WINDOW_PEERS a barrier.
pv_status pv_window_meet_on(pv_window *window, pv_stream *stream, int rank, int flag, uint64_t value);

#ifdef __cplusplus
}
#endif
#endif
