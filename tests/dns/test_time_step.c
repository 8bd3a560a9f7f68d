// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "dns/step/time_step.h"
#include "harness.h"

// Without damping phi_1, phi_2, phi_3 are 1, 1/2, 1/6: polynomials through the last terms are integrated exactly,
// whatever the steps.
static void integrates_polynomials(int order, double dt, double h0, double h1)
{
    const pv_dns_weights w = pv_dns_weights_of(order, dt, (double[]){h0, h1});
    const double at[3] = {0.0, -h0, -h0 - h1};
    for (int power = 0; power < order; power++) {
        double sum = 0.0;
        for (int j = 0; j < order; j++) sum += (w.o[j] + w.p[j] / 2.0 + w.q[j] / 6.0) * pow(at[j], power);
        assert_near(dt * sum, pow(dt, power + 1) / (power + 1), 1e-15);
    }
}

static void steps_may_change(void **state)
{
    (void)state;
    for (int order = 1; order <= 3; order++) {
        integrates_polynomials(order, 0.1, 0.1, 0.1);
        integrates_polynomials(order, 0.07, 0.1, 0.13);
        integrates_polynomials(order, 0.13, 0.05, 0.2);
    }
}

static void equal_steps_give_the_classical_weights(void **state)
{
    (void)state;
    const pv_dns_weights w = pv_dns_weights_of(3, 0.02, (double[]){0.02, 0.02});
    static const double p[] = {1.5, -2.0, 0.5}, q[] = {1.0, -2.0, 1.0};
    for (int j = 0; j < 3; j++) {
        assert_near(w.p[j], p[j], 1e-14);
        assert_near(w.q[j], q[j], 1e-13);
    }
}

static void steps_end_where_they_should(void **state)
{
    (void)state;
    pv_dns_params p = pv_dns_params_defaults();
    p.dt = 0.3;
    p.time_end = 1.0;
    assert_near(pv_dns_next_dt(&p, 0.0, 5.0), 0.3, 0.0);
    assert_near(pv_dns_next_dt(&p, 0.9, 5.0), 0.1, 1e-15);
    assert_near(pv_dns_next_dt(&p, 0.5, 5.0), 0.25, 1e-15);
    assert_near(pv_dns_next_dt(&p, 0.7, 5.0), 0.3, 1e-15);
    assert_near(pv_dns_next_dt(&p, 1.0, 5.0), 0.3, 0.0);
    p.forcing_until = 0.2;
    assert_near(pv_dns_next_dt(&p, 0.0, 5.0), 0.3, 0.0);
    p.forcing = PV_FORCING_POWER;
    assert_near(pv_dns_next_dt(&p, 0.0, 5.0), 0.2, 0.0);
    assert_near(pv_dns_next_dt(&p, 0.2, 5.0), 0.3, 0.0);
    p.cfl = 0.3;
    assert_near(pv_dns_next_dt(&p, 0.0, 5.0), 0.06, 1e-15);
    p.scheme = PV_SCHEME_AB3;
    assert_near(pv_dns_stable_cfl(&p), 0.344, 1e-3);
}

PV_TEST_MAIN(PV_TEST(steps_may_change), PV_TEST(equal_steps_give_the_classical_weights),
             PV_TEST(steps_end_where_they_should))
