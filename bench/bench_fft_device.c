// SPDX-License-Identifier: Apache-2.0
// Transforms on any device: verified against a field whose spectrum is known, and timed by events of the device's
// stream, in place, from slabs to slabs split along another axis (cuFFTMp's layouts). One record a line for each shape,
// type, precision and way.
//
//   mpirun -n 2 bench_fft_device --shapes 512x512x512 --ways "auto,2:16:3:70"
//
// A way is "auto" or "measure", the tuner's, or PLANES:CHUNKS:GROUPS:EARLY, a candidate of the tuner's on GPUs, or
// "plain", on one rank: cuFFT by its own interface. A way may be named several times, to take turns with others. A
// repetition is a barrier and then some transforms one after another, as many as last a millisecond or so; its time is
// that of the slowest rank, divided by their number. The median of the repetitions counts.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>
#include <parseval/comm_mpi.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/rng.h"
#include "bench_options.h"
#include "cli/fft/field.h"
#include "cufft_side.h"
#include "fft/plan/plan.h"
#include "fft/plan/request.h"
#include "fft/transfer/workspace.h"

enum { MOST_RUNS = 20 };

typedef struct settings {
    const char *shapes, *types, *precisions, *transport, *device, *engine, *ways, *commit, *machine;
    int64_t repeat, batch, output;
    int verify;
    char command[1024];
} settings;

typedef struct bench_case {
    const settings *s;
    pv_comm *comm;
    int64_t shape[3];
    pv_fft_type type;
    pv_precision precision;
    const char *way;
    pv_fft_plan *plan;
    int is_plain;
    cufft_side cufft;
    pv_buffer *array, *pristine;
    double errors[2], seconds[2];
} bench_case;

// ---- Verification --------------------------------------------------------------------------------------------------

static pv_fft_array array_of(const bench_case *c, int is_spectrum)
{
    const pv_layout *layout = is_spectrum ? pv_fft_plan_spectrum(c->plan) : pv_fft_plan_space(c->plan);
    const int is_complex = is_spectrum || c->type == PV_C2C;
    pv_fft_array array = pv_fft_array_describe(layout, pv_comm_rank(c->comm), c->s->batch, is_complex, c->precision, 1);
    array.device = pv_comm_device(c->comm);
    array.buffer = c->array;
    return array;
}

static pv_status give(bench_case *c, int direction)
{
    void *data = pv_buffer_data(c->array);
    if (c->is_plain) return cufft_side_run(&c->cufft, direction, data);
    return (direction ? pv_fft_inverse : pv_fft_forward)(c->plan, data, data);
}

static pv_status transform(bench_case *c, int direction)
{
    PV_TRY(give(c, direction));
    return pv_stream_wait(pv_device_stream(pv_comm_device(c->comm)));
}

// As parseval fft does.
static pv_status verify(bench_case *c)
{
    const double points = (double)c->shape[0] * (double)c->shape[1] * (double)c->shape[2];
    const pv_fft_array space = array_of(c, 0), spectrum = array_of(c, 1);
    PV_TRY(pv_comm_agree(c->comm, pv_field_write_exact(&space)));
    PV_TRY(transform(c, 0));
    PV_TRY(pv_field_spectrum_error(c->comm, &spectrum, &space, &c->errors[0]));
    PV_TRY(pv_comm_agree(c->comm, pv_field_write_random(&space)));
    PV_TRY(transform(c, 0));
    PV_TRY(transform(c, 1));
    return pv_field_random_error(c->comm, &space, 1.0 / points, &c->errors[1]);
}

// ---- Timing ---------------------------------------------------------------------------------------------------------

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static pv_status time_runs(bench_case *c, int direction, int runs, pv_event *marks[2], double *seconds_p)
{
    pv_stream *stream = pv_device_stream(pv_comm_device(c->comm));
    void *data = pv_buffer_data(c->array);
    PV_TRY(pv_stream_copy(stream, data, pv_buffer_data(c->pristine), pv_buffer_bytes(c->pristine)));
    PV_TRY(pv_stream_wait(stream));
    PV_TRY(pv_comm_barrier(c->comm));
    PV_TRY(pv_event_record(marks[0], stream));
    for (int i = 0; i < runs; i++) PV_TRY(give(c, direction));
    PV_TRY(pv_event_record(marks[1], stream));
    PV_TRY(pv_stream_wait(stream));
    double seconds;
    PV_TRY(pv_event_seconds(marks[0], marks[1], &seconds));
    PV_TRY(pv_comm_reduce_f64(c->comm, PV_MAX, 1, &seconds));
    *seconds_p = seconds / runs;
    return PV_OK;
}

