// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3 4 7
// devices: cuda
// Transforms whose messages carry half the bits: within the bound that the plan states of what they give without, for
// fields whose values differ by many powers of ten, over transports, types, precisions, batches, chunks and layouts.
#include "harness.h"

#include <math.h>
#include <stdio.h>

#include <parseval/parseval.h>

#include "fft_case.h"
#include "over_transports.h"
#include "random_boxes.h"

static const int64_t shapes[][3] = {{16, 16, 16}, {9, 10, 11}, {30, 31, 2}, {3, 5, 129}, {1, 12, 13}, {1, 1, 65536}};

enum { SHAPES = sizeof shapes / sizeof *shapes, SEED = 31 };

// Largest share of the bound that was used, by precision.
typedef struct summary {
    double used[2];
    int reduced, cases;
} summary;

// Of size 1e-4 to 1e4, from point to point.
static double complex field_wild(const void *context, int64_t item, const int64_t point[3], const int64_t shape[3])
{
    const double size = cabs(field_random(context, item + 100, point, shape)) * 8.0 - 4.0;
    return pow(10.0, size) * field_random(context, item, point, shape);
}

// sums[0] += |a - b|^2, sums[1] += |b|^2 over the values that this rank has.
static void add_difference(const array *a, const array *b, double sums[2])
{
    int64_t count = pv_box_count(&a->box), point[3];
    for (int64_t item = 0; item < a->batch; item++)
        for (int64_t i = 0; i < count; i++) {
            array_point(a, i, point);
            const double complex exact = array_get(b, array_at(b, item, point));
            const double complex off = array_get(a, array_at(a, item, point)) - exact;
            sums[0] += creal(off) * creal(off) + cimag(off) * cimag(off);
            sums[1] += creal(exact) * creal(exact) + cimag(exact) * cimag(exact);
        }
}

static double distance(const fft_case *c, const array *a, const array *b)
{
    double sums[2] = {0, 0};
    add_difference(a, b, sums);
    assert_ok(pv_comm_reduce_f64(c->comm, PV_SUM, 2, sums));
    return sqrt(sums[0] / sums[1]);
}

// Rounding of the two transforms adds to the bound.
static void note(const fft_case *c, const fft_run *run, const char *what, double error, double bound, summary *s)
{
    const double rounding = 4 * fft_case_limit(c) * array_epsilon(c->precision);
    if (!(error <= bound + rounding)) {
        char text[FFT_CASE_TEXT];
        fft_case_describe(c, text);
        fail_msg("%s: %s error %.3g, bound %.3g and rounding %.3g, by %s", text, what, error, bound, rounding,
                 pv_fft_plan_text(run->plan));
    }
    if (bound > 0 && error / bound > s->used[c->precision]) s->used[c->precision] = error / bound;
}

static int64_t sent_bytes(const fft_case *c, const fft_run *run)
{
    int64_t sent = (int64_t)pv_fft_plan_sent_bytes(run->plan);
    assert_ok(pv_comm_reduce_i64(c->comm, PV_SUM, 1, &sent));
    return sent;
}

static void run_case(fft_case c, summary *s)
{
    static const uint64_t seed = SEED;
    fft_run reduced, exact;
    c.options.wire = PV_WIRE_REDUCED;
    fft_run_open(&c, &reduced);
    c.options.wire = PV_WIRE_EXACT;
    fft_run_open(&c, &exact);
    const double bound = pv_fft_plan_wire_bound(reduced.plan);
    assert_true(pv_fft_plan_wire_bound(exact.plan) == 0);
    if (pv_comm_size(c.comm) == 1) assert_true(bound == 0);
    if (bound > 0) {
        s->reduced++;
        assert_true((double)sent_bytes(&c, &reduced) < 0.6 * (double)sent_bytes(&c, &exact) + 64.0 * pv_test_size());
    }
    for (int turn = 0; turn < 2; turn++) {
        array_fill(&reduced.space, field_wild, &seed);
        array_fill(&exact.space, field_wild, &seed);
        assert_ok(fft_run_forward(&c, &reduced));
        assert_ok(fft_run_forward(&c, &exact));
        note(&c, &reduced, "forward", distance(&c, &reduced.spectrum, &exact.spectrum), bound, s);
        if (exact.spectrum.bytes > 0) memcpy(reduced.spectrum.data, exact.spectrum.data, exact.spectrum.bytes);
        assert_ok(fft_run_inverse(&c, &reduced));
        assert_ok(fft_run_inverse(&c, &exact));
        note(&c, &reduced, "inverse", distance(&c, &reduced.space, &exact.space), bound, s);
    }
    s->cases++;
    fft_run_close(&c, &reduced);
    fft_run_close(&c, &exact);
}

