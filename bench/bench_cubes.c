// SPDX-License-Identifier: Apache-2.0
// Convolutions of boxes, and pairs of exact exchange, by every method of a device, one record a line. `ratio` is the
// time of the last method of the device (cuFFT on GPUs) over that of this one, in turns in the same run; `limit` the
// share of one read and one write of the boxes at the rate of a copy measured in the same run.
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "bench_options.h"
#include "fft/cubes/cubes.h"

enum { CONVOLUTIONS, COMPLEX_PAIRS, REAL_PAIRS, WORKS, MOST_REPEATS = 31, SOURCES = 16 };

static const char *const works[] = {"convolution", "complex pairs", "real pairs"};

typedef struct settings {
    const char *device, *shapes, *precision, *commit, *machine;
    int64_t bytes, repeats, batch;
    double reach;
} settings;

// Boxes in and out, sources and what acts on them, a factor, a list of pairs.
typedef struct arrays {
    int64_t shape[3], points, count;
    pv_precision precision;
    pv_buffer *in, *out, *source, *sums, *factor, *list;
} arrays;

static void free_arrays(arrays *a)
{
    pv_buffer_destroy(a->in);
    pv_buffer_destroy(a->out);
    pv_buffer_destroy(a->source);
    pv_buffer_destroy(a->factor);
    pv_buffer_destroy(a->sums);
    pv_buffer_destroy(a->list);
}

static pv_status make_array(pv_device *device, pv_precision precision, int64_t count, double scale,
                            pv_buffer **buffer_p)
{
    const size_t real_bytes = precision == PV_FP32 ? 4 : 8;
    char *host;
    uint64_t h = 88172645463325252u;
    PV_TRY(pv_mem_alloc_raw((size_t)count, real_bytes, (void **)&host));
    for (int64_t i = 0; i < count; i++) {
        h ^= h << 13, h ^= h >> 7, h ^= h << 17;
        const double value = scale * ((double)(h >> 11) / (double)(1ull << 53) - 0.5);
        if (precision == PV_FP32)
            ((float *)host)[i] = (float)value;
        else
            ((double *)host)[i] = value;
    }
    pv_status status = pv_buffer_create(device, (size_t)count * real_bytes, buffer_p);
    if (status == PV_OK) status = pv_buffer_write(*buffer_p, 0, host, (size_t)count * real_bytes);
    pv_mem_free(host);
    return status;
}

// The factor of exchange is zero beyond a ball, `reach` of half the lengths of the box.
static pv_status cut_factor(const arrays *a, double reach)
{
    const size_t real_bytes = a->precision == PV_FP32 ? 4 : 8;
    const int64_t *n = a->shape;
    char *host;
    PV_TRY(pv_mem_alloc((size_t)a->points, real_bytes, (void **)&host));
    pv_status status = pv_buffer_read(a->factor, 0, host, (size_t)a->points * real_bytes);
    for (int64_t i = 0; i < a->points; i++) {
        const int64_t g[3] = {i / (n[1] * n[2]), i / n[2] % n[1], i % n[2]};
        double square = 0;
        for (int d = 0; d < 3; d++) {
            const double at = 2 * (double)(2 * g[d] > n[d] ? n[d] - g[d] : g[d]) / (double)n[d];
            square += at * at;
        }
        if (square > reach * reach) memset(host + (size_t)i * real_bytes, 0, real_bytes);
    }
    if (status == PV_OK) status = pv_buffer_write(a->factor, 0, host, (size_t)a->points * real_bytes);
    pv_mem_free(host);
    return status;
}

