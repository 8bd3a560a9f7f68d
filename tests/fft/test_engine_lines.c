// SPDX-License-Identifier: Apache-2.0
// The lines engine over all its algorithms: every length up to 300, products of the radices, primes large and small.
#include "harness.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "fft/engine/engine.h"
#include "fft/lines/plan.h"

#ifdef PV_DEBUG // what sanitizers watch is slow; these lengths have all radices
enum { ALL_UP_TO = 130 };
#else
enum { ALL_UP_TO = 300 };
#endif

static const int64_t more_lengths[] = {360,  384,  510,  512,  514,  625,  640,  729,  768,  1000, 1024, 1021,
                                       1031, 1282, 2048, 2187, 3541, 4096, 4099, 30030};
static const char *const kind_names[] = {"forward", "inverse", "r2c", "c2r"};

static int64_t length_at(int index)
{
    int more = (int)(sizeof more_lengths / sizeof *more_lengths);
    if (index < ALL_UP_TO) return index + 1;
    return index < ALL_UP_TO + more ? more_lengths[index - ALL_UP_TO] : 0;
}

// ---- Tiles -------------------------------------------------------------------------------------------------------

typedef struct tile {
    pv_line_plan plan;
    void *in, *out, *scratch;
} tile;

static void tile_allocate(tile *t)
{
    assert_ok(pv_mem_alloc(t->plan.in_bytes, 1, &t->in));
    assert_ok(pv_mem_alloc(t->plan.out_bytes, 1, &t->out));
    assert_ok(pv_mem_alloc(t->plan.scratch_bytes, 1, &t->scratch));
}

static void tile_plan(const pv_engine_ops *engine, pv_line_kind kind, int64_t n, pv_precision precision, pv_rigor rigor,
                      tile *t)
{
    memset(t, 0, sizeof *t);
    assert_ok(pv_line_plan_create(engine, kind, n, precision, rigor, &t->plan));
    tile_allocate(t);
}

static void tile_open(const pv_engine_ops *engine, pv_line_kind kind, int64_t n, pv_precision precision, tile *t)
{
    tile_plan(engine, kind, n, precision, PV_ESTIMATE, t);
}

static void tile_close(tile *t)
{
    pv_line_plan_destroy(&t->plan);
    pv_mem_free(t->in);
    pv_mem_free(t->out);
    pv_mem_free(t->scratch);
}

static void tile_run(tile *t) { t->plan.ops->execute(&t->plan, t->in, t->out, t->scratch); }

// Reals of an element, elements of a line.
static int in_reals(const pv_line_plan *p) { return p->kind == PV_LINE_R2C ? 1 : 2; }
static int out_reals(const pv_line_plan *p) { return p->kind == PV_LINE_C2R ? 1 : 2; }
static int64_t in_count(const pv_line_plan *p) { return p->kind == PV_LINE_C2R ? p->n / 2 + 1 : p->n; }
static int64_t out_count(const pv_line_plan *p) { return p->kind == PV_LINE_R2C ? p->n / 2 + 1 : p->n; }

static void put(tile *t, int lane, int64_t k, int part, double value)
{
    int64_t at = (k * t->plan.in_step + lane * t->plan.in_lane) * in_reals(&t->plan) + part;
    if (t->plan.precision == PV_FP64)
        ((double *)t->in)[at] = value;
    else
        ((float *)t->in)[at] = (float)value;
}

static double get(const tile *t, int lane, int64_t k, int part)
{
    int64_t at = (k * t->plan.out_step + lane * t->plan.out_lane) * out_reals(&t->plan) + part;
    return t->plan.precision == PV_FP64 ? ((const double *)t->out)[at] : ((const float *)t->out)[at];
}

// Element k of random line `line`: values that FP32 holds exactly.
static double random_at(int line, int64_t k, int part)
{
    return (float)(pv_rng_uniform(7, (uint64_t)line, (uint64_t)(2 * k + part)) - 0.5);
}

static void put_line(tile *t, int lane, int line, double scale)
{
    for (int64_t k = 0; k < in_count(&t->plan); k++)
        for (int part = 0; part < in_reals(&t->plan); part++) put(t, lane, k, part, scale * random_at(line, k, part));
}

static double epsilon(pv_precision precision) { return precision == PV_FP64 ? DBL_EPSILON : FLT_EPSILON; }

