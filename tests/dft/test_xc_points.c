// SPDX-License-Identifier: Apache-2.0
// Exchange and correlation at points against libxc and against finite differences, on every device.
#include "dft/terms/xc_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xc.h>

#include "base/rng.h"
#include "dft/model/units.h"
#include "dft/terms/xc_gradient_cap.h"
#include "device/over_devices.h"

#define POINTS    3001
#define SCREENING 0.106

typedef struct points {
    double density[2 * POINTS], gradient[6 * POINTS], history[3 * POINTS];
    double potential[2 * POINTS], energy[POINTS], left_out[POINTS];
} points;

static double uniform(int stream, int64_t i)
{
    return pv_rng_uniform(7, (uint64_t)stream, (uint64_t)i);
}
static double exponential(double lowest, double highest, int stream, int64_t i)
{
    return pow(10.0, lowest + (highest - lowest) * uniform(stream, i));
}
static double unit_of(double rho)
{
    return 2.0 * cbrt(3.0 * PV_PI * PV_PI * rho) * rho;
} // |grad rho| of s = 1

// Densities from 10^lowest to 100 with every polarisation, full and none among them, and reduced gradients to 30.
static points *random_points(int spins, double lowest)
{
    points *p = calloc(1, sizeof *p);
    for (int64_t i = 0; i < POINTS; i++) {
        const double rho = exponential(lowest, 2.0, 0, i), z = 2.0 * uniform(1, i) - 1.0;
        const double minority = i % 7 == 0    ? 1.0
                                : i % 11 == 0 ? 0.0
                                : i % 13 == 0 ? exponential(-14.0, 0.0, 1, i)
                                              : 1.0 - fabs(z);
        for (int s = 0; s < spins; s++) {
            const double own = spins == 1 ? rho : 0.5 * rho * (s == (z > 0.0) ? minority : 2.0 - minority);
            const double slope =
                i % 19 == 0 ? 0.0 : (spins == 1 ? 1.0 : 0.5) * unit_of(spins * own) * exponential(-2.0, 1.5, 2, i);
            p->density[s * POINTS + i] = own;
            for (int d = 0; d < 3; d++)
                p->gradient[(s * 3 + d) * POINTS + i] = slope * (2.0 * uniform(3 + 3 * s + d, i) - 1.0);
        }
    }
    return p;
}

static void evaluate(pv_device *device, const pv_xc_terms *terms, int spins, points *p)
{
    pv_buffer *buffer;
    assert_ok(pv_buffer_create(device, sizeof *p, &buffer));
    assert_ok(pv_buffer_write(buffer, 0, p, sizeof *p));
    points *there = pv_buffer_data(buffer);
    const pv_xc_fields fields = {POINTS,           there->density, there->gradient, there->history,
                                 there->potential, there->energy,  there->left_out};
    assert_ok(pv_xc_points(pv_device_stream(device), terms, spins, &fields));
    assert_ok(pv_stream_wait(pv_device_stream(device)));
    assert_ok(pv_buffer_read(buffer, 0, p, sizeof *p));
    pv_buffer_destroy(buffer);
}

// ---- The sum of libxc's functionals ------------------------------------------------------------------------------

// `size`: what of the energy and of its derivatives does not cancel.
typedef struct sum {
    double energy, rho[2], sigma[3], size, rho_size, sigma_size;
} sum;

static void add(int id, int spins, double weight, const double *rho, const double *sigma, double least_minority, sum *s)
{
    xc_func_type f;
    double exc = 0.0, vrho[2] = {0.0}, vsigma[3] = {0.0}, total = rho[0] + (spins == 2 ? rho[1] : 0.0);
    if (weight == 0.0) return;
    assert_int_equal(xc_func_init(&f, id, spins == 2 ? XC_POLARIZED : XC_UNPOLARIZED), 0);
    if (id == XC_LDA_X_ERF || id == XC_GGA_X_WPBEH || id == XC_GGA_X_HJS_PBE_SOL)
        xc_func_set_ext_params_name(&f, "_omega", SCREENING);
    xc_func_set_dens_threshold(&f, 1e-10);
    if (least_minority > 0.0) xc_func_set_zeta_threshold(&f, least_minority);
    if (xc_func_info_get_family(f.info) == XC_FAMILY_LDA)
        xc_lda_exc_vxc(&f, 1, rho, &exc, vrho);
    else
        xc_gga_exc_vxc(&f, 1, rho, sigma, &exc, vrho, vsigma);
    xc_func_end(&f);
    s->energy += weight * exc * total;
    s->size += fabs(weight * exc * total);
    for (int i = 0; i < spins; i++) {
        s->rho[i] += weight * vrho[i];
        s->rho_size = fmax(s->rho_size, fabs(weight * vrho[i]));
    }
    for (int i = 0; i < 2 * spins - 1; i++) {
        s->sigma[i] += weight * vsigma[i];
        s->sigma_size = fmax(s->sigma_size, fabs(weight * vsigma[i]));
    }
}