static pv_status time_direction(bench_case *c, int direction)
{
    pv_event *marks[2] = {NULL, NULL};
    double first, *seconds;
    PV_TRY(PV_ALLOC(c->s->repeat, &seconds));
    PV_TRY(pv_event_create(pv_comm_device(c->comm), &marks[0]));
    PV_TRY(pv_event_create(pv_comm_device(c->comm), &marks[1]));
    PV_TRY(time_runs(c, direction, 2, marks, &first));
    PV_TRY(time_runs(c, direction, 2, marks, &first));
    const int runs = first > 1e-3 ? 1 : first > 1e-3 / MOST_RUNS ? (int)(1e-3 / first) + 1 : MOST_RUNS;
    for (int64_t i = 0; i < c->s->repeat; i++) PV_TRY(time_runs(c, direction, runs, marks, &seconds[i]));
    qsort(seconds, (size_t)c->s->repeat, sizeof *seconds, by_value);
    c->seconds[direction] = seconds[c->s->repeat / 2];
    pv_mem_free(seconds);
    pv_event_destroy(marks[0]);
    pv_event_destroy(marks[1]);
    return PV_OK;
}

// ---- Cases ----------------------------------------------------------------------------------------------------------

static pv_status make_plan(bench_case *c)
{
    const settings *s = c->s;
    pv_fft_options options = pv_fft_options_defaults();
    options.output = (pv_output)s->output;
    options.padded = c->type == PV_R2C;
    options.batch = s->batch;
    options.engine = s->engine;
    options.rigor = strcmp(c->way, "measure") == 0 ? PV_MEASURE : PV_ESTIMATE;
    pv_candidate way = {.chunks = 1};
    if (sscanf(c->way, "%d:%d:%d:%d", &way.planes, &way.chunks, &way.copy_groups, &way.early_percent) != 4)
        return pv_fft_plan_create(c->comm, c->shape, c->type, c->precision, &options, &c->plan);
    pv_plan_request request = {c->comm, c->shape, c->type, c->precision, &options, NULL};
    int *node = NULL;
    PV_TRY(pv_request_check(&request));
    PV_TRY(PV_ALLOC(pv_comm_size(c->comm), &node));
    PV_TRY(pv_workspace_nodes(c->comm, node));
    request.node = node;
    const pv_problem problem = pv_problem_make(c->shape, c->type, c->precision, options.batch, pv_comm_size(c->comm));
    PV_TRY(pv_route_choose(&problem, options.decomposition, options.grid, &way.route));
    pv_status status = pv_plan_build(&request, &way, &c->plan);
    pv_mem_free(node);
    return status;
}

static pv_status make_arrays(bench_case *c)
{
    const size_t space = pv_fft_plan_space_bytes(c->plan), spectrum = pv_fft_plan_spectrum_bytes(c->plan);
    const size_t bytes = space > spectrum ? space : spectrum;
    PV_TRY(pv_buffer_create(pv_comm_device(c->comm), bytes, &c->array));
    PV_TRY(pv_buffer_create(pv_comm_device(c->comm), bytes, &c->pristine));
    // Small numbers, since every transform makes them larger.
    float block[4096];
    double wide[2048];
    for (int i = 0; i < 4096; i++) block[i] = (float)(1e-15 * (pv_rng_uniform(5, 0, (uint64_t)i) - 0.5));
    for (int i = 0; i < 2048; i++) wide[i] = pv_rng_uniform(5, 0, (uint64_t)i) - 0.5;
    const void *source = c->precision == PV_FP64 ? (const void *)wide : block;
    const size_t begin = bytes < sizeof block ? bytes : sizeof block;
    if (bytes > 0) PV_TRY(pv_buffer_write(c->pristine, 0, source, begin));
    char *data = pv_buffer_data(c->pristine);
    pv_stream *stream = pv_device_stream(pv_comm_device(c->comm));
    for (size_t done = begin; done < bytes; done *= 2)
        PV_TRY(pv_stream_copy(stream, data + done, data, bytes - done < done ? bytes - done : done));
    return pv_stream_wait(stream);
}

