// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2
// devices: cuda
// A caller records transforms in a CUDA graph of his own and replays it, in turns with transforms that are not
// recorded.
#include "harness.h"

#include <math.h>
#include <stdio.h>

#include <parseval/parseval.h>

#if PV_HAVE_CUDA
#include <parseval/device_cuda.h>
#endif

#include "fft_case.h"
#include "over_transports.h"

#if PV_HAVE_CUDA

static const int64_t shapes[][3] = {{16, 16, 16}, {54, 64, 32}, {30, 31, 8}, {128, 64, 32}};

enum { SHAPES = sizeof shapes / sizeof *shapes, TURNS = 5 };

static void there_and_back(const fft_run *run)
{
    assert_ok(pv_fft_forward(run->plan, array_memory(&run->space), array_memory(&run->spectrum)));
    assert_ok(pv_fft_inverse(run->plan, array_memory(&run->spectrum), array_memory(&run->space)));
}

static cudaGraphExec_t record(const fft_run *run, cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t made;
    assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    there_and_back(run);
    assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    assert_int_equal(cudaGraphInstantiate(&made, graph, 0), cudaSuccess);
    cudaGraphDestroy(graph);
    return made;
}

static void check_case(const fft_case *c)
{
    pv_stream *on = pv_device_stream(pv_comm_device(c->comm));
    cudaStream_t stream = pv_stream_cuda(on);
    fft_run run;
    fft_run_open(c, &run);
    cudaGraphExec_t graph = NULL;
    for (uint64_t turn = 0; turn < TURNS; turn++) {
        const uint64_t seed = 100 + turn;
        array_fill(&run.space, field_random, &seed);
        array_give(&run.space);
        if (turn == 1) graph = record(&run, stream);
        const int is_replayed = turn % 2 == 1;      // twice in a row, so that it overtakes nothing of itself
        if (is_replayed) assert_int_equal(cudaGraphLaunch(graph, stream), cudaSuccess);
        else there_and_back(&run);
        if (is_replayed) assert_int_equal(cudaGraphLaunch(graph, stream), cudaSuccess);
        assert_ok(pv_stream_wait(on));
        array_take(&run.space);
        const double points = fft_case_points(c), factor = is_replayed ? 1 / (points * points) : 1 / points;
        const double error = fft_case_error(c, &run.space, factor, field_random, &seed);
        if (!(error <= 2 * fft_case_limit(c))) {
            char text[FFT_CASE_TEXT];
            fft_case_describe(c, text);
            fail_msg("%s, turn %d: error %.3g eps, by %s", text, (int)turn, error, pv_fft_plan_text(run.plan));
        }
    }
    assert_ok(pv_comm_barrier(c->comm));
    cudaGraphExecDestroy(graph);
    fft_run_close(c, &run);
}

static void check_transport(int t, pv_comm *comm)
{
    for (int i = 0; i < SHAPES; i++)
        for (int type = PV_C2C; type <= PV_R2C; type++)
            for (int chunks = 0; chunks <= 3; chunks += 3) {
                fft_case c = {.comm = comm, .transport = transport_cases[t].text, .type = (pv_fft_type)type,
                              .precision = i % 2 ? PV_FP32 : PV_FP64, .options = pv_fft_options_defaults()};
                memcpy(c.shape, shapes[i], sizeof c.shape);
                c.options.chunks = chunks;
                check_case(&c);
            }
}

static void callers_may_record(void **state)
{
    (void)state;
    if (!test_device()) pv_test_skip("needs GPUs");
    pv_device *device = test_device_open("cpu:1");
    for (int t = 0; t < TRANSPORT_CASES; t++) {
        pv_comm *comm = NULL;
        const int is_staged = strcmp(transport_cases[t].transport, "mpi") == 0; // by the host, which no graph records
        if (is_staged || !transport_open(t, device, &comm)) continue;
        check_transport(t, comm);
        pv_comm_close(comm);
    }
    pv_device_close(device);
}

// What a graph cannot record is refused.
static void the_first_run_is_not_recorded(void **state)
{
    (void)state;
    if (!test_device() || pv_test_size() > 1) pv_test_skip("needs a GPU and one rank");
    pv_device *device = test_device_open("cpu:1");
    pv_comm *comm = NULL;
    assert_ok(pv_comm_open_self(device, &comm));
    fft_case c = {.comm = comm, .transport = "self", .shape = {16, 16, 16}, .options = pv_fft_options_defaults()};
    c.options.engine = "cuda";
    fft_run run;
    fft_run_open(&c, &run);
    cudaStream_t stream = pv_stream_cuda(pv_device_stream(device));
    cudaGraph_t graph = NULL;
    assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    assert_fails(PV_ERR_ARGUMENT,
                 pv_fft_forward(run.plan, array_memory(&run.space), array_memory(&run.spectrum)));
    assert_non_null(strstr(pv_last_error(), "must run once before"));
    assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    cudaGraphDestroy(graph);
    fft_run_close(&c, &run);
    pv_comm_close(comm);
    pv_device_close(device);
}

#else

static void callers_may_record(void **state)
{
    (void)state;
    pv_test_skip("CUDA is not built in");
}

static void the_first_run_is_not_recorded(void **state)
{
    (void)state;
    pv_test_skip("CUDA is not built in");
}

#endif

PV_TEST_MAIN(PV_TEST(callers_may_record), PV_TEST(the_first_run_is_not_recorded))
