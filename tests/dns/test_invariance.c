// SPDX-License-Identifier: Apache-2.0
// A random field: the same on any number of ranks, in both forms, and what its equations conserve.
// ranks: 1 2 3 4 7 8
// devices: cuda
#include <math.h>
#include <string.h>

#include "run.h"

static pv_dns_params random_case(int64_t n, double viscosity, double dt, double time_end)
{
    pv_dns_params p = cube_of(n, viscosity, dt, time_end);
    p.flow = PV_FLOW_RANDOM;
    p.k_peak = 2.0;
    p.seed = 5;
    return p;
}

static void field_has_its_spectrum(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    pv_dns_params p = random_case(24, 0.01, 0.01, 0.0);
    p.grid[0] = 20;
    pv_dns_record record = run_to_end(&r, &p);
    assert_near(record.rms, 1.0, 1e-13);
    assert_near(record.divergence, 0.0, 1e-14);
    pv_dns_shells shells;
    pv_dns_shells_of(r.dns, &shells);
    double sum = 0.0, transfer = 0.0;
    for (int n = 0; n < shells.count; n++) sum += shells.energy[n], transfer += shells.transfer[n];
    assert_near(sum, record.energy, 1e-13);
    assert_near(transfer, 0.0, 1e-14);
    assert_near(shells.energy[3] / shells.energy[2], pow(1.5, 4.0) * exp(-2.0 * (9.0 - 4.0) / 4.0), 1e-12);
    // The numbers of this seed: no rank count may change the field.
    assert_near(record.enstrophy, 8.6012218320720013, 1e-12);
    assert_near(record.helicity, -0.021156861714783089, 1e-12);
    run_close(&r);
}

static void forms_agree(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    double helicity[2], enstrophy[2];
    for (int form = 0; form < 2; form++) {
        pv_dns_params p = random_case(16, 0.02, 0.01, 0.1);
        p.form = form;
        p.rotation = 3.0;
        p.scalars = 2;
        pv_dns_record record = run_to_end(&r, &p);
        helicity[form] = record.helicity;
        enstrophy[form] = record.enstrophy;
    }
    assert_near(helicity[1], helicity[0], 1e-12);
    assert_near(enstrophy[1], enstrophy[0], 1e-12);
    run_close(&r);
}

// 9 and 8 transforms: the transfer of every shell, which is the nonlinear term's work, to round-off.
static void forms_transfer_alike(void **state)
{
    (void)state;
    enum { MOST = 64 };
    double transfer[2][MOST], largest = 0.0;
    run r;
    run_open(&r);
    pv_dns_shells shells = {0};
    for (int form = 0; form < 2; form++) {
        pv_dns_params p = random_case(24, 0.02, 0.01, 0.0);
        p.form = form;
        (void)run_to_end(&r, &p);
        pv_dns_shells_of(r.dns, &shells);
        assert_true(shells.count <= MOST);
        for (int n = 0; n < shells.count; n++) {
            transfer[form][n] = shells.transfer[n];
            largest = fmax(largest, fabs(shells.transfer[n]));
        }
    }
    assert_true(largest > 0.01);
    for (int n = 0; n < shells.count; n++) assert_near(transfer[1][n] / largest, transfer[0][n] / largest, 1e-14);
    run_close(&r);
}

static void inviscid_flow_keeps_energy(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    for (int dealias = PV_DEALIAS_CUBE; dealias <= PV_DEALIAS_SPHERE; dealias++) {
        pv_dns_params p = random_case(18, 0.0, 0.01, 0.1);
        p.dealias = dealias;
        p.scheme = PV_SCHEME_RK4;
        p.scalars = 1;
        pv_dns_record start, record;
        assert_ok(pv_dns_create(r.comm, &p, &r.dns));
        assert_ok(pv_dns_observe(r.dns, &start));
        record = run_to_end(&r, &p);
        assert_near(record.energy, start.energy, 1e-8);
        assert_near(record.helicity, start.helicity, 1e-7);
        assert_near(record.scalar_variance[0], start.scalar_variance[0], 1e-7);
        pv_dns_destroy(r.dns);
        r.dns = NULL;
    }
    run_close(&r);
}

