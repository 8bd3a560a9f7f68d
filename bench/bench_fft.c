// SPDX-License-Identifier: Apache-2.0
// FFTW-MPI and Parseval side by side: one record a line for each shape, type, precision and direction.
//
// Both plan with effort (FFTW_MEASURE, PV_MEASURE), leave the spectrum transposed in the same order, use one thread a
// rank and the same memory; each may work in place or out of place, whichever is faster for it. Their runs alternate,
// so that what the machine does meanwhile hits both. A run starts at a barrier and counts as long as on the slowest
// rank. A round is many runs; its result is the median; the best of the rounds counts, for each side and direction.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>
#include <parseval/comm_mpi.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/json_write.h"
#include "bench_options.h"
#include "cli/fft/limit.h"
#include "fft_contest.h"

enum { MOST_RECORDS = 4096 };

typedef struct settings {
    const char *shapes, *types, *precisions, *transport;
    const char *fftw_wisdom, *wisdom, *commit, *machine;
    contest_effort effort;
    char command[1024];
} settings;

typedef struct results {
    double ratios[MOST_RECORDS];
    int count;
} results;

static void print_record(const contest *c, const settings *s, int direction, double limit_s)
{
    double fftw_s = c->best_s[FFTW_SIDE][direction], ours_s = c->best_s[PARSEVAL_SIDE][direction];
    pv_json *json = pv_json_create(0);
    pv_json_object(json, NULL);
    pv_json_list(json, "shape");
    for (int axis = 0; axis < 3; axis++) pv_json_integer(json, NULL, c->shape[axis]);
    pv_json_end(json);
    pv_json_text_value(json, "type", c->type == PV_R2C ? "r2c" : "c2c");
    pv_json_text_value(json, "precision", c->precision == PV_FP32 ? "fp32" : "fp64");
    pv_json_text_value(json, "direction", direction == INVERSE ? "inverse" : "forward");
    pv_json_integer(json, "ranks", pv_comm_size(c->comm));
    pv_json_text_value(json, "transport", pv_comm_transport(c->comm));
    pv_json_number(json, "fftw_seconds", fftw_s);
    pv_json_number(json, "parseval_seconds", ours_s);
    pv_json_number(json, "ratio", fftw_s / ours_s);
    pv_json_number(json, "fraction_of_limit", limit_s / ours_s);
    pv_json_bool(json, "fftw_in_place", c->place[FFTW_SIDE]);
    pv_json_bool(json, "parseval_in_place", c->place[PARSEVAL_SIDE]);
    pv_json_text_value(json, "machine", s->machine);
    pv_json_text_value(json, "commit", s->commit);
    pv_json_text_value(json, "command", s->command);
    bench_record_print(json);
}

static void print_summary(results *r)
{
    if (r->count == 0) return;
    pv_timing ratios = pv_timing_of(r->ratios, r->count);
    pv_json *json = pv_json_create(0);
    pv_json_object(json, NULL);
    pv_json_integer(json, "records", r->count);
    pv_json_number(json, "ratio_median", ratios.median_s);
    pv_json_number(json, "ratio_minimum", ratios.min_s);
    bench_record_print(json);
}

// ---- The list of cases ------------------------------------------------------------------------------------------

static pv_status run_case(pv_comm *comm, const settings *s, const int64_t shape[3], pv_fft_type type,
                          pv_precision precision, results *r)
{
    contest c = {.shape = {shape[0], shape[1], shape[2]}, .type = type, .precision = precision, .comm = comm};
    pv_comm_rates rates;
    double sent_bytes = 0.0;
    PV_TRY(contest_run(&c, &s->effort, &sent_bytes));
    double copied_bytes = fmax(65536.0, fmin((double)c.array_bytes, 0x1p29));
    PV_TRY(pv_comm_reduce_f64(comm, PV_MAX, 1, &copied_bytes));
    PV_TRY(pv_comm_measure(comm, (size_t)copied_bytes, &rates));
    pv_fft_cost cost = pv_fft_least_cost(shape, type, precision, 1, pv_comm_size(comm), 0, sent_bytes);
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        if (pv_comm_rank(comm) == 0) print_record(&c, s, direction, pv_fft_limit_s(cost, &rates));
        if (r->count < MOST_RECORDS)
            r->ratios[r->count++] = c.best_s[FFTW_SIDE][direction] / c.best_s[PARSEVAL_SIDE][direction];
    }
    // After every case: planning takes long, and a run may be cut short.
    fftw_side_wisdom(s->fftw_wisdom, 1, pv_comm_rank(comm), MPI_COMM_WORLD);
    return s->wisdom ? pv_wisdom_save(comm, s->wisdom) : PV_OK;
}

