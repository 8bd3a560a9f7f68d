// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3 4 7
// long ranks: 8
// devices: cuda
// Forward against FFTW and the way back, over transports, types, precisions, decompositions, outputs, engines, batches,
// in and out of place, and layouts of the caller.
#include "harness.h"

#include <math.h>
#include <stdio.h>

#include <parseval/parseval.h>

#include "engine_thrown.h"
#include "fft_case.h"
#include "over_transports.h"
#include "random_boxes.h"
#include "reference.h"

static const int64_t shapes[][3] = {{1, 1, 1},  {1, 1, 2},   {30, 31, 2},  {97, 1, 1}, {1, 97, 1},
                                    {1, 1, 97}, {100, 1, 7}, {33, 34, 35}, {3, 5, 129}, {16, 16, 16},
                                    {2, 101, 97}};

enum { SHAPES = sizeof shapes / sizeof *shapes, SEED = 2024 };

// Largest errors seen, in units of eps log2 N.
typedef struct summary {
    double forward[2], inverse[2];  // by precision
    int cases;
} summary;

static void summary_print(const char *what, const summary *s)
{
    printf("%s: %d cases; largest error in eps log2 N: forward FP64 %.3f FP32 %.3f, round trip FP64 %.3f FP32 %.3f\n",
           what, s->cases, s->forward[PV_FP64], s->forward[PV_FP32], s->inverse[PV_FP64], s->inverse[PV_FP32]);
}

static void note(const fft_case *c, const fft_run *run, const char *what, double error, double *largest)
{
    if (!(error <= fft_case_limit(c))) {
        char text[FFT_CASE_TEXT];
        fft_case_describe(c, text);
        fail_msg("%s: %s error %.3g eps, accepted %.3g, by %s", text, what, error, fft_case_limit(c),
                 pv_fft_plan_text(run->plan));
    }
    double scaled = error / fmax(1, log2(fft_case_points(c)));
    if (scaled > *largest) *largest = scaled;
}

// Collective.
static void assert_untouched(const fft_case *c, const char *what, const array *a, const void *before)
{
    int64_t touched = a->bytes > 0 && memcmp(a->data, before, a->bytes) != 0;
    assert_ok(pv_comm_reduce_i64(c->comm, PV_SUM, 1, &touched));
    if (touched == 0) return;
    char text[FFT_CASE_TEXT];
    fft_case_describe(c, text);
    fail_msg("%s: the %s has changed what it read", text, what);
}

// There and back twice, since the second run finds the workspace used.
static void run_case(const fft_case *c, const reference *r, summary *s)
{
    fft_run run;
    fft_run_open(c, &run);
    void *before = NULL;
    size_t bytes = run.space.bytes > run.spectrum.bytes ? run.space.bytes : run.spectrum.bytes;
    assert_ok(pv_mem_alloc(bytes, 1, &before));
    for (int turn = 0; turn < 2; turn++) {
        array_fill(&run.space, field_table, r->space);
        if (!c->in_place && run.space.bytes > 0) memcpy(before, run.space.data, run.space.bytes);
        assert_ok(fft_run_forward(c, &run));
        if (!c->in_place) assert_untouched(c, "forward transform", &run.space, before);
        double factor = 1 / c->options.scale_forward;
        double error = fft_case_error(c, &run.spectrum, factor, field_table, r->spectrum[c->type]);
        note(c, &run, "forward", error, &s->forward[c->precision]);

        if (!c->in_place && run.spectrum.bytes > 0) memcpy(before, run.spectrum.data, run.spectrum.bytes);
        if (!c->in_place && run.space.bytes > 0) memset(run.space.data, 0xff, run.space.bytes);
        assert_ok(fft_run_inverse(c, &run));
        if (!c->in_place) assert_untouched(c, "inverse transform", &run.spectrum, before);
        factor /= fft_case_points(c) * c->options.scale_inverse;
        error = fft_case_error(c, &run.space, factor, field_table, r->space);
        note(c, &run, "round trip", error, &s->inverse[c->precision]);
    }
    s->cases++;
    pv_mem_free(before);
    fft_run_close(c, &run);
}

static fft_case case_of(pv_comm *comm, int transport, const int64_t shape[3], pv_fft_type type)
{
    fft_case c = {.comm = comm, .transport = transport_cases[transport].text, .type = type};
    memcpy(c.shape, shape, sizeof c.shape);
    c.options = pv_fft_options_defaults();
    c.options.scale_forward = 0.75;
    c.options.scale_inverse = 0.5;
    return c;
}