// d<c^2>/dt by differences of fourth order in time is what the mean gradient brings in less what damping takes.
static void scalar_variance_is_fed_and_dissipated(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    pv_dns_params p = random_case(16, 0.05, 0.005, 1.0);
    p.scheme = PV_SCHEME_RK4;
    p.hyperviscosity = 1e-4;
    p.hyper_order = 2;
    static const double schmidt[] = {0.7, 4.0, 1.0};
    static const double gradient[3][3] = {{1.5, 0.0, 0.0}, {0.0, -0.8, 0.0}, {0.0, 1.1, 0.0}};
    p.scalars = p.schmidts = 3;
    memcpy(p.schmidt, schmidt, sizeof schmidt);
    for (int d = 0; d < 3; d++) {
        p.scalar_gradients[d] = 3;
        memcpy(p.scalar_gradient[d], gradient[d], sizeof gradient[d]);
    }
    pv_dns_record at[5];
    assert_ok(pv_dns_create(r.comm, &p, &r.dns));
    for (int i = 0; i < 5; i++) {
        assert_ok(pv_dns_step(r.dns));
        assert_ok(pv_dns_observe(r.dns, &at[i]));
    }
    for (int i = 0; i < 3; i++) {
        const double rate = (at[0].scalar_variance[i] - 8.0 * at[1].scalar_variance[i] + 8.0 * at[3].scalar_variance[i] -
                             at[4].scalar_variance[i]) /
                            (12.0 * p.dt);
        assert_true(at[2].scalar_dissipation[i] > 0.1);
        assert_true(i == 2 ? at[2].scalar_production[i] == 0.0 : fabs(at[2].scalar_production[i]) > 2e-3);
        assert_near(rate, at[2].scalar_production[i] - at[2].scalar_dissipation[i], 1e-5);
    }
    assert_true(at[2].scalar_variance[3] == 0.0);
    pv_dns_shells shells;
    pv_dns_shells_of(r.dns, &shells);
    assert_int_equal(shells.scalars, 3);
    for (int i = 0; i < 3; i++) {
        double sum = 0.0;
        for (int n = 0; n < shells.count; n++) sum += shells.scalar_variance[i * shells.count + n];
        assert_near(sum, at[4].scalar_variance[i], 1e-13);
    }
    run_close(&r);
}

// Shell by shell: what the flow brings in less what damping takes; among all it brings in nothing.
static void scalar_variance_moves_among_shells(void **state)
{
    (void)state;
    enum { TIMES = 5, MOST = 64 };
    static const double weight[TIMES] = {1.0, -8.0, 0.0, 8.0, -1.0};
    run r;
    run_open(&r);
    for (int dealias = PV_DEALIAS_CUBE; dealias <= PV_DEALIAS_SHIFT; dealias += PV_DEALIAS_SHIFT - PV_DEALIAS_CUBE) {
        double rate[2][MOST] = {{0.0}}, gain[2][MOST], all[2] = {0.0};
        pv_dns_params p = random_case(16, 0.05, 0.005, 1.0);
        pv_dns_record record;
        pv_dns_shells shells;
        p.scheme = PV_SCHEME_RK4;
        p.dealias = dealias;
        p.scalars = p.schmidts = 2;
        p.schmidt[1] = 4.0;
        p.viscosity = 0.1;
        assert_ok(pv_dns_create(r.comm, &p, &r.dns));
        for (int t = 0; t < TIMES; t++) {
            assert_ok(pv_dns_step(r.dns));
            assert_ok(pv_dns_observe(r.dns, &record));
            pv_dns_shells_of(r.dns, &shells);
            assert_true(shells.count <= MOST);
            for (int i = 0; i < 2; i++)
                for (int n = 0; n < shells.count; n++) {
                    const int at = i * shells.count + n;
                    rate[i][n] += weight[t] * shells.scalar_variance[at] / (12.0 * p.dt);
                    if (t != TIMES / 2) continue;
                    gain[i][n] = shells.scalar_transfer[at] - shells.scalar_dissipation[at];
                    all[i] += shells.scalar_transfer[at];
                }
        }
        for (int i = 0; i < 2; i++)
            for (int n = 0; n < shells.count; n++)
                // Shifted grids leave aliases of second order.
                assert_near(rate[i][n], gain[i][n], dealias == PV_DEALIAS_SHIFT ? 1e-3 : 2e-6);
        for (int i = 0; i < 2; i++) assert_near(all[i], 0.0, dealias == PV_DEALIAS_SHIFT ? 1e-2 : 1e-13);
        pv_dns_destroy(r.dns);
        r.dns = NULL;
    }
    run_close(&r);
}

// Whatever the box.
static void random_scalars_have_the_amplitude(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    for (int precision = PV_FP64; precision <= PV_FP32; precision++) {
        pv_dns_params p = random_case(16, 0.05, 0.01, 0.0);
        p.grid[1] = 12;
        p.length_z *= 1.7;
        p.amplitude = 2.5;
        p.scalars = 1;
        p.precision = (pv_precision)precision;
        assert_near(run_to_end(&r, &p).scalar_variance[0], 6.25, precision == PV_FP64 ? 1e-13 : 1e-6);
    }
    run_close(&r);
}

