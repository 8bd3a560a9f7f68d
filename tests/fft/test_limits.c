// SPDX-License-Identifier: Apache-2.0
// ranks: 2 3 4 7
// Where there is a time limit, ranks end with an error when one leaves out a call, and so do later calls.
#include <string.h>

#include <mpi.h>

#include <parseval/comm_mpi.h>
#include <parseval/fft.h>

#include "comm/comm_ops.h"
#include "harness.h"

static const int64_t shape[3] = {24, 20, 16};
static double in[2 * 24 * 20 * 16], out[2 * 24 * 20 * 16];

static int is_silent(void) { return pv_test_rank() == pv_test_size() - 1; }

static void over_both(void (*run)(pv_comm *comm))
{
    static const char *const transports[] = {"mpi", "shared"};
    pv_device *device;
    assert_ok(pv_device_open("cpu:1", &device));
    for (int t = 0; t < 2; t++) {
        pv_comm *comm;
        pv_comm_options options = {.transport = transports[t], .timeout_s = 60};
        assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm));
        run(comm);
        MPI_Barrier(MPI_COMM_WORLD);
        pv_comm_close(comm);
    }
    pv_device_close(device);
}

static pv_status make(pv_comm *comm, pv_rigor rigor, pv_fft_plan **plan_p)
{
    pv_fft_options options = pv_fft_options_defaults();
    options.rigor = rigor;
    options.decomposition = PV_DECOMPOSE_PENCIL;
    return pv_fft_plan_create(comm, shape, PV_C2C, PV_FP64, &options, plan_p);
}

static void says(const char *text)
{
    if (!strstr(pv_last_error(), text)) fail_msg("no \"%s\" in: %s", text, pv_last_error());
}

static void create_without_one(pv_comm *comm)
{
    for (int rigor = PV_ESTIMATE; rigor <= PV_MEASURE && !is_silent(); rigor++) {
        pv_fft_plan *plan = NULL;
        comm->timeout_s = rigor == PV_ESTIMATE ? 0.1 : 600; // the second fails at once
        assert_fails(PV_ERR_TIMEOUT, make(comm, (pv_rigor)rigor, &plan));
        says("waited 0.1 s for");
        assert_null(plan);
    }
}

static void plans_are_not_waited_for(void **state)
{
    (void)state;
    over_both(create_without_one);
}

static void measure_without_one(pv_comm *comm)
{
    pv_fft_plan *plan = NULL;
    comm->timeout_s = 0.1;
    if (!is_silent()) assert_fails(PV_ERR_TIMEOUT, make(comm, PV_MEASURE, &plan));
    assert_null(plan);
}

static void measures_are_not_waited_for(void **state)
{
    (void)state;
    over_both(measure_without_one);
}

static void run_without_one(pv_comm *comm)
{
    pv_fft_plan *plan;
    assert_ok(make(comm, PV_ESTIMATE, &plan));
    assert_ok(pv_fft_forward(plan, in, out));
    assert_ok(pv_fft_inverse(plan, out, in));
    comm->timeout_s = 0.1;
    if (!is_silent()) assert_fails(PV_ERR_TIMEOUT, pv_fft_forward(plan, in, out));
    MPI_Barrier(MPI_COMM_WORLD);
    // Those that have failed do not begin anew; over memory in common the other one is told at once.
    const int is_told = strcmp(pv_comm_transport(comm), "shared") == 0;
    comm->timeout_s = is_silent() && !is_told ? 0.1 : 600;
    assert_fails(is_silent() && is_told ? PV_ERR_PEER : PV_ERR_TIMEOUT, pv_fft_forward(plan, in, out));
    if (is_told) says(is_silent() ? "has failed in a transform on this workspace" : "ranks may be out of step");
    pv_fft_plan_destroy(plan);
}

static void transforms_are_not_waited_for(void **state)
{
    (void)state;
    over_both(run_without_one);
}

static void reshape_without_one(pv_comm *comm)
{
    pv_layout *from, *to;
    pv_reshape *reshape;
    assert_ok(pv_layout_slab(shape, pv_test_size(), 0, &from));
    assert_ok(pv_layout_slab(shape, pv_test_size(), 1, &to));
    assert_ok(pv_reshape_create(comm, from, to, 16, 1, &reshape));
    assert_ok(pv_reshape_execute(reshape, in, out));
    comm->timeout_s = 0.1;
    if (!is_silent()) {
        assert_fails(PV_ERR_TIMEOUT, pv_reshape_execute(reshape, in, out));
        comm->timeout_s = 600;
        assert_fails(PV_ERR_TIMEOUT, pv_reshape_execute(reshape, in, out));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    pv_reshape_destroy(reshape);
    pv_layout_destroy(from);
    pv_layout_destroy(to);
}

static void reshapes_are_not_waited_for(void **state)
{
    (void)state;
    over_both(reshape_without_one);
}

// One goes another way than the others, by messages that match none of theirs.
static void run_both_ways(pv_comm *comm)
{
    pv_fft_plan *plan;
    const int is_told = strcmp(pv_comm_transport(comm), "shared") == 0;
    assert_ok(make(comm, PV_ESTIMATE, &plan));
    assert_ok(pv_fft_forward(plan, in, out));
    assert_ok(pv_fft_inverse(plan, out, in));
    comm->timeout_s = is_told ? 60 : 0.1;
    for (int turn = 0; turn < 2; turn++) {
        pv_test_mute(1);
        const int is_other = is_silent() && turn == 0;
        const pv_status status = is_other ? pv_fft_inverse(plan, in, out) : pv_fft_forward(plan, in, out);
        pv_test_mute(0);
        const int is_right = is_told ? status == PV_ERR_MISMATCH || status == PV_ERR_PEER : status == PV_ERR_TIMEOUT;
        if (!is_right) fail_msg("call %d: %s, %s", turn, pv_status_name(status), pv_last_error());
        comm->timeout_s = 600;
    }
    pv_fft_plan_destroy(plan);
    if (!is_told) return;
    assert_ok(make(comm, PV_ESTIMATE, &plan));
    assert_ok(pv_fft_forward(plan, in, out));
    pv_fft_plan_destroy(plan);
}

static void different_calls_end_in_errors(void **state)
{
    (void)state;
    over_both(run_both_ways);
}

PV_TEST_MAIN(PV_TEST(plans_are_not_waited_for), PV_TEST(measures_are_not_waited_for),
             PV_TEST(transforms_are_not_waited_for), PV_TEST(reshapes_are_not_waited_for),
             PV_TEST(different_calls_end_in_errors))
