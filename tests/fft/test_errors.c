// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3 4 7
// long ranks: 8
// devices: cuda
// What is wrong is refused on every rank, with a message that says what, and nobody waits for a rank that has given up.
#include "harness.h"

#include <math.h>
#include <stdio.h>

#include <parseval/parseval.h>

#include "fft_case.h"
#include "over_transports.h"
#include "random_boxes.h"

static const int64_t good_shape[3] = {6, 5, 4};

static int is_last(const pv_comm *comm)
{
    return pv_comm_rank(comm) == pv_comm_size(comm) - 1;
}

static fft_case good_case(pv_comm *comm)
{
    fft_case c = {.comm = comm, .transport = pv_comm_transport(comm), .options = pv_fft_options_defaults()};
    memcpy(c.shape, good_shape, sizeof c.shape);
    return c;
}

// Every rank fails with `expected`, or with PV_ERR_PEER where another rank spoke first, and can say why.
static void assert_refused(const fft_case *c, pv_status expected, const char *why)
{
    pv_fft_plan *plan = (pv_fft_plan *)c;       // must be left alone
    pv_test_mute(1);
    pv_status status = pv_fft_plan_create(c->comm, c->shape, c->type, c->precision, &c->options, &plan);
    pv_test_mute(0);
    assert_ptr_equal(plan, c);
    if (status != expected && status != PV_ERR_PEER)
        fail_msg("%s gave %s, expected %s", why, pv_status_name(status), pv_status_name(expected));
    if (!strstr(pv_last_error(), why)) fail_msg("'%s' does not say '%s'", pv_last_error(), why);
}

static void bad_numbers(pv_comm *comm)
{
    fft_case c = good_case(comm);
    c.shape[1] = 0;
    assert_refused(&c, PV_ERR_SHAPE, "shape 6x0x4: length 1 is 0, must be at least 1");
    c.shape[1] = -5;
    assert_refused(&c, PV_ERR_SHAPE, "length 1 is -5");
    c.shape[0] = c.shape[1] = c.shape[2] = INT64_C(1) << 31;
    assert_refused(&c, PV_ERR_SHAPE, "too many points");
    c.shape[0] = c.shape[1] = INT64_C(1) << 20;
    c.shape[2] = INT64_C(1) << 19;
    assert_refused(&c, PV_ERR_SHAPE, "fewer than 2^59 are accepted");
    c = good_case(comm);
    c.type = (pv_fft_type)7;
    assert_refused(&c, PV_ERR_ARGUMENT, "type 7");
    c = good_case(comm);
    c.precision = (pv_precision)7;
    assert_refused(&c, PV_ERR_ARGUMENT, "precision 7");
    c = good_case(comm);
    c.options.batch = 0;
    assert_refused(&c, PV_ERR_ARGUMENT, "batch 0");
    c = good_case(comm);
    c.options.decomposition = (pv_decomposition)7;
    assert_refused(&c, PV_ERR_ARGUMENT, "decomposition 7");
    c = good_case(comm);
    c.options.output = (pv_output)7;
    assert_refused(&c, PV_ERR_ARGUMENT, "output 7");
    c = good_case(comm);
    c.options.rigor = (pv_rigor)7;
    assert_refused(&c, PV_ERR_ARGUMENT, "rigor 7");
    c = good_case(comm);
    c.options.chunks = -1;
    assert_refused(&c, PV_ERR_ARGUMENT, "-1 chunks");
    c = good_case(comm);
    c.options.scale_inverse = NAN;
    assert_refused(&c, PV_ERR_ARGUMENT, "scale_inverse nan");
    c = good_case(comm);
    c.options.padded = 1;
    assert_refused(&c, PV_ERR_ARGUMENT, "padded rows were asked for with type PV_C2C");
    c = good_case(comm);
    c.options.grid[0] = pv_comm_size(comm) + 1;
    c.options.grid[1] = 1;
    assert_refused(&c, PV_ERR_ARGUMENT, "rows times columns must be the number of ranks");
    c.options.grid[0] = -1;
    c.options.grid[1] = -pv_comm_size(comm);
    assert_refused(&c, PV_ERR_ARGUMENT, "rows times columns must be the number of ranks");
    c.options.grid[0] = 1;
    c.options.grid[1] = pv_comm_size(comm);
    c.options.decomposition = PV_DECOMPOSE_SLAB;
    assert_refused(&c, PV_ERR_ARGUMENT, "it goes with pencils");
}

