// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3 4 7
// long ranks: 8
// devices: cuda
// A convolution is forward, pointwise, inverse, and the pointwise step sees every coefficient of the batch once, under
// its right index.
#include "harness.h"

#include <math.h>
#include <stdio.h>

#include <parseval/parseval.h>

#include "engine_thrown.h"
#include "fft_case.h"
#include "over_transports.h"
#include "reference.h"

static const int64_t shapes[][3] = {{1, 1, 1},   {1, 1, 60},  {1, 12, 13}, {40, 1, 7},
                                    {30, 31, 2}, {9, 10, 11}, {16, 16, 16},
                                    {1, 1, 65536}};

enum { SHAPES = sizeof shapes / sizeof *shapes, SEED = 99 };

// The factor of coefficient k; real and even for real transforms, so that the product has a real inverse.
static double complex factor_of(pv_fft_type type, const int64_t shape[3], int64_t item, const int64_t k[3])
{
    int64_t index[3];
    uint64_t seed = SEED;
    for (int axis = 0; axis < 3; axis++)
        index[axis] = type == PV_R2C && 2 * k[axis] > shape[axis] ? shape[axis] - k[axis] : k[axis];
    double complex value = field_random(&seed, item, index, shape);
    return type == PV_R2C ? creal(value) : value;
}

typedef struct visitor {
    const fft_case *c;
    int64_t half[3];
    int64_t *visits;            // [batch][half]
    int64_t strays;             // indices outside the spectrum
    void *host;                 // room for a rank's share of values that lie on a device
} visitor;

static void multiply(const visitor *v, int64_t item, const int64_t k[3], void *values, int64_t at)
{
    double complex factor = factor_of(v->c->type, v->c->shape, item, k);
    if (v->c->precision == PV_FP64)
        ((double complex *)values)[at] *= factor;
    else
        ((float complex *)values)[at] *= (float complex)factor;
}

static void visit_here(void *context, const pv_fft_points *points)
{
    visitor *v = context;
    for (int64_t i = 0; i < points->lines; i++) {
        for (int64_t j = 0; j < points->count; j++) {
            int64_t k[3];
            int inside = points->batch >= 0 && points->batch < v->c->options.batch;
            for (int axis = 0; axis < 3; axis++) {
                k[axis] = points->start[axis] + i * points->line_step[axis] + j * points->step[axis];
                inside = inside && k[axis] >= 0 && k[axis] < v->half[axis];
            }
            if (!inside) {
                __atomic_fetch_add(&v->strays, 1, __ATOMIC_RELAXED);
                continue;
            }
            int64_t size = v->half[0] * v->half[1] * v->half[2];
            __atomic_fetch_add(&v->visits[points->batch * size + field_index(k, v->half)], 1, __ATOMIC_RELAXED);
            multiply(v, points->batch, k, points->values, i * points->line_stride + j * points->stride);
        }
    }
}

// Values on a device are seen, and multiplied, on the host.
static void visit(void *context, const pv_fft_points *points)
{
    visitor *v = context;
    pv_device *device = pv_comm_device(v->c->comm);
    if (pv_device_is_host(device)) {
        visit_here(context, points);
        return;
    }
    pv_stream *stream = pv_device_stream(device);
    const int64_t last = (points->lines - 1) * points->line_stride + (points->count - 1) * points->stride;
    const size_t bytes = (size_t)(last + 1) * (v->c->precision == PV_FP64 ? 16 : 8);
    pv_fft_points here = *points;
    here.values = v->host;
    assert_ok(pv_stream_copy(stream, here.values, points->values, bytes));
    assert_ok(pv_stream_wait(stream));
    visit_here(context, &here);
    assert_ok(pv_stream_copy(stream, points->values, here.values, bytes));
    assert_ok(pv_stream_wait(stream));
}

// What FFTW makes of it, normalised: [REFERENCE_BATCH][points].
static double complex *expected_create(const int64_t shape[3], pv_fft_type type, const reference *r)
{
    int n[3] = {(int)shape[0], (int)shape[1], (int)shape[2]};
    int64_t half[3] = {shape[0], shape[1], type == PV_R2C ? shape[2] / 2 + 1 : shape[2]}, k[3];
    int64_t points = shape[0] * shape[1] * shape[2], coefficients = half[0] * half[1] * half[2];
    double complex *expected = NULL, *spectrum = NULL;
    double *reals = NULL;
    assert_ok(PV_ALLOC(REFERENCE_BATCH * points, &expected));
    assert_ok(PV_ALLOC(coefficients, &spectrum));
    assert_ok(PV_ALLOC(points, &reals));
    array grid = {.box = {{0, 0, 0}, {half[0], half[1], half[2]}}};
    for (int64_t item = 0; item < REFERENCE_BATCH; item++) {
        double complex *result = expected + item * points;
        for (int64_t i = 0; i < coefficients; i++) {
            array_point(&grid, i, k);
            spectrum[i] = r->spectrum[type][item * coefficients + i] * factor_of(type, shape, item, k) / (double)points;
        }
        fftw_plan plan = type == PV_R2C ? fftw_plan_dft_c2r_3d(n[0], n[1], n[2], spectrum, reals, FFTW_ESTIMATE)
                                        : fftw_plan_dft_3d(n[0], n[1], n[2], spectrum, result, FFTW_BACKWARD,
                                                           FFTW_ESTIMATE);
        assert_non_null(plan);
        fftw_execute(plan);
        fftw_destroy_plan(plan);
        for (int64_t i = 0; i < points && type == PV_R2C; i++) result[i] = reals[i];
    }
    pv_mem_free(spectrum);
    pv_mem_free(reals);
    return expected;
}

