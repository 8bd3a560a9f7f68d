// SPDX-License-Identifier: Apache-2.0
// Structure functions: exact ones of a vortex, the derivative's moments at small distances, the sign of the 4/5 law.
// ranks: 1 2 3 4 7
// devices: cuda
#include <math.h>

#include "run.h"

enum { SECOND, THIRD, FOURTH, FIFTH, SIXTH, SIZE };

// u = sin x cos y cos z: u(x + r) - u(x) = 2 sin(r / 2) cos(x + r / 2) cos y cos z along x, and along y
// -2 sin(r / 2) sin x sin(y + r / 2) cos z. <cos^2>, <cos^4>, <cos^6> = 1/2, 3/8, 5/16, and w = 0.
static void of_a_vortex(int precision, double tolerance)
{
    run r;
    run_open(&r);
    pv_dns_params p = cube_of(16, 0.01, 0.1, 0.0);
    p.grid[0] = 20;
    p.precision = precision;
    pv_dns_structure f;
    (void)run_to_end(&r, &p);
    assert_ok(pv_dns_structure_of(r.dns, &f));
    assert_int_equal(f.count[0], 4);
    assert_int_equal(f.count[2], 4);
    assert_near(f.r[0][2], 4.0 * 6.283185307179586 / 20.0, 1e-15);
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < f.count[axis]; i++) {
            const double s2 = pow(2.0 * sin(0.5 * f.r[axis][i]), 2.0), *l = f.longitudinal[axis][i],
                         *t = f.transverse[axis][i];
            // Along z both components that are not zero are transverse.
            const double along = axis == 2 ? 0.0 : 1.0, across = axis == 2 ? 1.0 : 0.5;
            assert_near(l[SECOND], along * s2 / 8.0, tolerance);
            assert_near(l[FOURTH], along * s2 * s2 * 27.0 / 512.0, tolerance);
            assert_near(l[SIXTH], along * s2 * s2 * s2 * 125.0 / 4096.0, tolerance);
            assert_near(t[SECOND], across * s2 / 8.0, tolerance);
            assert_near(t[FOURTH], across * s2 * s2 * 27.0 / 512.0, tolerance);
            assert_near(t[SIXTH], across * s2 * s2 * s2 * 125.0 / 4096.0, tolerance);
            for (int odd = THIRD; odd <= FIFTH; odd += 2) {
                assert_near(l[odd], 0.0, tolerance);
                assert_near(t[odd], 0.0, tolerance);
            }
            assert_near(l[SIZE], along * pow(s2, 1.5) * pow(4.0 / (3.0 * 3.141592653589793), 3.0), 0.02);
        }
    run_close(&r);
}

static void are_exact_for_a_vortex(void **state)
{
    (void)state;
    of_a_vortex(PV_FP64, 1e-14);
    of_a_vortex(PV_FP32, 1e-6);
}

// A flow that has formed small scales: <du_L^3> < 0, at small distances that of the derivative, and no rank count
// changes the numbers. Looking does not change the run.
static void of_turbulence(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    pv_dns_params p = cube_of(24, 0.04, 0.04, 0.4);
    p.scheme = PV_SCHEME_RK4;
    p.flow = PV_FLOW_RANDOM;
    p.k_peak = 2.0;
    p.seed = 5;
    pv_dns_record record = run_to_end(&r, &p), again;
    pv_dns_structure f;
    assert_ok(pv_dns_structure_of(r.dns, &f));
    double second = 0.0, third = 0.0, fourth = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < 3; i++) assert_true(f.longitudinal[axis][i][THIRD] < 0.0);
        for (int i = 1; i < f.count[axis]; i++)
            assert_true(f.longitudinal[axis][i][SECOND] > f.longitudinal[axis][i - 1][SECOND]);
        second += f.longitudinal[axis][0][SECOND] / 3.0;
        third += f.longitudinal[axis][0][THIRD] / 3.0;
        fourth += f.longitudinal[axis][0][FOURTH] / 3.0;
    }
    assert_near(third / pow(second, 1.5), record.skewness, 0.03);
    assert_near(fourth / (second * second), record.flatness, 0.15);
    // Numbers of this seed.
    assert_near(f.longitudinal[0][1][SECOND], 0.25877681576454126, 1e-12);
    assert_near(f.longitudinal[1][2][THIRD], -0.22081802145263096, 1e-12);
    assert_near(f.transverse[2][3][SIXTH], 55.969609026598299, 1e-10);
    assert_ok(pv_dns_observe(r.dns, &again));
    assert_memory_equal(&record, &again, sizeof record);
    run_close(&r);
}

PV_TEST_MAIN(PV_TEST(are_exact_for_a_vortex), PV_TEST(of_turbulence))