static void bad_engines(pv_comm *comm)
{
    fft_case c = good_case(comm);
    c.options.engine = "mkl";
    assert_refused(&c, PV_ERR_ARGUMENT, "engine 'mkl' is unknown; known are auto, ");
    c.options.engine = NULL;
    assert_refused(&c, PV_ERR_ARGUMENT, "engine is NULL");
    c.options.engine = "an engine of a very long name";
    assert_refused(&c, PV_ERR_ARGUMENT, "too long a name");
#if PV_HAVE_CUDA
    const int on_host = pv_device_is_host(pv_comm_device(comm));
    c.options.engine = on_host ? "cufft" : "fftw";
    assert_refused(&c, PV_ERR_UNSUPPORTED, on_host ? "engine cufft is for GPUs" : "engine fftw is for the host");
#endif
}

static void bad_layouts(pv_comm *comm)
{
    int ranks = pv_comm_size(comm);
    const int64_t other[3] = {6, 5, 3};
    pv_layout *more = NULL, *shape = NULL, *good = NULL, *split = NULL;
    assert_ok(pv_layout_slab(good_shape, ranks + 1, 0, &more));
    assert_ok(pv_layout_slab(other, ranks, 0, &shape));
    assert_ok(pv_layout_slab(good_shape, ranks, 0, &good));
    assert_ok(pv_layout_slab(good_shape, ranks, 2, &split));

    fft_case c = good_case(comm);
    c.options.space = more;
    assert_refused(&c, PV_ERR_SHAPE, "the space layout is for ");
    c.options.space = shape;
    assert_refused(&c, PV_ERR_SHAPE, "the space layout has shape 6 x 5 x 3, expected 6 x 5 x 4");
    c.options.space = NULL;
    c.type = PV_R2C;
    c.options.spectrum = good;                  // not halved; other is
    assert_refused(&c, PV_ERR_SHAPE, "the spectrum layout has shape 6 x 5 x 4, expected 6 x 5 x 3");
    c.options.spectrum = NULL;
    if (ranks > 1) {
        c.options.padded = 1;
        c.options.space = split;
        assert_refused(&c, PV_ERR_SHAPE, "padded");
        good->boxes[1].lower[0]--;
        c = good_case(comm);
        c.options.space = good;
        assert_refused(&c, PV_ERR_SHAPE, "of rank 0 overlaps box ");
    }
    good->boxes[0].upper[0]++;
    c = good_case(comm);
    c.options.spectrum = good;
    assert_refused(&c, PV_ERR_SHAPE, ranks > 1 ? "overlaps" : "leaves the shape 6x5x4 along axis 0");

    pv_layout_destroy(more);
    pv_layout_destroy(shape);
    pv_layout_destroy(good);
    pv_layout_destroy(split);
}

// One rank passes something else than the others.
static void ranks_disagree(pv_comm *comm)
{
    if (pv_comm_size(comm) == 1) return;
    int odd = is_last(comm);
    fft_case c = good_case(comm);
    c.shape[2] += odd;
    assert_refused(&c, PV_ERR_MISMATCH, "shape[2] = 5, rank 0 passed 4");
    c = good_case(comm);
    c.type = odd ? PV_R2C : PV_C2C;
    assert_refused(&c, PV_ERR_MISMATCH, "type");
    c = good_case(comm);
    c.precision = odd ? PV_FP32 : PV_FP64;
    assert_refused(&c, PV_ERR_MISMATCH, "precision");
    c = good_case(comm);
    c.options.batch = 1 + odd;
    assert_refused(&c, PV_ERR_MISMATCH, "batch");
    c = good_case(comm);
    c.options.output = odd ? PV_OUTPUT_NATURAL : PV_OUTPUT_TRANSPOSED_AXES;
    assert_refused(&c, PV_ERR_MISMATCH, "output");
    c = good_case(comm);
    c.options.engine = odd ? "ref" : "fftw";
    assert_refused(&c, PV_ERR_MISMATCH, "engine = \"ref\", rank 0 passed \"fftw\"");
    c = good_case(comm);
    c.options.scale_forward = odd ? 0.5 : 1;
    assert_refused(&c, PV_ERR_MISMATCH, "scale_forward = 0.5, rank 0 passed 1");
    pv_layout *layout = NULL;
    assert_ok(pv_layout_slab(good_shape, pv_comm_size(comm), odd, &layout));
    c = good_case(comm);
    c.options.space = layout;
    assert_refused(&c, PV_ERR_MISMATCH, "space layout");
    c.options.space = odd ? layout : NULL;
    assert_refused(&c, PV_ERR_MISMATCH, "space layout");
    pv_layout_destroy(layout);
}