static void run_choices(fft_case c, dice *d, summary *s)
{
    const int64_t half[3] = {c.shape[0], c.shape[1], c.type == PV_R2C ? c.shape[2] / 2 + 1 : c.shape[2]};
    // One rank sends nothing, many take turns on few cores.
    const int choices = pv_test_size() == 1 || pv_test_size() > 2 || c.shape[2] > 1000 ? 1 : 3;
    for (int i = 0; i < choices; i++) {
        const int owns_layouts = dice_throw(d, 2) == 0;
        pv_layout *space = owns_layouts ? layout_random(d, c.shape, pv_test_size()) : NULL;
        pv_layout *spectrum = owns_layouts ? layout_random(d, half, pv_test_size()) : NULL;
        c.options.space = space;
        c.options.spectrum = spectrum;
        c.options.batch = dice_throw(d, 2) ? 3 : 1;
        c.options.chunks = (int)dice_throw(d, 4);
        c.options.decomposition = (pv_decomposition)dice_throw(d, 3);
        c.options.output = (pv_output)dice_throw(d, 3);
        run_case(c, s);
        pv_layout_destroy(space);
        pv_layout_destroy(spectrum);
    }
}

static void errors_stay_below_the_bound(void **state)
{
    (void)state;
    pv_device *device = test_device_open("cpu:1");
    dice d = {.seed = SEED + (uint64_t)pv_test_size()};
    summary s = {0};
    int64_t next = 0, parts = pv_test_size() > 2 ? 2 : 1;
#ifdef PV_DEBUG
    parts *= 2;
#endif
    for (int t = 0; t < TRANSPORT_CASES; t++) {
        pv_comm *comm = NULL;
        if (!transport_open(t, device, &comm)) continue;
        for (int i = 0; i < SHAPES; i++)
            for (int type = PV_C2C; type <= PV_R2C; type++)
                for (int precision = PV_FP64; precision <= PV_FP32; precision++) {
                    if (case_is_elsewhere(&next, parts)) continue;
                    fft_case c = {.comm = comm, .transport = transport_cases[t].text, .type = (pv_fft_type)type,
                                  .precision = (pv_precision)precision, .options = pv_fft_options_defaults()};
                    memcpy(c.shape, shapes[i], sizeof c.shape);
                    run_choices(c, &d, &s);
                }
        pv_comm_close(comm);
    }
    printf("%d of %d plans sent less; largest share of the bound: FP64 %.3f, FP32 %.3f\n", s.reduced, s.cases,
           s.used[PV_FP64], s.used[PV_FP32]);
    if (pv_test_size() > 1) assert_true(s.used[PV_FP64] > 0.01 && s.used[PV_FP32] > 0.01);
    pv_device_close(device);
}

// Zero stays zero, what is far below one keeps its digits, and what is no number is none at the other end.
static void extreme_values(void **state)
{
    (void)state;
    static const float values[] = {0.0f, 1e-30f, 3e37f, NAN};
    const int last = pv_test_size() - 1;
    if (last == 0) pv_test_skip("one rank sends nothing");
    pv_device *device = test_device_open("cpu:1");
    pv_comm *comm = NULL;
    assert_true(transport_open(1, device, &comm));
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        fft_case c = {.comm = comm, .transport = "mpi", .shape = {8, 8, 8}, .precision = PV_FP32,
                      .options = pv_fft_options_defaults()};
        c.options.wire = PV_WIRE_REDUCED;
        c.options.scale_forward = 1 / fft_case_points(&c);
        fft_run run;
        fft_run_open(&c, &run);
        float *reals = run.space.data;
        for (size_t k = 0; k < run.space.bytes / sizeof *reals; k++) reals[k] = 0.0f;
        if (pv_comm_rank(comm) == last && run.space.bytes > 0) reals[0] = values[i];
        assert_ok(fft_run_forward(&c, &run));
        const float *found = run.spectrum.data;
        double wrong = 0;
        for (size_t k = 0; k < run.spectrum.bytes / sizeof *found; k += 2) {
            const double size = hypot(found[k], found[k + 1]), expected = (double)values[i] / fft_case_points(&c);
            wrong += isnan(values[i]) ? !isnan(size) : fabs(size - expected) > 1e-3 * expected;
        }
        assert_ok(pv_comm_reduce_f64(comm, PV_SUM, 1, &wrong));
        if (wrong > 0) fail_msg("a field of one value %g: %g coefficients are wrong", (double)values[i], wrong);
        fft_run_close(&c, &run);
    }
    pv_comm_close(comm);
    pv_device_close(device);
}

PV_TEST_MAIN(PV_TEST(errors_stay_below_the_bound), PV_TEST(extreme_values))
