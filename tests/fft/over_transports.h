// SPDX-License-Identifier: Apache-2.0
// Every way to open a communicator over the ranks of the test, one after the other.
#ifndef PV_TESTS_FFT_OVER_TRANSPORTS_H
#define PV_TESTS_FFT_OVER_TRANSPORTS_H

#include <mpi.h>
#include <string.h>

#include <parseval/comm_mpi.h>

typedef struct transport_case {
    const char *text;
    const char *transport;
    int node_size;
} transport_case;

static const transport_case transport_cases[] = {
    {"self", "self", 0}, {"mpi", "mpi", 0}, {"shared", "shared", 0}, {"shared, nodes of 2", "shared", 2}};

enum { TRANSPORT_CASES = sizeof transport_cases / sizeof *transport_cases };

// 0 when the case needs another number of ranks or is not built in.
static inline int transport_open(int index, pv_device *device, pv_comm **comm_p)
{
    const transport_case *t = &transport_cases[index];
    int size = pv_test_size();
    if (strcmp(t->transport, "self") == 0 && size > 1) return 0;
    if (t->node_size > 0 && size <= t->node_size) return 0;
    if (strcmp(t->transport, "self") == 0) {
        assert_ok(pv_comm_open_self(device, comm_p));
        return 1;
    }
    pv_comm_options options = pv_comm_options_defaults();
    options.transport = t->transport;
    options.node_size = t->node_size;
    options.timeout_s = 60;
    pv_test_mute(1);
    pv_status status = pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, comm_p);
    pv_test_mute(0);
    if (status == PV_ERR_NOT_BUILT) return 0;
    assert_ok(status);
    return 1;
}

#endif
