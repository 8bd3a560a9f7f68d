// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2
// devices: cuda
// Rows and columns in one visit to memory, asked for by the tuner's candidate or by wisdom, against cuFFT and there and
// back; also replayed from the graphs that short programs become.
#include "harness.h"

#include <math.h>
#include <unistd.h>

#include <parseval/parseval.h>

#include "base/file_replace.h"
#include "fft/plan/plan.h"
#include "fft/plan/request.h"
#include "fft/transfer/workspace.h"
#include "fft_case.h"
#include "over_transports.h"

static const int64_t shapes[][3] = {{64, 256, 256}, {13, 512, 512}, {3, 512, 512}, {4, 1024, 1024}};

enum { SHAPES = sizeof shapes / sizeof *shapes, TURNS = 3 };

// The plan of a run, made anew with a candidate's planes.
static void plan_again(const fft_case *c, int planes, fft_run *run)
{
    pv_candidate candidate = {.planes = planes, .chunks = 1};
    pv_plan_request request = {c->comm, c->shape, c->type, c->precision, &c->options, NULL};
    const int ranks = pv_comm_size(c->comm);
    int node[2] = {0, 0};
    if (ranks > 1) candidate.copy_groups = 1;
    pv_fft_plan_destroy(run->plan);
    run->plan = NULL;
    assert_ok(pv_request_check(&request));
    assert_ok(pv_workspace_nodes(c->comm, node));
    request.node = node;
    const pv_problem problem = pv_problem_make(c->shape, c->type, c->precision, c->options.batch, ranks);
    assert_ok(pv_route_choose(&problem, c->options.decomposition, c->options.grid, &candidate.route));
    assert_ok(pv_plan_build(&request, &candidate, &run->plan));
}

static double distance(const fft_case *c, const array *a, const array *b)
{
    double sums[2] = {0, 0};
    const int64_t count = (int64_t)(a->bytes / (2 * pv_real_bytes(c->precision)));
    for (int64_t i = 0; i < count; i++) {
        const double complex x = array_get(a, i), y = array_get(b, i);
        sums[0] += creal((x - y) * conj(x - y));
        sums[1] += creal(y * conj(y));
    }
    assert_ok(pv_comm_reduce_f64(c->comm, PV_SUM, 2, sums));
    return sqrt(sums[0] / (sums[1] > 0 ? sums[1] : 1)) / array_epsilon(c->precision);
}

static void check_near(const fft_case *c, const char *what, double error)
{
    char text[FFT_CASE_TEXT];
    if (error <= 2 * fft_case_limit(c)) return;
    fft_case_describe(c, text);
    fail_msg("%s: %s %.3g eps apart", text, what, error);
}

static void check_run(const fft_case *c, fft_run *run)
{
    fft_case cufft = *c;
    cufft.options.engine = "cufft";
    fft_run other;
    fft_run_open(&cufft, &other);
    for (uint64_t turn = 0; turn < TURNS; turn++) {
        const uint64_t seed = 300 + turn;
        array_fill(&run->space, field_random, &seed);
        array_fill(&other.space, field_random, &seed);
        assert_ok(fft_run_forward(c, run));
        assert_ok(fft_run_forward(&cufft, &other));
        check_near(c, "from cuFFT's", distance(c, &run->spectrum, &other.spectrum));
        assert_ok(fft_run_inverse(c, run));
        check_near(c, "there and back", fft_case_error(c, &run->space, 1 / fft_case_points(c), field_random, &seed));
    }
    assert_ok(pv_comm_barrier(c->comm));
    fft_run_close(&cufft, &other);
}

static void check_case(const fft_case *c)
{
    fft_run run;
    fft_run_open(c, &run);
    plan_again(c, PV_PLANES_FUSED, &run);
    check_run(c, &run);
    fft_run_close(c, &run);
}