static pv_status make_arrays(pv_device *device, const settings *s, const int64_t shape[3], arrays *a)
{
    a->precision = strcmp(s->precision, "fp64") == 0 ? PV_FP64 : PV_FP32;
    memcpy(a->shape, shape, sizeof a->shape);
    a->points = shape[0] * shape[1] * shape[2];
    a->count = s->bytes / (a->points * (a->precision == PV_FP32 ? 8 : 16));
    if (a->count < 1) a->count = 1;
    PV_TRY(make_array(device, a->precision, 2 * a->points * a->count, 1, &a->in));
    PV_TRY(pv_buffer_create(device, pv_buffer_bytes(a->in), &a->out));
    PV_TRY(pv_stream_copy(pv_device_stream(device), pv_buffer_data(a->out), pv_buffer_data(a->in),
                          pv_buffer_bytes(a->in)));
    PV_TRY(make_array(device, a->precision, 2 * a->points * SOURCES, 1, &a->source));
    PV_TRY(make_array(device, a->precision, 2 * a->points * SOURCES, 1, &a->sums));
    PV_TRY(pv_buffer_create(device, (size_t)(a->count * SOURCES) * sizeof(pv_real_pair), &a->list));
    PV_TRY(make_array(device, a->precision, a->points, 1 / (double)a->points, &a->factor));
    return cut_factor(a, s->reach);
}

// Every target with every source, eight targets at a time; real targets in twos. Both act.
static pv_status list_pairs(const arrays *a, int is_real)
{
    enum { TOGETHER = 8 };
    const size_t bytes = (size_t)a->points * (a->precision == PV_FP32 ? 8 : 16),
                 source_bytes = bytes / (is_real ? 2 : 1);
    char *in = pv_buffer_data(a->in), *out = pv_buffer_data(a->out);
    char *source = pv_buffer_data(a->source), *sums = pv_buffer_data(a->sums);
    void *list;
    int64_t at = 0;
    PV_TRY(pv_mem_alloc((size_t)(a->count * SOURCES), sizeof(pv_real_pair), &list));
    for (int64_t first = 0; first < a->count; first += TOGETHER)
        for (int64_t s = 0; s < SOURCES; s++)
            for (int64_t t = first; t < first + TOGETHER && t < a->count; t++, at++) {
                char *target = in + (size_t)t * bytes, *sum = out + (size_t)t * bytes;
                if (is_real)
                    ((pv_real_pair *)list)[at] = (pv_real_pair){.source = source + (size_t)s * source_bytes,
                                                                .target = {target, target + bytes / 2},
                                                                .source_sum = sums + (size_t)s * source_bytes,
                                                                .target_sum = {sum, sum + bytes / 2},
                                                                .source_weight = {1e-3, 1e-3},
                                                                .target_weight = {1e-3, 1e-3}};
                else
                    ((pv_complex_pair *)list)[at] = (pv_complex_pair){.source = source + (size_t)s * source_bytes,
                                                                      .target = target,
                                                                      .source_sum = sums + (size_t)s * source_bytes,
                                                                      .target_sum = sum,
                                                                      .source_weight = 1e-3,
                                                                      .target_weight = 1e-3};
            }
    const size_t pair_bytes = is_real ? sizeof(pv_real_pair) : sizeof(pv_complex_pair);
    const pv_status status = pv_buffer_write(a->list, 0, list, (size_t)(a->count * SOURCES) * pair_bytes);
    pv_mem_free(list);
    return status;
}

// Boxes transformed; pairs are of all boxes of the array with all sources.
static int64_t boxes_of(const arrays *a, int work)
{
    return work == CONVOLUTIONS ? a->count : a->count * SOURCES;
}

static pv_status run_once(pv_cubes *cubes, pv_stream *stream, const arrays *a, int work)
{
    const void *factor = pv_buffer_data(a->factor);
    if (work == CONVOLUTIONS)
        return pv_cubes_convolve(cubes, stream, factor, a->count, pv_buffer_data(a->in), pv_buffer_data(a->out));
    const pv_cubes_pairs pairs = {
        .is_real = work == REAL_PAIRS, .count = a->count * SOURCES, .list = pv_buffer_data(a->list)};
    return pv_cubes_run_pairs(cubes, stream, factor, &pairs);
}