// One rank passes nothing where something is needed.
static void one_rank_passes_null(pv_comm *comm)
{
    pv_layout *layout = NULL;
    pv_fft_plan *plan = NULL;
    pv_reshape *reshape = NULL;
    int odd = is_last(comm);
    assert_ok(pv_layout_slab(good_shape, pv_comm_size(comm), 0, &layout));
    pv_test_mute(1);
    pv_status bad_shape = pv_fft_plan_create(comm, odd ? NULL : good_shape, PV_C2C, PV_FP64, NULL, &plan);
    pv_status bad_layout = pv_reshape_create(comm, layout, odd ? NULL : layout, 8, 1, &reshape);
    pv_test_mute(0);
    assert_int_not_equal(bad_shape, PV_OK);
    assert_int_not_equal(bad_layout, PV_OK);
    assert_null(plan);
    assert_null(reshape);
    pv_layout_destroy(layout);
}

static void assert_reshape_refused(pv_comm *comm, const pv_layout *from, const pv_layout *to, size_t bytes,
                                   int64_t batch, pv_status expected, const char *why)
{
    pv_reshape *reshape = NULL;
    pv_test_mute(1);
    pv_status status = pv_reshape_create(comm, from, to, bytes, batch, &reshape);
    pv_test_mute(0);
    assert_null(reshape);
    if (status != expected && status != PV_ERR_PEER)
        fail_msg("%s gave %s, expected %s", why, pv_status_name(status), pv_status_name(expected));
    if (!strstr(pv_last_error(), why)) fail_msg("'%s' does not say '%s'", pv_last_error(), why);
}

static void bad_reshapes(pv_comm *comm)
{
    const int64_t other[3] = {6, 5, 3};
    int ranks = pv_comm_size(comm), odd = is_last(comm);
    pv_layout *slabs = NULL, *shape = NULL, *more = NULL;
    assert_ok(pv_layout_slab(good_shape, ranks, 0, &slabs));
    assert_ok(pv_layout_slab(other, ranks, 0, &shape));
    assert_ok(pv_layout_slab(good_shape, ranks + 2, 0, &more));
    assert_reshape_refused(comm, slabs, slabs, 12, 1, PV_ERR_ARGUMENT,
                           "elements of 12 bytes, accepted are 4, 8 and 16");
    assert_reshape_refused(comm, slabs, slabs, 8, 0, PV_ERR_ARGUMENT, "batch 0");
    assert_reshape_refused(comm, slabs, shape, 8, 1, PV_ERR_SHAPE, "has shape 6 x 5 x 3, expected 6 x 5 x 4");
    assert_reshape_refused(comm, more, slabs, 8, 1, PV_ERR_SHAPE, "layout is for ");
    if (ranks > 1) {
        assert_reshape_refused(comm, slabs, slabs, odd ? 8 : 16, 1, PV_ERR_MISMATCH, "element_bytes");
        assert_reshape_refused(comm, slabs, slabs, 8, 1 + odd, PV_ERR_MISMATCH, "batch");
        assert_reshape_refused(comm, slabs, odd ? slabs : shape, 8, 1, PV_ERR_MISMATCH,
                               "passed another target layout than rank 0");
        assert_non_null(strstr(pv_last_error(), "pv_reshape_create"));
    }
    pv_layout_destroy(slabs);
    pv_layout_destroy(shape);
    pv_layout_destroy(more);
}

// Far beyond any memory: refused before tables, planes and workspaces of that size are tried, also where none is
// needed.
static void no_memory(pv_comm *comm)
{
    if (test_device()) return;          // of GPUs the driver tells when there is no more
    fft_case c = good_case(comm);
    c.options.batch = INT64_C(1) << 34;
    assert_refused(&c, PV_ERR_MEMORY, "batch 17179869184, takes 3.299e+04 GB");
    c = good_case(comm);
    c.options.defer_workspace = 1;
    c.shape[0] = c.shape[1] = 1 << 20;
    c.shape[2] = 1 << 10;
    assert_refused(&c, PV_ERR_MEMORY, "takes 1.801e+07 GB");
    pv_workspace *workspace = NULL;
    pv_test_mute(1);
    pv_status status = pv_workspace_create(comm, (size_t)1 << 50, &workspace);
    pv_test_mute(0);
    assert_null(workspace);
    assert_int_equal(status, PV_ERR_MEMORY);
}

static void keep(void *context, const pv_fft_points *points)
{
    (void)context, (void)points;
}

