// SPDX-License-Identifier: Apache-2.0
// ranks: 1
// devices: cuda
// Whole cubes in two visits to memory, against cuFFT's plan of three axes and there and back. Arrays are large, so that
// pieces of them are looked at.
#include "harness.h"

#include <math.h>

#include <parseval/parseval.h>

#include "base/mem.h"
#include "base/rng.h"
#include "fft/plan/plan.h"
#include "fft/program/program.h"
#include "test_device.h"

enum { BLOCK = 7654321, PIECES = 512, PIECE = 2048 };

typedef struct cube {
    pv_precision precision;
    int64_t n, batch;
    size_t point_bytes, bytes;
    pv_device *device;
    pv_comm *comm;
    pv_fft_plan *own, *cufft;
} cube;

static double points(const cube *c)
{
    return (double)c->n * (double)c->n * (double)c->n;
}
static double all_points(const cube *c)
{
    return points(c) * (double)c->batch;
}

static pv_fft_plan *plan_of(const cube *c, const char *engine)
{
    const int64_t shape[3] = {c->n, c->n, c->n};
    pv_fft_options options = pv_fft_options_defaults();
    pv_fft_plan *plan = NULL;
    options.engine = engine;
    options.batch = c->batch;
    assert_ok(pv_fft_plan_create(c->comm, shape, PV_C2C, c->precision, &options, &plan));
    return plan;
}

// Random numbers, of a period that no line has.
static void fill(const cube *c, pv_buffer *buffer, uint64_t seed)
{
    const size_t bytes = BLOCK * c->point_bytes;
    double *block;
    assert_ok(pv_mem_alloc(BLOCK, 16, (void **)&block));
    for (int i = 0; i < 2 * BLOCK; i++) {
        const double value = pv_rng_uniform(seed, 0, (uint64_t)i) - 0.5;
        if (c->precision == PV_FP64)
            block[i] = value;
        else
            ((float *)block)[i] = (float)value;
    }
    for (size_t done = 0; done < c->bytes; done += bytes)
        assert_ok(pv_buffer_write(buffer, done, block, c->bytes - done < bytes ? c->bytes - done : bytes));
    pv_mem_free(block);
}

static double value_of(const cube *c, const void *piece, int i)
{
    return c->precision == PV_FP64 ? ((const double *)piece)[i] : ((const float *)piece)[i];
}

// Of scale times what is in a from b, in units of eps.
static double distance(const cube *c, pv_buffer *a, double scale, pv_buffer *b)
{
    static double pieces[2][2 * PIECE];
    double sums[2] = {0, 0};
    for (uint64_t p = 0; p < PIECES; p++) {
        const size_t at = (size_t)(pv_rng_uniform(9, 0, p) * (all_points(c) - PIECE)) * c->point_bytes;
        assert_ok(pv_buffer_read(a, at, pieces[0], PIECE * c->point_bytes));
        assert_ok(pv_buffer_read(b, at, pieces[1], PIECE * c->point_bytes));
        for (int i = 0; i < 2 * PIECE; i++) {
            const double x = scale * value_of(c, pieces[0], i), y = value_of(c, pieces[1], i);
            sums[0] += (x - y) * (x - y);
            sums[1] += y * y;
        }
    }
    return sqrt(sums[0] / sums[1]) / (c->precision == PV_FP64 ? 2.220446049250313e-16 : 1.1920929e-07);
}

static void check(const cube *c, const char *what, double error)
{
    const int bits = c->precision == PV_FP64 ? 64 : 32;
    if (!(error <= 32)) fail_msg("%d^3 FP%d, %s: %.3g eps apart", (int)c->n, bits, what, error);
}

typedef pv_status (*transform)(pv_fft_plan *plan, const void *in, void *out);

static void run(const cube *c, transform of, pv_fft_plan *plan, pv_buffer *in, pv_buffer *out)
{
    assert_ok(of(plan, pv_buffer_data(in), pv_buffer_data(out)));
    assert_ok(pv_stream_wait(pv_device_stream(c->device)));
}

static void check_cube(pv_device *device, int64_t n, int64_t batch, pv_precision precision)
{
    cube c = {.n = n, .batch = batch, .precision = precision, .device = device};
    pv_buffer *arrays[3] = {NULL, NULL, NULL};
    c.point_bytes = precision == PV_FP64 ? 16 : 8;
    c.bytes = (size_t)all_points(&c) * c.point_bytes;
    assert_ok(pv_comm_open_self(device, &c.comm));
    pv_status status = PV_OK;
    for (int i = 0; i < 3 && status == PV_OK; i++) status = pv_buffer_create(device, c.bytes, &arrays[i]);
    if (status == PV_OK) {
        c.own = plan_of(&c, "auto");
        c.cufft = plan_of(&c, "cufft");
        assert_int_equal(c.own->candidate.planes, PV_PLANES_VISITS);
        const transform ways[2] = {pv_fft_forward, pv_fft_inverse};
        for (int d = 0; d < 2; d++) {
            fill(&c, arrays[0], 40 + (uint64_t)d);
            run(&c, ways[d], c.own, arrays[0], arrays[1]);
            run(&c, ways[d], c.cufft, arrays[0], arrays[2]);
            check(&c, "out of place, from cuFFT's", distance(&c, arrays[1], 1, arrays[2]));
            run(&c, ways[1 - d], c.own, arrays[1], arrays[1]);
            check(&c, "there and in place back", distance(&c, arrays[1], 1.0 / points(&c), arrays[0]));
        }
    }
    pv_fft_plan_destroy(c.own);
    pv_fft_plan_destroy(c.cufft);
    for (int i = 0; i < 3; i++) pv_buffer_destroy(arrays[i]);
    pv_comm_close(c.comm);
    if (status == PV_ERR_MEMORY) pv_test_skip("needs a GPU with room for three cubes");
    assert_ok(status);
}

static void cubes_are_cuffts(void **state)
{
    (void)state;
    if (!test_device()) pv_test_skip("needs a GPU");
    pv_device *device = test_device_open("cpu:1");
    check_cube(device, 256, 3, PV_FP32);
    check_cube(device, 256, 2, PV_FP64);
    check_cube(device, 512, 1, PV_FP32);
    pv_device_close(device);
}

PV_TEST_MAIN(PV_TEST(cubes_are_cuffts))
