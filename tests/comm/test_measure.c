// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
// devices: cuda
#include "comm/measure.h"

#include <math.h>

#include "over_transports.h"

static void measure(pv_comm *comm)
{
    pv_comm_rates rates = {0};
    assert_ok(pv_comm_measure(comm, 100000, &rates));
    assert_true(rates.copy_alone_bytes_per_s > 0 && isfinite(rates.copy_alone_bytes_per_s));
    assert_true(rates.copy_bytes_per_s > 0 && isfinite(rates.copy_bytes_per_s));
    assert_true(rates.latency_s > 0 && isfinite(rates.latency_s));
    assert_true((rates.exchange_bytes_per_s > 0) == (pv_comm_size(comm) > 1));
    double all[8] = {0};
    assert_ok(pv_comm_gather(comm, sizeof(double), &rates.copy_bytes_per_s, all));
    for (int rank = 0; rank < pv_comm_size(comm); rank++) assert_true(all[rank] == rates.copy_bytes_per_s);
    assert_ok(pv_comm_measure(comm, 0, &rates));
}

static void rates_are_positive_and_common(void **state)
{
    (void)state;
    over_transports(measure);
}

PV_TEST_MAIN(PV_TEST(rates_are_positive_and_common))
