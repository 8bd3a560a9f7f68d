// SPDX-License-Identifier: Apache-2.0
// Without MPI: the program never initialises it.
#include <stdlib.h>
#include <string.h>

#include <parseval/comm_mpi.h>

#include "comm/comm_list.h"
#include "harness.h"

static pv_comm *open_self(pv_device **device_p)
{
    pv_comm *comm;
    assert_ok(pv_device_open("cpu:1", device_p));
    assert_ok(pv_comm_open_self(*device_p, &comm));
    return comm;
}

static void self_is_one_rank(void **state)
{
    (void)state;
    pv_device *device;
    pv_comm *comm = open_self(&device), *part;
    assert_int_equal(pv_comm_rank(comm), 0);
    assert_int_equal(pv_comm_size(comm), 1);
    assert_int_equal(pv_comm_node_size(comm), 1);
    assert_string_equal(pv_comm_transport(comm), "self");
    assert_ptr_equal(pv_comm_device(comm), device);
    assert_ok(pv_comm_split(comm, 3, 1, &part));
    assert_int_equal(pv_comm_size(part), 1);
    pv_comm_close(part);
    assert_ok(pv_comm_split(comm, -1, 1, &part));
    assert_null(part);
    pv_comm_close(comm);
    pv_comm_close(NULL);
    pv_device_close(device);
}

static void mpi_must_run(void **state)
{
    (void)state;
    pv_device *device;
    pv_comm *comm = NULL;
    assert_ok(pv_device_open("cpu:1", &device));
    assert_fails(PV_ERR_COMM, pv_comm_open_mpi(MPI_COMM_WORLD, device, NULL, &comm));
    assert_non_null(strstr(pv_last_error(), "not initialized"));
    assert_null(comm);
    pv_device_close(device);
}

static void nobody_answers_oneself(void **state)
{
    (void)state;
    assert_int_equal(setenv("PARSEVAL_TIMEOUT_S", "0.02", 1), 0);
    pv_device *device;
    pv_comm *comm = open_self(&device);
    pv_window *window;
    assert_ok(pv_window_create(comm, 100, &window));
    pv_window_post(window, 0, 1, 5);
    assert_ok(pv_window_wait(window, 0, 1, 5));
    assert_ok(pv_window_wait(window, 0, 1, 4));
    assert_fails(PV_ERR_TIMEOUT, pv_window_wait(window, 0, 1, 6));
    assert_non_null(strstr(pv_last_error(), "to reach 6; it is 5"));
    assert_fails(PV_ERR_ARGUMENT, pv_window_wait(window, 1, 1, 6));
    assert_fails(PV_ERR_ARGUMENT, pv_window_wait(window, 0, PV_WINDOW_FLAGS, 6));
    pv_window_destroy(window);
    pv_window_destroy(NULL);
    pv_comm_close(comm);
    assert_int_equal(setenv("PARSEVAL_TIMEOUT_S", "soon", 1), 0);
    assert_fails(PV_ERR_INPUT, pv_comm_open_self(device, &comm));
    assert_int_equal(unsetenv("PARSEVAL_TIMEOUT_S"), 0);
    pv_device_close(device);
}

static void exchanges_are_told_off(void **state)
{
    (void)state;
    pv_device *device;
    pv_comm *comm = open_self(&device);
    const pv_message eight = {0, 8, 8}, nine = {0, 0, 9}, beyond = {1, 0, 8};
    pv_exchange *exchange = NULL;
    int done = 0;
    assert_fails(PV_ERR_MISMATCH, pv_exchange_create(comm, 1, &eight, 1, &nine, &exchange));
    assert_fails(PV_ERR_ARGUMENT, pv_exchange_create(comm, 1, &beyond, 1, &nine, &exchange));
    assert_null(exchange);
    assert_ok(pv_exchange_create(comm, 1, &eight, 1, &eight, &exchange));
    assert_fails(PV_ERR_ARGUMENT, pv_exchange_wait(exchange));
    assert_fails(PV_ERR_ARGUMENT, pv_exchange_test(exchange, &done));
    const char from[16] = "........parseval";
    char to[16] = {0};
    assert_ok(pv_exchange_start(exchange, from, to));
    assert_fails(PV_ERR_ARGUMENT, pv_exchange_start(exchange, from, to));
    assert_ok(pv_exchange_test(exchange, &done));
    assert_true(done);
    assert_ok(pv_exchange_wait(exchange));
    assert_memory_equal(to + 8, "parseval", 8);
    pv_exchange_destroy(exchange);
    pv_exchange_destroy(NULL);
    pv_comm_close(comm);
    pv_device_close(device);
}

static void null_is_told_off(void **state)
{
    (void)state;
    pv_device *device;
    pv_comm *comm = open_self(&device);
    pv_stream *stream = pv_device_stream(device);
    double value = 1.0;
    assert_fails(PV_ERR_ARGUMENT, pv_comm_sum_on(NULL, stream, 1, &value));
    assert_fails(PV_ERR_ARGUMENT, pv_comm_sum_on(comm, NULL, 1, &value));
    assert_fails(PV_ERR_ARGUMENT, pv_comm_sum_on(comm, stream, 1, NULL));
    assert_ok(pv_comm_sum_on(comm, stream, 0, NULL));
    assert_fails(PV_ERR_ARGUMENT, pv_comm_broadcast_on(NULL, stream, 8, &value));
    assert_fails(PV_ERR_ARGUMENT, pv_comm_broadcast_on(comm, NULL, 8, &value));
    assert_fails(PV_ERR_ARGUMENT, pv_comm_broadcast_on(comm, stream, 8, NULL));
    pv_window *window;
    assert_ok(pv_window_create(comm, 8, &window));
    assert_fails(PV_ERR_ARGUMENT, pv_window_post_on(NULL, stream, 0, 0, 1));
    assert_fails(PV_ERR_ARGUMENT, pv_window_post_on(window, NULL, 0, 0, 1));
    assert_fails(PV_ERR_ARGUMENT, pv_window_wait_on(NULL, stream, 0, 0, 1));
    assert_fails(PV_ERR_ARGUMENT, pv_window_meet_on(window, NULL, 0, 0, 1));
    pv_window_destroy(window);
    pv_comm_close(comm);
    pv_device_close(device);
}

static void names_are_listed(void **state)
{
    (void)state;
    int is_built = 0, known = 0, has_nvshmem = 0;
    for (const char *name; (name = pv_transport_known(known, &is_built)); known++) {
        if (strcmp(name, "self") == 0) assert_true(is_built);
        if (strcmp(name, "nvshmem") == 0) has_nvshmem = is_built;
    }
    assert_true(known >= 3);
    const pv_transport *transport = NULL;
    // Builds with CUDA have it.
    if (!has_nvshmem) assert_fails(PV_ERR_NOT_BUILT, pv_transport_find("nvshmem", &transport));
    assert_fails(PV_ERR_ARGUMENT, pv_transport_find("carrier pigeon", &transport));
    assert_non_null(strstr(pv_last_error(), "self (built in), mpi (built in)"));
    assert_null(transport);
}

PV_TEST_MAIN(PV_TEST(self_is_one_rank), PV_TEST(mpi_must_run), PV_TEST(nobody_answers_oneself),
             PV_TEST(exchanges_are_told_off), PV_TEST(null_is_told_off), PV_TEST(names_are_listed))
