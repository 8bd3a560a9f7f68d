// SPDX-License-Identifier: Apache-2.0
// Opening over MPI: the ranks must ask for the same, whatever it is.
#include <parseval/comm_mpi.h>

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "comm/mpi/mpi_patience.h"

pv_comm_options pv_comm_options_defaults(void)
{
    return (pv_comm_options){.transport = "auto", .schedule = PV_MPI_AUTO};
}

static pv_status check_mpi_runs(void)
{
    int started = 0, ended = 0;
    PV_MPI_TRY(MPI_Initialized(&started));
    PV_MPI_TRY(MPI_Finalized(&ended));
    PV_REQUIRE(started && !ended, PV_ERR_COMM, "MPI is %s; it must run from before this call until after pv_comm_close",
               ended ? "finalized already" : "not initialized");
    return PV_OK;
}

static pv_status check_options(const pv_comm_options *options)
{
    PV_REQUIRE(options->schedule >= PV_MPI_AUTO && options->schedule <= PV_MPI_PERSISTENT, PV_ERR_ARGUMENT,
               "schedule %d; known are PV_MPI_AUTO (%d) to PV_MPI_PERSISTENT (%d)", (int)options->schedule, PV_MPI_AUTO,
               PV_MPI_PERSISTENT);
    PV_REQUIRE(options->node_size >= 0, PV_ERR_ARGUMENT, "node_size %d; 0 asks MPI, above 0 pretends",
               options->node_size);
    return PV_OK;
}

// Fails where this rank asks for other than rank 0.
static pv_status compare_options(pv_comm *bootstrap, const pv_comm_options *options)
{
    struct {
        char transport[64];
        int schedule, node_size;
    } first = {.schedule = (int)options->schedule, .node_size = options->node_size};
    snprintf(first.transport, sizeof first.transport, "%s", options->transport);
    PV_TRY(pv_comm_broadcast(bootstrap, 0, sizeof first, &first));
    PV_REQUIRE(strncmp(first.transport, options->transport, sizeof first.transport - 1) == 0, PV_ERR_MISMATCH,
               "rank %d asks for transport \"%s\", rank 0 for \"%s\"", bootstrap->rank, options->transport,
               first.transport);
    PV_REQUIRE(first.schedule == (int)options->schedule, PV_ERR_MISMATCH, "rank %d asks for schedule %d, rank 0 for %d",
               bootstrap->rank, (int)options->schedule, first.schedule);
    PV_REQUIRE(first.node_size == options->node_size, PV_ERR_MISMATCH, "rank %d asks for node_size %d, rank 0 for %d",
               bootstrap->rank, options->node_size, first.node_size);
    return PV_OK;
}

static const char *transport_name(const char *asked, const pv_device *device)
{
    if (strcmp(asked, "auto") != 0) return asked;
    return device->ops->is_host ? "shared" : "peer";
}

static pv_status prepare(const pv_comm_options *options, pv_comm *comm, const pv_transport **transport_p)
{
    PV_TRY(check_options(options));
    PV_TRY(pv_transport_find(transport_name(options->transport, comm->device), transport_p));
    PV_TRY(pv_transport_check(*transport_p, comm->device));
    return pv_comm_open_lanes(comm);
}

// Nobody is told to open what others may never come to. All ranks meet, with a limit or without.
static pv_status meet(pv_comm *bootstrap, MPI_Comm all)
{
    pv_mpi_comm none = {.comm = all};
    bootstrap->state = &none;
    const pv_status status = pv_mpi_meet(bootstrap, all, "pv_comm_open_mpi", "the other ranks to open a communicator");
    bootstrap->state = NULL;
    bootstrap->is_limited = 0; // until the ranks have agreed
    return status;
}

// `mine`: what this rank has failed by. Over the plain transport, by which the ranks agree until they have agreed on
// another.
static pv_status open_agreed(pv_comm *bootstrap, const pv_comm_setup *setup, const pv_comm_options *options,
                             pv_status mine, pv_comm *comm)
{
    pv_status status = compare_options(bootstrap, options);
    if (mine != PV_OK) status = mine;
    PV_TRY(pv_comm_agree(bootstrap, status));
    int64_t is_limited = comm->is_limited; // what ranks call of MPI depends on it
    PV_TRY(pv_comm_reduce_i64(bootstrap, PV_MAX, 1, &is_limited));
    comm->is_limited = is_limited != 0;
    const pv_transport *transport;
    PV_TRY(pv_comm_agree(bootstrap, prepare(options, comm, &transport)));
    status = transport->open(comm, setup);
    const pv_status verdict = pv_comm_agree(bootstrap, status);
    if (status == PV_OK && verdict != PV_OK) comm->ops->close(comm);
    return verdict;
}

pv_status pv_comm_open_mpi(MPI_Comm mpi_comm, pv_device *device, const pv_comm_options *options, pv_comm **comm_p)
{
    PV_TRY(check_mpi_runs());
    PV_REQUIRE(mpi_comm != MPI_COMM_NULL, PV_ERR_ARGUMENT, "MPI_COMM_NULL; a communicator of the calling ranks");
    PV_REQUIRE_GIVEN(comm_p);
    int is_between = 0;
    PV_MPI_TRY(MPI_Comm_test_inter(mpi_comm, &is_between));
    PV_REQUIRE(!is_between, PV_ERR_ARGUMENT,
               "a communicator between two groups of ranks; one within a group is accepted");
    pv_comm_options asked = options ? *options : pv_comm_options_defaults();
    if (!asked.transport) asked.transport = ""; // unknown, which is said to all ranks

    const pv_comm_setup setup = {.comm = mpi_comm, .schedule = asked.schedule, .node_size = asked.node_size};
    pv_comm bootstrap = {.device = device};
    PV_MPI_TRY(MPI_Comm_rank(mpi_comm, &bootstrap.rank));
    PV_MPI_TRY(MPI_Comm_size(mpi_comm, &bootstrap.size));
    pv_comm *comm = NULL;
    pv_status mine = pv_comm_set_limit(&bootstrap, asked.timeout_s);
    if (mine == PV_OK) mine = PV_ALLOC(1, &comm);
    if (comm) *comm = bootstrap;
    pv_status status = meet(&bootstrap, mpi_comm);
    if (status == PV_OK) status = pv_mpi_open(&bootstrap, &setup);
    if (status == PV_OK) {
        status = open_agreed(&bootstrap, &setup, &asked, mine, comm);
        bootstrap.ops->close(&bootstrap);
    }
    if (status == PV_OK) {
        *comm_p = comm;
        return PV_OK;
    }
    if (comm) pv_comm_close_lanes(comm);
    pv_mem_free(comm);
    return status;
}

pv_status pv_comm_open_mpi_fortran(MPI_Fint mpi_comm, pv_device *device, const pv_comm_options *options,
                                   pv_comm **comm_p)
{
    PV_TRY(check_mpi_runs());
    return pv_comm_open_mpi(MPI_Comm_f2c(mpi_comm), device, options, comm_p);
}
