// SPDX-License-Identifier: Apache-2.0
// Ranks that exchange for ever, for tests that kill one of them: endless TRANSPORT DEVICE [MIB]. Ranks are spread over
// the GPUs. Watched as by the program `parseval`.
#include <parseval/comm_mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "cli/watch.h"

enum { MOST_RANKS = 64 };

static pv_status open_device(const char *kind, int rank, pv_device **device_p)
{
    char name[32];
    int count = 1;
    PV_TRY(pv_device_count(kind, &count));
    if (strcmp(kind, "cuda") == 0)
        snprintf(name, sizeof name, "cuda:%d", rank % count);
    else
        snprintf(name, sizeof name, "%s:1", kind);
    return pv_device_open(name, device_p);
}

static pv_status exchange_for_ever(pv_comm *comm, size_t bytes)
{
    const int size = pv_comm_size(comm);
    pv_message messages[MOST_RANKS];
    pv_buffer *send, *receive;
    pv_exchange *exchange;
    for (int i = 0; i < size; i++)
        messages[i] = (pv_message){.rank = i, .offset_bytes = (size_t)i * bytes, .bytes = bytes};
    PV_TRY(pv_comm_agree(comm, pv_buffer_create(pv_comm_device(comm), (size_t)size * bytes, &send)));
    PV_TRY(pv_comm_agree(comm, pv_buffer_create(pv_comm_device(comm), (size_t)size * bytes, &receive)));
    PV_TRY(pv_exchange_create(comm, size, messages, size, messages, &exchange));
    for (long turn = 0;; turn++) {
        PV_TRY(pv_exchange_start(exchange, pv_buffer_data(send), pv_buffer_data(receive)));
        PV_TRY(pv_exchange_wait(exchange));
        if (turn == 0 && pv_comm_rank(comm) == 0) printf("%s\n", pv_comm_text(comm)), fflush(stdout);
    }
}

static pv_status run(const char *transport, const char *kind, size_t bytes, int rank)
{
    pv_device *device;
    pv_comm *comm;
    pv_comm_options options = pv_comm_options_defaults();
    options.transport = transport;
    PV_TRY(open_device(kind, rank, &device));
    PV_TRY(pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm));
    return exchange_for_ever(comm, bytes);
}

int main(int argc, char **argv)
{
    int rank, size, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 3 || size > MOST_RANKS) MPI_Abort(MPI_COMM_WORLD, 2);
    pv_watch_begin();
    const pv_status status = run(argv[1], argv[2], (size_t)(argc > 3 ? atol(argv[3]) : 4) << 20, rank);
    if (status != PV_ERR_PEER) fprintf(stderr, "rank %d: %s: %s\n", rank, pv_status_name(status), pv_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
}
