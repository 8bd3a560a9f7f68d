// SPDX-License-Identifier: Apache-2.0
// Runs one test over every transport, and every way of the transport, that the number of ranks permits.
#ifndef PV_TESTS_COMM_OVER_TRANSPORTS_H
#define PV_TESTS_COMM_OVER_TRANSPORTS_H

#include <parseval/comm_mpi.h>

#include "base/check.h"
#include "harness.h"

static inline void over_transport(const char *transport, pv_mpi_schedule schedule, int node_size, double timeout_s,
                                  void (*run)(pv_comm *comm))
{
    pv_device *device;
    assert_ok(pv_device_open("cpu:1", &device));
    pv_comm_options options = {
        .transport = transport, .schedule = schedule, .node_size = node_size, .timeout_s = timeout_s};
    pv_comm *comm;
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm));
    run(comm);
    pv_comm_close(comm);
    pv_device_close(device);
}

static inline void over_transports_within(double timeout_s, void (*run)(pv_comm *comm))
{
    if (pv_test_size() == 1) over_transport("self", PV_MPI_AUTO, 0, timeout_s, run);
    for (int schedule = PV_MPI_AUTO; schedule <= PV_MPI_PERSISTENT; schedule++)
        over_transport("mpi", (pv_mpi_schedule)schedule, 0, timeout_s, run);
    for (int node_size = 0; node_size <= 3; node_size++)
        over_transport("shared", PV_MPI_AUTO, node_size, timeout_s, run);
    over_transport("shared", PV_MPI_PAIRWISE, 2, timeout_s, run);
}

static inline void over_transports(void (*run)(pv_comm *comm))
{
    over_transports_within(60, run);
}

#endif