// libxc bends s from 1 on: the squared gradient that it bends to what is meant.
static double unbent(double rho, double sigma)
{
    const double unit = unit_of(rho), s2 = sigma / (unit * unit);
    const double t = sqrt(xc_cap_gradient(s2).value), u = t - log(-expm1(t - 8.572844));
    return s2 < 1.0 ? sigma : u * u * unit * unit;
}

static double squared(const points *p, int s, int t, int64_t i)
{
    const double *a = p->gradient + 3 * s * POINTS + i, *b = p->gradient + 3 * t * POINTS + i;
    return a[0] * b[0] + a[POINTS] * b[POINTS] + a[2 * POINTS] * b[2 * POINTS];
}

static sum expected(const pv_xc_terms *t, pv_functional_kind kind, int spins, const points *p, int64_t i)
{
    const int sol = kind == PV_FUNCTIONAL_PBESOL;
    sum s = {0};
    double rho[2] = {p->density[i], p->density[POINTS + i]}, total = rho[0] + (spins == 2 ? rho[1] : 0.0),
           zero[3] = {0.0};
    double sigma[3] = {squared(p, 0, 0, i), squared(p, 0, 1, i), squared(p, 1, 1, i)};
    add(XC_LDA_X, spins, t->lda_exchange, rho, zero, 0.0, &s);
    add(XC_LDA_X_ERF, spins, t->lda_short, rho, zero, 0.0, &s);
    add(t->gradients ? XC_LDA_C_PW : XC_LDA_C_PZ, spins, t->lda_correlation, rho, zero, 0.0, &s);
    if (!t->gradients) return s;
    const double square = spins == 1 ? sigma[0] : sigma[0] + 2.0 * sigma[1] + sigma[2];
    if (total > 1e-6 && square > (spins == 1 ? 1e-10 : 1e-12)) {
        add(sol ? XC_GGA_C_PBE_SOL : XC_GGA_C_PBE, spins, t->correlation, rho, sigma, 1e-6, &s);
        add(XC_LDA_C_PW_MOD, spins, -t->correlation, rho, zero, 1e-6, &s);
    }
    if (spins == 1 && !(total > 1e-6 && square > 1e-10)) return s;
    for (int spin = 0; spin < spins; spin++) { // half of twice a spin's density, without spin
        const double share = 1.0 / spins, own = spins * rho[spin], own_sigma = spins * spins * sigma[2 * spin];
        const double held = unbent(own, own_sigma);
        sum one = {0};
        if (spins == 2 && !(rho[spin] > 1e-10 && sigma[2 * spin] > 1e-20)) continue;
        add(sol ? XC_GGA_X_PBE_SOL : XC_GGA_X_PBE, 1, t->exchange, &own, &own_sigma, 0.0, &one);
        add(XC_LDA_X, 1, -t->exchange, &own, zero, 0.0, &one);
        add(sol ? XC_GGA_X_HJS_PBE_SOL : XC_GGA_X_WPBEH, 1, t->hole_short, &own, sol ? &own_sigma : &held, 0.0, &one);
        add(XC_LDA_X_ERF, 1, t->uniform_short, &own, zero, 0.0, &one);
        s.energy += share * one.energy;
        s.size += share * one.size;
        s.rho[spin] += one.rho[0];
        s.sigma[2 * spin] += spins * one.sigma[0];
        s.rho_size = fmax(s.rho_size, one.rho_size);
        s.sigma_size = fmax(s.sigma_size, spins * one.sigma_size);
    }
    return s;
}

// ---- Tests -------------------------------------------------------------------------------------------------------

