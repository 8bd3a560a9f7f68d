// SPDX-License-Identifier: Apache-2.0
// The plain reference: sums in long double with twiddle factors of exactly reduced index. Slow and obvious; it judges
// the other engines. Any length; n log n only when the factors of n are small.
#include "fft/engine/engine.h"

#include <math.h>
#include <stddef.h>

#include "base/check.h"
#include "base/mem.h"

typedef struct number {
    long double re, im;
} number;

// roots[k] = exp(-2 pi i k / n)
typedef struct ref_state {
    number *roots;
} ref_state;

// Lines lie one after the other: the row form of a tile, while other engines may take columns.
enum { LANES = 2, LARGEST_PLAIN = 8 };

static int is_real_in(pv_line_kind kind) { return kind == PV_LINE_R2C; }
static int is_real_out(pv_line_kind kind) { return kind == PV_LINE_C2R; }
static int is_backward(pv_line_kind kind) { return kind == PV_LINE_INVERSE || kind == PV_LINE_C2R; }

static int supports(pv_line_kind kind, int64_t n, pv_precision precision)
{
    (void)kind, (void)precision;
    return n >= 1 && n <= INT32_MAX;    // products of indices stay below 2^63
}

static void destroy(pv_line_plan *plan)
{
    ref_state *state = plan->state;
    if (!state) return;
    pv_mem_free(state->roots);
    pv_mem_free(state);
    plan->state = NULL;
}

// cos and sin get an angle of at most pi/4, so that symmetric roots are exactly symmetric.
static number root(int64_t k, int64_t n)
{
    const long double two_pi = 6.283185307179586476925286766559005768L;
    int64_t eighth = 8 * k / n;                        // 0 .. 7
    int64_t away = (eighth + 1) / 2;                   // nearest quarter turn
    long double angle = two_pi * (long double)(4 * k - away * n) / (4 * (long double)n);
    long double c = cosl(angle), s = sinl(angle);
    switch (away % 4) {
    case 0: return (number){c, -s};
    case 1: return (number){-s, -c};
    case 2: return (number){-c, s};
    default: return (number){s, c};
    }
}

static pv_status create(pv_line_plan *plan, pv_rigor rigor)
{
    (void)rigor;
    ref_state *state = NULL;
    PV_TRY(PV_ALLOC(1, &state));
    pv_status status = PV_ALLOC(plan->n, &state->roots);
    if (status != PV_OK) {
        pv_mem_free(state);
        return status;
    }
    for (int64_t k = 0; k < plan->n; k++) state->roots[k] = root(k, plan->n);
    int half_in = plan->kind == PV_LINE_C2R, half_out = plan->kind == PV_LINE_R2C;
    size_t real_bytes = pv_real_bytes(plan->precision);
    plan->state = state;
    plan->lanes = LANES;
    plan->in_step = plan->out_step = 1;
    plan->in_lane = half_in ? plan->n / 2 + 1 : plan->n;
    plan->out_lane = half_out ? plan->n / 2 + 1 : plan->n;
    plan->in_bytes = (size_t)(LANES * plan->in_lane) * real_bytes * (is_real_in(plan->kind) ? 1 : 2);
    plan->out_bytes = (size_t)(LANES * plan->out_lane) * real_bytes * (is_real_out(plan->kind) ? 1 : 2);
    plan->scratch_bytes = 3 * (size_t)plan->n * sizeof(number);
    return PV_OK;
}

static int64_t smallest_factor(int64_t n)
{
    for (int64_t p = 2; p * p <= n; p++)
        if (n % p == 0) return p;
    return n;
}

// out[k] = sum over j of in[j * stride] exp(-+ 2 pi i j k / n), where n * stride is the length of the whole line.
static void sum_plain(const number *roots, int64_t total, int backward, int64_t n, int64_t stride, const number *in,
                      int64_t in_stride, number *out, int64_t out_stride)
{
    for (int64_t k = 0; k < n; k++) {
        number sum = {0, 0};
        for (int64_t j = 0; j < n; j++) {
            int64_t index = j * k % n * stride;
            number w = roots[backward && index ? total - index : index], x = in[j * in_stride];
            sum.re += x.re * w.re - x.im * w.im;
            sum.im += x.re * w.im + x.im * w.re;
        }
        out[k * out_stride] = sum;
    }
}

