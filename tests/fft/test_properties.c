// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3 4 7
// long ranks: 8
// devices: cuda
// What a Fourier transform is, without another one to compare with: linear, an impulse becomes a wave, a shift turns
// phases, and energy stays.
#include "harness.h"

#include <math.h>
#include <stdio.h>

#include <parseval/parseval.h>

#include "engine_thrown.h"
#include "fft_case.h"
#include "over_transports.h"

static const int64_t shapes[][3] = {{1, 1, 97}, {100, 1, 7}, {30, 31, 2}, {3, 5, 129}, {16, 16, 16}, {11, 12, 13}};

enum { SHAPES = sizeof shapes / sizeof *shapes };

// exp(-2 pi i sum k p / n), the index reduced exactly.
static double complex wave(const int64_t k[3], const int64_t p[3], const int64_t shape[3])
{
    double turns = 0;
    for (int axis = 0; axis < 3; axis++) turns += (double)(k[axis] * p[axis] % shape[axis]) / (double)shape[axis];
    double angle = -6.283185307179586 * (turns - floor(turns));
    return cos(angle) + I * sin(angle);
}

typedef struct place {
    int64_t point[3], shape[3];     // shape in real space
    uint64_t seed;
} place;

static double complex field_impulse(const void *context, int64_t item, const int64_t point[3], const int64_t shape[3])
{
    const place *at = context;
    (void)item, (void)shape;
    return point[0] == at->point[0] && point[1] == at->point[1] && point[2] == at->point[2];
}

static double complex field_wave(const void *context, int64_t item, const int64_t k[3], const int64_t shape[3])
{
    const place *at = context;
    (void)item, (void)shape;
    return wave(k, at->point, at->shape);
}

static double complex field_shifted(const void *context, int64_t item, const int64_t point[3], const int64_t shape[3])
{
    const place *by = context;
    int64_t from[3];
    for (int axis = 0; axis < 3; axis++) from[axis] = (point[axis] - by->point[axis] + shape[axis]) % shape[axis];
    return field_random(&by->seed, item, from, shape);
}

static double complex field_sum(const void *context, int64_t item, const int64_t point[3], const int64_t shape[3])
{
    const uint64_t *seeds = context;
    return 0.75 * field_random(&seeds[0], item, point, shape) - 1.5 * field_random(&seeds[1], item, point, shape);
}

static void transform(const fft_case *c, fft_run *run, field values, const void *context)
{
    array_fill(&run->space, values, context);
    assert_ok(fft_run_forward(c, run));
}

static void *copy_of(const array *a)
{
    void *copy = NULL;
    assert_ok(pv_mem_alloc(a->bytes, 1, &copy));
    if (a->bytes > 0) memcpy(copy, a->data, a->bytes);
    return copy;
}

static void assert_small(const fft_case *c, const char *what, double error)
{
    double limit = 4 * fft_case_limit(c);       // three transforms meet, and their sum may be small
    if (error <= limit) return;
    char text[FFT_CASE_TEXT];
    fft_case_describe(c, text);
    fail_msg("%s: %s off by %.3g eps, accepted %.3g", text, what, error, limit);
}

// What the spectrum of a sum or of a shifted field should be, point by point, from spectra at hand.
typedef double complex (*expectation)(const array *first, const array *second, int64_t at, const int64_t k[3],
                                      const place *by);

static double complex expect_sum(const array *first, const array *second, int64_t at, const int64_t k[3],
                                 const place *by)
{
    (void)k, (void)by;
    return 0.75 * array_get(first, at) - 1.5 * array_get(second, at);
}

static double complex expect_shift(const array *first, const array *second, int64_t at, const int64_t k[3],
                                   const place *by)
{
    (void)second;
    return array_get(first, at) * wave(k, by->point, by->shape);
}

