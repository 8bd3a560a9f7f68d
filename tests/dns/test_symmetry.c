// SPDX-License-Identifier: Apache-2.0
// Fields stay fields of real numbers without divergence, however long a forcing amplifies what round-off makes.
// ranks: 1 3
// devices: cuda
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dns/flow.h"
#include "dns/statistics/statistics.h"
#include "dns/step/step.h"
#include "dns/step/symmetry.h"
#include "run.h"

static double *copy_of(const pv_dns_state *s)
{
    const size_t bytes = pv_dns_equation_bytes(s, DNS_VELOCITY);
    double *copy = malloc(bytes + 1);
    assert_non_null(copy);
    assert_ok(pv_buffer_read(s->equation[DNS_VELOCITY].field, 0, copy, bytes));
    return copy;
}

// Adds what no real field has: the same to a mode of kx = 0 as to minus its conjugate's.
static void spoil(pv_dns_state *s, double k, double size)
{
    double *u = copy_of(s);
    for (int64_t i = 0; i < s->modes.total; i++) {
        const dns_mode mode = dns_mode_at(&s->modes, i);
        if (mode.kx != 0.0 || mode.k2 == 0.0 || mode.k2 > k * k) continue;
        const double sign = mode.ky > 0.0 || (mode.ky == 0.0 && mode.kz > 0.0) ? 1.0 : -1.0;
        for (int c = 0; c < 3; c++) {
            u[2 * (i + c * s->modes.total)] += size * sign * (c + 1);
            u[2 * (i + c * s->modes.total) + 1] += 0.5 * size;
        }
    }
    assert_ok(pv_buffer_write(s->equation[DNS_VELOCITY].field, 0, u, pv_dns_equation_bytes(s, DNS_VELOCITY)));
    free(u);
}

// Adds a gradient to the modes that are forced.
static void compress(pv_dns_state *s, double k, double size)
{
    double *u = copy_of(s);
    for (int64_t i = 0; i < s->modes.total; i++) {
        const dns_mode mode = dns_mode_at(&s->modes, i);
        if (mode.k2 > k * k || !mode.kept) continue;
        const double along[3] = {mode.kx, mode.ky, mode.kz};
        for (int c = 0; c < 3; c++) u[2 * (i + c * s->modes.total) + 1] += size * along[c];
    }
    assert_ok(pv_buffer_write(s->equation[DNS_VELOCITY].field, 0, u, pv_dns_equation_bytes(s, DNS_VELOCITY)));
    free(u);
}

static void what_is_no_real_field_goes(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    pv_dns_params p = cube_of(12, 0.1, 0.01, 1.0);
    p.length_y = 3.0;
    p.flow = PV_FLOW_RANDOM;
    p.k_peak = 2.0;
    for (int dealias = PV_DEALIAS_CUBE; dealias <= PV_DEALIAS_SPHERE; dealias++) {
        p.dealias = dealias;
        pv_dns_state *s = NULL;
        pv_dns_symmetry symmetry = {0};
        assert_ok(pv_dns_state_create(r.comm, &p, &s));
        assert_ok(pv_dns_flow_set(s));
        assert_ok(pv_dns_symmetry_create(s, 3.0, &symmetry));
        double *before = copy_of(s);
        spoil(s, 3.0, 0.25);
        assert_ok(pv_dns_symmetry_restore(s, &symmetry));
        double *after = copy_of(s);
        for (int64_t i = 0; i < 6 * s->modes.total; i++) assert_near(after[i], before[i], 1e-15);
        free(before);
        free(after);
        pv_dns_symmetry_destroy(&symmetry);
        pv_dns_state_destroy(s);
    }
    run_close(&r);
}

// Energy that the velocity loses when it is made a real field in all its modes, as a part of it.
static double unreal_part(pv_dns_state *s)
{
    const dns_term none = {.modes = s->modes};
    double before[DNS_SUMS], after[DNS_SUMS];
    pv_dns_symmetry all = {0};
    assert_ok(pv_dns_symmetry_create(s, 1e300, &all));
    assert_ok(pv_dns_sum_modes(s, &none, pv_dns_field(s, DNS_VELOCITY), before));
    assert_ok(pv_dns_symmetry_restore(s, &all));
    assert_ok(pv_dns_sum_modes(s, &none, pv_dns_field(s, DNS_VELOCITY), after));
    pv_dns_symmetry_destroy(&all);
    return (before[0] - after[0]) / before[0];
}

// What round-off becomes in a long run, given at once. Frozen shells lose their divergence, too.
static void forced_flows_stay_real_and_solenoidal(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    for (int forcing = PV_FORCING_FROZEN; forcing <= PV_FORCING_POWER; forcing++) {
        pv_dns_params p = cube_of(12, 0.06, 0.01, 1.0);
        p.flow = PV_FLOW_RANDOM;
        p.k_peak = 2.0;
        p.amplitude = 0.5;
        p.forcing = forcing;
        p.forcing_k = 1.5;
        pv_dns_state *s = NULL;
        pv_dns_forcing_state f = {0};
        pv_dns_evaluation e = {0};
        double divergence;
        assert_ok(pv_dns_state_create(r.comm, &p, &s));
        assert_ok(pv_dns_flow_set(s));
        assert_ok(pv_dns_forcing_create(s, &f));
        spoil(s, 1.5, 1e-3);
        if (forcing == PV_FORCING_FROZEN) compress(s, 1.5, 1e-3);
        while (s->step < 16) assert_ok(pv_dns_step_take(s, &f, &e));
        assert_ok(pv_dns_largest_divergence(s, &divergence));
        assert_near(divergence, 0.0, 1e-15);
        assert_near(unreal_part(s), 0.0, 1e-15);
        pv_dns_forcing_destroy(&f);
        pv_dns_state_destroy(s);
    }
    run_close(&r);
}

PV_TEST_MAIN(PV_TEST(what_is_no_real_field_goes), PV_TEST(forced_flows_stay_real_and_solenoidal))
