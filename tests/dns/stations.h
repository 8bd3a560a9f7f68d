// SPDX-License-Identifier: Apache-2.0
// Published energies and enstrophies along a run.
#ifndef PV_TESTS_DNS_STATIONS_H
#define PV_TESTS_DNS_STATIONS_H

#include "run.h"

typedef struct station {
    double time, energy, enstrophy;
} station;

static inline void expect_at(run *r, const station *s, double energy_tolerance, double enstrophy_tolerance)
{
    pv_dns_record record;
    while (pv_dns_time(r->dns) < s->time - 1e-9) assert_ok(pv_dns_step(r->dns));
    assert_ok(pv_dns_observe(r->dns, &record));
    assert_near(record.time, s->time, 1e-9);
    assert_near(record.energy, s->energy, energy_tolerance);
    assert_near(record.enstrophy, s->enstrophy, enstrophy_tolerance);
}

#endif