static pv_status seconds_of(pv_cubes *cubes, const arrays *a, int work, pv_stream *stream, pv_event *marks[2],
                            double *seconds_p)
{
    PV_TRY(pv_event_record(marks[0], stream));
    if (cubes)
        PV_TRY(run_once(cubes, stream, a, work));
    else
        PV_TRY(pv_stream_copy(stream, pv_buffer_data(a->out), pv_buffer_data(a->in), pv_buffer_bytes(a->in)));
    PV_TRY(pv_event_record(marks[1], stream));
    return pv_event_seconds(marks[0], marks[1], seconds_p);
}

static void print_record(const settings *s, const arrays *a, const pv_cubes *cubes, int work, const pv_timing *timing,
                         double reference_s, double copy_bytes_per_s)
{
    char shape[64];
    const int64_t boxes = boxes_of(a, work);
    const double bytes = 2.0 * (double)a->points * (a->precision == PV_FP32 ? 8 : 16);
    pv_json *json = pv_json_create(0);
    snprintf(shape, sizeof shape, "%dx%dx%d", (int)a->shape[0], (int)a->shape[1], (int)a->shape[2]);
    pv_json_object(json, NULL);
    pv_json_text_value(json, "work", works[work]);
    pv_json_text_value(json, "shape", shape);
    pv_json_text_value(json, "precision", a->precision == PV_FP32 ? "fp32" : "fp64");
    pv_json_text_value(json, "device", s->device);
    pv_json_text_value(json, "method", pv_cubes_method(cubes));
    pv_json_text_value(json, "text", pv_cubes_text(cubes));
    pv_json_number(json, "reach", s->reach);
    pv_json_integer(json, "boxes", boxes);
    pv_json_number(json, "min_us", timing->min_s / (double)boxes * 1e6);
    pv_json_number(json, "median_us", timing->median_s / (double)boxes * 1e6);
    pv_json_number(json, "max_us", timing->max_s / (double)boxes * 1e6);
    pv_json_number(json, "ratio", reference_s / timing->median_s);
    if (work == CONVOLUTIONS)
        pv_json_number(json, "limit", bytes / copy_bytes_per_s / (timing->median_s / (double)boxes));
    pv_json_number(json, "copy_bytes_per_s", copy_bytes_per_s);
    pv_json_text_value(json, "machine", s->machine);
    pv_json_text_value(json, "commit", s->commit);
    bench_record_print(json);
}

// Methods in turns, a copy among them. cubes[] ends with the reference; a NULL before it is left out.
static pv_status compare(const settings *s, const arrays *a, int work, pv_stream *stream, pv_event *marks[2],
                         pv_cubes *const *cubes, int count)
{
    enum { MOST = 4 };
    double seconds[MOST + 1][MOST_REPEATS];
    if (work != CONVOLUTIONS) PV_TRY(list_pairs(a, work == REAL_PAIRS));
    for (int r = -1; r < s->repeats; r++) // the first one warms up
        for (int m = 0; m <= count; m++)
            if (m == count || cubes[m])
                PV_TRY(seconds_of(m < count ? cubes[m] : NULL, a, work, stream, marks, &seconds[m][r < 0 ? 0 : r]));
    const double copy_bytes_per_s =
        2 * (double)pv_buffer_bytes(a->in) / pv_timing_of(seconds[count], (int)s->repeats).median_s;
    const pv_timing reference = pv_timing_of(seconds[count - 1], (int)s->repeats);
    for (int m = 0; m < count; m++) {
        if (!cubes[m]) continue;
        const pv_timing timing = pv_timing_of(seconds[m], (int)s->repeats);
        print_record(s, a, cubes[m], work, &timing, reference.median_s, copy_bytes_per_s);
    }
    return PV_OK;
}