// || found - expected || / || expected || over one line, in eps of found's precision
static double distance(const tile *found, int found_lane, const tile *expected, int expected_lane)
{
    double error = 0, size = 0;
    for (int64_t k = 0; k < out_count(&found->plan); k++)
        for (int part = 0; part < out_reals(&found->plan); part++) {
            double reference = get(expected, expected_lane, k, part);
            double off = get(found, found_lane, k, part) - reference;
            error += off * off;
            size += reference * reference;
        }
    return sqrt(error / size) / epsilon(found->plan.precision);
}

static int64_t largest_prime(int64_t n)
{
    int64_t largest = 1;
    for (int64_t p = 2; n > 1; p++)
        for (; n % p == 0; n /= p) largest = p;
    return largest;
}

// Small factors take 0.5 eps sqrt(log2 n), a single short line perhaps more. Sums over a prime and convolutions add the
// error of their longer ways.
static double accepted(int64_t n)
{
    double levels = n > 2 ? log2((double)n) : 1;
    return largest_prime(n) <= 7 ? 0.2 + 0.5 * sqrt(levels) : 0.2 + 0.9 * sqrt(levels);
}

// ---- Tests -------------------------------------------------------------------------------------------------------

// Of a tile of the lines engine, which it closes.
static double error_of(tile lines)
{
    tile ref;
    tile_open(&pv_engine_ref, lines.plan.kind, lines.plan.n, PV_FP64, &ref);
    for (int lane = 0; lane < lines.plan.lanes; lane++) put_line(&lines, lane, lane % 2, 1);
    for (int lane = 0; lane < ref.plan.lanes; lane++) put_line(&ref, lane, lane % 2, 1);
    tile_run(&lines);
    tile_run(&ref);
    double first = distance(&lines, 0, &ref, 0);
    double last = distance(&lines, lines.plan.lanes - 1, &ref, (lines.plan.lanes - 1) % 2);
    tile_close(&lines);
    tile_close(&ref);
    return first > last ? first : last;
}

static void agrees_with_the_reference(void **state)
{
    (void)state;
    for (int precision = PV_FP64; precision <= PV_FP32; precision++)
        for (int kind = PV_LINE_FORWARD; kind <= PV_LINE_C2R; kind++) {
            double worst = 0, worst_prime = 0;
            int64_t worst_n = 0, worst_prime_n = 0;
            for (int i = 0; length_at(i); i++) {
                int64_t n = length_at(i);
                tile t;
                tile_open(&pv_engine_lines, (pv_line_kind)kind, n, (pv_precision)precision, &t);
                double error = error_of(t) / accepted(n);
                if (!(error <= 1))
                    fail_msg("%s, n = %lld, FP%d: error %.2f of what is accepted", kind_names[kind], (long long)n,
                             precision == PV_FP64 ? 64 : 32, error);
                int smooth = largest_prime(n) <= 7;
                if (smooth && error > worst) worst = error, worst_n = n;
                if (!smooth && error > worst_prime) worst_prime = error, worst_prime_n = n;
            }
            printf("FP%d %-7s largest error %.2f eps at n = %lld, with large primes %.2f eps at n = %lld\n",
                   precision == PV_FP64 ? 64 : 32, kind_names[kind], worst * accepted(worst_n), (long long)worst_n,
                   worst_prime * accepted(worst_prime_n), (long long)worst_prime_n);
        }
}

// Instruction sets beside the widest, where they are built in.
static void narrower_vectors_agree_too(void **state)
{
    (void)state;
    const pv_lines_kernels *kernels;
    for (int precision = PV_FP64; precision <= PV_FP32; precision++)
        for (int set = 1; (kernels = pv_lines_kernels_at((pv_precision)precision, set)); set++)
            for (int kind = PV_LINE_FORWARD; kind <= PV_LINE_C2R; kind++)
                for (int i = 0; length_at(i); i += i < 140 ? 1 : 3) {
                    tile t = {.in = NULL};
                    t.plan.ops = &pv_engine_lines;
                    t.plan.kind = (pv_line_kind)kind;
                    t.plan.n = length_at(i);
                    t.plan.precision = (pv_precision)precision;
                    assert_ok(pv_lines_plan_create(kernels, PV_ESTIMATE, &t.plan));
                    tile_allocate(&t);
                    if (!(error_of(t) <= accepted(length_at(i))))
                        fail_msg("%d lanes, %s, n = %lld, FP%d", kernels->lanes, kind_names[kind],
                                 (long long)length_at(i), precision == PV_FP64 ? 64 : 32);
                }
}

