// SPDX-License-Identifier: Apache-2.0
// Every way to open a communicator over the ranks of the test, one after the other: on the host, or on the device of
// test_device.h.
#ifndef PV_TESTS_FFT_OVER_TRANSPORTS_H
#define PV_TESTS_FFT_OVER_TRANSPORTS_H

#include <mpi.h>
#include <string.h>

#include <parseval/comm_mpi.h>

#include "test_device.h"

typedef enum transport_place { ON_HOST = 1, ON_DEVICE = 2, ANYWHERE = 3 } transport_place;

typedef struct transport_case {
    const char *text;
    const char *transport;
    int node_size;
    transport_place place;
} transport_case;

static const transport_case transport_cases[] = {{"self", "self", 0, ANYWHERE},
                                                 {"mpi", "mpi", 0, ANYWHERE},
                                                 {"nccl", "nccl", 0, ON_DEVICE},
                                                 {"shared", "shared", 0, ON_HOST},
                                                 {"shared, nodes of 2", "shared", 2, ON_HOST},
                                                 {"peer", "peer", 0, ON_DEVICE},
                                                 {"peer, nodes of 2", "peer", 2, ON_DEVICE}};

enum { TRANSPORT_CASES = sizeof transport_cases / sizeof *transport_cases };

// NCCL wants a GPU for each rank.
static inline int transport_applies(const transport_case *t)
{
    const int size = pv_test_size();
    if (!(t->place & (test_device() ? ON_DEVICE : ON_HOST))) return 0;
    if (strcmp(t->transport, "self") == 0) return size == 1;
    if (strcmp(t->transport, "nccl") == 0) return size <= test_device_count();
    return t->node_size == 0 || size > t->node_size;
}

// 0 when the case is for another place or number of ranks, or is not built in.
static inline int transport_open(int index, pv_device *device, pv_comm **comm_p)
{
    const transport_case *t = &transport_cases[index];
    if (!transport_applies(t)) return 0;
    if (strcmp(t->transport, "self") == 0) {
        assert_ok(pv_comm_open_self(device, comm_p));
        return 1;
    }
    pv_comm_options options = pv_comm_options_defaults();
    options.transport = strcmp(t->transport, "peer") == 0 ? by_stores() : t->transport;
    options.node_size = t->node_size;
    options.timeout_s = 60;
    pv_test_mute(1);
    pv_status status = pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, comm_p);
    pv_test_mute(0);
    if (status == PV_ERR_NOT_BUILT) return 0;
    assert_ok(status);
    return 1;
}

// All there are; NULL stands for the others.
static inline void transports_open(pv_device *device, pv_comm *comms[TRANSPORT_CASES])
{
    for (int t = 0; t < TRANSPORT_CASES; t++) {
        comms[t] = NULL;
        transport_open(t, device, &comms[t]);
    }
}

static inline void transports_close(pv_comm *comms[TRANSPORT_CASES])
{
    for (int t = 0; t < TRANSPORT_CASES; t++) pv_comm_close(comms[t]);
}

// Then `after`, where there is one.
static inline void over_transports(void (*run)(pv_comm *comm), void (*after)(pv_comm *comm))
{
    pv_device *device = test_device_open("cpu:1");
    for (int t = 0; t < TRANSPORT_CASES; t++) {
        pv_comm *comm = NULL;
        if (!transport_open(t, device, &comm)) continue;
        run(comm);
        if (after) after(comm);
        pv_comm_close(comm);
    }
    pv_device_close(device);
}

// Makes a test of what a communicator is given to.
#define OVER_TRANSPORTS(name, after)        \
    static void test_##name(void **state)   \
    {                                       \
        (void)state;                        \
        over_transports(name, after);       \
    }

#endif