// Ranks that take turns on few cores are slow, and so are plans on GPUs and whatever sanitizers watch.
static int is_elsewhere(void)
{
    static int64_t next;
    int64_t parts = test_device() ? 3 : pv_test_size() <= 2 ? 2 : pv_test_size() <= 4 ? 3 : 4;
#ifdef PV_DEBUG
    parts *= 4;
#endif
    return case_is_elsewhere(&next, parts);
}

// Every pair of decomposition and output; engine, batch and place are thrown.
static void run_choices(fft_case c, const reference *r, dice *d, summary *s)
{
    for (int precision = PV_FP64; precision <= PV_FP32; precision++) {
        for (int decomposition = PV_DECOMPOSE_SLAB; decomposition <= PV_DECOMPOSE_PENCIL; decomposition++) {
            for (int output = PV_OUTPUT_NATURAL; output <= PV_OUTPUT_TRANSPOSED_AXES; output++) {
                if (is_elsewhere()) continue;
                c.precision = (pv_precision)precision;
                c.options.decomposition = (pv_decomposition)decomposition;
                c.options.output = (pv_output)output;
                c.options.engine = engine_thrown(d, &c);
                c.options.batch = dice_throw(d, 2) ? REFERENCE_BATCH : 1;
                c.options.chunks = (int)dice_throw(d, 4);
                c.in_place = (int)dice_throw(d, 2);
                run_case(&c, r, s);
            }
        }
    }
}

static void matches_fftw(void **state)
{
    (void)state;
    pv_device *device = test_device_open("cpu:1");
    summary s = {0};
    dice d = {.seed = SEED + (uint64_t)pv_test_size()};
    pv_comm *comms[TRANSPORT_CASES];
    transports_open(device, comms);
    for (int i = 0; i < SHAPES; i++) {
        reference r;
        reference_create(shapes[i], SEED, &r);
        for (int t = 0; t < TRANSPORT_CASES; t++)
            for (int type = PV_C2C; type <= PV_R2C && comms[t]; type++)
                run_choices(case_of(comms[t], t, shapes[i], (pv_fft_type)type), &r, &d, &s);
        reference_destroy(&r);
    }
    summary_print("layouts by rule", &s);
    transports_close(comms);
    pv_device_close(device);
}

// Pairs of layouts that a caller might have; NULL leaves the choice to the plan.
enum { LAYOUT_PAIRS = 8 };

static pv_layout *layout_of_caller(int pair, int is_spectrum, dice *d, const int64_t shape[3], int ranks)
{
    pv_layout *layout = NULL;
    switch (2 * pair + is_spectrum) {
    case 0: return layout_on_one(shape, ranks, ranks - 1);
    case 1: return layout_on_one(shape, ranks, 0);
    case 2: return layout_bricks(shape, ranks, -1);
    case 3: return layout_bricks(shape, ranks, 1);
    case 4: return layout_bricks(shape, ranks, 2);
    case 7: return NULL;
    case 8: return NULL;
    case 10: assert_ok(pv_layout_slab(shape, ranks, 2, &layout)); return layout;
    default: return layout_random(d, shape, ranks);
    }
}

static void run_layouts(fft_case c, const reference *r, dice *d, int pairs, summary *s)
{
    int64_t half[3] = {c.shape[0], c.shape[1], c.type == PV_R2C ? c.shape[2] / 2 + 1 : c.shape[2]};
    for (int pair = LAYOUT_PAIRS - pairs; pair < LAYOUT_PAIRS; pair++) {
        if (is_elsewhere()) continue;
        pv_layout *space = layout_of_caller(pair, 0, d, c.shape, pv_test_size());
        pv_layout *spectrum = layout_of_caller(pair, 1, d, half, pv_test_size());
        c.precision = dice_throw(d, 2) ? PV_FP32 : PV_FP64;
        c.options.engine = engine_thrown(d, &c);
        c.options.batch = dice_throw(d, 2) ? REFERENCE_BATCH : 1;
        c.options.space = space;
        c.options.spectrum = spectrum;
        c.in_place = c.type == PV_C2C && dice_throw(d, 2);
        run_case(&c, r, s);
        pv_layout_destroy(space);
        pv_layout_destroy(spectrum);
    }
}

