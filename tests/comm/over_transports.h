// SPDX-License-Identifier: Apache-2.0
// Runs one test over the transports that the device and the number of ranks permit: see test_device.h.
// PARSEVAL_TEST_DEVICE=apart: see apart.h.
#ifndef PV_TESTS_COMM_OVER_TRANSPORTS_H
#define PV_TESTS_COMM_OVER_TRANSPORTS_H

#include <string.h>

#include <parseval/comm_mpi.h>

#include "apart.h"
#include "base/check.h"
#include "comm/comm_list.h"
#include "comm/peer/peer_comm.h"
#include "harness.h"
#include "test_device.h"

static inline int is_apart(void)
{
    return test_device() && strcmp(test_device(), "apart") == 0;
}

static inline pv_device *open_test_device(void)
{
    return is_apart() ? apart_open() : test_device_open("cpu:1");
}

static inline void over_transport(const char *transport, pv_mpi_schedule schedule, int node_size, double timeout_s,
                                  void (*run)(pv_comm *comm))
{
    pv_device *device = open_test_device();
    pv_comm_options options = {
        .transport = transport, .schedule = schedule, .node_size = node_size, .timeout_s = timeout_s};
    pv_comm *comm;
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm));
    run(comm);
    pv_comm_close(comm);
    pv_device_close(device);
}

static inline void over_self(double timeout_s, void (*run)(pv_comm *comm))
{
    if (pv_test_size() == 1) over_transport("self", PV_MPI_AUTO, 0, timeout_s, run);
}

// NCCL wants a GPU for each rank.
static inline void over_nccl(double timeout_s, void (*run)(pv_comm *comm))
{
    int is_built = 0;
    for (int i = 0; test_device() && !is_apart() && pv_transport_known(i, &is_built); i++)
        if (is_built && strcmp(pv_transport_known(i, &is_built), "nccl") == 0 && pv_test_size() <= test_device_count())
            over_transport("nccl", PV_MPI_AUTO, 0, timeout_s, run);
}

// Exchanges of `peer`, by inboxes in windows, where there is no GPU: on the device apart.
static inline void over_inboxes(int node_size, void (*run)(pv_comm *comm))
{
    static const pv_comm_ops inboxes = PV_PEER_OPS("shared", pv_shared_window_create, pv_shared_window_destroy);
    pv_device *device = apart_open();
    pv_comm_options options = {.transport = "shared", .node_size = node_size, .timeout_s = 60};
    pv_comm *comm;
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm));
    comm->ops = &inboxes;
    run(comm);
    pv_comm_close(comm);
    pv_device_close(device);
}

// For what depends on the transport alone.
static inline void over_transports(void (*run)(pv_comm *comm))
{
    over_self(60, run);
    over_transport("mpi", PV_MPI_AUTO, 0, 60, run);
    over_transport(by_stores(), PV_MPI_AUTO, 2, 60, run);
    over_nccl(60, run);
}

// For exchanges.
static inline void over_schedules(void (*run)(pv_comm *comm))
{
    over_self(60, run);
    for (int schedule = PV_MPI_AUTO; schedule <= PV_MPI_PERSISTENT; schedule++)
        over_transport("mpi", (pv_mpi_schedule)schedule, 0, 60, run);
    over_transport(by_stores(), PV_MPI_PAIRWISE, 2, 60, run);
    if (test_device()) over_transport(by_stores(), PV_MPI_PAIRWISE, 0, 60, run);
    for (int node_size = 0; is_apart() && node_size <= 2; node_size += 2) over_inboxes(node_size, run);
    over_nccl(60, run);
}

// For windows.
static inline void over_nodes(double timeout_s, void (*run)(pv_comm *comm))
{
    over_self(timeout_s, run);
    over_transport("mpi", PV_MPI_AUTO, 0, timeout_s, run);
    for (int node_size = 0; node_size <= 3; node_size++)
        over_transport(by_stores(), PV_MPI_AUTO, node_size, timeout_s, run);
}

#endif
