// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3 4 7
// long ranks: 8
#include <stdio.h>
#include <string.h>

#include <parseval/comm_mpi.h>

#include "comm/comm_list.h"
#include "harness.h"

static pv_device *open_device(void)
{
    pv_device *device;
    assert_ok(pv_device_open("cpu:1", &device));
    return device;
}

static void defaults_share_memory(void **state)
{
    (void)state;
    pv_device *device = open_device();
    pv_comm *comm;
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, NULL, &comm));
    assert_string_equal(pv_comm_transport(comm), "shared");
    assert_int_equal(pv_comm_rank(comm), pv_test_rank());
    assert_int_equal(pv_comm_size(comm), pv_test_size());
    pv_comm_close(comm);
    pv_device_close(device);
}

static void nodes_can_be_pretended(void **state)
{
    (void)state;
    pv_device *device = open_device();
    pv_comm *comm;
    pv_comm_options options = pv_comm_options_defaults();
    options.node_size = 3;
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm));
    const int first = pv_test_rank() / 3 * 3, rest = pv_test_size() - first;
    assert_int_equal(pv_comm_node_size(comm), rest < 3 ? rest : 3);
    pv_comm_close(comm);
    pv_device_close(device);
}

static void fails_with(pv_comm_options options, pv_status expected, const char *text)
{
    pv_device *device = open_device();
    pv_comm *comm = NULL;
    assert_fails(expected, pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm));
    assert_non_null(strstr(pv_last_error(), text));
    assert_null(comm);
    pv_device_close(device);
}

static void unknown_names_are_told_off(void **state)
{
    (void)state;
    pv_comm_options options = pv_comm_options_defaults();
    options.transport = "pigeon";
    fails_with(options, PV_ERR_ARGUMENT, "unknown transport \"pigeon\"; known: self (built in), mpi (built in)");
    options.transport = "nvshmem";
    fails_with(options, PV_ERR_NOT_BUILT, "\"nvshmem\" is not built in");
    options.transport = NULL;
    fails_with(options, PV_ERR_ARGUMENT, "unknown transport \"\"");
    options = pv_comm_options_defaults();
    options.schedule = (pv_mpi_schedule)9;
    fails_with(options, PV_ERR_ARGUMENT, "schedule 9");
    options = pv_comm_options_defaults();
    options.node_size = -1;
    fails_with(options, PV_ERR_ARGUMENT, "node_size -1");
    options = pv_comm_options_defaults();
    options.timeout_s = -1;
    fails_with(options, PV_ERR_ARGUMENT, "time limit of -1 s");
}

static void transports_know_their_device(void **state)
{
    (void)state;
    static const char *const of_gpus[] = {"peer", "nccl"};
    int is_built = 0, seen = 0;
    for (int i = 0; pv_transport_known(i, &is_built); i++)
        for (int k = 0; k < 2; k++) {
            if (strcmp(pv_transport_known(i, &is_built), of_gpus[k]) != 0) continue;
            pv_comm_options options = pv_comm_options_defaults();
            options.transport = of_gpus[k];
            fails_with(options, is_built ? PV_ERR_UNSUPPORTED : PV_ERR_NOT_BUILT,
                       is_built ? "needs device cuda; the device is \"cpu:1\", for which there are: self, mpi, shared"
                                : "is not built in");
            seen++;
        }
    assert_int_equal(seen, 2);
}

// Where there are fewer GPUs than ranks, nccl is refused before it hangs; and "shared" is for the host.
static void gpus_are_checked(void **state)
{
    (void)state;
    int gpus = 0;
    pv_test_mute(1);
    const pv_status status = pv_device_count("cuda", &gpus);
    pv_test_mute(0);
    if (status != PV_OK) pv_test_skip("%s", pv_last_error());
    char name[32];
    pv_device *device;
    pv_comm *comm = NULL;
    pv_comm_options options = pv_comm_options_defaults();
    snprintf(name, sizeof name, "cuda:%d", pv_test_rank() % gpus);
    assert_ok(pv_device_open(name, &device));
    options.transport = "shared";
    assert_fails(PV_ERR_UNSUPPORTED, pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm));
    assert_non_null(strstr(pv_last_error(), "needs device cpu"));
    options.transport = "nccl";
    if (gpus < pv_test_size()) {
        assert_fails(PV_ERR_UNSUPPORTED, pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm));
        assert_non_null(strstr(pv_last_error(), "are on the same GPU"));
    }
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, NULL, &comm));
    assert_string_equal(pv_comm_transport(comm), "peer");
    if (pv_test_rank() == 0) printf("%s\n", pv_comm_text(comm));
    pv_comm_close(comm);
    options.transport = "mpi";
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm));
    assert_non_null(strstr(pv_comm_text(comm), "mpi: messages by MPI, "));
    if (pv_test_rank() == 0) printf("%s\n", pv_comm_text(comm));
    pv_comm_close(comm);
    pv_device_close(device);
}

