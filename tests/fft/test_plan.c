// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 7
// long ranks: 4
// devices: cuda
// What surrounds a transform: shared workspaces, what a plan says of itself, and wisdom kept in a file.
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include <parseval/parseval.h>

#include "base/check.h"
#include "base/file_replace.h"
#include "device/device_ops.h"
#include "fft/plan/plan.h"
#include "fft_case.h"
#include "over_transports.h"

static const uint64_t seed = 21;

static fft_case case_of(pv_comm *comm, int64_t n, pv_fft_type type)
{
    return (fft_case){.comm = comm, .transport = pv_comm_transport(comm), .shape = {n, n, n}, .type = type,
                      .options = pv_fft_options_defaults()};
}

static void assert_round_trip(const fft_case *c, fft_run *run)
{
    array_fill(&run->space, field_random, &seed);
    assert_ok(fft_run_forward(c, run));
    assert_ok(fft_run_inverse(c, run));
    assert_true(fft_case_error(c, &run->space, 1 / fft_case_points(c), field_random, &seed) < fft_case_limit(c));
}

// Plans of different size take turns in one workspace; their stores must not meet.
static void plans_share_a_workspace(pv_comm *comm)
{
    fft_case cases[3] = {case_of(comm, 12, PV_C2C), case_of(comm, 7, PV_R2C), case_of(comm, 10, PV_C2C)};
    fft_run runs[3];
    size_t bytes = 0;
    for (int i = 0; i < 3; i++) {
        cases[i].options.defer_workspace = 1;
        cases[i].options.output = (pv_output)i;
        fft_run_open(&cases[i], &runs[i]);
        size_t needed = pv_fft_plan_workspace_bytes(runs[i].plan);
        if (needed > bytes) bytes = needed;
    }
    pv_workspace *workspace = NULL;
    assert_ok(pv_workspace_create(comm, bytes, &workspace));
    assert_true(pv_workspace_bytes(workspace) >= bytes);
    for (int i = 0; i < 3; i++) assert_ok(pv_fft_plan_set_workspace(runs[i].plan, workspace));
    for (int turn = 0; turn < 9; turn++) assert_round_trip(&cases[turn % 3], &runs[turn % 3]);
    for (int i = 0; i < 3; i++) fft_run_close(&cases[i], &runs[i]);
    pv_workspace_destroy(workspace);
}

// One transpose moves all but what a rank keeps.
static void bytes_sent_are_the_least(pv_comm *comm)
{
    int64_t ranks = pv_comm_size(comm), n = 4 * ranks, total = n * n * n * 16;
    for (int output = PV_OUTPUT_NATURAL; output <= PV_OUTPUT_TRANSPOSED_AXES; output++) {
        fft_case c = case_of(comm, n, PV_C2C);
        c.options.output = (pv_output)output;
        c.options.decomposition = PV_DECOMPOSE_SLAB;
        fft_run run;
        fft_run_open(&c, &run);
        int64_t sent = (int64_t)pv_fft_plan_sent_bytes(run.plan);
        assert_ok(pv_comm_reduce_i64(comm, PV_SUM, 1, &sent));
        assert_int_equal(sent, (output == PV_OUTPUT_NATURAL ? 2 : 1) * (total - total / ranks));
        fft_run_close(&c, &run);
    }
}

static void plans_describe_themselves(pv_comm *comm)
{
    fft_case c = case_of(comm, 8, PV_R2C);
    const char *engine = test_device() ? "cufft" : "ref";
    c.options.engine = engine;
    fft_run run;
    fft_run_open(&c, &run);
    assert_round_trip(&c, &run);
    const char *text = pv_fft_plan_text(run.plan);
    assert_non_null(text);
    assert_non_null(strstr(text, engine));
    assert_non_null(strstr(text, pv_comm_transport(comm)));
    fft_run_close(&c, &run);
}

static void assert_refused_everywhere(pv_status expected, pv_status found)
{
    if (found != expected && found != PV_ERR_PEER)
        fail_msg("gave %s, expected %s", pv_status_name(found), pv_status_name(expected));
}

static void wisdom_goes_to_a_file_and_back(pv_comm *comm)
{
    int root = pv_comm_rank(comm) == 0;
    char path[64];
    snprintf(path, sizeof path, "/tmp/parseval-wisdom-%d", (int)getpid());
    assert_ok(pv_comm_broadcast(comm, 0, sizeof path, path));
    assert_ok(pv_wisdom_load(comm, path));      // missing: nothing to learn

    fft_case c = case_of(comm, 6, PV_R2C);
    c.options.rigor = PV_MEASURE;
    fft_run run;
    fft_run_open(&c, &run);
    assert_round_trip(&c, &run);
    assert_ok(pv_wisdom_save(comm, path));
    assert_ok(pv_wisdom_load(comm, path));
    fft_run_close(&c, &run);
    fft_run_open(&c, &run);                     // from wisdom
    assert_round_trip(&c, &run);
    fft_run_close(&c, &run);

    if (root) assert_ok(pv_file_replace(path, "no wisdom at all\n"));
    pv_test_mute(1);
    pv_status status = pv_wisdom_load(comm, path);
    pv_test_mute(0);
    assert_refused_everywhere(PV_ERR_INPUT, status);
    assert_non_null(strstr(pv_last_error(), path));
    if (root) remove(path);

    pv_test_mute(1);
    status = pv_wisdom_save(comm, "/nowhere/to/be/found");
    pv_test_mute(0);
    assert_refused_everywhere(PV_ERR_IO, status);
}