static void layouts_of_the_caller(void **state)
{
    (void)state;
    static const int64_t grids[][3] = {{30, 31, 2}, {9, 10, 11}, {3, 5, 129}, {16, 16, 16},
                                       {1, 12, 13}, {1, 1, 60},  {2, 1, 1}};
    pv_device *device = test_device_open("cpu:1");
    summary s = {0};
    dice d = {.seed = SEED + (uint64_t)pv_test_size()};
    pv_comm *comms[TRANSPORT_CASES];
    transports_open(device, comms);
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        reference r;
        reference_create(grids[i], SEED, &r);
        for (int t = 0; t < TRANSPORT_CASES; t++)
            for (int type = PV_C2C; type <= PV_R2C && comms[t]; type++)
                run_layouts(case_of(comms[t], t, grids[i], (pv_fft_type)type), &r, &d, LAYOUT_PAIRS, &s);
        reference_destroy(&r);
    }
    summary_print("layouts of the caller", &s);
    transports_close(comms);
    pv_device_close(device);
}

// One grid of a size that real plans have, planned with measurement, and with scales.
static void measured_plan(void **state)
{
    (void)state;
    static const int64_t shape[3] = {64, 64, 64};
    pv_device *device = test_device_open(pv_test_size() > 2 ? "cpu:1" : "cpu:2");
    summary s = {0};
    reference r;
    reference_create(shape, SEED, &r);
    int t = TRANSPORT_CASES;
    pv_comm *comm = NULL;
    while (!transport_open(--t, device, &comm)) continue;
    fft_case c = case_of(comm, t, shape, PV_R2C);
    c.options.rigor = PV_MEASURE;
    c.options.scale_forward = 1 / fft_case_points(&c);
    c.options.scale_inverse = 0.5;
    c.options.output = PV_OUTPUT_TRANSPOSED_AXES;
    run_case(&c, &r, &s);
    summary_print("measured", &s);
    reference_destroy(&r);
    pv_comm_close(comm);
    pv_device_close(device);
}

// Lines long enough to be cut over the ranks, one with more than one prime.
static void long_lines(void **state)
{
    (void)state;
    static const int64_t grids[][3] = {{1, 1, 65536}, {1, 1, 77000}};
    pv_device *device = test_device_open("cpu:1");
    summary s = {0};
    dice d = {.seed = SEED + (uint64_t)pv_test_size()};
    pv_comm *comms[TRANSPORT_CASES];
    transports_open(device, comms);
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        reference r;
        reference_create(grids[i], SEED, &r);
        for (int t = 0; t < TRANSPORT_CASES; t++) {
            for (int type = PV_C2C; type <= PV_R2C && comms[t]; type++) {
                if (is_elsewhere()) continue;
                fft_case c = case_of(comms[t], t, grids[i], (pv_fft_type)type);
                c.precision = dice_throw(&d, 2) ? PV_FP32 : PV_FP64;
                c.options.output = (pv_output)dice_throw(&d, 3);
                c.options.engine = engine_thrown(&d, &c);
                c.in_place = (int)dice_throw(&d, 2);
                run_case(&c, &r, &s);
                run_layouts(case_of(comms[t], t, grids[i], (pv_fft_type)type), &r, &d, 2, &s);
            }
        }
        reference_destroy(&r);
    }
    summary_print("long lines", &s);
    transports_close(comms);
    pv_device_close(device);
}

static void several_threads(void **state)
{
    (void)state;
    static const int64_t shape[3] = {12, 14, 15};
    if (pv_test_size() > 2 || test_device()) pv_test_skip("threads run on the host, with one and two ranks");
    pv_device *device = test_device_open("cpu:3");
    summary s = {0};
    dice d = {.seed = SEED + (uint64_t)pv_test_size()};
    reference r;
    reference_create(shape, SEED, &r);
    for (int t = 0; t < TRANSPORT_CASES; t++) {
        pv_comm *comm = NULL;
        if (!transport_open(t, device, &comm)) continue;
        for (int type = PV_C2C; type <= PV_R2C; type++)
            run_choices(case_of(comm, t, shape, (pv_fft_type)type), &r, &d, &s);
        pv_comm_close(comm);
    }
    reference_destroy(&r);
    summary_print("three threads", &s);
    pv_device_close(device);
}

PV_TEST_MAIN(PV_TEST(matches_fftw), PV_TEST(layouts_of_the_caller), PV_TEST(long_lines),
             PV_TEST(measured_plan), PV_TEST(several_threads))
