// SPDX-License-Identifier: Apache-2.0
// Flows and scalars whose every mode is known at all times: inertial waves, a parallel flow in a uniform one, and what
// they carry.
// ranks: 1 3
// devices: cuda
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dns/flow.h"
#include "dns/statistics/shells.h"
#include "dns/step/rhs.h"
#include "dns/step/step.h"
#include "run.h"

// Coefficient of component c of a field at a mode and a time.
typedef double complex (*coefficient)(const dns_mode *k, int c, double time);

static double complex *copy_of(const pv_dns_state *s, int equation)
{
    const size_t bytes = pv_dns_equation_bytes(s, equation);
    double complex *copy = malloc(bytes + 1);
    assert_non_null(copy);
    assert_ok(pv_buffer_read(s->equation[equation].field, 0, copy, bytes));
    return copy;
}

static void set(pv_dns_state *s, int equation, coefficient of)
{
    double complex *u = copy_of(s, equation);
    for (int64_t i = 0; i < s->modes.total; i++) {
        const dns_mode mode = dns_mode_at(&s->modes, i);
        for (int c = 0; c < s->equation[equation].components && mode.kept; c++)
            u[i + c * s->modes.total] = of(&mode, c, 0.0);
    }
    assert_ok(pv_buffer_write(s->equation[equation].field, 0, u, pv_dns_equation_bytes(s, equation)));
    free(u);
}

static void expect(const pv_dns_state *s, int equation, coefficient of, double tolerance)
{
    assert_ok(pv_stream_wait(s->stream));
    double complex *u = copy_of(s, equation);
    for (int64_t i = 0; i < s->modes.total; i++) {
        const dns_mode mode = dns_mode_at(&s->modes, i);
        for (int c = 0; c < s->equation[equation].components && mode.kept; c++)
            assert_near(cabs(u[i + c * s->modes.total] - of(&mode, c, s->time)), 0.0, tolerance);
    }
    free(u);
}

static void expect_spectrum(pv_dns_state *s, int equation, coefficient of, double tolerance)
{
    enum { MOST = 64 };
    double variance[MOST], transfer[MOST], loss[MOST], expected[MOST] = {0.0};
    double *const values[] = {variance, transfer, loss};
    assert_true(s->shell_count <= MOST);
    assert_ok(pv_dns_shells_sum_scalar(s, equation, NULL, values));
    for (int64_t i = 0; i < s->modes.total; i++) {
        const dns_mode mode = dns_mode_at(&s->modes, i);
        const double size = cabs(of(&mode, 0, s->time));
        // A plane of k_x = 0 has both of a pair.
        if (mode.kept && mode.k2 > 0.0) expected[lround(sqrt(mode.k2))] += (mode.kx > 0.0 ? 2.0 : 1.0) * size * size;
    }
    assert_ok(pv_comm_reduce_f64(s->comm, PV_SUM, MOST, expected));
    for (int n = 0; n < s->shell_count; n++) assert_near(variance[n], expected[n], tolerance);
}

static void march(pv_dns_state *s)
{
    pv_dns_forcing_state none = {0};
    pv_dns_evaluation e = {0};
    while (s->time < s->params.time_end) assert_ok(pv_dns_step_take(s, &none, &e));
}

// Of sin(x + phase) in one direction.
static double complex sine(double k, double others, double phase)
{
    return others != 0.0 || fabs(k) != 1.0 ? 0.0 : k > 0.0 ? -0.5 * I * cexp(I * phase) : 0.5 * I * cexp(-I * phase);
}

static double complex cosine(double k, double others, double phase)
{
    return sine(k, others, phase + acos(0.0));
}

#define OMEGA 3.0
#define NU    0.05

// The ABC flow in a frame that turns about z: its wave along z runs, the others keep their balance with the pressure.
// All three stay their own curl, so that u x w = 0.
static double complex running_abc(const dns_mode *k, int c, double time)
{
    const double ox = fabs(k->ky) + fabs(k->kz), oy = fabs(k->kx) + fabs(k->kz), oz = fabs(k->kx) + fabs(k->ky);
    const double run = 2.0 * OMEGA * time, decay = exp(-NU * time);
    if (c == 0) return decay * (sine(k->kz, oz, run) + cosine(k->ky, oy, 0.0));
    if (c == 1) return decay * (sine(k->kx, ox, 0.0) + cosine(k->kz, oz, run));
    return decay * (sine(k->ky, oy, 0.0) + cosine(k->kx, ox, 0.0));
}