static void read_all(const char *path, char *text, size_t size)
{
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    text[fread(text, 1, size - 1, in)] = '\0';
    fclose(in);
}

#define KEYS "parseval wisdom 1\nline forward 977 fp64 = ref\n"
#define LINES "[engine lines 35]\nlines 1\nfp64 977 977 rader 976\nend\n\n"

// A file that is damaged anywhere teaches nothing, not even what stands before the damage.
static void damaged_wisdom_changes_nothing(pv_comm *comm)
{
    static const char *const texts[] = {
        KEYS "[engines]\n" LINES "[engine fftw 7]\nnothing\n",
        KEYS "[engines]\n" LINES "[engine lines 7]\nnothing\n",
        KEYS "[engines]\n" LINES "[engine fftw 70]\nnothing\n",
        KEYS "[engines]\n" LINES "[engine other 1]\na\n",
        KEYS "line forward 8 fp64 = nonsense\n[engines]\n",
        KEYS "nonsense = ref\n[engines]\n",
        KEYS "line forward 8 fp64\n[engines]\n",
        KEYS "plan 8x8x8 ranks 2 = decomposition 9 grid 0x0 chunks 1 stream 0\n[engines]\n",
        KEYS "plan 8x8x8 ranks 2 = decomposition 1 grid 0x0 chunks 1 stream 0 extra words\n[engines]\n",
        KEYS "plan 8x8x8 ranks 2 = decomposition 2 grid 2x2 chunks 1 stream 0\n[engines]\n",
        KEYS "plan 8x8x8 ranks 2 = decomposition 1 grid 0x0 chunks 1 stream 0 planes 5 groups 1 early 0\n[engines]\n",
        KEYS "rates ranks 1 = copy fast exchange 1e9\n[engines]\n",
        KEYS "\x1b[31m = ref\n[engines]\n", KEYS,
    };
    enum { SIZE = 1 << 18 };
    static char before[SIZE], after[SIZE];
    int root = pv_comm_rank(comm) == 0;
    char path[64], kept[80];
    snprintf(path, sizeof path, "/tmp/parseval-damaged-%d", (int)getpid());
    snprintf(kept, sizeof kept, "%s-kept", path);
    assert_ok(pv_wisdom_save(comm, kept));
    if (root) read_all(kept, before, SIZE);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (root) assert_ok(pv_file_replace(path, texts[i]));
        pv_test_mute(1);
        pv_status status = pv_wisdom_load(comm, path);
        pv_test_mute(0);
        assert_refused_everywhere(PV_ERR_INPUT, status);
        if (root) {
            assert_non_null(strstr(pv_last_error(), path));
            assert_null(strchr(pv_last_error(), 0x1b));
        }
        assert_ok(pv_wisdom_save(comm, kept));
        if (root) read_all(kept, after, SIZE);
        if (root) assert_string_equal(after, before);
    }
    if (root) remove(path);
    if (root) remove(kept);
}

// Only a file that is not there is missing.
static void unreadable_wisdom_is_an_error(pv_comm *comm)
{
    static const char *const paths[] = {"/tmp", "/dev/null/wisdom", "/dev/zero"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        pv_test_mute(1);
        pv_status status = pv_wisdom_load(comm, paths[i]);
        pv_test_mute(0);
        assert_refused_everywhere(PV_ERR_INPUT, status);
        if (pv_comm_rank(comm) == 0) assert_non_null(strstr(pv_last_error(), paths[i]));
    }
}

// Engine `lines` would work on a whole tile of long lines for the few that there are. On any number of ranks alike.
static void few_long_lines_are_fftws(pv_comm *comm)
{
    static const struct {
        int64_t n, batch;
        const char *engine;
    } cases[] = {{10007, 1, "engine fftw"}, {10007, 4, "engine fftw"}, {10007, 8, "engine lines"},
                 {8192, 1, "engine lines"}};
    if (test_device()) return;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int type = PV_C2C; type <= PV_R2C; type++) {
            fft_case c = {.comm = comm, .transport = pv_comm_transport(comm), .shape = {1, 1, cases[i].n},
                          .type = (pv_fft_type)type, .options = pv_fft_options_defaults()};
            c.options.batch = cases[i].batch;
            fft_run run;
            fft_run_open(&c, &run);
            assert_non_null(strstr(pv_fft_plan_text(run.plan), cases[i].engine));
            assert_round_trip(&c, &run);
            fft_run_close(&c, &run);
        }
}

