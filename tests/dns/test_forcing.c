// SPDX-License-Identifier: Apache-2.0
// The power that each forcing brings in against the change of the energy.
// ranks: 1 2 3
// devices: cuda
#include <math.h>
#include <string.h>

#include "run.h"

static pv_dns_params forced(int forcing)
{
    pv_dns_params p = cube_of(16, 0.05, 0.005, 0.1);
    p.flow = PV_FLOW_RANDOM;
    p.k_peak = 2.0;
    p.forcing = forcing;
    return p;
}

// dE/dt = injection - dissipation, by central differences.
static double budget_residual(run *r, const pv_dns_params *p)
{
    pv_dns_record before, now, after;
    pv_dns_destroy(r->dns);
    r->dns = NULL;
    assert_ok(pv_dns_create(r->comm, p, &r->dns));
    for (int i = 0; i < 5; i++) assert_ok(pv_dns_step(r->dns));
    assert_ok(pv_dns_observe(r->dns, &before));
    assert_ok(pv_dns_step(r->dns));
    assert_ok(pv_dns_observe(r->dns, &now));
    assert_ok(pv_dns_step(r->dns));
    assert_ok(pv_dns_observe(r->dns, &after));
    assert_true(now.dissipation > 0.1);
    return (after.energy - before.energy) / (after.time - before.time) - (now.injection - now.dissipation);
}

static void constant_power_is_what_was_asked(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    pv_dns_params p = forced(PV_FORCING_POWER);
    p.forcing_power = 0.7;
    const double coarse = budget_residual(&r, &p);
    p.dt /= 2.0;
    const double fine = budget_residual(&r, &p);
    assert_near(coarse, 0.0, 2e-3);
    assert_near(fine, 0.0, 0.6e-3);
    run_close(&r);
}

static void frozen_shells_keep_their_energy(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    pv_dns_params p = forced(PV_FORCING_FROZEN);
    pv_dns_record record;
    pv_dns_shells shells;
    double kept[3];
    assert_ok(pv_dns_create(r.comm, &p, &r.dns));
    assert_ok(pv_dns_observe(r.dns, &record));
    pv_dns_shells_of(r.dns, &shells);
    for (int n = 0; n < 3; n++) kept[n] = shells.energy[n];
    for (int i = 0; i < 10; i++) assert_ok(pv_dns_step(r.dns));
    assert_ok(pv_dns_observe(r.dns, &record));
    pv_dns_shells_of(r.dns, &shells);
    for (int n = 1; n < 3; n++) assert_near(shells.energy[n], kept[n], 1e-13);
    assert_true(record.injection > 0.0);
    run_close(&r);
}

// Accelerations of standard deviation sigma a part, in any number of modes; they bring in energy and vanish when
// told to.
static void random_accelerations_set_a_fluid_in_motion(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    pv_dns_params p = forced(PV_FORCING_OU);
    p.amplitude = 1e-6;
    p.forcing_sigma = 0.5;
    p.forcing_until = 0.048;
    p.time_end = 0.055; // a step after the last one that is forced
    pv_dns_record moved = run_to_end(&r, &p);
    assert_true(moved.energy > 1e-5);
    assert_near(moved.injection, 0.0, 0.0);
    p.time_end = 0.1;
    pv_dns_record later = run_to_end(&r, &p);
    assert_true(later.energy < moved.energy);
    assert_near(later.divergence, 0.0, 1e-13);
    run_close(&r);
}

// What random accelerations brought in until the end, by the trapezoidal rule over all steps, less what the energy
// tells, as a part of it.
static double integrated_residual(run *r, const pv_dns_params *p)
{
    pv_dns_record before, now;
    double injected = 0.0, dissipated = 0.0;
    pv_dns_destroy(r->dns);
    r->dns = NULL;
    assert_ok(pv_dns_create(r->comm, p, &r->dns));
    assert_ok(pv_dns_observe(r->dns, &before));
    const double start = before.energy;
    while (pv_dns_time(r->dns) < p->time_end) {
        assert_ok(pv_dns_step(r->dns));
        assert_ok(pv_dns_observe(r->dns, &now));
        const double half = 0.5 * (now.time - before.time);
        injected += half * (now.injection + before.injection);
        dissipated += half * (now.dissipation + before.dissipation);
        before = now;
    }
    assert_true(injected > 0.1);
    return (now.energy - start - injected + dissipated) / injected;
}

static pv_dns_params strongly_forced(int forcing, int scheme)
{
    pv_dns_params p = forced(forcing);
    p.scheme = scheme;
    p.forcing_power = 1.0;
    p.forcing_sigma = 0.3;
    p.forcing_time = 0.3;
    p.dt = 0.01;
    return p;
}

// An acceleration that changes from step to step brings in the mean of before and after: second order in dt.
static void random_accelerations_have_a_budget(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    for (int scheme = PV_SCHEME_AB2; scheme <= PV_SCHEME_RK4; scheme++) {
        pv_dns_params p = strongly_forced(PV_FORCING_OU, scheme);
        p.amplitude = 0.1;
        p.time_end = 0.4;
        assert_near(integrated_residual(&r, &p), 0.0, 1e-3);
        p.dt = 0.005;
        assert_near(integrated_residual(&r, &p), 0.0, 2.5e-4);
    }
    run_close(&r);
}