static void self_is_for_one(void **state)
{
    (void)state;
    pv_comm_options options = pv_comm_options_defaults();
    options.transport = "self";
    if (pv_test_size() > 1) {
        fails_with(options, PV_ERR_ARGUMENT, "\"self\" is for one rank");
        return;
    }
    pv_device *device = open_device();
    pv_comm *comm;
    assert_ok(pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm));
    assert_string_equal(pv_comm_transport(comm), "self");
    pv_comm_close(comm);
    pv_device_close(device);
}

static void differs_on_last_rank(pv_comm_options others, pv_comm_options last, const char *text)
{
    const int rank = pv_test_rank(), bad = pv_test_size() - 1;
    if (bad == 0) return;
    fails_with(rank == bad ? last : others, rank == bad ? PV_ERR_MISMATCH : PV_ERR_PEER, text);
}

static void ranks_must_ask_for_the_same(void **state)
{
    (void)state;
    const pv_comm_options others = pv_comm_options_defaults();
    pv_comm_options last = others;
    last.transport = "mpi";
    differs_on_last_rank(others, last, "asks for transport \"mpi\", rank 0 for \"auto\"");
    last.transport = "pigeon";
    differs_on_last_rank(others, last, "asks for transport \"pigeon\", rank 0 for \"auto\"");
    last = others;
    last.schedule = PV_MPI_RING;
    differs_on_last_rank(others, last, "asks for schedule");
    last = others;
    last.node_size = 2;
    differs_on_last_rank(others, last, "asks for node_size 2, rank 0 for 0");
}

static void null_is_no_communicator(void **state)
{
    (void)state;
    pv_comm *comm = NULL;
    assert_fails(PV_ERR_ARGUMENT, pv_comm_open_mpi(MPI_COMM_NULL, NULL, NULL, &comm));
    assert_non_null(strstr(pv_last_error(), "MPI_COMM_NULL"));
    pv_device *device = open_device();
    assert_fails(PV_ERR_ARGUMENT, pv_comm_open_mpi(MPI_COMM_WORLD, device, NULL, NULL));
    const int is_last = pv_test_rank() == pv_test_size() - 1;
    assert_fails(is_last ? PV_ERR_ARGUMENT : PV_ERR_PEER,
                 pv_comm_open_mpi(MPI_COMM_WORLD, is_last ? NULL : device, NULL, &comm));
    assert_non_null(strstr(pv_last_error(), "device is NULL"));
    assert_fails(PV_ERR_ARGUMENT, pv_comm_barrier(NULL));
    assert_null(comm);
    pv_device_close(device);
}

static void two_groups_are_no_communicator(void **state)
{
    (void)state;
    const int side = pv_test_rank() % 2;
    MPI_Comm half, between;
    pv_comm *comm = NULL;
    if (pv_test_size() == 1) return;
    MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 0, &between);
    pv_device *device = open_device();
    assert_fails(PV_ERR_ARGUMENT, pv_comm_open_mpi(between, device, NULL, &comm));
    assert_non_null(strstr(pv_last_error(), "two groups"));
    pv_device_close(device);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

PV_TEST_MAIN(PV_TEST(defaults_share_memory), PV_TEST(nodes_can_be_pretended), PV_TEST(unknown_names_are_told_off),
             PV_TEST(transports_know_their_device), PV_TEST(gpus_are_checked),
             PV_TEST(self_is_for_one), PV_TEST(ranks_must_ask_for_the_same), PV_TEST(null_is_no_communicator),
             PV_TEST(two_groups_are_no_communicator))
