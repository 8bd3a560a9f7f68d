// SPDX-License-Identifier: Apache-2.0
// ranks: 2
// labels: slow
// Statistics of turbulence: decay behind Comte-Bellot and Corrsin's grid, and a stationary forced flow.
#include <math.h>

#include "run.h"

// ---- Decay ----------------------------------------------------------------------------------------------------------

// Comte-Bellot and Corrsin, J. Fluid Mech. 48 (1971), table 3: k in 1/cm, E in cm^3/s^2 at U0 t / M = 98 and 171.
static const double stations[][3] = {{1.0, 79.2, 39.4}, {1.5, 47.8, 24.1}, {2.0, 34.6, 16.5}, {2.5, 28.6, 12.5},
                                     {3.0, 23.1, 9.12}, {4.0, 14.3, 5.62}, {6.0, 5.95, 1.69}};
enum { POINTS = sizeof stations / sizeof stations[0], SEEDS = 2 };

// Straight lines between shells in logarithms.
static double spectrum_at(const pv_dns_shells *s, double k)
{
    const int n = (int)floor(k / s->width);
    const double x = log(k / (n * s->width)) / log((n + 1.0) / n);
    return exp((1.0 - x) * log(s->energy[n] / s->width) + x * log(s->energy[n + 1] / s->width));
}

static void look(run *r, double time, int station, double ratio[2][POINTS])
{
    pv_dns_record record;
    pv_dns_shells shells;
    while (pv_dns_time(r->dns) < time) assert_ok(pv_dns_step(r->dns));
    assert_ok(pv_dns_observe(r->dns, &record));
    pv_dns_shells_of(r->dns, &shells);
    for (int i = 0; i < POINTS; i++)
        ratio[station][i] += spectrum_at(&shells, stations[i][0]) / stations[i][1 + station] / SEEDS;
    assert_near(record.skewness, -0.4, 0.1);
}

// A box of a few integral scales, 12 cm, so that 64^3 keeps wave numbers to 11 / cm; its large scales are few.
static void decays_as_behind_a_grid(void **state)
{
    (void)state;
    double ratio[2][POINTS] = {{0.0}};
    run r;
    run_open(&r);
    for (int seed = 1; seed <= SEEDS; seed++) {
        pv_dns_params p = cube_of(64, 0.15, 0.01, 0.65532);
        p.length_x = p.length_y = p.length_z = 12.0;
        p.flow = PV_FLOW_RANDOM;
        p.spectrum = PV_SPECTRUM_CBC;
        p.scheme = PV_SCHEME_AB3;
        p.precision = PV_FP32;
        p.cfl = 0.34;
        p.seed = seed;
        pv_dns_destroy(r.dns);
        r.dns = NULL;
        assert_ok(pv_dns_create(r.comm, &p, &r.dns));
        look(&r, 0.28448, 0, ratio);
        look(&r, p.time_end, 1, ratio);
    }
    for (int station = 0; station < 2; station++)
        for (int i = 0; i < POINTS; i++) assert_near(ratio[station][i], 1.0, 0.35);
    run_close(&r);
}

// ---- Forced flow ----------------------------------------------------------------------------------------------------

// Constant power: dissipation is that power in the mean; skewness near -0.5, and <du^3> < 0 below its law of 4/5.
static void forced_flow_is_stationary(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    pv_dns_params p = cube_of(64, 0.0138, 0.05, 16.0);
    p.flow = PV_FLOW_RANDOM;
    p.spectrum = PV_SPECTRUM_PAO;
    p.k_peak = 2.0;
    p.amplitude = 0.6;
    p.scheme = PV_SCHEME_AB3;
    p.precision = PV_FP32;
    p.cfl = 0.34;
    p.forcing = PV_FORCING_POWER;
    p.forcing_power = 0.1;
    assert_ok(pv_dns_create(r.comm, &p, &r.dns));
    pv_dns_record record;
    pv_dns_structure f;
    double dissipation = 0.0, skewness = 0.0, law[PV_DNS_MOST_SEPARATIONS] = {0.0};
    int looks = 0;
    while (pv_dns_time(r.dns) < p.time_end) {
        assert_ok(pv_dns_step(r.dns));
        if (pv_dns_time(r.dns) < 6.0 || pv_dns_steps_done(r.dns) % 25 > 0) continue;
        assert_ok(pv_dns_structure_of(r.dns, &f));
        assert_ok(pv_dns_observe(r.dns, &record));
        dissipation += record.dissipation;
        skewness += record.skewness;
        for (int axis = 0; axis < 3; axis++)
            for (int i = 0; i < f.count[axis]; i++)
                law[i] -= f.longitudinal[axis][i][1] / (3.0 * p.forcing_power * f.r[axis][i]);
        looks++;
    }
    assert_true(looks > 20);
    assert_near(dissipation / looks / p.forcing_power, 1.0, 0.15);
    assert_near(skewness / looks, -0.5, 0.06);
    double highest = 0.0;
    for (int i = 0; i < f.count[0]; i++) highest = fmax(highest, law[i] / looks);
    assert_true(highest > 0.2 && highest < 0.8);
    run_close(&r);
}

PV_TEST_MAIN(PV_TEST(decays_as_behind_a_grid), PV_TEST(forced_flow_is_stationary))