// n = p m: p transforms of length m over every p-th point, turned by the twiddle factors, then m of length p.
static void transform(const number *roots, int64_t total, int backward, int64_t n, int64_t stride, const number *in,
                      number *out, number *few)
{
    int64_t p = smallest_factor(n), m = n / p;
    if (n <= LARGEST_PLAIN || m == 1) {
        sum_plain(roots, total, backward, n, stride, in, stride, out, 1);
        return;
    }
    for (int64_t r = 0; r < p; r++)
        transform(roots, total, backward, m, stride * p, in + r * stride, out + r * m, few);
    for (int64_t k = 0; k < m; k++) {
        for (int64_t r = 0; r < p; r++) {
            int64_t index = r * k * stride;            // r k < n
            number w = roots[backward && index ? total - index : index], x = out[r * m + k];
            few[r] = (number){x.re * w.re - x.im * w.im, x.re * w.im + x.im * w.re};
        }
        sum_plain(roots, total, backward, p, stride * m, few, 1, out + k, m);
    }
}

static long double load_real(pv_precision precision, const void *values, int64_t index)
{
    return precision == PV_FP64 ? ((const double *)values)[index] : ((const float *)values)[index];
}

static void store_real(pv_precision precision, void *values, int64_t index, long double value)
{
    if (precision == PV_FP64)
        ((double *)values)[index] = (double)value;
    else
        ((float *)values)[index] = (float)value;
}

static void line_load(const pv_line_plan *plan, const void *in, int64_t start, number *line)
{
    int64_t n = plan->n;
    for (int64_t k = 0; k < plan->in_lane; k++) {
        if (is_real_in(plan->kind))
            line[k] = (number){load_real(plan->precision, in, start + k), 0};
        else
            line[k] = (number){load_real(plan->precision, in, 2 * (start + k)),
                               load_real(plan->precision, in, 2 * (start + k) + 1)};
    }
    if (plan->kind != PV_LINE_C2R) return;
    // The other half is the conjugate; the imaginary parts of the zero and the middle frequency mean nothing.
    line[0].im = 0;
    if (n % 2 == 0) line[n / 2].im = 0;
    for (int64_t k = n / 2 + 1; k < n; k++) line[k] = (number){line[n - k].re, -line[n - k].im};
}

static void line_store(const pv_line_plan *plan, void *out, int64_t start, const number *line)
{
    for (int64_t k = 0; k < plan->out_lane; k++) {
        if (is_real_out(plan->kind)) {
            store_real(plan->precision, out, start + k, line[k].re);
        } else {
            store_real(plan->precision, out, 2 * (start + k), line[k].re);
            store_real(plan->precision, out, 2 * (start + k) + 1, line[k].im);
        }
    }
}

static void execute(const pv_line_plan *plan, void *in, void *out, void *scratch)
{
    const ref_state *state = plan->state;
    number *line = scratch, *result = line + plan->n, *few = result + plan->n;
    for (int lane = 0; lane < plan->lanes; lane++) {
        line_load(plan, in, lane * plan->in_lane, line);
        transform(state->roots, plan->n, is_backward(plan->kind), plan->n, 1, line, result, few);
        line_store(plan, out, lane * plan->out_lane, result);
    }
}

static pv_status wisdom_export(char **text_p)
{
    *text_p = NULL;
    return PV_OK;
}

static pv_status wisdom_import(const char *text)
{
    (void)text;
    return PV_OK;
}

const pv_engine_ops pv_engine_ref = {
    .name = "ref",
    .supports = supports,
    .create = create,
    .destroy = destroy,
    .execute = execute,
    .wisdom_export = wisdom_export,
    .wisdom_import = wisdom_import,
};