static void print_record(const bench_case *c)
{
    const double points = (double)c->shape[0] * (double)c->shape[1] * (double)c->shape[2] * (double)c->s->batch;
    const double epsilon = c->precision == PV_FP64 ? DBL_EPSILON : (double)FLT_EPSILON;
    const pv_candidate *way = &c->plan->candidate;
    char text[64];
    snprintf(text, sizeof text, "%d:%d:%d:%d", way->planes, way->chunks, way->copy_groups, way->early_percent);
    pv_json *json = pv_json_create(0);
    pv_json_object(json, NULL);
    pv_json_list(json, "shape");
    for (int axis = 0; axis < 3; axis++) pv_json_integer(json, NULL, c->shape[axis]);
    pv_json_end(json);
    pv_json_integer(json, "batch", c->s->batch);
    pv_json_text_value(json, "type", c->type == PV_R2C ? "r2c" : "c2c");
    pv_json_text_value(json, "precision", c->precision == PV_FP32 ? "fp32" : "fp64");
    pv_json_integer(json, "ranks", pv_comm_size(c->comm));
    pv_json_text_value(json, "transport", pv_comm_transport(c->comm));
    pv_json_text_value(json, "device", pv_device_name(pv_comm_device(c->comm)));
    pv_json_text_value(json, "engine", c->s->engine);
    pv_json_text_value(json, "asked", c->way);
    pv_json_text_value(json, "way", c->is_plain ? "cuFFT itself" : text);
    pv_json_number(json, "forward_ms", 1e3 * c->seconds[0]);
    pv_json_number(json, "inverse_ms", 1e3 * c->seconds[1]);
    pv_json_number(json, "forward_error", c->errors[0]);
    pv_json_number(json, "roundtrip_error", c->errors[1]);
    if (c->s->verify)
        pv_json_bool(json, "is_right", fmax(c->errors[0], c->errors[1]) < 20.0 * epsilon * sqrt(1.0 + log2(points)));
    pv_json_text_value(json, "machine", c->s->machine);
    pv_json_text_value(json, "commit", c->s->commit);
    pv_json_text_value(json, "command", c->s->command);
    bench_record_print(json);
}

static pv_status run_way(bench_case *c)
{
    c->is_plain = strcmp(c->way, "plain") == 0;
    PV_REQUIRE(!c->is_plain || pv_comm_size(c->comm) == 1, PV_ERR_INPUT, "--ways plain is for one rank");
    pv_status status = make_plan(c);
    if (status == PV_OK) status = pv_comm_agree(c->comm, make_arrays(c));
    if (status == PV_OK && c->is_plain)
        status = cufft_side_make(pv_comm_device(c->comm), c->shape, c->type, c->precision, c->s->batch, &c->cufft);
    c->errors[0] = c->errors[1] = NAN;
    if (status == PV_OK && c->s->verify) status = verify(c);
    for (int direction = 0; direction < 2 && status == PV_OK; direction++) status = time_direction(c, direction);
    // Once more: later runs may be replays of what the first ones have recorded.
    double errors[2] = {c->errors[0], c->errors[1]};
    if (status == PV_OK && c->s->verify) status = verify(c);
    for (int i = 0; i < 2; i++) c->errors[i] = fmax(c->errors[i], errors[i]);
    if (status == PV_OK && pv_comm_rank(c->comm) == 0) print_record(c);
    cufft_side_destroy(&c->cufft);
    pv_fft_plan_destroy(c->plan);
    pv_buffer_destroy(c->array);
    pv_buffer_destroy(c->pristine);
    c->plan = NULL;
    c->array = c->pristine = NULL;
    return status;
}

