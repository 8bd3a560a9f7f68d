// SPDX-License-Identifier: Apache-2.0
// Exchange and correlation at points of a device, by functional and spins, one record a line: nanoseconds a point.
#include <math.h>
#include <stdio.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/options.h"
#include "base/rng.h"
#include "bench_options.h"
#include "device/array.h"
#include "dft/terms/xc_points.h"

enum { MOST_REPEATS = 31 };

typedef struct settings {
    const char *device, *commit, *machine;
    int64_t points, repeats;
} settings;

static const struct {
    const char *name;
    pv_functional_kind kind;
    double screening;
} functionals[] = {{"LDA", PV_FUNCTIONAL_LDA, 0.0},
                   {"PBE", PV_FUNCTIONAL_PBE, 0.0},
                   {"HSE06", PV_FUNCTIONAL_PBE, 0.106},
                   {"HSEsol", PV_FUNCTIONAL_PBESOL, 0.106}};

// Densities of 1e-4 to 1 and gradients that go with them.
static pv_status fill(pv_device *device, int64_t points, double *density, double *gradient)
{
    double *host;
    PV_TRY(PV_ALLOC(6 * points, &host));
    for (int64_t i = 0; i < 2 * points; i++) host[i] = pow(10.0, -4.0 * pv_rng_uniform(1, 0, (uint64_t)i));
    pv_status status = pv_array_write(device, density, host, (size_t)(2 * points) * sizeof *host);
    for (int64_t i = 0; i < 6 * points; i++) host[i] = 1e-2 * (pv_rng_uniform(1, 1, (uint64_t)i) - 0.5);
    if (status == PV_OK) status = pv_array_write(device, gradient, host, (size_t)(6 * points) * sizeof *host);
    pv_mem_free(host);
    return status;
}

static void print_record(const settings *s, const char *functional, int spins, const pv_timing *t)
{
    pv_json *json = pv_json_create(0);
    pv_json_object(json, NULL);
    pv_json_text_value(json, "bench", "xc");
    pv_json_text_value(json, "commit", s->commit);
    pv_json_text_value(json, "machine", s->machine);
    pv_json_text_value(json, "device", s->device);
    pv_json_text_value(json, "functional", functional);
    pv_json_integer(json, "spins", spins);
    pv_json_integer(json, "points", s->points);
    pv_json_number(json, "median_s", t->median_s);
    pv_json_number(json, "ns_a_point", 1e9 * t->median_s / (double)s->points);
    bench_record_print(json);
}

static pv_status run_one(const settings *s, int f, int spins, pv_stream *stream, const pv_xc_fields *fields,
                         pv_event *const marks[2])
{
    double seconds[MOST_REPEATS];
    pv_functional functional = pv_functional_of(functionals[f].kind);
    pv_xc_terms terms;
    if (functionals[f].screening > 0.0)
        functional = pv_functional_hybrid_of(functionals[f].kind, 0.25, functionals[f].screening);
    PV_TRY(pv_xc_terms_of(&functional, &terms));
    for (int r = -1; r < s->repeats; r++) { // the first one warms up
        PV_TRY(pv_event_record(marks[0], stream));
        PV_TRY(pv_xc_points(stream, &terms, spins, fields));
        PV_TRY(pv_event_record(marks[1], stream));
        PV_TRY(pv_event_seconds(marks[0], marks[1], &seconds[r < 0 ? 0 : r]));
    }
    const pv_timing timing = pv_timing_of(seconds, (int)s->repeats);
    print_record(s, functionals[f].name, spins, &timing);
    return PV_OK;
}

static pv_status run_all(pv_device *device, const settings *s)
{
    PV_REQUIRE(s->points >= 1 && s->repeats >= 1 && s->repeats <= MOST_REPEATS, PV_ERR_INPUT,
               "%lld points, %lld repeats; 1 or more and 1 to %d are accepted", (long long)s->points,
               (long long)s->repeats, MOST_REPEATS);
    double *all = NULL;                // 2 densities, 6 gradients, 3 histories, 2 potentials, energy, what is left out
    pv_event *marks[2] = {NULL};
    const int64_t n = s->points;
    pv_status status = PV_ARRAY(device, "points", 15 * n, &all);
    for (int i = 0; i < 2 && status == PV_OK; i++) status = pv_event_create(device, &marks[i]);
    for (int f = 0; f < 4; f++)
        for (int spins = 1; spins <= 2; spins++) {
            const pv_xc_fields fields = {n, all, all + 2 * n, all + 8 * n, all + 11 * n, all + 13 * n, all + 14 * n};
            // Gradients have become fields.
            if (status == PV_OK) status = fill(device, n, all, all + 2 * n);
            if (status == PV_OK) status = run_one(s, f, spins, pv_device_stream(device), &fields, marks);
        }
    for (int i = 0; i < 2; i++) pv_event_destroy(marks[i]);
    pv_array_destroy(device, all);
    return status;
}

int main(int argc, char **argv)
{
    settings s = {.device = "cpu:1", .commit = "", .machine = "", .points = 1259712, .repeats = 11};
    const pv_option options[] = {
        {.name = "device", .type = PV_OPTION_TEXT, .value = &s.device, .unit = "NAME", .help = "cpu:N or cuda"},
        {.name = "points", .type = PV_OPTION_INT, .value = &s.points, .unit = "N", .help = "points"},
        {.name = "repeats", .type = PV_OPTION_INT, .value = &s.repeats, .unit = "N", .help = "times, for the median"},
        {.name = "commit", .type = PV_OPTION_TEXT, .value = &s.commit, .unit = "ID", .help = "into the record"},
        {.name = "machine", .type = PV_OPTION_TEXT, .value = &s.machine, .unit = "NAME", .help = "into the record"},
    };
    const int count = sizeof options / sizeof options[0];
    int help = 0;
    pv_device *device = NULL;
    pv_status status = pv_options_parse(options, count, 0, &argc, argv, &help);
    if (help) pv_options_help(stdout, options, count);
    if (status == PV_OK && !help) status = pv_device_open(s.device, &device);
    if (status == PV_OK && !help) status = run_all(device, &s);
    pv_device_close(device);
    return status == PV_OK ? 0 : 1;
}