// Shifted grids keep more modes; the aliases that they leave are small.
static void shifted_grids_come_near(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    pv_dns_params p = random_case(24, 0.05, 0.005, 0.2);
    pv_dns_record exact = run_to_end(&r, &p);
    p.dealias = PV_DEALIAS_SHIFT;
    pv_dns_record shifted = run_to_end(&r, &p);
    assert_near(shifted.energy, exact.energy, 2e-4);
    run_close(&r);
}

static void steps_follow_the_courant_number(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    pv_dns_params p = random_case(16, 0.02, 10.0, 0.5);
    p.cfl = 0.4;
    pv_dns_record record, last = run_to_end(&r, &p);
    assert_true(last.step > 5);
    assert_near(last.time, 0.5, 0.0);
    assert_near(last.dt, last.dt_taken, 0.0);
    pv_dns_destroy(r.dns);
    assert_ok(pv_dns_create(r.comm, &p, &r.dns));
    for (int i = 0; i < 3; i++) assert_ok(pv_dns_step(r.dns));
    assert_ok(pv_dns_observe(r.dns, &record));
    assert_near(record.cfl, 0.4, 1e-12);
    assert_true(record.dt_taken > 0.0 && record.dt_taken < 1.1 * record.dt);
    // The last two are half of what was left.
    assert_true(last.dt > 0.4 * record.dt && last.dt < record.dt);
    run_close(&r);
}

// A smooth flow does not know how many points resolve it along x. These lengths have kernels of their own on GPUs.
static void rows_of_all_lengths_agree(void **state)
{
    (void)state;
    static const int64_t lengths[] = {64, 128, 256, 512, 768, 1024, 1536};
    run r;
    run_open(&r);
    for (int form = 0; form < 2; form++)
        for (int precision = 0; precision < 2; precision++) {
            pv_dns_params p = cube_of(12, 0.02, 0.002, 0.02);
            p.form = form;
            p.precision = precision;
            p.rotation = 3.0;
            p.grid[0] = 48;
            const pv_dns_record few = run_to_end(&r, &p);
            const double tolerance = precision == PV_FP64 ? 1e-13 : 1e-6;
            for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
                p.grid[0] = lengths[i];
                const pv_dns_record many = run_to_end(&r, &p);
                assert_near(many.energy, few.energy, tolerance);
                assert_near(many.enstrophy, few.enstrophy, tolerance);
                assert_near(many.helicity, few.helicity, tolerance);
            }
        }
    run_close(&r);
}

// However often and at whatever one looks on the way, the flow is the same to the last bit, with shifted grids too.
static void looking_changes_nothing(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    for (int scheme = PV_SCHEME_AB2; scheme <= PV_SCHEME_RK4; scheme++)
        for (int scalars = 0; scalars < 2; scalars++) {
            pv_dns_params p = random_case(12, 0.05, 0.02, 0.1);
            p.dealias = PV_DEALIAS_SHIFT;
            p.scheme = scheme;
            p.scalars = scalars;
            p.forcing = scheme == PV_SCHEME_AB2   ? PV_FORCING_FROZEN
                        : scheme == PV_SCHEME_AB3 ? PV_FORCING_POWER
                                                  : PV_FORCING_OU;
            const pv_dns_record unseen = run_to_end(&r, &p);
            pv_dns_record seen;
            pv_dns_structure structure;
            pv_dns_destroy(r.dns);
            r.dns = NULL;
            assert_ok(pv_dns_create(r.comm, &p, &r.dns));
            for (int step = 0; pv_dns_time(r.dns) < p.time_end; step++) {
                if (step != 2) assert_ok(pv_dns_observe(r.dns, &seen));
                if (step == 3) assert_ok(pv_dns_structure_of(r.dns, &structure));
                assert_ok(pv_dns_step(r.dns));
            }
            assert_ok(pv_dns_observe(r.dns, &seen));
            assert_memory_equal(&seen, &unseen, sizeof seen);
        }
    run_close(&r);
}

PV_TEST_MAIN(PV_TEST(field_has_its_spectrum), PV_TEST(forms_agree), PV_TEST(forms_transfer_alike),
             PV_TEST(inviscid_flow_keeps_energy), PV_TEST(scalar_variance_is_fed_and_dissipated),
             PV_TEST(scalar_variance_moves_among_shells),
             PV_TEST(random_scalars_have_the_amplitude), PV_TEST(shifted_grids_come_near),
             PV_TEST(steps_follow_the_courant_number), PV_TEST(rows_of_all_lengths_agree),
             PV_TEST(looking_changes_nothing))
