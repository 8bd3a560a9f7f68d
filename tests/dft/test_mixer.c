// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2
#include "dft/solve/mixer.h"

#include <math.h>
#include <stdlib.h>

#include "comm/apart.h"
#include "device/array.h"
#include "fixture.h"

static const int64_t shape[3] = {12, 12, 12};

// The density that a density makes: linear, with a response that differs between waves, so that plain mixing with the
// same amount diverges.
static void respond(const pv_grid *grid, int spins, const double _Complex *in, double _Complex *out)
{
    for (int64_t i = 0; i < spins * grid->waves; i++) {
        const int64_t g = i % grid->waves;
        const double _Complex solution = g == grid->zero ? 0.3 : CMPLX(0.1, 0.02) / (1.0 + grid->g2[g]);
        const double slope = g == grid->zero ? 0.0 : -8.0 / (1.0 + grid->g2[g]) - 0.5 * sin(7.0 * grid->g2[g]);
        out[i] = solution + slope * (in[i] - solution);
    }
}

// Where the mixer works, or the host.
typedef struct densities {
    pv_device *device;
    size_t bytes;
    double _Complex *in, *out;
} densities;

static densities densities_on(pv_device *device, int64_t length)
{
    densities d = {device, (size_t)length * sizeof *d.in, NULL, NULL};
    assert_ok(PV_ARRAY(device, "a density", length, &d.in));
    assert_ok(PV_ARRAY(device, "a density", length, &d.out));
    return d;
}

static void densities_destroy(const densities *d)
{
    pv_array_destroy(d->device, d->in);
    pv_array_destroy(d->device, d->out);
}

// device: of the mixer; NULL: that of the grid.
static double iterate_on(const fixture *f, pv_device *device, int spins, int history, double kerker_bohr, int steps)
{
    const double at[1][3] = {{0.0, 0.0, 0.0}};
    pv_cell *cell = make_cell(skewed_lattice, "He", 1, at);
    pv_grid *grid;
    pv_dense *dense;
    pv_mixer *mixer;
    assert_ok(pv_grid_create(f->comm, cell, shape, 9.0, "auto", &grid));
    assert_ok(pv_dense_open(f->comm, &dense));
    const pv_mixer_damping damping = {0.6, kerker_bohr, 0.6, kerker_bohr};
    pv_grid there = *grid;
    if (device) there.device = device, there.stream = pv_device_stream(device);
    assert_ok(pv_mixer_create(&there, dense, spins, history, &damping, &mixer));
    const densities here = densities_on(grid->device, spins * grid->waves);
    const densities mixed = densities_on(there.device, spins * grid->waves);
    if (grid->zero >= 0)
        for (int s = 0; s < spins; s++) here.in[s * grid->waves + grid->zero] = 0.3;
    double distance;
    for (int step = 0;; step++) {
        respond(grid, spins, here.in, here.out);
        assert_ok(pv_array_write(there.device, mixed.in, here.in, here.bytes));
        assert_ok(pv_array_write(there.device, mixed.out, here.out, here.bytes));
        assert_ok(pv_mixer_distance(mixer, mixed.in, mixed.out, &distance));
        if (step == steps) break;
        assert_ok(pv_mixer_mix(mixer, mixed.in, mixed.out));
        assert_ok(pv_array_read(there.device, mixed.in, here.in, here.bytes));
    }
    for (int s = 0; grid->zero >= 0 && s < spins; s++)
        assert_near(creal(here.in[s * grid->waves + grid->zero]), 0.3, 1e-12); // electrons are neither lost nor made
    densities_destroy(&here);
    densities_destroy(&mixed);
    pv_mixer_destroy(mixer);
    pv_dense_close(dense);
    pv_grid_destroy(grid);
    pv_cell_destroy(cell);
    return distance;
}

static double iterate(const fixture *f, int spins, int history, double kerker_bohr, int steps)
{
    return iterate_on(f, NULL, spins, history, kerker_bohr, steps);
}

