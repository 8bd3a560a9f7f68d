// SPDX-License-Identifier: Apache-2.0
#include "comm/schedule.h"

static int pairs_by_xor(pv_schedule schedule, int size)
{
    return schedule == PV_SCHEDULE_PAIRWISE && (size & (size - 1)) == 0;
}

// rank + by modulo size for 0 <= by <= size, without going beyond int.
static int ahead(int size, int rank, int by)
{
    return rank >= size - by ? rank - (size - by) : rank + by;
}

int pv_schedule_send_to(pv_schedule schedule, int size, int rank, int round)
{
    return pairs_by_xor(schedule, size) ? rank ^ round : ahead(size, rank, round);
}

int pv_schedule_receive_from(pv_schedule schedule, int size, int rank, int round)
{
    return pairs_by_xor(schedule, size) ? rank ^ round : ahead(size, rank, size - round);
}

int pv_schedule_send_round(pv_schedule schedule, int size, int rank, int peer)
{
    return pairs_by_xor(schedule, size) ? rank ^ peer : ahead(size, peer, size - rank);
}

int pv_schedule_receive_round(pv_schedule schedule, int size, int rank, int peer)
{
    return pairs_by_xor(schedule, size) ? rank ^ peer : ahead(size, rank, size - peer);
}