static void misuse_of_a_plan(pv_comm *comm)
{
    fft_case c = good_case(comm);
    c.options.defer_workspace = 1;
    fft_run run;
    fft_run_open(&c, &run);
    assert_fails(PV_ERR_ARGUMENT, fft_run_forward(&c, &run));
    assert_non_null(strstr(pv_last_error(), "pv_fft_plan_set_workspace"));
    if (pv_fft_plan_workspace_bytes(run.plan) > 0) {
        pv_workspace *small = NULL;
        assert_ok(pv_workspace_create(comm, 0, &small));
        assert_fails(PV_ERR_ARGUMENT, pv_fft_plan_set_workspace(run.plan, small));
        pv_workspace_destroy(small);
    }
    assert_fails(PV_ERR_ARGUMENT, pv_fft_plan_set_workspace(run.plan, NULL));
    assert_fails(PV_ERR_ARGUMENT, pv_fft_convolve(run.plan, keep, NULL, run.space.data, run.space.data));
    fft_run_close(&c, &run);
    c.options.convolution = 1;
    c.options.defer_workspace = 0;
    fft_run_open(&c, &run);
    // All ranks with points alike: none of them begins.
    if (pv_comm_size(comm) <= 4) {
        assert_fails(PV_ERR_ARGUMENT, pv_fft_forward(run.plan, NULL, array_memory(&run.spectrum)));
        assert_non_null(strstr(pv_last_error(), "`in` is NULL"));
        assert_fails(PV_ERR_ARGUMENT, pv_fft_inverse(run.plan, array_memory(&run.spectrum), NULL));
        assert_non_null(strstr(pv_last_error(), "`out` is NULL"));
    }
    assert_fails(PV_ERR_ARGUMENT, pv_fft_convolve(run.plan, NULL, NULL, run.space.data, run.space.data));
    fft_run_close(&c, &run);
    pv_fft_plan_destroy(NULL);
    pv_reshape_destroy(NULL);
    pv_workspace_destroy(NULL);
}

// Ranks that have none of the points may pass anything.
static void misuse_of_arrays(pv_comm *comm)
{
    fft_case c = good_case(comm);
    fft_run run;
    assert_fails(PV_ERR_ARGUMENT, pv_fft_forward(NULL, &c, &run));
    assert_fails(PV_ERR_ARGUMENT, pv_fft_plan_create(comm, c.shape, c.type, c.precision, NULL, NULL));
    if (pv_comm_size(comm) > 4) return;
    fft_run_open(&c, &run);
    char *space = array_memory(&run.space);
    assert_fails(PV_ERR_ARGUMENT, pv_fft_forward(run.plan, space, space + 16));
    assert_non_null(strstr(pv_last_error(), "begin 16 bytes apart"));
    assert_fails(PV_ERR_ARGUMENT, pv_fft_forward(run.plan, space + 1, array_memory(&run.spectrum)));
    assert_non_null(strstr(pv_last_error(), "divisible by"));
    fft_run_close(&c, &run);
    c.type = PV_R2C;
    fft_run_open(&c, &run);
    assert_fails(PV_ERR_ARGUMENT, pv_fft_forward(run.plan, array_memory(&run.space), array_memory(&run.space)));
    assert_non_null(strstr(pv_last_error(), "not padded"));
    fft_run_close(&c, &run);
}

// The communicator has survived all that.
static void still_works(pv_comm *comm)
{
    static const uint64_t seed = 3;
    fft_case c = good_case(comm);
    fft_run run;
    fft_run_open(&c, &run);
    array_fill(&run.space, field_random, &seed);
    assert_ok(fft_run_forward(&c, &run));
    assert_ok(fft_run_inverse(&c, &run));
    assert_true(fft_case_error(&c, &run.space, 1 / fft_case_points(&c), field_random, &seed) < fft_case_limit(&c));
    fft_run_close(&c, &run);
}

OVER_TRANSPORTS(bad_numbers, still_works)
OVER_TRANSPORTS(bad_engines, still_works)
OVER_TRANSPORTS(bad_layouts, still_works)
OVER_TRANSPORTS(ranks_disagree, still_works)
OVER_TRANSPORTS(one_rank_passes_null, still_works)
OVER_TRANSPORTS(bad_reshapes, still_works)
OVER_TRANSPORTS(no_memory, still_works)
OVER_TRANSPORTS(misuse_of_a_plan, still_works)
OVER_TRANSPORTS(misuse_of_arrays, still_works)

PV_TEST_MAIN(PV_TEST(test_bad_numbers), PV_TEST(test_bad_engines), PV_TEST(test_bad_layouts),
             PV_TEST(test_ranks_disagree), PV_TEST(test_one_rank_passes_null), PV_TEST(test_bad_reshapes),
             PV_TEST(test_no_memory), PV_TEST(test_misuse_of_a_plan),
             PV_TEST(test_misuse_of_arrays))
