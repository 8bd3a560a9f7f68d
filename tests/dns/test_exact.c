// SPDX-License-Identifier: Apache-2.0
// Flows whose nonlinear term is a gradient decay exactly, whatever the form, the scheme, the grid and the ranks.
// ranks: 1 2 3 4 7
// devices: cuda
#include <math.h>

#include "run.h"

static void decays(pv_dns_params p, double rate, double energy)
{
    static const int schemes[] = {PV_SCHEME_AB2, PV_SCHEME_AB3, PV_SCHEME_RK4};
    run r;
    run_open(&r);
    for (int scheme = 0; scheme < 3; scheme++)
        for (int form = PV_FORM_VORTICITY; form <= PV_FORM_DIVERGENCE; form++) {
            p.scheme = schemes[scheme];
            p.form = form;
            pv_dns_record record = run_to_end(&r, &p);
            assert_near(record.energy / (energy * exp(-2.0 * rate * p.time_end)), 1.0, 1e-13);
            assert_near(record.divergence, 0.0, 1e-13);
            assert_near(record.time, p.time_end, 0.0);
        }
    run_close(&r);
}

static void two_dimensional_vortices_decay(void **state)
{
    (void)state;
    pv_dns_params p = cube_of(12, 0.1, 0.05, 0.42);
    p.flow = PV_FLOW_TAYLOR_GREEN_2D;
    decays(p, 2.0 * p.viscosity, 0.25);
    // In sides that differ their part along k is taken away.
    const double a = 2.0, b = 0.5;
    p.length_x /= a;
    p.length_y /= b;
    p.length_z = 3.0;
    decays(p, (a * a + b * b) * p.viscosity, 0.25 * (a + b) * (a + b) / (2.0 * (a * a + b * b)));
}

static void abc_flow_decays(void **state)
{
    (void)state;
    pv_dns_params p = cube_of(10, 0.2, 0.05, 0.4);
    p.grid[1] = 15;
    p.flow = PV_FLOW_ABC; // du/dx = dv/dy = dw/dz = 0
    decays(p, p.viscosity, 1.5);
}

// Each wave alone, and all of them, of any wave number and in a smaller box: u^2 is A^2 + B^2 + C^2 in the mean.
static void abc_flows_of_any_amplitudes_decay(void **state)
{
    (void)state;
    static const double all[][3] = {{2.0, 0.0, 0.0}, {0.0, -1.5, 0.0}, {0.0, 0.0, 0.5}, {1.0, 0.7, -0.43}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const double *a = all[i], amplitude = 0.8, k = (double)(1 + i % 3);
        pv_dns_params p = cube_of(12, 0.2 / (k * k), 0.05, 0.2);
        p.grid[0] = 15;
        p.flow = PV_FLOW_ABC;
        p.abc_a = a[0];
        p.abc_b = a[1];
        p.abc_c = a[2];
        p.abc_k = 1 + (int64_t)i % 3;
        p.amplitude = amplitude;
        p.length_x = p.length_y = p.length_z = 3.0;
        const double wave = 6.283185307179586 / 3.0 * k;
        decays(p, p.viscosity * wave * wave, 0.5 * amplitude * amplitude * (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]));
    }
}

static void abc_flow_is_helical(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    pv_dns_params p = cube_of(12, 0.1, 0.1, 0.0);
    p.flow = PV_FLOW_ABC;
    pv_dns_record record = run_to_end(&r, &p);
    assert_near(record.helicity, 3.0, 1e-14);
    assert_near(record.enstrophy, 1.5, 1e-14);
    assert_near(record.injection, 0.0, 0.0);
    run_close(&r);
}

static void hyperviscosity_damps_its_power(void **state)
{
    (void)state;
    pv_dns_params p = cube_of(12, 0.0, 0.05, 0.3);
    p.flow = PV_FLOW_TAYLOR_GREEN_2D;
    p.hyperviscosity = 0.01;
    p.hyper_order = 3;
    decays(p, 0.01 * 8.0, 0.25);
}

static void single_precision_follows(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    pv_dns_params p = cube_of(16, 0.01, 0.01, 0.5);
    p.flow = PV_FLOW_ABC;
    p.precision = PV_FP32;
    pv_dns_record record = run_to_end(&r, &p);
    assert_near(record.energy / (1.5 * exp(-2.0 * p.viscosity * p.time_end)), 1.0, 1e-6);
    assert_near(record.skewness, 0.0, 0.0);
    run_close(&r);
}

PV_TEST_MAIN(PV_TEST(two_dimensional_vortices_decay), PV_TEST(abc_flow_decays),
             PV_TEST(abc_flows_of_any_amplitudes_decay), PV_TEST(abc_flow_is_helical),
             PV_TEST(hyperviscosity_damps_its_power), PV_TEST(single_precision_follows))
