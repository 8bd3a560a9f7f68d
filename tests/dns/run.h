// SPDX-License-Identifier: Apache-2.0
// A short run over the ranks of a test, by the transport of the environment's PARSEVAL_TEST_TRANSPORT.
#ifndef PV_TESTS_DNS_RUN_H
#define PV_TESTS_DNS_RUN_H

#include <mpi.h>
#include <stdlib.h>

#include <parseval/comm_mpi.h>
#include <parseval/dns.h>

#include "harness.h"
#include "test_device.h"

typedef struct run {
    pv_device *device;
    pv_comm *comm;
    pv_dns *dns;
} run;

static inline void run_open(run *r)
{
    r->device = test_device_open("cpu");
    pv_comm_options options = pv_comm_options_defaults();
    options.timeout_s = 60;
    const char *transport = getenv("PARSEVAL_TEST_TRANSPORT");
    if (transport) options.transport = transport;
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, r->device, &options, &r->comm));
    r->dns = NULL;
}

static inline void run_close(run *r)
{
    pv_dns_destroy(r->dns);
    pv_comm_close(r->comm);
    pv_device_close(r->device);
}

// From the start to time_end; what it is like there.
static inline pv_dns_record run_to_end(run *r, const pv_dns_params *params)
{
    pv_dns_record record;
    pv_dns_destroy(r->dns);
    r->dns = NULL;
    assert_ok(pv_dns_create(r->comm, params, &r->dns));
    while (pv_dns_time(r->dns) < params->time_end) assert_ok(pv_dns_step(r->dns));
    assert_ok(pv_dns_observe(r->dns, &record));
    return record;
}

static inline pv_dns_params cube_of(int64_t n, double viscosity, double dt, double time_end)
{
    pv_dns_params p = pv_dns_params_defaults();
    for (int d = 0; d < 3; d++) p.grid[d] = n;
    p.viscosity = viscosity;
    p.dt = dt;
    p.time_end = time_end;
    return p;
}

#endif
