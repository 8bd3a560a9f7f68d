// SPDX-License-Identifier: Apache-2.0
// The table a transport must fill, and the objects it works on. Every entry is set; comm.c and window.c are thin
// calls through it, and nothing else asks which transport it is.
#ifndef PV_COMM_COMM_OPS_H
#define PV_COMM_COMM_OPS_H

#include <stdatomic.h>
#include <stdint.h>

#include <parseval/comm.h>

#include "comm/exchange.h"
#include "device/device_ops.h"

typedef enum pv_reduce_type { PV_REDUCE_F64, PV_REDUCE_I64 } pv_reduce_type;

typedef struct pv_comm_ops {
    const char *name;

    void (*close)(pv_comm *comm);
    // Sets rank, size, node_size and state of `part`, whose other fields are the parent's. Ranks with color < 0 call it
    // too and get size 0.
    pv_status (*split)(pv_comm *comm, int color, int key, pv_comm *part);

    pv_status (*barrier)(pv_comm *comm);
    pv_status (*reduce)(pv_comm *comm, pv_reduce_type type, pv_reduce op, int64_t count, void *values);
    pv_status (*broadcast)(pv_comm *comm, int root, size_t bytes, void *data);
    pv_status (*gather)(pv_comm *comm, size_t bytes, const void *mine, void *all);

    // Messages to others only: comm_exchange.c copies what a rank sends to itself. May set exchange->state.
    pv_status (*exchange_create)(pv_exchange *exchange);
    void (*exchange_destroy)(pv_exchange *exchange);
    // After the work of `stream`, which on host devices is always done.
    pv_status (*exchange_start)(pv_exchange *exchange, pv_stream *stream, const void *send, void *receive);
    // Advances; with `block` it returns when all is done, which is asked for on host devices alone.
    pv_status (*exchange_progress)(pv_exchange *exchange, int block, int *done);
    // Work given to `stream` from now on begins when all is done. For devices other than the host.
    pv_status (*exchange_join)(pv_exchange *exchange, pv_stream *stream);

    // Fills bases, flags and slots for the ranks that plain stores reach; all memory zeroed, of the device.
    pv_status (*window_create)(pv_window *window);
    void (*window_destroy)(pv_window *window);
} pv_comm_ops;

struct pv_comm {
    const pv_comm_ops *ops;
    pv_device *device;
    int rank, size;
    int node_size;
    int shares_device;         // two ranks or more are on one device and reach each other's memory there
    double timeout_s;
    int is_lost;               // a call has given up what MPI was told to do: no more calls, and no memory goes back
    int is_limited;            // whether that is the limit of waits inside MPI too: on all ranks, or on none
    // Of the communicator's own, for what leaves and for what arrives; NULL on host devices.
    pv_stream *lane_out, *lane_in;
    char text[192];            // what is in force, for people
    int *nodes;                // [size], the lowest rank that each rank's node has; NULL until somebody asks
    struct pv_comm_arrays *arrays; // room for sums of arrays (arrays.h), made with the first
    void *state;               // the transport's own
};

struct pv_exchange {
    pv_comm *comm;
    pv_message_list send, receive;
    int in_flight;
    pv_event *copied;          // behind the copy to oneself; NULL on host devices and where there is none
    void *state;               // the transport's own
};

// A cache line each: two ranks that post to the same rank do not disturb each other.
typedef struct pv_window_flag {
    _Alignas(64) _Atomic uint64_t value;
    _Atomic uint32_t asleep;   // the receiver waits in the kernel; little-endian: it watches the low half of value
} pv_window_flag;

struct pv_window {
    pv_comm *comm;
    size_t bytes;
    void **bases;              // [size], NULL: not reachable
    pv_window_flag **flags;    // [size], of each reachable rank: [slot of the sender][PV_WINDOW_FLAGS]
    int *slots;                // [size], place of a rank among the ranks that reach each other, -1: not reachable
    uint64_t *last;            // [2][PV_WINDOW_FLAGS][size], what NEXT is one more than; on host devices
    struct pv_window_tables *tables; // the same and the counters' addresses, on other devices
    const uint64_t *base;      // on the device, [PV_WINDOW_FLAGS]: what values given on streams count from; NULL: 0
    int spin;                  // looks at a flag before the wait yields its core
    void (*progress)(pv_comm *comm); // keeps other communication alive during long waits; NULL: nothing to do
    int (*has_ended)(const pv_comm *comm, int rank); // whether a rank's process is known to be gone; NULL: never
    void *state;               // the transport's own
};

// The windows of transports without memory in common: a rank reaches itself.
pv_status pv_window_create_private(pv_window *window);
void pv_window_destroy_private(pv_window *window);
// Bytes of the flags of one rank which `senders` ranks reach.
size_t pv_window_flags_bytes(int senders);

// The counter from rank `from` that rank `at` looks at; NULL when they do not reach each other.
pv_window_flag *pv_window_counter(const pv_window *window, int at, int from, int flag);

// window_device.c: the counters of windows that do not lie on the host.
pv_status pv_window_tables_create(pv_window *window);
void pv_window_tables_destroy(pv_window *window);
typedef enum pv_window_side { PV_WINDOW_POST, PV_WINDOW_WAIT } pv_window_side;
// Of all ranks, for kernels that post and wait on their own; entries are ranks.
pv_flag_set pv_window_flag_set(const pv_window *window, pv_window_side side, int flag);
// What a counter of this rank holds now.
pv_status pv_window_look(pv_window *window, const pv_window_flag *counter, uint64_t *value_p);
// Returns when a wait given to `stream` now would find what it waits for.
pv_status pv_window_look_ahead(pv_window *window, pv_stream *stream, int rank, int flag, uint64_t value);

// comm.c: the communicator's own streams, where the device has streams.
pv_status pv_comm_open_lanes(pv_comm *comm);
void pv_comm_close_lanes(pv_comm *comm);

// What a call that began at start_s has taken counts as communication of this process. Returns status.
pv_status pv_comm_count_time(double start_s, pv_status status);

// asked > 0, else PARSEVAL_TIMEOUT_S, else 600, and then waits inside MPI are without limit.
pv_status pv_comm_set_limit(pv_comm *comm, double asked_s);

#endif
