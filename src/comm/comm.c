// SPDX-License-Identifier: Apache-2.0
#include "comm/comm_ops.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "comm/arrays.h"
#include "comm/comm_list.h"

int pv_comm_rank(const pv_comm *comm)
{
    return comm->rank;
}

int pv_comm_size(const pv_comm *comm)
{
    return comm->size;
}

const char *pv_comm_transport(const pv_comm *comm)
{
    return comm->ops->name;
}

const char *pv_comm_text(const pv_comm *comm)
{
    return comm->text[0] ? comm->text : comm->ops->name;
}

pv_device *pv_comm_device(const pv_comm *comm)
{
    return comm->device;
}

int pv_comm_node_size(const pv_comm *comm)
{
    return comm->node_size;
}

pv_status pv_comm_set_limit(pv_comm *comm, double asked_s)
{
    PV_REQUIRE(asked_s >= 0, PV_ERR_ARGUMENT, "time limit of %g s; above 0, or 0 for the default", asked_s);
    const char *text = getenv("PARSEVAL_TIMEOUT_S");
    comm->is_limited = asked_s > 0 || text;
    if (asked_s > 0 || !text) {
        comm->timeout_s = asked_s > 0 ? asked_s : 600;
        return PV_OK;
    }
    char *end;
    const double value = strtod(text, &end);
    PV_REQUIRE(end != text && *end == '\0' && value > 0, PV_ERR_INPUT,
               "PARSEVAL_TIMEOUT_S is \"%s\"; a number of seconds above 0 is accepted", text);
    comm->timeout_s = value;
    return PV_OK;
}

pv_status pv_comm_open_self(pv_device *device, pv_comm **comm_p)
{
    PV_REQUIRE_GIVEN(device);
    PV_REQUIRE_GIVEN(comm_p);
    pv_comm *comm;
    PV_TRY(PV_ALLOC(1, &comm));
    *comm = (pv_comm){.device = device, .rank = 0, .size = 1};
    const pv_transport *transport;
    pv_status status;
    PV_TRY_GOTO(pv_comm_set_limit(comm, 0), status, undo);
    PV_TRY_GOTO(pv_transport_find("self", &transport), status, undo);
    PV_TRY_GOTO(pv_comm_open_lanes(comm), status, undo);
    PV_TRY_GOTO(transport->open(comm, NULL), status, undo);
    *comm_p = comm;
    return PV_OK;

undo:
    pv_comm_close_lanes(comm);
    pv_mem_free(comm);
    return status;
}

pv_status pv_comm_open_lanes(pv_comm *comm)
{
    if (comm->device->ops->is_host) return PV_OK;
    PV_TRY(pv_stream_create_urgent(comm->device, &comm->lane_out));
    return pv_stream_create_urgent(comm->device, &comm->lane_in);
}

void pv_comm_close_lanes(pv_comm *comm)
{
    pv_stream_destroy(comm->lane_out);
    pv_stream_destroy(comm->lane_in);
    comm->lane_out = comm->lane_in = NULL;
}

void pv_comm_close(pv_comm *comm)
{
    if (!comm) return;
    pv_comm_arrays_destroy(comm->arrays);
    pv_mem_free(comm->nodes);
    comm->ops->close(comm);
    pv_comm_close_lanes(comm);
    pv_mem_free(comm);
}

static pv_status begin_part(const pv_comm *comm, pv_comm **part_p)
{
    pv_comm *part;
    PV_TRY(PV_ALLOC(1, &part));
    *part = *comm;
    part->state = NULL;
    part->arrays = NULL;
    part->nodes = NULL;
    part->lane_out = part->lane_in = NULL;
    *part_p = part;
    return pv_comm_open_lanes(part);
}

static void end_part(pv_comm *part)
{
    if (!part) return;
    pv_comm_close_lanes(part);
    pv_mem_free(part);
}

pv_status pv_comm_split(pv_comm *comm, int color, int key, pv_comm **comm_p)
{
    PV_REQUIRE_GIVEN(comm);
    PV_REQUIRE_GIVEN(comm_p);
    pv_comm *part = NULL;
    pv_status status = begin_part(comm, &part);
    PV_TRY_GOTO(pv_comm_agree(comm, status), status, undo);
    status = comm->ops->split(comm, color, key, part);
    const pv_status verdict = pv_comm_agree(comm, status);
    if (status == PV_OK && verdict != PV_OK && part->size > 0) part->ops->close(part);
    PV_TRY_GOTO(verdict, status, undo);
    if (part->size == 0) {
        end_part(part);
        part = NULL;
    }
    *comm_p = part;
    return PV_OK;

undo:
    end_part(part);
    return status;
}

pv_status pv_comm_barrier(pv_comm *comm)
{
    PV_REQUIRE_GIVEN(comm);
    const double start_s = pv_clock_s();
    return pv_comm_count_time(start_s, comm->ops->barrier(comm));
}

static pv_status reduce(pv_comm *comm, pv_reduce_type type, pv_reduce op, int64_t count, void *values)
{
    PV_REQUIRE_GIVEN(comm);
    PV_REQUIRE(op == PV_SUM || op == PV_MAX || op == PV_MIN, PV_ERR_ARGUMENT,
               "reduction %d; known are PV_SUM, PV_MAX, PV_MIN", (int)op);
    PV_REQUIRE(count >= 0, PV_ERR_ARGUMENT, "reduction of %lld values; 0 and more are accepted",
               (long long)count);
    if (count == 0) return PV_OK;
    PV_REQUIRE_GIVEN(values);
    const double start_s = pv_clock_s();
    return pv_comm_count_time(start_s, comm->ops->reduce(comm, type, op, count, values));
}

pv_status pv_comm_reduce_f64(pv_comm *comm, pv_reduce op, int64_t count, double *values)
{
    return reduce(comm, PV_REDUCE_F64, op, count, values);
}

pv_status pv_comm_reduce_i64(pv_comm *comm, pv_reduce op, int64_t count, int64_t *values)
{
    return reduce(comm, PV_REDUCE_I64, op, count, values);
}

pv_status pv_comm_broadcast(pv_comm *comm, int root, size_t bytes, void *data)
{
    PV_REQUIRE_GIVEN(comm);
    PV_REQUIRE(root >= 0 && root < comm->size, PV_ERR_ARGUMENT, "broadcast from rank %d; ranks are 0 to %d", root,
               comm->size - 1);
    if (bytes == 0) return PV_OK;
    PV_REQUIRE_GIVEN(data);
    const double start_s = pv_clock_s();
    return pv_comm_count_time(start_s, comm->ops->broadcast(comm, root, bytes, data));
}

pv_status pv_comm_gather(pv_comm *comm, size_t bytes, const void *mine, void *all)
{
    PV_REQUIRE_GIVEN(comm);
    if (bytes == 0) return PV_OK;
    PV_REQUIRE_GIVEN(mine);
    PV_REQUIRE_GIVEN(all);
    const double start_s = pv_clock_s();
    return pv_comm_count_time(start_s, comm->ops->gather(comm, bytes, mine, all));
}
