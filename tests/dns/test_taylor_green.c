// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2
// devices: cuda
// The Taylor-Green vortex at Re = 100 against values of its Galerkin system (integrating-factor Runge-Kutta,
// converged in
// the step), and the order of each scheme.
#include <math.h>

#include <parseval/comm.h>

#include "run.h"

// Energy and enstrophy with |k_i| <= 15, nu = 0.01.
static void follows_the_published_curve(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    pv_dns_params p = cube_of(48, 0.01, 0.025, 1.0);
    p.scheme = PV_SCHEME_RK4;
    pv_dns_record record = run_to_end(&r, &p);
    assert_near(record.energy, 0.1174809339, 1e-9);
    assert_near(record.enstrophy, 0.388428099, 1e-8);
    p = cube_of(32, 0.01, 0.025, 2.0);
    p.scheme = PV_SCHEME_RK4;
    record = run_to_end(&r, &p);
    assert_near(record.energy, 0.1090477752757, 1e-8);
    assert_near(record.enstrophy, 0.4632454971611, 1e-7);
    run_close(&r);
}

static double error_of(run *r, int scheme, double dt, double reference)
{
    pv_dns_params p = cube_of(16, 0.02, dt, 0.8);
    p.scheme = scheme;
    p.amplitude = 2.0;
    return run_to_end(r, &p).enstrophy - reference;
}

static void schemes_have_their_order(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    const double reference = error_of(&r, PV_SCHEME_RK4, 0.00625, 0.0);
    static const double orders[] = {[PV_SCHEME_AB2] = 2.0, [PV_SCHEME_AB3] = 3.0, [PV_SCHEME_RK4] = 4.0};
    for (int scheme = PV_SCHEME_AB2; scheme <= PV_SCHEME_RK4; scheme++) {
        const double dt = scheme == PV_SCHEME_RK4 ? 0.1 : 0.025;
        const double coarse = error_of(&r, scheme, dt, reference), fine = error_of(&r, scheme, dt / 2.0, reference);
        assert_near(log2(fabs(coarse / fine)), orders[scheme], 0.35);
    }
    run_close(&r);
}

PV_TEST_MAIN(PV_TEST(follows_the_published_curve), PV_TEST(schemes_have_their_order))