static double distance(const fft_case *c, const array *found, const array *first, const array *second,
                       expectation expected, const place *by)
{
    double sums[2] = {0, 0};
    int64_t k[3], count = pv_box_count(&found->box);
    for (int64_t i = 0; i < count; i++) {
        array_point(found, i, k);
        int64_t at = array_at(found, 0, k);
        double complex value = expected(first, second, at, k, by), off = array_get(found, at) - value;
        sums[0] += creal(off) * creal(off) + cimag(off) * cimag(off);
        sums[1] += creal(value) * creal(value) + cimag(value) * cimag(value);
    }
    assert_ok(pv_comm_reduce_f64(c->comm, PV_SUM, 2, sums));
    return sqrt(sums[0] / sums[1]) / array_epsilon(c->precision);
}

// Sum of |u|^2 over all ranks; coefficients that stand for their conjugate too count twice.
static double energy(const fft_case *c, const array *a)
{
    long double exact = 0;
    int64_t point[3], count = pv_box_count(&a->box), last = c->shape[2];
    for (int64_t i = 0; i < count; i++) {
        array_point(a, i, point);
        double complex value = array_get(a, array_at(a, 0, point));
        int alone = c->type == PV_C2C || !a->is_complex || point[2] == 0 || 2 * point[2] == last;
        exact += (alone ? 1 : 2) * (creal(value) * creal(value) + cimag(value) * cimag(value));
    }
    double sum = (double)exact;
    assert_ok(pv_comm_reduce_f64(c->comm, PV_SUM, 1, &sum));
    return sum;
}

static void check_case(const fft_case *c, dice *d)
{
    static const uint64_t seeds[2] = {11, 12};
    fft_run run;
    fft_run_open(c, &run);
    place at = {.seed = seeds[0]};
    memcpy(at.shape, c->shape, sizeof at.shape);
    for (int axis = 0; axis < 3; axis++) at.point[axis] = dice_throw(d, c->shape[axis]);

    transform(c, &run, field_impulse, &at);
    assert_small(c, "impulse", fft_case_error(c, &run.spectrum, 1, field_wave, &at));

    array first = run.spectrum, second = run.spectrum;
    transform(c, &run, field_random, &seeds[0]);
    double in_space = energy(c, &run.space) * fft_case_points(c), in_spectrum = energy(c, &run.spectrum);
    assert_small(c, "energy", fabs(in_spectrum / in_space - 1) / array_epsilon(c->precision));
    first.data = copy_of(&run.spectrum);
    transform(c, &run, field_random, &seeds[1]);
    second.data = copy_of(&run.spectrum);
    transform(c, &run, field_sum, seeds);
    assert_small(c, "sum", distance(c, &run.spectrum, &first, &second, expect_sum, &at));
    transform(c, &run, field_shifted, &at);
    assert_small(c, "shift", distance(c, &run.spectrum, &first, &second, expect_shift, &at));

    pv_mem_free(first.data);
    pv_mem_free(second.data);
    fft_run_close(c, &run);
}

static void properties_hold(void **state)
{
    (void)state;
    pv_device *device = test_device_open("cpu:1");
    dice d = {.seed = 7};
    for (int t = 0; t < TRANSPORT_CASES; t++) {
        pv_comm *comm = NULL;
        if (!transport_open(t, device, &comm)) continue;
        for (int i = 0; i < SHAPES; i++) {
            for (int type = PV_C2C; type <= PV_R2C; type++) {
                for (int precision = PV_FP64; precision <= PV_FP32; precision++) {
                    fft_case c = {.comm = comm, .transport = transport_cases[t].text, .type = (pv_fft_type)type,
                                  .precision = (pv_precision)precision, .options = pv_fft_options_defaults()};
                    memcpy(c.shape, shapes[i], sizeof c.shape);
                    c.options.engine = engine_thrown(&d, &c);
                    c.options.decomposition = (pv_decomposition)dice_throw(&d, 3);
                    c.options.output = (pv_output)dice_throw(&d, 3);
                    check_case(&c, &d);
                }
            }
        }
        pv_comm_close(comm);
    }
    pv_device_close(device);
}

PV_TEST_MAIN(PV_TEST(properties_hold))