// Lane w carries a x_0 + x_w; every lane must be a X_0 + X_w.
static void is_linear(void **state)
{
    (void)state;
    const double a = 0.375;
    for (int kind = PV_LINE_FORWARD; kind <= PV_LINE_C2R; kind++)
        for (int i = 0; length_at(i); i += i < 100 ? 1 : 7) {
            int64_t n = length_at(i);
            tile single, sum;
            tile_open(&pv_engine_lines, (pv_line_kind)kind, n, PV_FP64, &single);
            tile_open(&pv_engine_lines, (pv_line_kind)kind, n, PV_FP64, &sum);
            for (int lane = 0; lane < sum.plan.lanes; lane++) {
                put_line(&single, lane, lane, 1);
                for (int64_t k = 0; k < in_count(&sum.plan); k++)
                    for (int part = 0; part < in_reals(&sum.plan); part++)
                        put(&sum, lane, k, part, a * random_at(0, k, part) + random_at(lane, k, part));
            }
            tile_run(&single);
            tile_run(&sum);
            double limit = 16 * DBL_EPSILON * (double)n;
            for (int lane = 0; lane < sum.plan.lanes; lane++)
                for (int64_t k = 0; k < out_count(&sum.plan); k++)
                    for (int part = 0; part < out_reals(&sum.plan); part++) {
                        double expected = a * get(&single, 0, k, part) + get(&single, lane, k, part);
                        assert_near(get(&sum, lane, k, part), expected, limit);
                    }
            tile_close(&single);
            tile_close(&sum);
        }
}

// Lane w has its impulse at point w * n / lanes: X[k] = exp(-+ 2 pi i k point / n).
static void turns_impulses_into_waves(void **state)
{
    (void)state;
    for (int kind = PV_LINE_FORWARD; kind <= PV_LINE_R2C; kind++)
        for (int i = 0; length_at(i); i++) {
            int64_t n = length_at(i);
            tile t;
            tile_open(&pv_engine_lines, (pv_line_kind)kind, n, PV_FP64, &t);
            for (int lane = 0; lane < t.plan.lanes; lane++) put(&t, lane, lane * n / t.plan.lanes, 0, 1);
            tile_run(&t);
            for (int lane = 0; lane < t.plan.lanes; lane++)
                for (int64_t k = 0; k < out_count(&t.plan); k++) {
                    double angle = 6.283185307179586 * (double)(lane * n / t.plan.lanes * k % n) / (double)n;
                    if (kind != PV_LINE_INVERSE) angle = -angle;
                    assert_near(get(&t, lane, k, 0), cos(angle), 1e-14);
                    assert_near(get(&t, lane, k, 1), sin(angle), 1e-14);
                }
            tile_close(&t);
        }
}

// The same line in every lane, then in one lane beside lines of another size: always the same bits.
static void check_lanes(pv_line_kind kind, int64_t n, pv_precision precision)
{
    tile t, alone;
    tile_open(&pv_engine_lines, kind, n, precision, &t);
    tile_open(&pv_engine_lines, kind, n, precision, &alone);
    for (int lane = 0; lane < t.plan.lanes; lane++) put_line(&t, lane, 0, 1);
    tile_run(&t);
    for (int lane = 0; lane < t.plan.lanes; lane++) {
        for (int other = 0; other < t.plan.lanes; other++) put_line(&alone, other, 3, 1e20);
        put_line(&alone, lane, 0, 1);
        tile_run(&alone);
        for (int64_t k = 0; k < out_count(&t.plan); k++)
            for (int part = 0; part < out_reals(&t.plan); part++) {
                double here = get(&alone, lane, k, part), first = get(&t, 0, k, part), same = get(&t, lane, k, part);
                if (memcmp(&here, &first, sizeof here) != 0 || memcmp(&same, &first, sizeof same) != 0)
                    fail_msg("%s, n = %lld, FP%d: lane %d has other bits", kind_names[kind], (long long)n,
                             precision == PV_FP64 ? 64 : 32, lane);
            }
    }
    tile_close(&t);
    tile_close(&alone);
}

static void lanes_are_independent(void **state)
{
    (void)state;
    for (int precision = PV_FP64; precision <= PV_FP32; precision++)
        for (int kind = PV_LINE_FORWARD; kind <= PV_LINE_C2R; kind++)
            for (int i = 0; length_at(i) && length_at(i) < 1100; i += i < 40 ? 1 : 5)
                check_lanes((pv_line_kind)kind, length_at(i), (pv_precision)precision);
}

