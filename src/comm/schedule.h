// SPDX-License-Identifier: Apache-2.0
// Who talks to whom in which round of an all-to-all. Pure functions of (size, rank, round).
#ifndef PV_COMM_SCHEDULE_H
#define PV_COMM_SCHEDULE_H

typedef enum pv_schedule {
    PV_SCHEDULE_PAIRWISE,  // rank XOR round when size is a power of two: both directions of a pair; else as the ring
    PV_SCHEDULE_RING       // to rank + round, from rank - round
} pv_schedule;

// Rounds 0 .. size - 1 meet every rank once; round 0 is the rank itself. Each round is a permutation of the ranks.
int pv_schedule_send_to(pv_schedule schedule, int size, int rank, int round);
int pv_schedule_receive_from(pv_schedule schedule, int size, int rank, int round);

// The round in which `rank` sends to (receives from) `peer`.
int pv_schedule_send_round(pv_schedule schedule, int size, int rank, int peer);
int pv_schedule_receive_round(pv_schedule schedule, int size, int rank, int peer);

#endif