static void rotation_turns_inertial_waves(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    for (int scheme = PV_SCHEME_AB3; scheme <= PV_SCHEME_RK4; scheme++)
        for (int form = PV_FORM_VORTICITY; form <= PV_FORM_DIVERGENCE; form++) {
            pv_dns_state *s = NULL;
            pv_dns_params p = cube_of(10, NU, 0.004, 0.4);
            p.flow = PV_FLOW_ABC;
            p.scheme = scheme;
            p.form = form;
            p.rotation = OMEGA;
            assert_ok(pv_dns_state_create(r.comm, &p, &s));
            assert_ok(pv_dns_flow_set(s));
            expect(s, DNS_VELOCITY, running_abc, 1e-15);
            march(s);
            expect(s, DNS_VELOCITY, running_abc, scheme == PV_SCHEME_RK4 ? 1e-8 : 1e-5);
            pv_dns_state_destroy(s);
        }
    run_close(&r);
}

// A uniform flow U carries all else along; u = sin(y - U_y t) lies in it, and decays. Scalars of y alone are fed by
// their mean gradients, and differ from u in their diffusivities.
enum { SCALARS = 2 };
static const double U[3] = {0.7, -0.4, 1.1}, schmidt[SCALARS] = {0.5, 2.5};
static const double gradient[3][SCALARS] = {{2.0, -0.6}, {-0.3, 0.0}, {0.0, 0.9}};
static int scalar; // whose coefficients are asked for

static double complex carried_velocity(const dns_mode *k, int c, double time)
{
    const double mean = k->k2 == 0.0 ? U[c] : 0.0;
    return mean + (c == 0 ? exp(-NU * time) * sine(k->ky, fabs(k->kx) + fabs(k->kz), -U[1] * time) : 0.0);
}

static double complex fed_scalar(const dns_mode *k, int c, double time)
{
    (void)c;
    const double kappa = NU / schmidt[scalar], others = fabs(k->kx) + fabs(k->kz);
    const double fed = -gradient[0][scalar] * (exp(-NU * time) - exp(-kappa * time)) / (kappa - NU);
    double mean = 0.0;
    for (int d = 0; d < 3 && k->k2 == 0.0; d++) mean -= gradient[d][scalar] * U[d] * time;
    return mean + fed * sine(k->ky, others, -U[1] * time) + exp(-kappa * time) * cosine(k->ky, others, -U[1] * time);
}

static double complex uniform_velocity(const dns_mode *k, int c, double time)
{
    (void)time;
    return k->k2 == 0.0 ? U[c] : 0.0;
}

// cos(2 x - y + z)
static double complex carried_scalar(const dns_mode *k, int c, double time)
{
    (void)c;
    if (k->kx != 2.0 || k->ky != -1.0 || k->kz != 1.0) return 0.0;
    return 0.5 * exp(-6.0 * NU / schmidt[scalar] * time) * cexp(-I * (2.0 * U[0] - U[1] + U[2]) * time);
}

static double complex no_velocity(const dns_mode *k, int c, double time)
{
    (void)k, (void)c, (void)time;
    return 0.0;
}

// A mode more, for which the step's factor is another.
static double complex resting_scalar(const dns_mode *k, int c, double time)
{
    (void)c, (void)time;
    const int is_mode = k->kx == 1.0 && k->ky == 3.0 && k->kz == -2.0;
    return (is_mode || (k->kx == 2.0 && k->ky == -1.0 && k->kz == 1.0)) * exp(-k->k2 * NU / schmidt[scalar] * time);
}

