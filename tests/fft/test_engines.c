// SPDX-License-Identifier: Apache-2.0
// Every engine in the list against sums in long double, and the promise that a line gets the same bits in any lane.
#include "harness.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "fft/engine/engine.h"

// Engines of GPUs come last in the list; their lines run on the device only.
static const pv_engine_ops *cpu_engine_at(int index)
{
    const pv_engine_ops *engine = pv_engine_at(index);
    return engine && !engine->on_gpu ? engine : NULL;
}

#define POISON 1e30    // shows wherever it leaks, and unlike NaN costs long double nothing

enum { LONGEST = 514, MOST_LANES = 64 };

static const int more_lengths[] = {97, 100, 127, 128, 384, 510, 514};
static const char *const kind_names[] = {"forward", "inverse", "r2c", "c2r"};

// A tile with its plan, filled with POISON wherever no line has been put.
typedef struct tile {
    pv_line_plan plan;
    void *in, *out, *scratch;
} tile;

static int is_real_in(const pv_line_plan *plan) { return plan->kind == PV_LINE_R2C; }
static int is_real_out(const pv_line_plan *plan) { return plan->kind == PV_LINE_C2R; }
static int64_t in_count(const pv_line_plan *plan) { return plan->kind == PV_LINE_C2R ? plan->n / 2 + 1 : plan->n; }
static int64_t out_count(const pv_line_plan *plan) { return plan->kind == PV_LINE_R2C ? plan->n / 2 + 1 : plan->n; }
static double epsilon(pv_precision precision) { return precision == PV_FP64 ? DBL_EPSILON : FLT_EPSILON; }

static void set(pv_precision precision, void *values, int64_t index, double value)
{
    if (precision == PV_FP64)
        ((double *)values)[index] = value;
    else
        ((float *)values)[index] = (float)value;
}

static double get(pv_precision precision, const void *values, int64_t index)
{
    return precision == PV_FP64 ? ((const double *)values)[index] : ((const float *)values)[index];
}

static void tile_open(const pv_engine_ops *engine, pv_line_kind kind, int64_t n, pv_precision precision, pv_rigor rigor,
                      tile *t)
{
    memset(t, 0, sizeof *t);
    assert_ok(pv_line_plan_create(engine, kind, n, precision, rigor, &t->plan));
    const pv_line_plan *plan = &t->plan;
    assert_in_range(plan->lanes, 1, MOST_LANES);
    assert_true(plan->in_step == 1 || plan->in_lane == 1);
    assert_true(plan->out_step == 1 || plan->out_lane == 1);
    assert_ok(pv_mem_alloc(plan->in_bytes, 1, &t->in));
    assert_ok(pv_mem_alloc(plan->out_bytes, 1, &t->out));
    assert_ok(pv_mem_alloc(plan->scratch_bytes, 1, &t->scratch));
}

static void tile_close(tile *t)
{
    pv_line_plan_destroy(&t->plan);
    pv_mem_free(t->in);
    pv_mem_free(t->out);
    pv_mem_free(t->scratch);
}

static void tile_clear(tile *t)
{
    size_t reals = t->plan.in_bytes / pv_real_bytes(t->plan.precision);
    for (size_t i = 0; i < reals; i++) set(t->plan.precision, t->in, (int64_t)i, POISON);
}

static void tile_put(tile *t, int lane, const double complex *line)
{
    const pv_line_plan *plan = &t->plan;
    for (int64_t k = 0; k < in_count(plan); k++) {
        int64_t at = k * plan->in_step + lane * plan->in_lane;
        if (is_real_in(plan)) {
            set(plan->precision, t->in, at, creal(line[k]));
        } else {
            set(plan->precision, t->in, 2 * at, creal(line[k]));
            set(plan->precision, t->in, 2 * at + 1, cimag(line[k]));
        }
    }
}

static void tile_run(tile *t)
{
    t->plan.ops->execute(&t->plan, t->in, t->out, t->scratch);
}

