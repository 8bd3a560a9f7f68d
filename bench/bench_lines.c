// SPDX-License-Identifier: Apache-2.0
// The lines engine and FFTW on tiles in cache: one record a line for each length, kind and precision.
//
// FFTW plans with FFTW_PATIENT for as many lines as our tile has, lying as rows, as columns, and going in as columns
// and out as rows, whichever is fastest. Contestants take turns in bursts of some 50 us and the shortest burst of each
// counts, so that what else the machine does hits neither. Speeds are in units of 5 n log2 n operations a complex line,
// half of that for a real one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fftw3.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/options.h"
#include "bench_options.h"
#include "fft/engine/engine.h"

enum { LAYOUTS = 3, CONTESTANTS = LAYOUTS + 1 };

static const char *const kind_names[] = {"forward", "inverse", "r2c", "c2r"};
static const char *const layout_names[LAYOUTS] = {"rows", "columns", "columns to rows"};

typedef struct settings {
    const char *lengths, *kinds, *precisions, *commit;
    double seconds;
    int measure, effort;
} settings;

typedef struct contest {
    pv_line_plan plan;
    fftw_plan fp64[LAYOUTS];
    fftwf_plan fp32[LAYOUTS];
    void *in, *out, *scratch;
    double best_s[CONTESTANTS];         // a tile; our own comes last
} contest;

static int64_t in_count(const pv_line_plan *plan) { return plan->kind == PV_LINE_C2R ? plan->n / 2 + 1 : plan->n; }
static int64_t out_count(const pv_line_plan *plan) { return plan->kind == PV_LINE_R2C ? plan->n / 2 + 1 : plan->n; }

#define DEFINE_PLANS(name, prefix, real)                                                                               \
    static prefix##_plan name##_plan(contest *c, int layout, unsigned flags)                                           \
    {                                                                                                                  \
        const pv_line_plan *p = &c->plan;                                                                              \
        int n = (int)p->n, lanes = p->lanes, in_rows = layout == 0, out_rows = layout != 1;                            \
        int in_step = in_rows ? 1 : lanes, in_lane = in_rows ? (int)in_count(p) : 1;                                   \
        int out_step = out_rows ? 1 : lanes, out_lane = out_rows ? (int)out_count(p) : 1;                              \
        void *in = c->in, *out = c->out;                                                                               \
        if (p->kind == PV_LINE_R2C)                                                                                    \
            return prefix##_plan_many_dft_r2c(1, &n, lanes, in, NULL, in_step, in_lane, out, NULL, out_step, out_lane, \
                                              flags);                                                                  \
        if (p->kind == PV_LINE_C2R)                                                                                    \
            return prefix##_plan_many_dft_c2r(1, &n, lanes, in, NULL, in_step, in_lane, out, NULL, out_step, out_lane, \
                                              flags);                                                                  \
        return prefix##_plan_many_dft(1, &n, lanes, in, NULL, in_step, in_lane, out, NULL, out_step, out_lane,         \
                                      p->kind == PV_LINE_FORWARD ? FFTW_FORWARD : FFTW_BACKWARD, flags);               \
    }

DEFINE_PLANS(fp64, fftw, double)
DEFINE_PLANS(fp32, fftwf, float)

static pv_status contest_open(const settings *s, pv_line_kind kind, int64_t n, pv_precision precision, contest *c)
{
    PV_TRY(pv_line_plan_create(&pv_engine_lines, kind, n, precision, s->measure ? PV_MEASURE : PV_ESTIMATE, &c->plan));
    PV_TRY(pv_mem_alloc(c->plan.in_bytes, 1, &c->in));
    PV_TRY(pv_mem_alloc(c->plan.out_bytes, 1, &c->out));
    PV_TRY(pv_mem_alloc(c->plan.scratch_bytes, 1, &c->scratch));
    const unsigned efforts[] = {FFTW_ESTIMATE, FFTW_MEASURE, FFTW_PATIENT};
    const unsigned flags = efforts[s->effort] | FFTW_DESTROY_INPUT;
    for (int layout = 0; layout < LAYOUTS; layout++) {
        if (precision == PV_FP64)
            c->fp64[layout] = fp64_plan(c, layout, flags);
        else
            c->fp32[layout] = fp32_plan(c, layout, flags);
        PV_REQUIRE(c->fp64[layout] || c->fp32[layout], PV_ERR_INTERNAL, "FFTW has no plan for %lld points",
                   (long long)n);
    }
    return PV_OK;
}

static void contest_close(contest *c)
{
    for (int layout = 0; layout < LAYOUTS; layout++) {
        if (c->fp64[layout]) fftw_destroy_plan(c->fp64[layout]);
        if (c->fp32[layout]) fftwf_destroy_plan(c->fp32[layout]);
    }
    pv_line_plan_destroy(&c->plan);
    pv_mem_free(c->in);
    pv_mem_free(c->out);
    pv_mem_free(c->scratch);
}

// Zeros stay zeros however often they are transformed.
static double burst_s(contest *c, int contestant, int tiles)
{
    double start = pv_clock_s();
    for (int i = 0; i < tiles; i++) {
        if (contestant == LAYOUTS)
            c->plan.ops->execute(&c->plan, c->in, c->out, c->scratch);
        else if (c->plan.precision == PV_FP64)
            fftw_execute(c->fp64[contestant]);
        else
            fftwf_execute(c->fp32[contestant]);
    }
    return (pv_clock_s() - start) / tiles;
}