static void flows_carry(run *r, coefficient velocity, coefficient of_scalar, int is_fed, double tolerance,
                        pv_dns_params p)
{
    pv_dns_state *s = NULL;
    p.flow = PV_FLOW_ABC;
    p.scalars = p.schmidts = SCALARS;
    memcpy(p.schmidt, schmidt, sizeof schmidt);
    if (is_fed) {
        for (int d = 0; d < 3; d++) {
            p.scalar_gradients[d] = SCALARS;
            memcpy(p.scalar_gradient[d], gradient[d], sizeof gradient[d]);
        }
    }
    assert_ok(pv_dns_state_create(r->comm, &p, &s));
    set(s, DNS_VELOCITY, velocity);
    for (scalar = 0; scalar < SCALARS; scalar++) set(s, 1 + scalar, of_scalar);
    march(s);
    expect(s, DNS_VELOCITY, velocity, tolerance);
    for (scalar = 0; scalar < SCALARS; scalar++) {
        expect(s, 1 + scalar, of_scalar, tolerance);
        expect_spectrum(s, 1 + scalar, of_scalar, 8.0 * tolerance);
    }
    pv_dns_state_destroy(s);
}

static void scalars_are_carried_fed_and_diffused(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    for (int scheme = PV_SCHEME_AB2; scheme <= PV_SCHEME_RK4; scheme++)
        for (int form = PV_FORM_VORTICITY; form <= PV_FORM_DIVERGENCE; form++) {
            pv_dns_params p = cube_of(12, NU, 0.005, 0.4);
            p.scheme = scheme;
            p.form = form;
            static const double tolerance[] = {[PV_SCHEME_AB2] = 1e-4, [PV_SCHEME_AB3] = 2e-6, [PV_SCHEME_RK4] = 1e-8};
            flows_carry(&r, carried_velocity, fed_scalar, 1, tolerance[scheme], p);
            flows_carry(&r, uniform_velocity, carried_scalar, 0, tolerance[scheme], p);
            flows_carry(&r, no_velocity, resting_scalar, 0, 1e-14, p);
        }
    run_close(&r);
}

// u = sin 2x cos y, v = -2 cos 2x sin y; c = sin x (1 + cos y)
static double complex strained_velocity(const dns_mode *k, int c, double time)
{
    (void)time;
    if (fabs(k->kx) != 2.0 || fabs(k->ky) != 1.0 || k->kz != 0.0 || c == 2) return 0.0;
    return c == 0 ? (k->kx > 0.0 ? -0.25 : 0.25) * I : (k->ky > 0.0 ? 0.5 : -0.5) * I;
}

static double complex strained_scalar(const dns_mode *k, int c, double time)
{
    (void)c, (void)time;
    return fabs(k->ky) > 1.0 ? 0.0 : sine(k->kx, fabs(k->kz), 0.0) * (k->ky == 0.0 ? 1.0 : 0.5);
}

// Of these <g^2> = 2 / 3, <h^2> = 1 / 3 and <g h^2> = 1 / 6, means over the axes of derivatives along them.
static void moments_are_of_derivatives(void **state)
{
    (void)state;
    run r;
    run_open(&r);
    for (int dealias = PV_DEALIAS_CUBE; dealias <= PV_DEALIAS_SHIFT; dealias++) {
        pv_dns_params p = cube_of(12, NU, 0.005, 0.4);
        pv_dns_state *s = NULL;
        pv_dns_moments moments;
        p.scalars = 2;
        p.dealias = dealias;
        assert_ok(pv_dns_state_create(r.comm, &p, &s));
        set(s, DNS_VELOCITY, strained_velocity);
        set(s, 2, strained_scalar);
        const pv_dns_now now = pv_dns_now_of(s);
        assert_ok(pv_dns_rhs_begin(s, &now));
        assert_ok(pv_dns_rhs_moments(s, &now, &moments));
        const double tolerance = 1e-14;
        assert_near(moments.velocity[0], 2.0 / 3.0, tolerance);
        assert_near(moments.scalar[0][0], 0.0, 0.0);
        assert_near(moments.scalar[1][0], 1.0 / 3.0, tolerance);
        assert_near(moments.scalar[1][1], 1.0 / 6.0, tolerance);
        pv_dns_state_destroy(s);
    }
    run_close(&r);
}

PV_TEST_MAIN(PV_TEST(moments_are_of_derivatives),
             PV_TEST(rotation_turns_inertial_waves), PV_TEST(scalars_are_carried_fed_and_diffused))