static void real_lines_agree_with_complex_ones(void **state)
{
    (void)state;
    for (int i = 0; length_at(i); i++) {
        int64_t n = length_at(i);
        tile real, complex;
        tile_open(&pv_engine_lines, PV_LINE_R2C, n, PV_FP64, &real);
        tile_open(&pv_engine_lines, PV_LINE_FORWARD, n, PV_FP64, &complex);
        for (int lane = 0; lane < real.plan.lanes; lane++)
            for (int64_t k = 0; k < n; k++) {
                put(&real, lane, k, 0, random_at(lane, k, 0));
                put(&complex, lane, k, 0, random_at(lane, k, 0));
                put(&complex, lane, k, 1, 0);
            }
        tile_run(&real);
        tile_run(&complex);
        for (int lane = 0; lane < real.plan.lanes; lane++)
            assert_true(distance(&real, lane, &complex, lane) <= 2 * accepted(n));
        assert_true(get(&real, 0, 0, 1) == 0);
        if (n % 2 == 0) assert_true(get(&real, 0, n / 2, 1) == 0);
        tile_close(&real);
        tile_close(&complex);
    }
}

// The zero and the middle frequency of a real line are real: what stands in their imaginary parts means nothing.
static void meaningless_parts_are_ignored(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 40; n++) {
        tile clean, dirty;
        tile_open(&pv_engine_lines, PV_LINE_C2R, n, PV_FP64, &clean);
        tile_open(&pv_engine_lines, PV_LINE_C2R, n, PV_FP64, &dirty);
        for (int lane = 0; lane < clean.plan.lanes; lane++) {
            put_line(&clean, lane, lane, 1);
            put_line(&dirty, lane, lane, 1);
            put(&dirty, lane, 0, 1, 1e30);
            if (n % 2 == 0) put(&dirty, lane, n / 2, 1, -1e30);
        }
        tile_run(&clean);
        tile_run(&dirty);
        assert_memory_equal(clean.out, dirty.out, clean.plan.out_bytes);
        tile_close(&clean);
        tile_close(&dirty);
    }
}

static void check_measured(int64_t n)
{
    tile t;
    tile_plan(&pv_engine_lines, PV_LINE_FORWARD, n, PV_FP64, PV_MEASURE, &t);
    assert_true(error_of(t) <= accepted(n));
}

// Measured plans are as good, what they teach goes to text and back, and another's text wins.
static void wisdom_is_kept(void **state)
{
    (void)state;
    char *text = NULL, *again = NULL;
    for (int64_t n = 60; n <= 66; n++) check_measured(n);
    check_measured(514);
    assert_ok(pv_engine_lines.wisdom_export(&text));
    assert_non_null(strstr(text, "fp64 60 "));
    assert_non_null(strstr(text, "fp64 514 "));
    assert_ok(pv_engine_lines.wisdom_import("lines 1\nfp64 60 2 2 3 5 direct\nfp64 61 61 rader 60\n"
                                            "fp64 62 2 31 bluestein 64\nend\n"));
    pv_mem_free(text);
    assert_ok(pv_engine_lines.wisdom_export(&text));
    assert_non_null(strstr(text, "fp64 60 2 2 3 5 direct\n"));
    assert_non_null(strstr(text, "fp64 514 "));
    for (int64_t n = 60; n <= 62; n++) check_measured(n);
    assert_ok(pv_engine_lines.wisdom_import(text));
    assert_ok(pv_engine_lines.wisdom_export(&again));
    assert_string_equal(again, text);
    pv_mem_free(again);
    pv_mem_free(text);
}

static void damaged_wisdom_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "nothing", "lines 1\n", "lines 1\nfp64 64 8 8 direct\n", "lines 1\nfp16 64 8 8 direct\nend\n",
        "lines 1\nfp64 64 8 4 direct\nend\n", "lines 1\nfp64 64 8 8\nend\n", "lines 1\nfp64 0 direct\nend\n",
        "lines 1\nfp64 64 64 direct\nend\n", "lines 1\nfp64 97 97 rader 98\nend\n", "lines 1\nfp64 97 97 rader\nend\n",
        "lines 1\nfp64 64 64 bluestein 128\nend\n", "lines 1\nfp64 97 97 bluestein 100\nend\n",
        "lines 1\nfp64 64 8x 8 direct\nend\n", "lines 1\nfp64 -64 -8 8 direct\nend\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_fails(PV_ERR_INPUT, pv_engine_lines.wisdom_import(texts[i]));
}

PV_TEST_MAIN(PV_TEST(agrees_with_the_reference), PV_TEST(narrower_vectors_agree_too), PV_TEST(is_linear),
             PV_TEST(turns_impulses_into_waves), PV_TEST(lanes_are_independent),
             PV_TEST(real_lines_agree_with_complex_ones), PV_TEST(meaningless_parts_are_ignored),
             PV_TEST(wisdom_is_kept), PV_TEST(damaged_wisdom_is_refused))
