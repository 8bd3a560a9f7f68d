// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 4 7
// long ranks: 3 8
// devices: cuda
// The same engine gives the same bits, whatever the number of ranks, the transport, the layouts and the chunks: each
// rank transforms the whole grid alone and compares its part. And any engine gives the same over any transport, on
// GPUs in one chunk: in more, cuFFT is given planes where copies can send them, and rows where messages are packed.
#include "harness.h"

#include <math.h>
#include <stdio.h>

#include <parseval/parseval.h>

#include "engine_thrown.h"
#include "fft_case.h"
#include "over_transports.h"
#include "random_boxes.h"

static const int64_t shapes[][3] = {{1, 1, 97},  {60, 1, 7},   {16, 17, 2},  {3, 5, 65},
                                    {9, 14, 15}, {32, 54, 32}, {1, 1, 65536}};

enum { SHAPES = sizeof shapes / sizeof *shapes, BATCH = 2 };

static const uint64_t seed = 4711;

// Elements of `part` whose bits differ from those of `whole`.
static int64_t count_different(const array *part, const array *whole)
{
    size_t element = (part->is_complex ? 2 : 1) * (part->precision == PV_FP64 ? sizeof(double) : sizeof(float));
    int64_t different = 0, count = pv_box_count(&part->box), point[3];
    for (int64_t item = 0; item < part->batch; item++) {
        for (int64_t i = 0; i < count; i++) {
            array_point(part, i, point);
            different += memcmp((char *)part->data + (size_t)array_at(part, item, point) * element,
                                (char *)whole->data + (size_t)array_at(whole, item, point) * element, element) != 0;
        }
    }
    return different;
}

// Collective.
static void assert_same(const fft_case *c, const char *what, const array *part, const array *whole)
{
    int64_t counts[2] = {count_different(part, whole), part->batch * pv_box_count(&part->box)};
    assert_ok(pv_comm_reduce_i64(c->comm, PV_SUM, 2, counts));
    if (counts[0] == 0) return;
    char text[FFT_CASE_TEXT];
    fft_case_describe(c, text);
    fail_msg("%s: %d of %d values of the %s have other bits than on one rank", text, (int)counts[0], (int)counts[1],
             what);
}

// Forward from the random field, back from its spectrum; the two results.
static void there_and_back(const fft_case *c, fft_run *run)
{
    fft_run_open(c, run);
    array_fill(&run->space, field_random, &seed);
    assert_ok(fft_run_forward(c, run));
    if (run->space.bytes > 0) memset(run->space.data, 0, run->space.bytes);
    assert_ok(fft_run_inverse(c, run));
}

static void check_choices(fft_case c, dice *d, const fft_run *alone)
{
    int64_t half[3] = {c.shape[0], c.shape[1], c.type == PV_R2C ? c.shape[2] / 2 + 1 : c.shape[2]};
    int choices = pv_test_size() > 2 ? 2 : 4;       // ranks that take turns on few cores are slow
    for (int i = 0; i < choices; i++) {
        int owns_layouts = i % 2;
        pv_layout *space = owns_layouts ? layout_random(d, c.shape, pv_test_size()) : NULL;
        pv_layout *spectrum = owns_layouts ? layout_random(d, half, pv_test_size()) : NULL;
        c.options.space = space;
        c.options.spectrum = spectrum;
        c.options.decomposition = (pv_decomposition)dice_throw(d, 3);
        c.options.output = (pv_output)dice_throw(d, 3);
        c.options.chunks = (int)dice_throw(d, 4);
        fft_run run;
        there_and_back(&c, &run);
        assert_same(&c, "spectrum", &run.spectrum, &alone->spectrum);
        assert_same(&c, "field", &run.space, &alone->space);
        fft_run_close(&c, &run);
        pv_layout_destroy(space);
        pv_layout_destroy(spectrum);
    }
}

static void check_engine(fft_case c, pv_comm *self, pv_comm *const *comms, dice *d)
{
    fft_run alone;
    fft_case one = c;
    one.comm = self;
    one.transport = "self";
    there_and_back(&one, &alone);
    for (int t = 0; t < TRANSPORT_CASES; t++) {
        if (!comms[t]) continue;
        c.comm = comms[t];
        c.transport = transport_cases[t].text;
        check_choices(c, d, &alone);
    }
    fft_run_close(&one, &alone);
}

