// SPDX-License-Identifier: Apache-2.0
// What transports move, one record a line: an all-to-all by stores where memory reaches (rates of pv_comm_measure), the
// same as an exchange in the order of a stream, and the latencies of both. Ranks are spread over the GPUs.
#include <stdio.h>
#include <string.h>

#include <mpi.h>
#include <parseval/comm_mpi.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/json_write.h"
#include "bench_options.h"
#include "comm/measure.h"

enum { MOST_RANKS = 256, REPEATS = 7, ROUNDS = 10 };

typedef struct settings {
    const char *device, *transport, *commit, *machine;
    int64_t bytes;
} settings;

static pv_status repeat(pv_exchange *exchange, pv_stream *stream, pv_buffer *from, pv_buffer *to, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        PV_TRY(pv_exchange_start_on(exchange, stream, pv_buffer_data(from), pv_buffer_data(to)));
        PV_TRY(pv_exchange_wait_on(exchange, stream));
    }
    return pv_stream_wait(stream);
}

// The best of some repetitions, each the mean of some rounds on the slowest rank.
static pv_status time_exchange(pv_comm *comm, pv_exchange *exchange, pv_buffer *from, pv_buffer *to, double *seconds_p)
{
    pv_stream *stream = pv_device_stream(pv_comm_device(comm));
    double seconds[REPEATS];
    PV_TRY(repeat(exchange, stream, from, to, 2));
    for (int i = 0; i < REPEATS; i++) {
        PV_TRY(pv_comm_barrier(comm));
        const double begin_s = pv_clock_s();
        PV_TRY(repeat(exchange, stream, from, to, ROUNDS));
        seconds[i] = (pv_clock_s() - begin_s) / ROUNDS;
    }
    PV_TRY(pv_comm_reduce_f64(comm, PV_MAX, REPEATS, seconds));
    *seconds_p = pv_timing_of(seconds, REPEATS).min_s;
    return PV_OK;
}

// To all others, `share_bytes` to each.
static pv_status run_exchange(pv_comm *comm, size_t share_bytes, double *seconds_p)
{
    const int size = pv_comm_size(comm), rank = pv_comm_rank(comm);
    pv_message messages[MOST_RANKS];
    pv_buffer *from = NULL, *to = NULL;
    pv_exchange *exchange = NULL;
    int count = 0;
    for (int peer = 0; peer < size; peer++)
        if (peer != rank) messages[count++] = (pv_message){peer, (size_t)peer * share_bytes, share_bytes};
    pv_status status = pv_buffer_create(pv_comm_device(comm), (size_t)size * share_bytes, &from);
    if (status == PV_OK) status = pv_buffer_create(pv_comm_device(comm), (size_t)size * share_bytes, &to);
    status = pv_comm_agree(comm, status);
    if (status == PV_OK) status = pv_exchange_create(comm, count, messages, count, messages, &exchange);
    if (status == PV_OK) status = time_exchange(comm, exchange, from, to, seconds_p);
    pv_exchange_destroy(exchange);
    pv_buffer_destroy(from);
    pv_buffer_destroy(to);
    return status;
}

static void print_record(pv_comm *comm, const settings *s, size_t share_bytes, const pv_comm_rates *rates,
                         const double seconds[2])
{
    pv_json *json = pv_json_create(0);
    const double sent_bytes = (double)share_bytes * (pv_comm_size(comm) - 1);
    pv_json_object(json, NULL);
    pv_json_text_value(json, "transport", pv_comm_text(comm));
    pv_json_text_value(json, "device", s->device);
    pv_json_integer(json, "ranks", pv_comm_size(comm));
    pv_json_number(json, "sent_bytes", sent_bytes);
    pv_json_number(json, "copy_bytes_per_s", rates->copy_bytes_per_s);
    pv_json_number(json, "measured_bytes_per_s", rates->exchange_bytes_per_s);
    pv_json_number(json, "measured_latency_s", rates->latency_s);
    pv_json_number(json, "exchange_bytes_per_s", sent_bytes / seconds[0]);
    pv_json_number(json, "exchange_latency_s", seconds[1]);
    pv_json_text_value(json, "machine", s->machine);
    pv_json_text_value(json, "commit", s->commit);
    bench_record_print(json);
}

static pv_status run(pv_comm *comm, const settings *s)
{
    const int size = pv_comm_size(comm);
    const size_t share_bytes = (size_t)s->bytes / (size_t)size / 64 * 64;
    pv_comm_rates rates;
    double seconds[2];
    PV_REQUIRE(size > 1 && size <= MOST_RANKS && share_bytes > 0, PV_ERR_INPUT,
               "%d ranks and %lld bytes; 2 to %d ranks and 64 bytes for each are accepted", size, (long long)s->bytes,
               MOST_RANKS);
    PV_TRY(pv_comm_measure(comm, (size_t)s->bytes, &rates));
    PV_TRY(run_exchange(comm, share_bytes, &seconds[0]));
    PV_TRY(run_exchange(comm, 64, &seconds[1]));
    if (pv_comm_rank(comm) == 0) print_record(comm, s, share_bytes, &rates, seconds);
    return PV_OK;
}

static pv_status open_and_run(const settings *s, int rank)
{
    char name[64];
    int count;
    pv_device *device = NULL;
    pv_comm *comm = NULL;
    pv_comm_options options = pv_comm_options_defaults();
    options.transport = s->transport;
    PV_TRY(pv_device_count(s->device, &count));
    snprintf(name, sizeof name, strcmp(s->device, "cuda") == 0 ? "%s:%d" : "%s", s->device, rank % count);
    PV_TRY(pv_device_open(name, &device));
    pv_status status = pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm);
    if (status == PV_OK) status = run(comm, s);
    pv_comm_close(comm);
    pv_device_close(device);
    return status;
}

static pv_status parse(int argc, char **argv, settings *s, int *help_p)
{
    const pv_option options[] = {
        {.name = "device",
         .type = PV_OPTION_TEXT,
         .value = &s->device,
         .unit = "NAME",
         .help = "Where the memory lies."},
        {.name = "transport", .type = PV_OPTION_TEXT, .value = &s->transport, .unit = "NAME", .help = "What moves it."},
        {.name = "bytes",
         .type = PV_OPTION_INT,
         .value = &s->bytes,
         .unit = "N",
         .minimum = 64,
         .maximum = 1e12,
         .help = "Of each rank, its own share included."},
        BENCH_RECORD_OPTIONS(s),
    };
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return bench_options_parse(options, sizeof options / sizeof options[0], rank, argc, argv, help_p);
}

int main(int argc, char **argv)
{
    settings s = {.device = "cpu", .transport = "auto", .bytes = 64 << 20};
    int help = 0, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pv_status status = parse(argc, argv, &s, &help);
    if (status == PV_OK && !help) status = open_and_run(&s, rank);
    if (status != PV_OK) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
