// SPDX-License-Identifier: Apache-2.0
#include "comm/shared/shared_comm.h"

#include <sched.h>

#include "base/clock.h"
#include "base/mem.h"
#include "comm/mpi/mpi_check.h"

// Some 50 us: longer than a peer's answer takes when it runs, shorter than a time slice when it does not.
enum { SPINS = 1000 };
#define LEAST_LIMIT_S 5.0

static void free_node(MPI_Comm *node)
{
    int finalized = 0;
    (void)MPI_Finalized(&finalized);
    if (!finalized && *node != MPI_COMM_NULL) (void)MPI_Comm_free(node);
}

static void end(pv_shared_comm *shared)
{
    if (!shared->has_parted && !shared->mpi.lost[0]) free_node(&shared->node);
    pv_mpi_comm_end(&shared->mpi);
    pv_mem_free(shared->slots);
    pv_mem_free(shared->sizes);
    pv_mem_free(shared->processes);
    pv_mem_free(shared);
}

int pv_shared_has_ended(const pv_comm *comm, int rank)
{
    const pv_shared_comm *shared = comm->state;
    const int slot = shared->slots[rank];
    return shared->processes && slot >= 0 && pv_process_has_ended(&shared->processes[slot]);
}

static int one_has_ended(const pv_comm *comm)
{
    int has_ended = 0;
    for (int rank = 0; rank < comm->size; rank++) has_ended |= pv_shared_has_ended(comm, rank);
    return has_ended;
}

static int wait_for_all(const pv_comm *comm)
{
    const pv_shared_comm *shared = comm->state;
    const double begin_s = pv_clock_s(), limit_s = comm->timeout_s > LEAST_LIMIT_S ? comm->timeout_s : LEAST_LIMIT_S;
    double look_s = begin_s + PV_LOOK_AT_LIFE_S;
    int finalized = 0, done = 0;
    MPI_Request request;
    (void)MPI_Finalized(&finalized);
    if (finalized || MPI_Ibarrier(shared->node, &request) != MPI_SUCCESS) return 0;
    for (double now_s = begin_s; !done && now_s - begin_s < limit_s; now_s = pv_clock_s()) {
        if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return 0;
        if (!done) sched_yield();
        if (done || now_s < look_s) continue;
        if (one_has_ended(comm)) return 0;
        look_s = now_s + PV_LOOK_AT_LIFE_S;
    }
    return done;
}

int pv_shared_all_have_come(const pv_comm *comm)
{
    pv_shared_comm *shared = comm->state;
    if (!shared->has_parted) shared->has_parted = shared->mpi.lost[0] || !wait_for_all(comm);
    return !shared->has_parted;
}

void pv_shared_close(pv_comm *comm)
{
    pv_shared_comm *shared = comm->state;
    pv_guard_lift(comm->device, &shared->guard.guard);
    end(comm->state);
}

// To spin is right only when every rank of the node has a core to itself. Bound ranks see their own cores alone, so the
// cores of all are united.
static pv_status choose_spin(MPI_Comm node, int *spin_p)
{
    cpu_set_t cores;
    int size;
    CPU_ZERO(&cores);
    (void)sched_getaffinity(0, sizeof cores, &cores);
    PV_MPI_TRY(MPI_Comm_size(node, &size));
    PV_MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &cores, sizeof cores, MPI_BYTE, MPI_BOR, node));
    *spin_p = size <= CPU_COUNT(&cores) ? SPINS : 0;
    return PV_OK;
}

// The ranks of this node, those that are asked to pretend to be one, and whether they may spin.
static pv_status find_node(MPI_Comm comm, int rank, int pretended_size, MPI_Comm *node_p, int *spin_p)
{
    MPI_Comm node;
    PV_MPI_TRY(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node));
    *node_p = node;
    PV_MPI_TRY(MPI_Comm_set_errhandler(node, MPI_ERRORS_RETURN));
    PV_TRY(choose_spin(node, spin_p));
    if (pretended_size == 0) return PV_OK;
    MPI_Comm part = MPI_COMM_NULL;
    PV_MPI_TRY(MPI_Comm_split(node, rank / pretended_size, rank, &part));
    *node_p = part;
    PV_MPI_TRY(MPI_Comm_free(&node));
    PV_MPI_TRY(MPI_Comm_set_errhandler(part, MPI_ERRORS_RETURN));
    return PV_OK;
}