static void fused_planes_are_cuffts(void **state)
{
    (void)state;
    if (!test_device()) pv_test_skip("needs a GPU");
    pv_device *device = test_device_open("cpu:1");
    for (int t = 0, tried = 0; t < TRANSPORT_CASES; t++) {
        pv_comm *comm = NULL;
        if (transport_cases[t].node_size > 0 || strcmp(transport_cases[t].transport, "mpi") == 0) continue;
        if ((tried > 0 && pv_test_size() == 1) || !transport_open(t, device, &comm)) continue; // alone all are alike
        tried++;
        for (int i = 0; i < 2 * SHAPES; i++) {
            fft_case c = {.comm = comm,
                          .transport = transport_cases[t].text,
                          .type = PV_C2C,
                          .precision = i % 2 ? PV_FP32 : PV_FP64,
                          .options = pv_fft_options_defaults(),
                          .in_place = i / 2 % 2};
            memcpy(c.shape, shapes[i / 2], sizeof c.shape);
            if (c.shape[0] == 3) c.options.batch = 2;
            check_case(&c);
        }
        pv_comm_close(comm);
    }
    pv_device_close(device);
}

// ---- Wisdom ---------------------------------------------------------------------------------------------------------

// The lines of the file that tell of plans of this shape say this instead.
static void rewrite_wisdom(const char *path, const char *shape, const char *value)
{
    enum { SIZE = 1 << 16 };
    static char text[SIZE];
    char line[1024], key[32];
    size_t used = 0;
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    snprintf(key, sizeof key, "plan %s ", shape);
    while (fgets(line, sizeof line, in) && used < SIZE / 2 && line[0] != '[') {
        char *end = strstr(line, " = ");
        const int is_meant = end && strncmp(line, key, strlen(key)) == 0;
        if (is_meant) end[3] = '\0';
        used += (size_t)snprintf(text + used, SIZE - used, "%s%s", line, is_meant ? value : "");
    }
    fclose(in);
    snprintf(text + used, SIZE - used, "[engines]\n");
    assert_ok(pv_file_replace(path, text));
}

// A plan is measured, which tries this way beside others; then wisdom says that it was the fastest.
static void wisdom_may_choose_fused_planes(void **state)
{
    (void)state;
    if (!test_device()) pv_test_skip("needs a GPU");
    pv_device *device = test_device_open("cpu:1");
    int t = TRANSPORT_CASES;
    pv_comm *comm = NULL;
    while (!transport_open(--t, device, &comm)) continue;
    char path[64], value[128];
    snprintf(path, sizeof path, "/tmp/parseval-fused-%d", (int)getpid());
    snprintf(value, sizeof value, "decomposition 1 grid 0x0 chunks 1 stream 0 planes %d groups %d early 0\n",
             PV_PLANES_FUSED, pv_comm_size(comm) > 1);
    assert_ok(pv_comm_broadcast(comm, 0, sizeof path, path));
    fft_case c = {.comm = comm, .transport = transport_cases[t].text, .shape = {13, 256, 256}, .type = PV_C2C,
                  .precision = PV_FP32, .options = pv_fft_options_defaults()};
    c.options.rigor = PV_MEASURE;
    fft_run run;
    fft_run_open(&c, &run);
    check_run(&c, &run);
    fft_run_close(&c, &run);
    assert_ok(pv_wisdom_save(comm, path));
    if (pv_comm_rank(comm) == 0) rewrite_wisdom(path, "13x256x256", value);
    assert_ok(pv_wisdom_load(comm, path));
    fft_run_open(&c, &run);
    assert_int_equal(run.plan->candidate.planes, PV_PLANES_FUSED);
    check_run(&c, &run);
    fft_run_close(&c, &run);
    assert_ok(pv_comm_barrier(comm));
    if (pv_comm_rank(comm) == 0) remove(path);
    pv_comm_close(comm);
    pv_device_close(device);
}

PV_TEST_MAIN(PV_TEST(fused_planes_are_cuffts), PV_TEST(wisdom_may_choose_fused_planes))
