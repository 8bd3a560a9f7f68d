// SPDX-License-Identifier: Apache-2.0
// ranks: 1 2 3
//
// Example 1: ranks. A Parseval program opens a device (where memory lives) and a communicator (which ranks work
// together, and how bytes move between them). Everything else is made on these two.
//
//     mpirun -n 2 ./01_ranks
#include <stdio.h>

#include <mpi.h>
#include <parseval/comm_mpi.h>
#include <parseval/parseval.h>

// Every call that can fail returns a status and logs the reason on standard error: what was asked, found and accepted;
// pv_last_error() has it as text. Parseval fails on all ranks together and never ends the process; what to do then is
// the program's business. These examples give up.
#define TRY(call)                                \
    do {                                         \
        pv_status status = (call);               \
        if (status != PV_OK) return status;      \
    } while (0)

static pv_status run(int *is_right_p)
{
    // "cpu" takes as many threads as OMP_NUM_THREADS says, "cpu:4" takes four.
    pv_device *device = NULL;
    TRY(pv_device_open("cpu", &device));

    // Parseval works on a duplicate of MPI_COMM_WORLD, so its messages never meet yours. The transport is a string:
    // "shared" lets ranks of one node write into each other's memory, "mpi" sends messages, "auto" chooses.
    pv_comm_options options = pv_comm_options_defaults();
    options.transport = "auto";
    pv_comm *comm = NULL;
    TRY(pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm));

    int rank = pv_comm_rank(comm), size = pv_comm_size(comm);
    if (rank == 0)
        printf("%d rank%s on %s with %d thread%s each, transport %s, %d on this node\n", size, size == 1 ? "" : "s",
               pv_device_name(device), pv_device_threads(device), pv_device_threads(device) == 1 ? "" : "s",
               pv_comm_transport(comm), pv_comm_node_size(comm));

    // A collective call: every rank gives its number and all get the sum.
    double sum = (double)rank;
    TRY(pv_comm_reduce_f64(comm, PV_SUM, 1, &sum));
    double expected = 0.5 * (double)size * (double)(size - 1);
    if (rank == 0) printf("the ranks' numbers add up to %.0f, expected %.0f\n", sum, expected);
    *is_right_p = sum == expected;

    // What was opened first is closed last.
    pv_comm_close(comm);
    pv_device_close(device);
    return PV_OK;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int is_right = 0;
    pv_status status = run(&is_right);
    MPI_Finalize();
    return status == PV_OK && is_right ? 0 : 1;
}