// Where the ranks of the communicator stand in the node. Local: a rank without memory leaves no other waiting.
static pv_status translate(MPI_Comm all, MPI_Comm node, int size, const int *ranks, int *slots)
{
    MPI_Group all_group, node_group;
    PV_MPI_TRY(MPI_Comm_group(all, &all_group));
    PV_MPI_TRY(MPI_Comm_group(node, &node_group));
    PV_MPI_TRY(MPI_Group_translate_ranks(all_group, size, ranks, node_group, slots));
    PV_MPI_TRY(MPI_Group_free(&all_group));
    PV_MPI_TRY(MPI_Group_free(&node_group));
    return PV_OK;
}

static pv_status number_slots(pv_comm *comm, pv_shared_comm *shared)
{
    int *ranks;
    PV_TRY(PV_ALLOC(comm->size, &shared->slots));
    PV_TRY(PV_ALLOC(comm->size, &ranks));
    for (int rank = 0; rank < comm->size; rank++) ranks[rank] = rank;
    const pv_status status = translate(shared->mpi.comm, shared->node, comm->size, ranks, shared->slots);
    pv_mem_free(ranks);
    PV_TRY(status);
    comm->node_size = 0;
    for (int rank = 0; rank < comm->size; rank++) {
        if (shared->slots[rank] == MPI_UNDEFINED) shared->slots[rank] = -1;
        else comm->node_size++;
    }
    return PV_ALLOC(comm->node_size, &shared->sizes);
}

// Takes both communicators, also when it fails.
static pv_status open_on(pv_comm *comm, MPI_Comm own, MPI_Comm node, pv_mpi_schedule schedule, int node_id, int spin)
{
    pv_shared_comm *shared;
    pv_process *processes = pv_process_gather(node, comm->rank);
    pv_status status = PV_ALLOC(1, &shared);
    if (status != PV_OK) {
        pv_mem_free(processes);
        free_node(&own);
        free_node(&node);
        return status;
    }
    status = pv_mpi_comm_begin(&shared->mpi, own, schedule);
    if (status != PV_OK) {
        pv_mem_free(processes);
        free_node(&node);
        pv_mem_free(shared);
        return status;
    }
    shared->processes = processes;
    shared->node = node;
    shared->node_id = node_id;
    shared->spin = spin;
    status = number_slots(comm, shared);
    if (status != PV_OK) {
        end(shared);
        return status;
    }
    comm->state = shared;
    if (!comm->device->ops->is_host && comm->node_size > 1)
        pv_life_guard_set(&shared->guard, comm->device, processes, comm->node_size);
    return PV_OK;
}

pv_status pv_shared_split(pv_comm *comm, int color, int key, pv_comm *part)
{
    const pv_shared_comm *parent = comm->state;
    MPI_Comm own, node;
    PV_TRY(pv_mpi_comm_split(comm, color, key, part, &own));
    if (part->size == 0) return PV_OK;
    PV_MPI_TRY(MPI_Comm_split(own, parent->node_id, part->rank, &node));
    PV_MPI_TRY(MPI_Comm_set_errhandler(node, MPI_ERRORS_RETURN));
    PV_TRY(open_on(part, own, node, parent->mpi.schedule, parent->node_id, parent->spin));
    ((pv_shared_comm *)part->state)->put = parent->put;
    return PV_OK;
}

static const pv_comm_ops ops = {
    .name = "shared",
    .close = pv_shared_close,
    .split = pv_shared_split,
    .barrier = pv_mpi_barrier,
    .reduce = pv_mpi_reduce,
    .broadcast = pv_mpi_broadcast,
    .gather = pv_mpi_gather,
    .exchange_create = pv_mpi_exchange_create,
    .exchange_destroy = pv_mpi_exchange_destroy,
    .exchange_start = pv_mpi_exchange_start,
    .exchange_progress = pv_mpi_exchange_progress,
    .exchange_join = pv_mpi_exchange_join,
    .window_create = pv_shared_window_create,
    .window_destroy = pv_shared_window_destroy,
};

pv_status pv_shared_open(pv_comm *comm, const pv_comm_setup *setup)
{
    MPI_Comm own, node = MPI_COMM_NULL;
    int spin = 0, node_id = comm->rank;
    PV_MPI_TRY(MPI_Comm_dup(setup->comm, &own));
    pv_status status = find_node(own, comm->rank, setup->node_size, &node, &spin);
    // A node is called by the rank of its first member.
    if (status == PV_OK && MPI_Bcast(&node_id, 1, MPI_INT, 0, node) != MPI_SUCCESS)
        status = pv_mpi_fail(MPI_ERR_OTHER, __func__, "MPI_Bcast on the node");
    if (status != PV_OK) {
        free_node(&own);
        free_node(&node);
        return status;
    }
    comm->ops = &ops;
    return open_on(comm, own, node, setup->schedule, node_id, spin);
}