static void pulay_converges_where_plain_mixing_does_not(void **state)
{
    (void)state;
    fixture f = fixture_open();
    for (int spins = 1; spins <= 2; spins++) {
        const double start = iterate(&f, spins, 1, 0.0, 0);
        assert_true(iterate(&f, spins, 1, 0.0, 20) > start);
        assert_true(iterate(&f, spins, 10, 0.0, 30) < 1e-8 * start);
        assert_true(iterate(&f, spins, 10, 0.8, 30) < 1e-8 * start);
    }
    fixture_close(&f);
}

// Densities come and go where the host's memory is not the device's.
static void a_device_apart_mixes_alike(void **state)
{
    (void)state;
    fixture f = fixture_open();
    pv_device *device = apart_open();
    for (int spins = 1; spins <= 2; spins++) {
        const double here = iterate(&f, spins, 4, 0.8, 9);
        assert_near(iterate_on(&f, device, spins, 4, 0.8, 9), here, 1e-12 * here);
    }
    pv_device_close(device);
    fixture_close(&f);
}

static void options_out_of_range_are_refused(void **state)
{
    (void)state;
    fixture f = fixture_open();
    pv_mixer *mixer = NULL;
    const pv_mixer_damping damping = {0.6, 0.0, 0.6, 0.0}, backwards = {-1.0, 0.0, 0.6, 0.0};
    assert_fails(PV_ERR_ARGUMENT, pv_mixer_create(NULL, NULL, 1, 0, &damping, &mixer));
    assert_fails(PV_ERR_ARGUMENT, pv_mixer_create(NULL, NULL, 1, 8, &backwards, &mixer));
    assert_null(mixer);
    fixture_close(&f);
}

// A magnet: the mean moment that comes out saturates, and that of zero is no stable state, though it is one.
static double moment_of(double moment) { return 0.2 * tanh(6.0 * moment); }

static void a_magnet_keeps_its_moment(void **state)
{
    (void)state;
    fixture f = fixture_open();
    const double at[1][3] = {{0.0, 0.0, 0.0}};
    const pv_mixer_damping damping = {0.8, 0.0, 0.8, 0.0};
    pv_cell *cell = make_cell(skewed_lattice, "He", 1, at);
    pv_grid *grid;
    pv_dense *dense;
    pv_mixer *mixer;
    assert_ok(pv_grid_create(f.comm, cell, shape, 9.0, "auto", &grid));
    assert_ok(pv_dense_open(f.comm, &dense));
    assert_ok(pv_mixer_create(grid, dense, 2, 10, &damping, &mixer));
    const int64_t waves = grid->waves, zero = grid->zero;
    double _Complex *in = calloc((size_t)(2 * waves + 1), sizeof *in),
                    *out = calloc((size_t)(2 * waves + 1), sizeof *out);
    double distance = 1.0, moment = 0.02;
    if (zero >= 0) in[zero] = 0.5 + 0.5 * moment, in[waves + zero] = 0.5 - 0.5 * moment;
    for (int step = 0; step < 40 && distance > 1e-16; step++) {
        respond(grid, 2, in, out);
        if (zero >= 0) {
            moment = moment_of(creal(in[zero] - in[waves + zero]));
            out[zero] = 0.5 + 0.5 * moment, out[waves + zero] = 0.5 - 0.5 * moment;
        }
        assert_ok(pv_mixer_distance(mixer, in, out, &distance));
        assert_ok(pv_mixer_mix(mixer, in, out));
    }
    assert_true(distance <= 1e-16);
    if (zero >= 0) assert_true(moment > 0.1);
    free(in), free(out);
    pv_mixer_destroy(mixer);
    pv_dense_close(dense);
    pv_grid_destroy(grid);
    pv_cell_destroy(cell);
    fixture_close(&f);
}

PV_TEST_MAIN(PV_TEST(pulay_converges_where_plain_mixing_does_not), PV_TEST(a_device_apart_mixes_alike),
             PV_TEST(a_magnet_keeps_its_moment),
             PV_TEST(options_out_of_range_are_refused))
