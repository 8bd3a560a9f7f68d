// SPDX-License-Identifier: Apache-2.0
// What the memory and the ranks at hand can move: the limits that a plan's time is compared with.
#ifndef PV_COMM_MEASURE_H
#define PV_COMM_MEASURE_H

#include <stddef.h>

#include <parseval/comm.h>

typedef struct pv_comm_rates {
    double copy_alone_bytes_per_s;  // read and written by rank 0 while the others wait
    double copy_bytes_per_s;        // read and written by each rank while all copy
    double exchange_bytes_per_s;    // sent to others by each rank in an all-to-all; 0 with one rank
    double latency_s;               // of a post and wait where all ranks reach each other, else of a short message
} pv_comm_rates;

// Every rank copies and exchanges `bytes` (at least 8 to each rank) the way transforms
// do: by stores where a window reaches, by messages elsewhere; with the threads of the device. The best of some
// repetitions, a second or less in all. Three times `bytes` of memory. Collective; the same numbers on every rank.
pv_status pv_comm_measure(pv_comm *comm, size_t bytes, pv_comm_rates *rates_p);

#endif
