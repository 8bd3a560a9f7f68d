// SPDX-License-Identifier: Apache-2.0
// Time spent in communication, of the whole process.
#include "base/clock.h"
#include "comm/comm_ops.h"

static double seconds;

double pv_comm_seconds(void)
{
    return seconds;
}

pv_status pv_comm_count_time(double start_s, pv_status status)
{
    seconds += pv_clock_s() - start_s;
    return status;
}