static pv_status run_shape(pv_device *device, const settings *s, const int64_t shape[3])
{
    arrays a = {0};
    pv_cubes *cubes[2] = {NULL};
    pv_event *marks[2] = {NULL};
    const char *last = pv_device_is_host(device) ? "plan" : "cufft";
    pv_status status = make_arrays(device, s, shape, &a);
    const int64_t batch = s->batch > 0 ? s->batch : a.count;
    for (int i = 0; i < 2 && status == PV_OK; i++) status = pv_event_create(device, &marks[i]);
    if (status == PV_OK) status = pv_cubes_create(device, "auto", shape, a.precision, batch, &cubes[0]);
    if (status == PV_OK && strcmp(pv_cubes_method(cubes[0]), last) == 0) {
        pv_cubes_destroy(cubes[0]);
        cubes[0] = NULL;
    }
    if (status == PV_OK) status = pv_cubes_create(device, last, shape, a.precision, batch, &cubes[1]);
    for (int work = 0; work < WORKS && status == PV_OK; work++)
        status = compare(s, &a, work, pv_device_stream(device), marks, cubes, 2);
    for (int i = 0; i < 2; i++) {
        pv_cubes_destroy(cubes[i]);
        pv_event_destroy(marks[i]);
    }
    free_arrays(&a);
    return status;
}

// "36,54x54x54,..." one after another.
static pv_status run_all(pv_device *device, const settings *s)
{
    const char *at = s->shapes;
    while (*at) {
        int n[3], used = 0, read = sscanf(at, "%dx%dx%d%n", &n[0], &n[1], &n[2], &used);
        if (read != 3) {
            read = sscanf(at, "%d%n", &n[0], &used);
            n[1] = n[2] = n[0];
        }
        PV_REQUIRE(read >= 1 && n[0] > 0 && n[1] > 0 && n[2] > 0, PV_ERR_INPUT,
                   "shapes '%s'; as in 36,45x48x48 they are accepted", at);
        PV_TRY(run_shape(device, s, (int64_t[3]){n[0], n[1], n[2]}));
        at += used;
        if (*at == ',') at++;
    }
    return PV_OK;
}

static pv_status parse(int argc, char **argv, settings *s, int *help_p)
{
    const pv_option options[] = {
        {.name = "device", .type = PV_OPTION_TEXT, .value = &s->device, .unit = "NAME", .help = "Where."},
        {.name = "shapes",
         .type = PV_OPTION_TEXT,
         .value = &s->shapes,
         .unit = "LIST",
         .help = "36,45x48x48,... points."},
        {.name = "precision", .type = PV_OPTION_TEXT, .value = &s->precision, .unit = "NAME", .help = "fp32 or fp64."},
        {.name = "bytes",
         .type = PV_OPTION_INT,
         .value = &s->bytes,
         .unit = "N",
         .minimum = 1,
         .maximum = 1e12,
         .help = "Of all boxes of a shape."},
        {.name = "repeats",
         .type = PV_OPTION_INT,
         .value = &s->repeats,
         .unit = "N",
         .minimum = 1,
         .maximum = MOST_REPEATS,
         .help = "Timings of each method."},
        {.name = "batch",
         .type = PV_OPTION_INT,
         .value = &s->batch,
         .unit = "N",
         .minimum = 0,
         .maximum = 1e6,
         .help = "Boxes that go through memory at once; 0: as many as there are."},
        {.name = "reach",
         .type = PV_OPTION_REAL,
         .value = &s->reach,
         .unit = "R",
         .minimum = 0,
         .maximum = 2,
         .help = "The factor is zero beyond, in halves of the lengths."},
        BENCH_RECORD_OPTIONS(s),
    };
    return bench_options_parse(options, sizeof options / sizeof options[0], 0, argc, argv, help_p);
}

int main(int argc, char **argv)
{
    settings s = {.device = "cpu",
                  .shapes = "32,36,40,42,45,45x48x48,48,50,54,56,60,63,64,70,72",
                  .precision = "fp32",
                  .bytes = 64 << 20,
                  .repeats = 5,
                  .reach = 1};
    int help = 0;
    pv_device *device = NULL;
    pv_status status = parse(argc, argv, &s, &help);
    if (status == PV_OK && !help) status = pv_device_open(s.device, &device);
    if (status == PV_OK && !help) status = run_all(device, &s);
    pv_device_close(device);
    return status == PV_OK ? 0 : 1;
}