static void tile_take(const tile *t, int lane, double complex *line)
{
    const pv_line_plan *plan = &t->plan;
    for (int64_t k = 0; k < out_count(plan); k++) {
        int64_t at = k * plan->out_step + lane * plan->out_lane;
        if (is_real_out(plan))
            line[k] = get(plan->precision, t->out, at);
        else
            line[k] = get(plan->precision, t->out, 2 * at) + I * get(plan->precision, t->out, 2 * at + 1);
    }
}

// Values that FP32 holds exactly.
static void line_random(uint64_t stream, int64_t count, double complex *line)
{
    for (int64_t k = 0; k < count; k++) {
        float re = (float)(pv_rng_uniform(1, stream, (uint64_t)(2 * k)) - 0.5);
        float im = (float)(pv_rng_uniform(1, stream, (uint64_t)(2 * k + 1)) - 0.5);
        line[k] = re + I * (double)im;
    }
}

static void line_expected(const pv_line_plan *plan, const double complex *line, long double complex *result)
{
    static long double complex roots[LONGEST], full[LONGEST];
    int64_t n = plan->n;
    int sign = plan->kind == PV_LINE_FORWARD || plan->kind == PV_LINE_R2C ? -1 : 1;
    for (int64_t k = 0; k < n; k++) {
        long double angle = sign * 6.283185307179586476925286766559L * (long double)k / (long double)n;
        roots[k] = cosl(angle) + I * sinl(angle);
        full[k] = k < in_count(plan) ? line[k] : conj(line[n - k]);
        if (is_real_in(plan)) full[k] = creall(full[k]);
    }
    if (plan->kind == PV_LINE_C2R) {
        full[0] = creall(full[0]);
        if (n % 2 == 0) full[n / 2] = creall(full[n / 2]);
    }
    for (int64_t k = 0; k < out_count(plan); k++) {
        long double re = 0, im = 0;
        for (int64_t j = 0; j < n; j++) {
            long double complex w = roots[j * k % n];
            re += creall(full[j]) * creall(w) - cimagl(full[j]) * cimagl(w);
            im += creall(full[j]) * cimagl(w) + cimagl(full[j]) * creall(w);
        }
        result[k] = is_real_out(plan) ? re : re + I * im;
    }
}

// Relative error in the 2-norm, in units of eps, of the first and the last lane of a full tile.
static double tile_error(tile *t)
{
    static double complex line[LONGEST], found[LONGEST];
    static long double complex expected[LONGEST];
    double worst = 0;
    tile_clear(t);
    for (int lane = 0; lane < t->plan.lanes; lane++) {
        line_random((uint64_t)lane, in_count(&t->plan), line);
        tile_put(t, lane, line);
    }
    tile_run(t);
    for (int lane = 0; lane < t->plan.lanes; lane += t->plan.lanes > 1 ? t->plan.lanes - 1 : 1) {
        line_random((uint64_t)lane, in_count(&t->plan), line);
        line_expected(&t->plan, line, expected);
        tile_take(t, lane, found);
        long double error = 0, size = 0;
        for (int64_t k = 0; k < out_count(&t->plan); k++) {
            long double complex off = found[k] - expected[k];
            error += creall(off) * creall(off) + cimagl(off) * cimagl(off);
            size += creall(expected[k]) * creall(expected[k]) + cimagl(expected[k]) * cimagl(expected[k]);
        }
        double relative = (double)sqrtl(error / size) / epsilon(t->plan.precision);
        if (!(relative <= worst)) worst = relative;       // NaN is the worst
    }
    return worst;
}

static int length_at(int index)
{
    int few = (int)(sizeof more_lengths / sizeof *more_lengths);
    return index < 64 ? index + 1 : index < 64 + few ? more_lengths[index - 64] : 0;
}

static void check_accuracy(const pv_engine_ops *engine, pv_line_kind kind, pv_precision precision)
{
    double worst = 0;
    int worst_n = 0;
    for (int i = 0, n; (n = length_at(i)); i++) {
        if (!engine->supports(kind, n, precision)) continue;
        tile t;
        tile_open(engine, kind, n, precision, PV_ESTIMATE, &t);
        double error = tile_error(&t), limit = 0.6 + 0.4 * log2(n);
        tile_close(&t);
        if (!(error <= limit))
            fail_msg("engine %s, %s, n = %d, FP%d: error %.2f eps, accepted %.2f", engine->name, kind_names[kind], n,
                     precision == PV_FP64 ? 64 : 32, error, limit);
        if (error > worst) {
            worst = error;
            worst_n = n;
        }
    }
    if (worst_n == 0) return;
    printf("engine %-5s FP%d %-7s largest error %.2f eps at n = %d\n", engine->name, precision == PV_FP64 ? 64 : 32,
           kind_names[kind], worst, worst_n);
}

