// SPDX-License-Identifier: Apache-2.0
// A bundle on its way between two ranks, on a stream of its own beside the work on pairs, with the time it took and how
// much of that the work had to wait for.
#ifndef PV_DFT_FOCK_TRIP_H
#define PV_DFT_FOCK_TRIP_H

#include <parseval/comm.h>

typedef struct pv_fock_trip {
    pv_exchange *exchange;
    pv_event *mark[4]; // on the wire: begin, end; in the work: before the arrival is waited for, after
    int is_under_way, is_over;
} pv_fock_trip;

// One message to a rank and one from another; zeroed before. Collective.
pv_status pv_fock_trip_open(pv_comm *comm, pv_message send, pv_message receive, pv_fock_trip *trip);
void pv_fock_trip_close(pv_fock_trip *trip); // collective

// The message leaves when `work` has done what it has been given so far.
pv_status pv_fock_trip_start(pv_fock_trip *trip, pv_stream *wire, pv_stream *work, const void *send, void *receive);
// What `work` is given from now on finds it arrived. Nothing, where it is not under way.
pv_status pv_fock_trip_finish(pv_fock_trip *trip, pv_stream *wire, pv_stream *work);

// Adds the time under way, and what of it was waited for. After all work has come to its end.
pv_status pv_fock_trip_add_seconds(const pv_fock_trip *trip, double *way_s, double *waited_s);

#endif