static void contest_run(contest *c, double seconds)
{
    memset(c->in, 0, c->plan.in_bytes);
    for (int i = 0; i < CONTESTANTS; i++) c->best_s[i] = burst_s(c, i, 1);
    double start = pv_clock_s();
    do {
        for (int i = 0; i < CONTESTANTS; i++) {
            double once = burst_s(c, i, 1 + (int)(5e-5 / c->best_s[i]));
            if (once < c->best_s[i]) c->best_s[i] = once;
        }
    } while (pv_clock_s() - start < seconds);
}

static void print_record(const contest *c, const settings *s)
{
    const pv_line_plan *p = &c->plan;
    int real = p->kind == PV_LINE_R2C || p->kind == PV_LINE_C2R, best = 0;
    double operations = (real ? 2.5 : 5) * (double)p->n * log2((double)p->n) * p->lanes;
    for (int layout = 1; layout < LAYOUTS; layout++)
        if (c->best_s[layout] < c->best_s[best]) best = layout;
    pv_json *json = pv_json_create(0);
    pv_json_object(json, NULL);
    pv_json_integer(json, "n", p->n);
    pv_json_text_value(json, "kind", kind_names[p->kind]);
    pv_json_text_value(json, "precision", p->precision == PV_FP64 ? "fp64" : "fp32");
    pv_json_integer(json, "lanes", p->lanes);
    pv_json_number(json, "lines_gflops", round(operations / c->best_s[LAYOUTS] / 1e7) / 100);
    pv_json_number(json, "fftw_gflops", round(operations / c->best_s[best] / 1e7) / 100);
    pv_json_text_value(json, "fftw_layout", layout_names[best]);
    pv_json_number(json, "ratio", round(c->best_s[best] / c->best_s[LAYOUTS] * 1000) / 1000);
    pv_json_text_value(json, "commit", s->commit);
    bench_record_print(json);
}

static pv_status run_length(const settings *s, int64_t n)
{
    for (int precision = PV_FP64; precision <= PV_FP32; precision++)
        for (int kind = PV_LINE_FORWARD; kind <= PV_LINE_C2R; kind++) {
            const char *name = precision == PV_FP64 ? "fp64" : "fp32";
            if (!bench_is_listed(s->kinds, kind_names[kind]) || !bench_is_listed(s->precisions, name)) continue;
            contest c = {.in = NULL};
            pv_status status = contest_open(s, (pv_line_kind)kind, n, (pv_precision)precision, &c);
            if (status == PV_OK) {
                contest_run(&c, s->seconds);
                print_record(&c, s);
            }
            contest_close(&c);
            PV_TRY(status);
        }
    return PV_OK;
}

static pv_status run(int argc, char **argv)
{
    settings s = {
        .lengths = "16,30,32,36,48,54,60,64,72,80,90,96,97,100,108,120,128,144,180,192,240,256,257,320,360,384,400,432,"
                   "480,510,512,514,540,640,720,768,1000,1024",
        .kinds = "forward,r2c,c2r", .precisions = "fp64,fp32", .commit = "unknown", .seconds = 0.2, .effort = 2,
    };
    const pv_option options[] = {
        {.name = "lengths", .type = PV_OPTION_TEXT, .value = &s.lengths, .unit = "LIST", .help = "Points of a line."},
        {.name = "kinds", .type = PV_OPTION_TEXT, .value = &s.kinds, .unit = "LIST",
         .help = "Of forward, inverse, r2c, c2r."},
        {.name = "precisions", .type = PV_OPTION_TEXT, .value = &s.precisions, .unit = "LIST",
         .help = "Of fp64, fp32."},
        {.name = "seconds", .type = PV_OPTION_REAL, .value = &s.seconds, .unit = "S", .maximum = 1000,
         .help = "Time for one record, planning not counted."},
        {.name = "measure", .type = PV_OPTION_FLAG, .value = &s.measure, .help = "Our plans are timed too."},
        {.name = "fftw", .type = PV_OPTION_CHOICE, .value = &s.effort, .choices = "estimate|measure|patient",
         .help = "FFTW's effort in planning."},
        {.name = "commit", .type = PV_OPTION_TEXT, .value = &s.commit, .unit = "ID", .help = "For the records."},
    };
    const int count = sizeof options / sizeof options[0];
    int help = 0;
    PV_TRY(pv_options_parse(options, count, 0, &argc, argv, &help));
    if (help) {
        printf("bench_lines - the lines engine against FFTW on tiles in cache\n\n");
        pv_options_help(stdout, options, count);
        return PV_OK;
    }
    for (const char *at = s.lengths; at; at = strchr(at, ','), at = at ? at + 1 : NULL) {
        long long n = atoll(at);
        PV_REQUIRE(n >= 1 && n <= 1 << 24, PV_ERR_INPUT, "--lengths has \"%s\"; 1 to 2^24 are accepted", at);
        PV_TRY(run_length(&s, n));
    }
    return PV_OK;
}

int main(int argc, char **argv)
{
    return run(argc, argv) == PV_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
