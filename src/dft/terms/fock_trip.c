// SPDX-License-Identifier: Apache-2.0
#include "dft/terms/fock_trip.h"

#include "base/check.h"

enum { BEGIN, END, BEFORE, AFTER, MARKS };

pv_status pv_fock_trip_open(pv_comm *comm, pv_message send, pv_message receive, pv_fock_trip *trip)
{
    pv_status status = PV_OK;
    for (int i = 0; i < MARKS && status == PV_OK; i++) status = pv_event_create(pv_comm_device(comm), &trip->mark[i]);
    PV_TRY(pv_comm_agree(comm, status));
    return pv_exchange_create(comm, 1, &send, 1, &receive, &trip->exchange);
}

void pv_fock_trip_close(pv_fock_trip *trip)
{
    if (trip->exchange) pv_exchange_destroy(trip->exchange);
    for (int i = 0; i < MARKS; i++) pv_event_destroy(trip->mark[i]);
    *trip = (pv_fock_trip){0};
}

pv_status pv_fock_trip_start(pv_fock_trip *trip, pv_stream *wire, pv_stream *work, const void *send, void *receive)
{
    PV_TRY(pv_stream_follow(wire, work));
    PV_TRY(pv_event_record(trip->mark[BEGIN], wire));
    PV_TRY(pv_exchange_start_on(trip->exchange, wire, send, receive));
    trip->is_under_way = 1;
    return PV_OK;
}

pv_status pv_fock_trip_finish(pv_fock_trip *trip, pv_stream *wire, pv_stream *work)
{
    if (!trip->is_under_way) return PV_OK;
    trip->is_under_way = 0;
    PV_TRY(pv_event_record(trip->mark[BEFORE], work));
    PV_TRY(pv_exchange_wait_on(trip->exchange, wire));
    PV_TRY(pv_event_record(trip->mark[END], wire));
    PV_TRY(pv_stream_follow(work, wire));
    PV_TRY(pv_event_record(trip->mark[AFTER], work));
    trip->is_over = 1;
    return PV_OK;
}

pv_status pv_fock_trip_add_seconds(const pv_fock_trip *trip, double *way_s, double *waited_s)
{
    double way, waited;
    if (!trip->is_over) return PV_OK;
    PV_TRY(pv_event_seconds(trip->mark[BEGIN], trip->mark[END], &way));
    PV_TRY(pv_event_seconds(trip->mark[BEFORE], trip->mark[AFTER], &waited));
    *way_s += way;
    *waited_s += waited < way ? waited : way;
    return PV_OK;
}