static void assert_visited_once(const fft_case *c, visitor *v)
{
    int64_t count = c->options.batch * v->half[0] * v->half[1] * v->half[2], wrong = 0;
    assert_ok(pv_comm_reduce_i64(c->comm, PV_SUM, count, v->visits));
    assert_ok(pv_comm_reduce_i64(c->comm, PV_SUM, 1, &v->strays));
    for (int64_t i = 0; i < count; i++) wrong += v->visits[i] != 1;
    if (wrong == 0 && v->strays == 0) return;
    char text[FFT_CASE_TEXT];
    fft_case_describe(c, text);
    fail_msg("%s: %d of %d coefficients were not visited once, %d had an index outside the spectrum", text, (int)wrong,
             (int)count, (int)v->strays);
}

static double run_case(const fft_case *c, const reference *r, const double complex *expected)
{
    fft_run run;
    fft_run_open(c, &run);
    array out = run.space;
    if (!c->in_place) {
        out.buffer = NULL;
        array_allocate(&out, 0);
        array_place(&out, pv_comm_device(c->comm));
    }
    visitor v = {.c = c, .half = {c->shape[0], c->shape[1], c->type == PV_R2C ? c->shape[2] / 2 + 1 : c->shape[2]}};
    assert_ok(PV_ALLOC(c->options.batch * v.half[0] * v.half[1] * v.half[2], &v.visits));
    assert_ok(PV_ALLOC((v.half[0] + 1) * (v.half[1] + 1) * (v.half[2] + 1) * 16, (char **)&v.host));
    array_fill(&run.space, field_table, r->space);
    array_give(&run.space);
    array_give(&out);
    assert_ok(pv_fft_convolve(run.plan, visit, &v, array_memory(&run.space), array_memory(&out)));
    assert_ok(pv_stream_wait(pv_device_stream(pv_comm_device(c->comm))));
    array_take(&run.space);
    array_take(&out);
    assert_visited_once(c, &v);
    double error = fft_case_error(c, &out, 1 / fft_case_points(c), field_table, expected);
    if (!(error <= 2 * fft_case_limit(c))) {
        char text[FFT_CASE_TEXT];
        fft_case_describe(c, text);
        fail_msg("%s: error %.3g eps, accepted %.3g, by %s", text, error, 2 * fft_case_limit(c),
                 pv_fft_plan_text(run.plan));
    }
    if (!c->in_place) {
        double changed = fft_case_error(c, &run.space, 1, field_table, r->space);
        assert_true(changed == 0);
        array_destroy(&out);
    }
    pv_mem_free(v.visits);
    pv_mem_free(v.host);
    fft_run_close(c, &run);
    return error;
}

static double run_choices(fft_case c, dice *d, const reference *r, const double complex *expected)
{
    int64_t half[3] = {c.shape[0], c.shape[1], c.type == PV_R2C ? c.shape[2] / 2 + 1 : c.shape[2]};
    double largest = 0;
    int choices = c.shape[2] > 1000 ? 1 : 6;
    for (int i = 0; i < choices; i++) {
        // Ranks that take turns on few cores are slow, and so are plans on GPUs.
        if ((pv_test_size() > 2 || test_device()) && dice_throw(d, 2)) continue;
        int owns_layouts = dice_throw(d, 3) == 0;
        c.precision = dice_throw(d, 2) ? PV_FP32 : PV_FP64;
        c.options.engine = engine_thrown(d, &c);
        c.options.batch = dice_throw(d, 2) ? REFERENCE_BATCH : 1;
        c.options.chunks = (int)dice_throw(d, 3);
        c.options.decomposition = (pv_decomposition)dice_throw(d, 3);
        c.options.output = (pv_output)dice_throw(d, 3);
        c.in_place = (int)dice_throw(d, 2) && !(owns_layouts && c.type == PV_R2C);
        pv_layout *space = owns_layouts ? layout_random(d, c.shape, pv_test_size()) : NULL;
        pv_layout *spectrum = owns_layouts ? layout_random(d, half, pv_test_size()) : NULL;
        c.options.space = space;
        c.options.spectrum = spectrum;
        largest = fmax(largest, run_case(&c, r, expected));
        pv_layout_destroy(space);
        pv_layout_destroy(spectrum);
    }
    return largest;
}

static void over_all(const char *device_name)
{
    pv_device *device = test_device_open(device_name);
    dice d = {.seed = SEED + (uint64_t)pv_test_size()};
    double largest = 0;
    pv_comm *comms[TRANSPORT_CASES];
    transports_open(device, comms);
    for (int i = 0; i < SHAPES; i++) {
        reference r;
        reference_create(shapes[i], SEED, &r);
        for (int type = PV_C2C; type <= PV_R2C; type++) {
            double complex *expected = expected_create(shapes[i], (pv_fft_type)type, &r);
            for (int t = 0; t < TRANSPORT_CASES; t++) {
                if (!comms[t]) continue;
                fft_case c = {.comm = comms[t], .transport = transport_cases[t].text, .type = (pv_fft_type)type,
                              .options = pv_fft_options_defaults()};
                c.options.convolution = 1;
                memcpy(c.shape, shapes[i], sizeof c.shape);
                largest = fmax(largest, run_choices(c, &d, &r, expected));
            }
            pv_mem_free(expected);
        }
        reference_destroy(&r);
    }
    printf("largest error %.2f eps\n", largest);
    transports_close(comms);
    pv_device_close(device);
}

static void convolves(void **state)
{
    (void)state;
    over_all("cpu:1");
}

static void convolves_on_threads(void **state)
{
    (void)state;
    if (pv_test_size() > 2 || test_device()) pv_test_skip("threads run on the host, with one and two ranks");
    over_all("cpu:3");
}

PV_TEST_MAIN(PV_TEST(convolves), PV_TEST(convolves_on_threads))