static const struct {
    pv_functional_kind kind;
    double fraction, screening;
    int flat_counts;
} functionals[] = {
    {PV_FUNCTIONAL_LDA, 0.0, 0.0, 0},        {PV_FUNCTIONAL_LDA, 0.25, SCREENING, 0},
    {PV_FUNCTIONAL_PBE, 0.0, 0.0, 0},        {PV_FUNCTIONAL_PBE, 0.25, 0.0, 0},
    {PV_FUNCTIONAL_PBE, 0.25, SCREENING, 0}, {PV_FUNCTIONAL_PBE, 0.25, SCREENING, 1},
    {PV_FUNCTIONAL_PBESOL, 0.0, 0.0, 0},     {PV_FUNCTIONAL_PBESOL, 0.25, SCREENING, 0},
    {PV_FUNCTIONAL_PBESOL, 0.25, SCREENING, 1},
};
#define FUNCTIONALS (int)(sizeof functionals / sizeof *functionals)

static pv_xc_terms terms_of(int f)
{
    pv_xc_terms terms;
    pv_functional functional = pv_functional_of(functionals[f].kind);
    if (functionals[f].fraction > 0.0)
        functional = pv_functional_hybrid_of(functionals[f].kind, functionals[f].fraction, functionals[f].screening);
    functional.flat_counts = functionals[f].flat_counts;
    assert_ok(pv_xc_terms_of(&functional, &terms));
    return terms;
}

// What libxc loses: its short-range exchange sums large terms of opposite sign at low densities; it knows the
// polarisation but not how little is left to 1; it gives a spin 1e-10 where it has less.
static double tolerance(const pv_xc_terms *terms, int spins, double up, double down)
{
    const double least = spins == 1 ? up : up < 1e-10 ? down : down < 1e-10 ? up : fmin(up, down);
    const double within = terms->hole == PV_XC_HOLE_NONE ? (least > 1e-8 ? 1e-12 : 1e-11)
                          : least > 1e-3                 ? 1e-12
                          : least > 1e-6                 ? 1e-8
                                                         : 1e-5;
    if (spins == 1) return within;
    return within + 1e-16 * (up + down) / fmax(least, 1e-10) + (fmin(up, down) < 2e-10 ? 1e-9 / (up + down) : 0.0);
}

static void compare_point(const pv_xc_terms *terms, int spins, const points *given, const points *found, const sum *s,
                          int64_t i)
{
    const double rho[2] = {given->density[i], given->density[POINTS + i]},
                 least = spins == 1 ? rho[0] : fmin(rho[0], rho[1]);
    const double within = tolerance(terms, spins, rho[0], rho[1]);
    if (spins == 1 && rho[0] < 2e-10) return; // which libxc takes for two empty spins
    assert_near(found->energy[i], s->energy, within * s->size);
    if (least < 2e-10) return;
    for (int spin = 0; spin < spins; spin++) // libxc's derivatives are by what it bends
        if (terms->hole == PV_XC_HOLE_EP) {
            const double sigma = spins * spins * squared(given, spin, spin, i);
            if (unbent(spins * rho[spin], sigma) != sigma) return;
        }
    for (int spin = 0; spin < spins; spin++) {
        assert_near(found->potential[spin * POINTS + i], s->rho[spin], within * s->rho_size);
        for (int d = 0; d < 3 && terms->gradients; d++) {
            const double own = given->gradient[(3 * spin + d) * POINTS + i];
            const double other = spins == 2 ? given->gradient[(3 * (1 - spin) + d) * POINTS + i] : 0.0;
            assert_near(found->gradient[(3 * spin + d) * POINTS + i],
                        2.0 * s->sigma[2 * spin] * own + s->sigma[1] * other,
                        2.0 * within * s->sigma_size * (fabs(own) + fabs(other)));
        }
    }
}

static void compare(pv_device *device, int f, int spins)
{
    const pv_xc_terms terms = terms_of(f);
    points *found = random_points(spins, -12.0), *given = random_points(spins, -12.0);
    evaluate(device, &terms, spins, found);
    for (int64_t i = 0; i < POINTS; i++) {
        const sum s = expected(&terms, functionals[f].kind, spins, given, i);
        compare_point(&terms, spins, given, found, &s, i);
    }
    free(given);
    free(found);
}