// What is learnt of few lines is kept apart from what is learnt of many.
static void few_lines_have_wisdom_of_their_own(pv_comm *comm)
{
    if (test_device()) return;
    const int root = pv_comm_rank(comm) == 0;
    char path[64], line[80] = "";
    snprintf(path, sizeof path, "/tmp/parseval-few-%d", (int)getpid());
    assert_ok(pv_comm_broadcast(comm, 0, sizeof path, path));
    if (root)
        assert_ok(pv_file_replace(path, "parseval wisdom 1\nline forward 9001 fp64 = fftw\n"
                                        "line forward 9001 fp64 lines 1 = ref\n[engines]\n"));
    assert_ok(pv_wisdom_load(comm, path));
    if (root) remove(path);
    for (int batch = 1; batch <= 16; batch += 15) {
        fft_case c = {.comm = comm, .transport = pv_comm_transport(comm), .shape = {1, 1, 9001},
                      .options = pv_fft_options_defaults()};
        c.options.batch = batch;
        fft_run run;
        fft_run_open(&c, &run);
        const char *forward = strstr(pv_fft_plan_text(run.plan), "forward along");
        assert_non_null(forward);
        snprintf(line, sizeof line, "%.75s", forward);
        assert_non_null(strstr(line, batch == 1 ? "engine ref" : "engine fftw"));
        fft_run_close(&c, &run);
    }
}

// What a file may say of a plan on a GPU, also where there is none.
static void every_way_of_planes_is_known(void **state)
{
    (void)state;
    for (int planes = -1; planes <= PV_PLANES_COUNT; planes++) {
        char value[128];
        snprintf(value, sizeof value, "decomposition 1 grid 0x0 chunks 2 stream 0 planes %d groups 1 early 75", planes);
        assert_int_equal(pv_tune_accepts("plan 512x512x512 c2c fp32 batch 1 ranks 2 transport peer", value),
                         planes >= 0 && planes < PV_PLANES_COUNT);
    }
}

OVER_TRANSPORTS(plans_share_a_workspace, NULL)
OVER_TRANSPORTS(bytes_sent_are_the_least, NULL)
OVER_TRANSPORTS(plans_describe_themselves, NULL)
OVER_TRANSPORTS(wisdom_goes_to_a_file_and_back, NULL)
OVER_TRANSPORTS(damaged_wisdom_changes_nothing, NULL)
OVER_TRANSPORTS(unreadable_wisdom_is_an_error, NULL)
OVER_TRANSPORTS(few_long_lines_are_fftws, NULL)
OVER_TRANSPORTS(few_lines_have_wisdom_of_their_own, NULL)

// ---- Trials without room --------------------------------------------------------------------------------------------

static int allocations, failing; // on this rank: so far, and which of them fails
static pv_status (*allocate)(pv_device *device, size_t bytes, void **data_p);

static pv_status allocate_but_one(pv_device *device, size_t bytes, void **data_p)
{
    if (allocations++ == failing) return pv_fail(PV_ERR_MEMORY, __func__, "no room for %zu bytes", bytes);
    return allocate(device, bytes, data_p);
}

static pv_status measure_with_failure(pv_comm *comm, int number, fft_case *c)
{
    pv_fft_plan *plan = NULL;
    allocations = 0;
    failing = pv_test_rank() == 1 ? number : -1;
    pv_test_mute(1);
    const pv_status status = pv_fft_plan_create(comm, c->shape, c->type, c->precision, &c->options, &plan);
    pv_test_mute(0);
    pv_fft_plan_destroy(plan);
    return status;
}

// A look at the nodes asks for memory once, each trial three times: a workspace and two arrays. Messages are tried in
// several numbers of chunks.
static void trials_without_room_are_passed_over(void **state)
{
    (void)state;
    if (test_device() || pv_test_size() != 2) pv_test_skip("the host's memory and two ranks");
    pv_device *device = test_device_open("cpu:1");
    static pv_device_ops scarce;
    scarce = *device->ops;
    allocate = scarce.alloc;
    scarce.alloc = allocate_but_one;
    device->ops = &scarce;
    pv_comm *comm = NULL;
    pv_comm_options options = pv_comm_options_defaults();
    options.transport = "mpi";
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm));
    fft_case c = case_of(comm, 14, PV_C2C);
    c.options.rigor = PV_MEASURE;
    assert_int_equal(measure_with_failure(comm, 2, &c), pv_test_rank() == 1 ? PV_ERR_MEMORY : PV_ERR_PEER);
    assert_ok(measure_with_failure(comm, 5, &c));
    assert_true(allocations > 9);
    pv_comm_close(comm);
    pv_device_close(device);
}

PV_TEST_MAIN(PV_TEST(test_plans_share_a_workspace), PV_TEST(test_bytes_sent_are_the_least),
             PV_TEST(test_plans_describe_themselves), PV_TEST(test_wisdom_goes_to_a_file_and_back),
             PV_TEST(test_damaged_wisdom_changes_nothing), PV_TEST(test_unreadable_wisdom_is_an_error),
             PV_TEST(test_few_long_lines_are_fftws), PV_TEST(test_few_lines_have_wisdom_of_their_own),
             PV_TEST(every_way_of_planes_is_known), PV_TEST(trials_without_room_are_passed_over))