// The words of `list`, with commas between them, one after another: 0 after the last.
static int next_word(const char **list, char *word, size_t size)
{
    if (!*list || !**list) return 0;
    const size_t length = strcspn(*list, ",");
    snprintf(word, size, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return 1;
}

static pv_status run_case(pv_comm *comm, const settings *s, const int64_t shape[3], const char *type,
                          const char *precision)
{
    bench_case c = {.s = s,
                    .comm = comm,
                    .shape = {shape[0], shape[1], shape[2]},
                    .type = strcmp(type, "r2c") == 0 ? PV_R2C : PV_C2C,
                    .precision = strcmp(precision, "fp32") == 0 ? PV_FP32 : PV_FP64};
    char way[64];
    pv_status status = PV_OK;
    for (const char *ways = s->ways; status == PV_OK && next_word(&ways, way, sizeof way);) {
        c.way = way;
        status = run_way(&c);
    }
    return status;
}

static pv_status run_all(pv_comm *comm, const settings *s)
{
    char shape[64], type[16], precision[16];
    for (const char *shapes = s->shapes; next_word(&shapes, shape, sizeof shape);) {
        long long n[3];
        PV_REQUIRE(sscanf(shape, "%lldx%lldx%lld", &n[0], &n[1], &n[2]) == 3 && n[0] > 0 && n[1] > 0 && n[2] > 0,
                   PV_ERR_INPUT, "--shapes has \"%s\"; shapes as 64x64x64 with commas between them are accepted",
                   shape);
        for (const char *types = s->types; next_word(&types, type, sizeof type);)
            for (const char *precisions = s->precisions; next_word(&precisions, precision, sizeof precision);)
                PV_TRY(run_case(comm, s, (int64_t[3]){n[0], n[1], n[2]}, type, precision));
    }
    return PV_OK;
}

static pv_status parse(int argc, char **argv, settings *s, int *help_p)
{
    const pv_option options[] = {
        {.name = "shapes", .type = PV_OPTION_TEXT, .value = &s->shapes, .unit = "LIST", .help = "Shapes to run."},
        {.name = "types", .type = PV_OPTION_TEXT, .value = &s->types, .unit = "LIST", .help = "Of c2c and r2c."},
        {.name = "precisions",
         .type = PV_OPTION_TEXT,
         .value = &s->precisions,
         .unit = "LIST",
         .help = "Of fp64 and fp32."},
        {.name = "ways",
         .type = PV_OPTION_TEXT,
         .value = &s->ways,
         .unit = "LIST",
         .help = "auto, measure, plain, PLANES:CHUNKS:GROUPS:EARLY."},
        {.name = "device", .type = PV_OPTION_TEXT, .value = &s->device, .unit = "NAME", .help = "cpu or cuda."},
        {.name = "transport", .type = PV_OPTION_TEXT, .value = &s->transport, .unit = "NAME", .help = "The transport."},
        {.name = "engine", .type = PV_OPTION_TEXT, .value = &s->engine, .unit = "NAME", .help = "The engine."},
        {.name = "output",
         .type = PV_OPTION_CHOICE,
         .value = &s->output,
         .choices = "natural|owner",
         .help = "Where the spectrum lies."},
        {.name = "batch",
         .type = PV_OPTION_INT,
         .value = &s->batch,
         .minimum = 1,
         .maximum = 1000000,
         .help = "Transforms in one call."},
        {.name = "repeat",
         .type = PV_OPTION_INT,
         .value = &s->repeat,
         .minimum = 1,
         .maximum = 10000,
         .help = "Repetitions."},
        {.name = "verify", .type = PV_OPTION_FLAG, .value = &s->verify, .help = "Compare with a known spectrum."},
        BENCH_RECORD_OPTIONS(s),
    };
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return bench_options_parse(options, sizeof options / sizeof options[0], rank, argc, argv, help_p);
}

static pv_status run(int argc, char **argv)
{
    settings s = {.shapes = "128x128x128",
                  .types = "c2c",
                  .precisions = "fp32,fp64",
                  .ways = "auto",
                  .device = "cuda",
                  .transport = "auto",
                  .engine = "auto",
                  .commit = "unknown",
                  .machine = "unknown",
                  .repeat = 11,
                  .batch = 1,
                  .output = PV_OUTPUT_TRANSPOSED_OWNER};
    int help = 0, rank = 0, gpus = 0;
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    bench_command_write("bench_fft_device", ranks, argc, argv, sizeof s.command, s.command);
    PV_TRY(parse(argc, argv, &s, &help));
    if (help) return PV_OK;
    pv_device *device = NULL;
    pv_comm *comm = NULL;
    char name[32];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PV_TRY(pv_device_count(s.device, &gpus));
    snprintf(name, sizeof name, "%s:%d", s.device, strcmp(s.device, "cpu") == 0 ? 1 : rank % gpus);
    pv_comm_options options = pv_comm_options_defaults();
    options.transport = s.transport;
    PV_TRY(pv_device_open(name, &device));
    pv_status status = pv_comm_open_mpi(MPI_COMM_WORLD, device, &options, &comm);
    if (status == PV_OK) status = run_all(comm, &s);
    pv_comm_close(comm);
    pv_device_close(device);
    return status;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    pv_status status = run(argc, argv);
    MPI_Finalize();
    return status == PV_OK ? 0 : 1;
}
