// SPDX-License-Identifier: Apache-2.0
// ranks: 2 3
// Ranks that do not make the same calls are told so, and do not get wrong numbers.
#include <string.h>

#include <mpi.h>

#include <parseval/comm_mpi.h>
#include <parseval/fft.h>

#include "harness.h"

static const int64_t shape[3] = {12, 10, 8};

static int is_last(void)
{
    return pv_test_rank() == pv_test_size() - 1;
}

static pv_comm *open_over(const char *transport)
{
    pv_device *device;
    pv_comm *comm;
    pv_comm_options options = pv_comm_options_defaults();
    options.transport = transport;
    options.timeout_s = 60;
    assert_ok(pv_device_open("cpu:1", &device));
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm));
    return comm;
}

static void end(pv_comm *comm)
{
    pv_device *device = pv_comm_device(comm);
    pv_comm_close(comm);
    pv_device_close(device);
    MPI_Barrier(MPI_COMM_WORLD);
}

static pv_fft_plan *plan_of(pv_comm *comm, const int64_t lengths[3])
{
    pv_fft_plan *plan;
    pv_fft_options options = pv_fft_options_defaults();
    options.output = PV_OUTPUT_TRANSPOSED_AXES;
    assert_ok(pv_fft_plan_create(comm, lengths, PV_C2C, PV_FP64, &options, &plan));
    return plan;
}

static void both_ways_at_once_are_told_off(void **state)
{
    (void)state;
    static double in[2 * 12 * 10 * 8], out[2 * 12 * 10 * 8];
    pv_comm *comm = open_over("shared");
    pv_fft_plan *plan = plan_of(comm, shape);
    assert_ok(pv_fft_forward(plan, in, out));
    assert_ok(pv_fft_inverse(plan, out, in));
    assert_fails(PV_ERR_MISMATCH, is_last() ? pv_fft_inverse(plan, in, out) : pv_fft_forward(plan, in, out));
    assert_non_null(strstr(pv_last_error(), "transforms another way"));
    pv_fft_plan_destroy(plan);
    end(comm);
}

// Plans of one workspace.
static void two_plans_at_once_are_told_off(void **state)
{
    (void)state;
    static const int64_t other[3] = {12, 8, 10};
    static double in[2 * 12 * 10 * 8], out[2 * 12 * 10 * 8];
    pv_comm *comm = open_over("shared");
    pv_workspace *workspace;
    pv_fft_plan *plans[2];
    assert_ok(pv_workspace_create(comm, 1 << 20, &workspace));
    for (int i = 0; i < 2; i++) {
        plans[i] = plan_of(comm, i ? other : shape);
        assert_ok(pv_fft_plan_set_workspace(plans[i], workspace));
        assert_ok(pv_fft_forward(plans[i], in, out));
    }
    assert_fails(PV_ERR_MISMATCH, pv_fft_forward(plans[is_last()], in, out));
    for (int i = 0; i < 2; i++) pv_fft_plan_destroy(plans[i]);
    pv_workspace_destroy(workspace);
    end(comm);
}

PV_TEST_MAIN(PV_TEST(both_ways_at_once_are_told_off), PV_TEST(two_plans_at_once_are_told_off))