// What cuFFT does to a line may depend on how many it is given: on GPUs bits are kept where kernels are ours.
static int keeps_bits(const fft_case *c)
{
    const int is_own = c->shape[2] == 32 || c->shape[2] == 97;
    return !test_device() || (strcmp(c->options.engine, "cuda") == 0 && c->type == PV_C2C && is_own);
}

// Each rank does the work of all once more.
static int64_t parts(void)
{
    return pv_test_size() <= 2 ? 2 : pv_test_size() <= 4 ? 3 : 4;
}

static void bits_do_not_depend_on_ranks(void **state)
{
    (void)state;
    pv_device *device = test_device_open("cpu:1");
    pv_comm *self = NULL, *comms[TRANSPORT_CASES];
    dice d = {.seed = seed + (uint64_t)pv_test_size()};
    int64_t next = 0;
    assert_ok(pv_comm_open_self(device, &self));
    transports_open(device, comms);
    for (int i = 0; i < SHAPES; i++) {
        for (int type = PV_C2C; type <= PV_R2C; type++) {
            int last = shapes[i][2] > 1000 ? PV_FP64 : PV_FP32;     // a long line for its own route, once
            for (int precision = PV_FP64; precision <= last; precision++) {
                fft_case c = {.comm = self, .type = (pv_fft_type)type, .precision = (pv_precision)precision,
                              .options = pv_fft_options_defaults()};
                memcpy(c.shape, shapes[i], sizeof c.shape);
                c.options.batch = BATCH;
                for (int e = 0; pv_engine_at(e); e++) {
                    c.options.engine = pv_engine_at(e)->name;
                    if (!engine_has(pv_engine_at(e), &c) || !keeps_bits(&c)) continue;
                    if (case_is_elsewhere(&next, parts())) continue;
                    check_engine(c, self, comms, &d);
                }
            }
        }
    }
    transports_close(comms);
    pv_comm_close(self);
    pv_device_close(device);
}

// ---- Of the same ranks over other transports ------------------------------------------------------------------------

// Values that differ over all ranks. Collective.
static int64_t compare_transports(fft_case c, pv_comm *const *comms)
{
    fft_case one = c;
    fft_run first = {0};
    int64_t different = 0;
    for (int t = 0; t < TRANSPORT_CASES; t++) {
        if (!comms[t]) continue;
        c.comm = comms[t];
        c.transport = transport_cases[t].text;
        fft_run run;
        there_and_back(&c, &run);
        if (!first.plan) {
            one = c;
            first = run;
            continue;
        }
        int64_t here = count_different(&run.spectrum, &first.spectrum) + count_different(&run.space, &first.space);
        fft_run_close(&c, &run);
        assert_ok(pv_comm_reduce_i64(comms[t], PV_SUM, 1, &here));
        char text[FFT_CASE_TEXT];
        fft_case_describe(&c, text);
        if (here > 0) print_message("%d values differ from those over %s: %s\n", (int)here, one.transport, text);
        different += here;
    }
    fft_run_close(&one, &first);
    return different;
}

static void bits_do_not_depend_on_transports(void **state)
{
    (void)state;
    static const int64_t grids[][3] = {{24, 30, 36}, {32, 54, 32}, {16, 17, 35}, {3, 5, 65}, {1, 1, 65536}};
    if (pv_test_size() == 1) pv_test_skip("one rank sends nothing");
    pv_device *device = test_device_open("cpu:1");
    pv_comm *comms[TRANSPORT_CASES];
    int64_t next = 0, different = 0, cases = 0;
    transports_open(device, comms);
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
        for (int choice = 0; choice < 8; choice++) {
            fft_case c = {.comm = comms[1], .options = pv_fft_options_defaults()};
            memcpy(c.shape, grids[i], sizeof c.shape);
            c.type = choice % 2 ? PV_R2C : PV_C2C;
            c.precision = choice / 2 % 2 ? PV_FP32 : PV_FP64;
            c.options.chunks = choice / 4 && !test_device() ? 2 : 1;
            for (int e = 0; pv_engine_at(e); e++) {
                c.options.engine = pv_engine_at(e)->name;
                if (!engine_has(pv_engine_at(e), &c) || case_is_elsewhere(&next, 2 * parts())) continue;
                different += compare_transports(c, comms);
                cases++;
            }
        }
    print_message("%d cases over all transports\n", (int)cases);
    assert_int_equal(different, 0);
    transports_close(comms);
    pv_device_close(device);
}

PV_TEST_MAIN(PV_TEST(bits_do_not_depend_on_ranks), PV_TEST(bits_do_not_depend_on_transports))