// Does `list`, words with commas between them, have `word`?
static pv_status run_shape(pv_comm *comm, const settings *s, const int64_t shape[3], results *r)
{
    static const char *const types[] = {"c2c", "r2c"}, *const precisions[] = {"fp64", "fp32"};
    for (int type = PV_C2C; type <= PV_R2C; type++)
        for (int precision = PV_FP64; precision <= PV_FP32; precision++)
            if (bench_is_listed(s->types, types[type]) && bench_is_listed(s->precisions, precisions[precision]))
                PV_TRY(run_case(comm, s, shape, (pv_fft_type)type, (pv_precision)precision, r));
    return PV_OK;
}

static pv_status run_list(pv_comm *comm, const settings *s, results *r)
{
    for (const char *at = s->shapes; at; at = strchr(at, ','), at = at ? at + 1 : NULL) {
        long long n[3];
        PV_REQUIRE(sscanf(at, "%lldx%lldx%lld", &n[0], &n[1], &n[2]) == 3 && n[0] > 0 && n[1] > 0 && n[2] > 0,
                   PV_ERR_INPUT, "--shapes has \"%s\"; shapes as 64x64x64 with commas between them are accepted", at);
        PV_TRY(run_shape(comm, s, (int64_t[3]){n[0], n[1], n[2]}, r));
    }
    return PV_OK;
}

// ---- Start and end ----------------------------------------------------------------------------------------------

static pv_status parse(int argc, char **argv, settings *s, int *help_p)
{
    const pv_option options[] = {
        {.name = "shapes", .type = PV_OPTION_TEXT, .value = &s->shapes, .unit = "LIST", .help = "Shapes to run."},
        {.name = "types", .type = PV_OPTION_TEXT, .value = &s->types, .unit = "LIST", .help = "Of c2c and r2c."},
        {.name = "precisions", .type = PV_OPTION_TEXT, .value = &s->precisions, .unit = "LIST",
         .help = "Of fp64 and fp32."},
        {.name = "transport", .type = PV_OPTION_TEXT, .value = &s->transport, .unit = "NAME",
         .help = "Parseval's transport."},
        {.name = "engine", .type = PV_OPTION_TEXT, .value = &s->effort.engine, .unit = "NAME",
         .help = "Parseval's engine."},
        {.name = "seconds", .type = PV_OPTION_REAL, .value = &s->effort.seconds, .unit = "S", .minimum = 0.0,
         .maximum = 1e6, .help = "Time for the timed runs of a case, at least three a round."},
        {.name = "rounds", .type = PV_OPTION_INT, .value = &s->effort.rounds, .minimum = 1, .maximum = 100,
         .help = "Rounds of a case."},
        {.name = "fftw-wisdom", .type = PV_OPTION_TEXT, .value = &s->fftw_wisdom, .unit = "FILE",
         .help = "Keep FFTW's wisdom in FILE.fp64 and FILE.fp32."},
        {.name = "wisdom", .type = PV_OPTION_TEXT, .value = &s->wisdom, .unit = "FILE",
         .help = "Keep Parseval's wisdom."},
        BENCH_RECORD_OPTIONS(s),
    };
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return bench_options_parse(options, sizeof options / sizeof options[0], rank, argc, argv, help_p);
}

static pv_status run_on(pv_comm *comm, const settings *s)
{
    static results r;
    fftw_side_wisdom(s->fftw_wisdom, 0, pv_comm_rank(comm), MPI_COMM_WORLD);
    if (s->wisdom) PV_TRY(pv_wisdom_load(comm, s->wisdom));
    PV_TRY(run_list(comm, s, &r));
    if (pv_comm_rank(comm) == 0) print_summary(&r);
    return PV_OK;
}

static pv_status run(int argc, char **argv)
{
    settings s = {.shapes = "64x64x64,128x128x128,256x256x256,384x384x384,97x97x97,510x512x514",
                  .types = "c2c,r2c",
                  .precisions = "fp64,fp32",
                  .transport = "shared",
                  .commit = "unknown",
                  .machine = "unknown",
                  .effort = {.engine = "auto", .seconds = 10.0, .rounds = 3}};
    int help = 0;
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    bench_command_write("bench_fft", ranks, argc, argv, sizeof s.command, s.command);
    PV_TRY(parse(argc, argv, &s, &help));
    if (help) return PV_OK;

    pv_device *device = NULL;
    pv_comm *comm = NULL;
    pv_comm_options options = pv_comm_options_defaults();
    options.transport = s.transport;
    PV_TRY(pv_device_open("cpu:1", &device));
    pv_status status = pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm);
    if (status == PV_OK) status = run_on(comm, &s);
    pv_comm_close(comm);
    pv_device_close(device);
    return status;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    fftw_side_start();
    pv_status status = run(argc, argv);
    MPI_Finalize();
    return status == PV_OK ? 0 : 1;
}
