// SPDX-License-Identifier: Apache-2.0
// Runs one test over the transports that the device and the number of ranks permit. PARSEVAL_TEST_DEVICE=cuda: on GPUs,
// over which the ranks are spread; skipped where there is none. PARSEVAL_TEST_DEVICE=apart: see apart.h.
#ifndef PV_TESTS_COMM_OVER_TRANSPORTS_H
#define PV_TESTS_COMM_OVER_TRANSPORTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <parseval/comm_mpi.h>

#include "apart.h"
#include "base/check.h"
#include "comm/comm_list.h"
#include "harness.h"

// NULL: the tests run on the host.
static inline const char *test_device(void)
{
    return getenv("PARSEVAL_TEST_DEVICE");
}

static inline int is_apart(void)
{
    return test_device() && strcmp(test_device(), "apart") == 0;
}

static inline int test_device_count(void)
{
    int count = 0;
    pv_test_mute(1);
    const pv_status status = pv_device_count(test_device(), &count);
    pv_test_mute(0);
    if (status == PV_ERR_DEVICE || status == PV_ERR_NOT_BUILT) pv_test_skip("%s", pv_last_error());
    assert_int_equal(status, PV_OK);
    return count;
}

static inline pv_device *open_test_device(void)
{
    char name[32] = "cpu:1";
    pv_device *device;
    if (is_apart()) return apart_open();
    if (test_device()) snprintf(name, sizeof name, "%s:%d", test_device(), pv_test_rank() % test_device_count());
    assert_ok(pv_device_open(name, &device));
    return device;
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

// The transport by which ranks of a node store into each other's memory; PARSEVAL_TEST_STORES=nvshmem on GPUs.
static inline const char *by_stores(void)
{
    const char *asked = getenv("PARSEVAL_TEST_STORES");
    return !test_device() ? "shared" : asked ? asked : "peer";
}

// For what depends on the transport alone.
static inline void over_transports(void (*run)(pv_comm *comm))
{
    over_self(60, run);
    over_transport("mpi", PV_MPI_AUTO, 0, 60, run);
    if (!is_apart()) over_transport(by_stores(), PV_MPI_AUTO, 2, 60, run);
    over_nccl(60, run);
}

// For exchanges.
static inline void over_schedules(void (*run)(pv_comm *comm))
{
    over_self(60, run);
    for (int schedule = PV_MPI_AUTO; schedule <= PV_MPI_PERSISTENT; schedule++)
        over_transport("mpi", (pv_mpi_schedule)schedule, 0, 60, run);
    if (is_apart()) return;
    over_transport(by_stores(), PV_MPI_PAIRWISE, 2, 60, run);
    if (test_device()) over_transport(by_stores(), PV_MPI_PAIRWISE, 0, 60, run);
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