// Half the step, a quarter of what is left.
static void frozen_shells_have_a_budget(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    for (int scheme = PV_SCHEME_AB2; scheme <= PV_SCHEME_RK4; scheme++) {
        pv_dns_params p = strongly_forced(PV_FORCING_FROZEN, scheme);
        p.time_end = 0.4;
        const double coarse = integrated_residual(&r, &p);
        p.dt = 0.005;
        const double fine = integrated_residual(&r, &p);
        assert_near(coarse, 0.0, 1e-3);
        assert_near(fine, coarse / 4.0, 0.3 * fabs(coarse) / 4.0);
    }
    run_close(&r);
}

static double enstrophy_of(run *r, int forcing, int scheme, double dt)
{
    pv_dns_params p = strongly_forced(forcing, scheme);
    p.dt = dt;
    p.time_end = 0.4;
    return run_to_end(r, &p).enstrophy;
}

// Neither what keeps energies nor what is set right after a step spoils the order of a scheme.
static void schemes_keep_their_order(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    static const double orders[] = {[PV_SCHEME_AB2] = 2.0, [PV_SCHEME_AB3] = 3.0, [PV_SCHEME_RK4] = 4.0};
    for (int forcing = PV_FORCING_FROZEN; forcing <= PV_FORCING_POWER; forcing++) {
        const double reference = enstrophy_of(&r, forcing, PV_SCHEME_RK4, 0.0025);
        for (int scheme = PV_SCHEME_AB2; scheme <= PV_SCHEME_RK4; scheme++) {
            const double coarse = enstrophy_of(&r, forcing, scheme, 0.02) - reference;
            const double fine = enstrophy_of(&r, forcing, scheme, 0.01) - reference;
            assert_near(log2(fabs(coarse / fine)), orders[scheme], 0.35);
        }
    }
    run_close(&r);
}

// Where forcing ends the power of the last step is there by half, so that the rule above holds beyond it.
static void the_end_of_a_forcing_has_a_budget(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    for (int forcing = PV_FORCING_FROZEN; forcing <= PV_FORCING_OU; forcing++) {
        pv_dns_params p = strongly_forced(forcing, PV_SCHEME_RK4);
        if (forcing != PV_FORCING_FROZEN) p.amplitude = 0.3;
        p.forcing_until = 0.203;
        p.time_end = 0.3;
        assert_near(integrated_residual(&r, &p), 0.0, 1e-3);
    }
    run_close(&r);
}

static void what_cannot_be_forced_is_refused(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    pv_dns_params p = forced(PV_FORCING_FROZEN);
    p.forcing_k = 0.3;
    assert_fails(PV_ERR_INPUT, pv_dns_create(r.comm, &p, &r.dns));
    p = forced(PV_FORCING_OU);
    p.forcing_k = 0.3;
    assert_fails(PV_ERR_INPUT, pv_dns_create(r.comm, &p, &r.dns));
    p.forcing_k = 1e300;
    assert_fails(PV_ERR_INPUT, pv_dns_create(r.comm, &p, &r.dns));
    // 16 points keep wave numbers up to 5.
    for (int forcing = PV_FORCING_FROZEN; forcing <= PV_FORCING_OU; forcing += PV_FORCING_OU - PV_FORCING_FROZEN) {
        p = forced(forcing);
        p.forcing_k = 5.1;
        assert_fails(PV_ERR_INPUT, pv_dns_create(r.comm, &p, &r.dns));
        assert_non_null(strstr(pv_last_error(), "forcing-k = 5.1"));
        p.forcing_k = 5.0;
        assert_ok(pv_dns_create(r.comm, &p, &r.dns));
        assert_ok(pv_dns_step(r.dns));
        pv_dns_destroy(r.dns);
        r.dns = NULL;
    }
    // Constant power with nothing to push: before the first step. Where it has ended there is no need of any.
    p = forced(PV_FORCING_POWER);
    p.forcing_k = 0.5;
    assert_fails(PV_ERR_INPUT, pv_dns_create(r.comm, &p, &r.dns));
    assert_non_null(strstr(pv_last_error(), "forcing-k = 0.5"));
    p.flow = PV_FLOW_TAYLOR_GREEN;
    p.forcing_k = 1.8; // above the flow's sqrt(3), 1.7 is below it
    assert_ok(pv_dns_create(r.comm, &p, &r.dns));
    pv_dns_destroy(r.dns);
    r.dns = NULL;
    p.forcing_k = 1.7;
    assert_fails(PV_ERR_INPUT, pv_dns_create(r.comm, &p, &r.dns));
    p = forced(PV_FORCING_POWER);
    p.viscosity = 0.0;
    assert_fails(PV_ERR_INPUT, pv_dns_create(r.comm, &p, &r.dns));
    run_close(&r);
}

PV_TEST_MAIN(PV_TEST(constant_power_is_what_was_asked), PV_TEST(frozen_shells_keep_their_energy),
             PV_TEST(random_accelerations_set_a_fluid_in_motion), PV_TEST(random_accelerations_have_a_budget),
             PV_TEST(frozen_shells_have_a_budget), PV_TEST(schemes_keep_their_order),
             PV_TEST(the_end_of_a_forcing_has_a_budget), PV_TEST(what_cannot_be_forced_is_refused))