static void transforms_are_accurate(void **state)
{
    (void)state;
    const pv_engine_ops *engine;
    for (int i = 0; (engine = cpu_engine_at(i)); i++)
        for (int kind = PV_LINE_FORWARD; kind <= PV_LINE_C2R; kind++)
            for (int precision = PV_FP64; precision <= PV_FP32; precision++)
                check_accuracy(engine, (pv_line_kind)kind, (pv_precision)precision);
}

// One line alone in each lane in turn, the others POISON: the same bits as among other lines.
static void check_lanes(const pv_engine_ops *engine, pv_line_kind kind, int64_t n, pv_precision precision,
                        pv_rigor rigor)
{
    static double complex line[LONGEST], first[LONGEST], found[LONGEST];
    tile t;
    tile_open(engine, kind, n, precision, rigor, &t);
    size_t bytes = (size_t)out_count(&t.plan) * sizeof *found;
    tile_clear(&t);
    for (int lane = 0; lane < t.plan.lanes; lane++) {
        line_random((uint64_t)lane, in_count(&t.plan), line);
        tile_put(&t, lane, line);
    }
    tile_run(&t);
    tile_take(&t, 0, first);
    line_random(0, in_count(&t.plan), line);
    for (int lane = 0; lane < t.plan.lanes; lane++) {
        tile_clear(&t);
        tile_put(&t, lane, line);
        tile_run(&t);
        tile_take(&t, lane, found);
        if (memcmp(found, first, bytes) != 0)
            fail_msg("engine %s, %s, n = %d, FP%d: lane %d gives other bits than lane 0", engine->name,
                     kind_names[kind], (int)n, precision == PV_FP64 ? 64 : 32, lane);
    }
    tile_close(&t);
}

static void lanes_do_not_matter(void **state)
{
    (void)state;
    const pv_engine_ops *engine;
    for (int i = 0; (engine = cpu_engine_at(i)); i++)
        for (int kind = PV_LINE_FORWARD; kind <= PV_LINE_C2R; kind++)
            for (int precision = PV_FP64; precision <= PV_FP32; precision++)
                for (int j = 0, n; (n = length_at(j)); j++)
                    if (engine->supports((pv_line_kind)kind, n, (pv_precision)precision))
                        check_lanes(engine, (pv_line_kind)kind, n, (pv_precision)precision, PV_ESTIMATE);
}

static void measured_plans_too(void **state)
{
    (void)state;
    static const int lengths[] = {1, 12, 37, 64};
    const pv_engine_ops *engine;
    for (int i = 0; (engine = cpu_engine_at(i)); i++)
        for (int kind = PV_LINE_FORWARD; kind <= PV_LINE_C2R; kind++)
            for (int precision = PV_FP64; precision <= PV_FP32; precision++)
                for (int j = 0; j < (int)(sizeof lengths / sizeof *lengths); j++) {
                    if (!engine->supports((pv_line_kind)kind, lengths[j], (pv_precision)precision)) continue;
                    tile t;
                    tile_open(engine, (pv_line_kind)kind, lengths[j], (pv_precision)precision, PV_MEASURE, &t);
                    assert_true(tile_error(&t) <= 0.6 + 0.4 * log2(lengths[j]));
                    tile_close(&t);
                    check_lanes(engine, (pv_line_kind)kind, lengths[j], (pv_precision)precision, PV_MEASURE);
                }
}

