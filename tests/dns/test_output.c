// SPDX-License-Identifier: Apache-2.0
// The line of progress.
#include <string.h>

#include "dns/output.h"
#include "harness.h"

static void the_line_tells_the_step_taken(void **state)
{
    (void)state;
    char text[256];
    // At the end of a run: a step of 10 would come, one of 0.5 has led there.
    pv_dns_record record = {.step = 7, .time = 2.0, .dt = 10.0, .cfl = 5.0, .dt_taken = 0.5, .energy = 0.125};
    assert_non_null(strstr(pv_dns_record_text(&record, text), " dt      0.5  CFL 0.250  E 0.125"));
    // At its start there is only one to come.
    record.dt_taken = 0.0;
    assert_non_null(strstr(pv_dns_record_text(&record, text), " dt       10  CFL 5.000  E 0.125"));
}

static void large_numbers_stay_short(void **state)
{
    (void)state;
    char text[256];
    const pv_dns_record record = {.time = 1e300, .dt = 1e300, .cfl = 1e300, .energy = 1e300, .dissipation = 1e300,
                                  .reynolds_taylor = 1e300, .kmax_eta = 1e300};
    assert_true(strlen(pv_dns_record_text(&record, text)) < 160);
}

PV_TEST_MAIN(PV_TEST(the_line_tells_the_step_taken), PV_TEST(large_numbers_stay_short))
