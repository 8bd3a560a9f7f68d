// SPDX-License-Identifier: Apache-2.0
// ranks: 2
// The Taylor-Green vortex over its whole life at Re = 100.
#include "stations.h"

// The Galerkin system of |k_i| <= 15, nu = 0.01, by integrating-factor Runge-Kutta with dt = 0.005: ten digits.
static void lives_as_its_galerkin_system(int precision, double tolerance)
{
    static const station table[] = {
        {1.0, 0.1174809339, 0.388428099}, {2.0, 0.1090476127, 0.463288167}, {3.0, 0.0987914638, 0.560975393},
        {4.0, 0.0868193787, 0.628735405}, {5.0, 0.0739643231, 0.648403577}, {6.0, 0.0612397307, 0.614912609},
        {7.0, 0.0496848578, 0.534772584}, {8.0, 0.0399761401, 0.435352054}, {9.0, 0.0322305372, 0.341443557},
        {10.0, 0.0262058525, 0.264095511}};
    run r;
    run_open(&r);
    pv_dns_params p = cube_of(48, 0.01, 0.03125, 10.0);
    p.scheme = PV_SCHEME_RK4;
    p.precision = precision;
    assert_ok(pv_dns_create(r.comm, &p, &r.dns));
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) expect_at(&r, &table[i], tolerance, tolerance);
    run_close(&r);
}

static void in_double_precision(void **state)
{
    (void)state;
    lives_as_its_galerkin_system(PV_FP64, 1e-8);
}

static void in_single_precision(void **state)
{
    (void)state;
    lives_as_its_galerkin_system(PV_FP32, 1e-6);
}

PV_TEST_MAIN(PV_TEST(in_double_precision), PV_TEST(in_single_precision))