static void agrees_with_libxc(pv_device *device)
{
    for (int f = 0; f < FUNCTIONALS; f++)
        for (int spins = 1; spins <= 2; spins++) compare(device, f, spins);
}

// Energies with number `which` of a point's densities and then gradients grown by a part of its size.
static points *moved(pv_device *device, const pv_xc_terms *terms, int spins, int which, double part)
{
    points *p = random_points(spins, -2.0);
    for (int64_t i = 0; i < POINTS; i++)
        *(which < spins ? &p->density[which * POINTS + i] : &p->gradient[(which - spins) * POINTS + i]) *= 1.0 + part;
    evaluate(device, terms, spins, p);
    return p;
}

static void derivatives_are_slopes(pv_device *device)
{
    const double part = 1e-4;
    for (int f = 0; f < FUNCTIONALS; f++)
        for (int spins = 1; spins <= 2; spins++)
            for (int which = 0; which < 4 * spins; which++) {
                const pv_xc_terms terms = terms_of(f);
                points *at = random_points(spins, -2.0), *given = random_points(spins, -2.0);
                points *less = moved(device, &terms, spins, which, -part),
                       *more = moved(device, &terms, spins, which, part);
                evaluate(device, &terms, spins, at);
                for (int64_t i = 0; i < POINTS; i++) {
                    const int64_t n = (which < spins ? which : which - spins) * POINTS + i;
                    const double by = which < spins ? at->potential[n] : terms.gradients ? at->gradient[n] : 0.0;
                    const double slope = by * (which < spins ? given->density[n] : given->gradient[n]);
                    // Where a minority is a part of the majority's rounding, or of what a floor cuts, nothing is seen.
                    if (spins == 2 && fmin(given->density[i], given->density[POINTS + i]) < 1e-4) continue;
                    assert_near((more->energy[i] - less->energy[i]) / (2.0 * part), slope, 1e-5 * fabs(at->energy[i]));
                }
                free(at);
                free(given);
                free(less);
                free(more);
            }
}

// Where densities are negative, vanish or cancel, as in a vacuum.
static void nothing_is_lost_in_a_vacuum(pv_device *device)
{
    for (int f = 0; f < FUNCTIONALS; f++)
        for (int spins = 1; spins <= 2; spins++) {
            const pv_xc_terms terms = terms_of(f);
            points *p = random_points(spins, -13.0);
            for (int64_t i = 0; i < POINTS; i++) {
                double *up = &p->density[i], *down = &p->density[POINTS + i];
                if (uniform(20, i) < 0.5) *up = -*up;
                if (uniform(21, i) < 0.5) *down = -*down;
                if (i % 3 == 0) *down = -*up * (1.0 + exponential(-16.0, 0.0, 22, i));
                if (i % 100 == 0) *up = *down = 0.0;
            }
            evaluate(device, &terms, spins, p);
            for (int64_t i = 0; i < POINTS; i++) {
                assert_true(isfinite(p->energy[i]));
                for (int s = 0; s < spins; s++) assert_true(isfinite(p->potential[s * POINTS + i]));
                for (int d = 0; d < 3 * spins; d++) assert_true(isfinite(p->gradient[d * POINTS + i]));
            }
            free(p);
        }
}

// A point that has changed seven times lacks the correction from then on.
static void settles(pv_device *device)
{
    const pv_xc_terms terms = terms_of(2);
    points *p = random_points(1, -2.0);
    const double counted = 1e-4, flat = 1e-6;
    for (int step = 0; step < 12; step++) {
        p->density[0] = 0.01;
        p->gradient[0] = step % 2 == 0 ? counted : flat;
        p->gradient[POINTS] = p->gradient[2 * POINTS] = 0.0;
        evaluate(device, &terms, 1, p);
        assert_int_equal(p->gradient[0] != 0.0, step % 2 == 0 && step <= 6);
    }
    free(p);
}

OVER_DEVICES(agrees_with_libxc)
OVER_DEVICES(derivatives_are_slopes)
OVER_DEVICES(nothing_is_lost_in_a_vacuum)
OVER_DEVICES(settles)
PV_TEST_MAIN(OVER_DEVICES_TEST(agrees_with_libxc), OVER_DEVICES_TEST(derivatives_are_slopes),
             OVER_DEVICES_TEST(nothing_is_lost_in_a_vacuum),
             OVER_DEVICES_TEST(settles))