// Twiddle factors of a line far longer than the sums above can check: a wave of one frequency gives one peak.
static void long_lines(void **state)
{
    (void)state;
    static const int64_t lengths[] = {8192, 10007, 65536};
    const pv_engine_ops *engine;
    for (int i = 0; (engine = cpu_engine_at(i)); i++) {
        for (int j = 0; j < 3; j++) {
            int64_t n = lengths[j], wave = n / 3;
            if (!engine->supports(PV_LINE_FORWARD, n, PV_FP64)) continue;
            if (engine == &pv_engine_ref && n == 10007) continue;   // a prime takes n^2 sums there
            tile t;
            tile_open(engine, PV_LINE_FORWARD, n, PV_FP64, PV_ESTIMATE, &t);
            double *in = t.in, *out = t.out;
            for (int64_t k = 0; k < n; k++) {
                for (int lane = 0; lane < t.plan.lanes; lane++) {
                    double angle = 6.283185307179586 * (double)(wave * k % n) / (double)n;
                    int64_t at = k * t.plan.in_step + lane * t.plan.in_lane;
                    in[2 * at] = cos(angle);
                    in[2 * at + 1] = sin(angle);
                }
            }
            tile_run(&t);
            int64_t last = (t.plan.lanes - 1) * t.plan.out_lane;
            for (int64_t k = 0; k < n; k++) {
                const double *value = out + 2 * (k * t.plan.out_step + last);
                assert_near(value[0], k == wave ? (double)n : 0, 4e-15 * (double)n);
                assert_near(value[1], 0, 4e-15 * (double)n);
            }
            tile_close(&t);
        }
    }
}

static void unknown_names_are_told_off(void **state)
{
    (void)state;
    const pv_engine_ops *engine = NULL;
    assert_ok(pv_engine_find("ref", &engine));
    assert_ptr_equal(engine, &pv_engine_ref);
    engine = NULL;
    assert_fails(PV_ERR_ARGUMENT, pv_engine_find("mkl", &engine));
    assert_null(engine);
    assert_non_null(strstr(pv_last_error(), "engine 'mkl' is unknown; known are auto, "));
    assert_non_null(strstr(pv_last_error(), "fftw"));
    assert_non_null(strstr(pv_last_error(), "ref"));
    assert_fails(PV_ERR_ARGUMENT, pv_engine_find(NULL, &engine));
#if !PV_HAVE_CUDA
    assert_fails(PV_ERR_NOT_BUILT, pv_engine_find("cufft", &engine));
    assert_non_null(strstr(pv_last_error(), "engine 'cufft' is not built in; known are auto, lines (built in), "));
#endif
    assert_null(pv_engine_at(-1));
}

static void lengths_below_one_are_refused(void **state)
{
    (void)state;
    pv_line_plan plan = {.lanes = 77};
    assert_fails(PV_ERR_SHAPE, pv_line_plan_create(&pv_engine_ref, PV_LINE_FORWARD, 0, PV_FP64, PV_ESTIMATE, &plan));
    assert_fails(PV_ERR_UNSUPPORTED,
                 pv_line_plan_create(&pv_engine_fftw, PV_LINE_FORWARD, INT64_C(1) << 40, PV_FP64, PV_ESTIMATE, &plan));
    assert_int_equal(plan.lanes, 77);
    pv_line_plan_destroy(NULL);
}

// What is exported can be imported, and damaged text is refused.
static void wisdom_goes_round(void **state)
{
    (void)state;
    const pv_engine_ops *engine;
    for (int i = 0; (engine = cpu_engine_at(i)); i++) {
        char *text = NULL, *again = NULL;
        assert_ok(engine->wisdom_export(&text));
        if (!text) continue;
        assert_ok(engine->wisdom_import(text));
        assert_ok(engine->wisdom_export(&again));
        assert_int_equal(strlen(again), strlen(text));
        pv_mem_free(again);
        text[strlen(text) / 2] = '\0';
        assert_fails(PV_ERR_INPUT, engine->wisdom_import(text));
        assert_fails(PV_ERR_INPUT, engine->wisdom_import("nothing"));
        pv_mem_free(text);
    }
}

PV_TEST_MAIN(PV_TEST(transforms_are_accurate), PV_TEST(lanes_do_not_matter), PV_TEST(measured_plans_too),
             PV_TEST(long_lines), PV_TEST(unknown_names_are_told_off), PV_TEST(lengths_below_one_are_refused),
             PV_TEST(wisdom_goes_round))
