// SPDX-License-Identifier: Apache-2.0
// Local transforms by FFTW.
//
// Shape of the tiles, fixed by measurement (n = 16 to 4096, gathering and scattering a strided panel included): complex
// lines come in as columns, which a strided gather fills in whole pieces of 128 bytes, and leave as rows, since FFTW's
// passes run best on unit stride: 1.0 to 1.6 times faster than columns both ways, 1.0 to 1.25 than rows both ways. Real
// transforms run on rows, 1.3 to 2 times faster than on columns. FFTW_PATIENT gains another 10 % from n = 256 on.
#include "fft/engine/engine.h"

#include <stdlib.h>
#include <string.h>

#include <fftw3.h>

#include "base/check.h"
#include "base/mem.h"

enum {
    PIECE_BYTES = 128,              // of a strided line, in one copy
    TILE_BYTES = 1 << 20,           // longer lines go in fewer lanes: both tiles fit a cache of 2 MiB
    PATIENT_LENGTH = 1024           // plan time stays below some 3 s
};

// One plan for each transform in the process: every pass, tile and thread runs the same algorithm.
typedef struct entry {
    struct entry *next;
    pv_line_plan shape;             // kind, n, precision and the tile
    pv_rigor rigor;
    int users;
    fftw_plan fp64;
    fftwf_plan fp32;
} entry;

static entry *entries;

static int supports(pv_line_kind kind, int64_t n, pv_precision precision)
{
    (void)kind, (void)precision;
    return n >= 1 && n <= INT32_MAX / 2;
}

#define DEFINE_PRECISION(name, prefix, real)                                                                           \
    static int plan_##name(entry *e, real *in, real *out, unsigned flags)                                              \
    {                                                                                                                  \
        const pv_line_plan *s = &e->shape;                                                                             \
        int n = (int)s->n, in_step = (int)s->in_step, in_lane = (int)s->in_lane;                                       \
        int out_step = (int)s->out_step, out_lane = (int)s->out_lane;                                                  \
        prefix##_complex *complex_in = (prefix##_complex *)in, *complex_out = (prefix##_complex *)out;                 \
        if (s->kind == PV_LINE_R2C)                                                                                    \
            e->name = prefix##_plan_many_dft_r2c(1, &n, s->lanes, in, NULL, in_step, in_lane, complex_out, NULL,       \
                                                 out_step, out_lane, flags);                                           \
        else if (s->kind == PV_LINE_C2R)                                                                               \
            e->name = prefix##_plan_many_dft_c2r(1, &n, s->lanes, complex_in, NULL, in_step, in_lane, out, NULL,       \
                                                 out_step, out_lane, flags);                                           \
        else                                                                                                           \
            e->name = prefix##_plan_many_dft(1, &n, s->lanes, complex_in, NULL, in_step, in_lane, complex_out, NULL,   \
                                             out_step, out_lane,                                                       \
                                             s->kind == PV_LINE_FORWARD ? FFTW_FORWARD : FFTW_BACKWARD, flags);        \
        return e->name != NULL;                                                                                        \
    }                                                                                                                  \
                                                                                                                       \
    static void execute_##name(const entry *e, real *in, real *out)                                                    \
    {                                                                                                                  \
        if (e->shape.kind == PV_LINE_R2C)                                                                              \
            prefix##_execute_dft_r2c(e->name, in, (prefix##_complex *)out);                                            \
        else if (e->shape.kind == PV_LINE_C2R)                                                                         \
            prefix##_execute_dft_c2r(e->name, (prefix##_complex *)in, out);                                            \
        else                                                                                                           \
            prefix##_execute_dft(e->name, (prefix##_complex *)in, (prefix##_complex *)out);                            \
    }

DEFINE_PRECISION(fp64, fftw, double)
DEFINE_PRECISION(fp32, fftwf, float)

// Lines of `count` elements in whole cache lines, and not a multiple of 1024 bytes apart, which would share few sets.
static int64_t row_pitch(int64_t count, int64_t element_bytes)
{
    int64_t bytes = (count * element_bytes + 63) / 64 * 64;
    if (bytes % 1024 == 0) bytes += 64;
    return bytes / element_bytes;
}

static void shape_fill(pv_line_plan *plan)
{
    int64_t real_bytes = (int64_t)pv_real_bytes(plan->precision), complex_bytes = 2 * real_bytes;
    plan->lanes = (int)(PIECE_BYTES / complex_bytes);
    while (plan->lanes > 1 && plan->lanes * plan->n * complex_bytes > TILE_BYTES) plan->lanes /= 2;

    int64_t in_element = plan->kind == PV_LINE_R2C ? real_bytes : complex_bytes;
    int64_t out_element = plan->kind == PV_LINE_C2R ? real_bytes : complex_bytes;
    int64_t out_count = plan->kind == PV_LINE_R2C ? plan->n / 2 + 1 : plan->n;
    if (plan->kind == PV_LINE_FORWARD || plan->kind == PV_LINE_INVERSE) {
        plan->in_step = plan->lanes;
        plan->in_lane = 1;
        plan->in_bytes = (size_t)(plan->n * plan->lanes * in_element);
    } else {
        plan->in_step = 1;
        plan->in_lane = row_pitch(plan->kind == PV_LINE_C2R ? plan->n / 2 + 1 : plan->n, in_element);
        plan->in_bytes = (size_t)(plan->lanes * plan->in_lane * in_element);
    }
    plan->out_step = 1;
    plan->out_lane = row_pitch(out_count, out_element);
    plan->out_bytes = (size_t)(plan->lanes * plan->out_lane * out_element);
    plan->scratch_bytes = 0;
}

static pv_status plan_make(entry *e)
{
    const pv_line_plan *shape = &e->shape;
    void *in = NULL, *out = NULL;
    pv_status status;
    PV_TRY_GOTO(pv_mem_alloc(shape->in_bytes, 1, &in), status, cleanup);
    PV_TRY_GOTO(pv_mem_alloc(shape->out_bytes, 1, &out), status, cleanup);
    unsigned flags = FFTW_DESTROY_INPUT;
    if (e->rigor == PV_ESTIMATE)
        flags |= FFTW_ESTIMATE;
    else
        flags |= shape->n <= PATIENT_LENGTH ? FFTW_PATIENT : FFTW_MEASURE;
    int made = shape->precision == PV_FP64 ? plan_fp64(e, in, out, flags) : plan_fp32(e, in, out, flags);
    if (!made)
        status = pv_fail(PV_ERR_INTERNAL, __func__, "FFTW has no plan for %d lines of %lld points", shape->lanes,
                         (long long)shape->n);
cleanup:
    pv_mem_free(in);
    pv_mem_free(out);
    return status;
}

static pv_status create(pv_line_plan *plan, pv_rigor rigor)
{
    entry *e = entries;
    while (e && !(e->shape.kind == plan->kind && e->shape.n == plan->n && e->shape.precision == plan->precision &&
                  e->rigor == rigor))
        e = e->next;
    if (!e) {
        PV_TRY(PV_ALLOC(1, &e));
        e->shape = *plan;
        e->rigor = rigor;
        shape_fill(&e->shape);
        pv_status status = plan_make(e);
        if (status != PV_OK) {
            pv_mem_free(e);
            return status;
        }
        e->next = entries;
        entries = e;
    }
    e->users++;
    *plan = e->shape;
    plan->state = e;
    return PV_OK;
}

static void destroy(pv_line_plan *plan)
{
    entry *e = plan->state;
    if (!e || --e->users > 0) return;
    entry **link = &entries;
    while (*link != e) link = &(*link)->next;
    *link = e->next;
    if (e->fp64) fftw_destroy_plan(e->fp64);
    if (e->fp32) fftwf_destroy_plan(e->fp32);
    pv_mem_free(e);
}

static void execute(const pv_line_plan *plan, void *in, void *out, void *scratch)
{
    (void)scratch;
    if (plan->precision == PV_FP64)
        execute_fp64(plan->state, in, out);
    else
        execute_fp32(plan->state, in, out);
}

// FFTW's two texts one after the other, FP64 first; each begins with this word.
static const char wisdom_start[] = "(fftw-";

static pv_status wisdom_export(char **text_p)
{
    char *fp64 = fftw_export_wisdom_to_string(), *fp32 = fftwf_export_wisdom_to_string();
    char *text = NULL;
    pv_status status;
    if (fp64 && fp32) {
        status = pv_mem_alloc(strlen(fp64) + strlen(fp32) + 1, 1, (void **)&text);
        if (status == PV_OK) strcat(strcpy(text, fp64), fp32);
    } else {
        status = pv_fail(PV_ERR_MEMORY, __func__, "FFTW could not write its wisdom");
    }
    free(fp64);
    free(fp32);
    if (status == PV_OK) *text_p = text;
    return status;
}

// Takes both texts or neither; a check puts back what was known.
static pv_status take(const char *text, const char *from, int learns)
{
    const char *second = strstr(text, wisdom_start);
    if (second) second = strstr(second + 1, wisdom_start);
    PV_REQUIRE(second, PV_ERR_INPUT, "%s must hold two texts that begin with '%s', FP64 and FP32", from, wisdom_start);
    char *fp64 = fftw_export_wisdom_to_string(), *fp32 = fftwf_export_wisdom_to_string();
    int kept = fp64 && fp32, good = 0;
    if (kept) {
        good = fftw_import_wisdom_from_string(text) && fftwf_import_wisdom_from_string(second);
        if (!good || !learns) {
            fftw_forget_wisdom();
            fftwf_forget_wisdom();
            fftw_import_wisdom_from_string(fp64);
            fftwf_import_wisdom_from_string(fp32);
        }
    }
    free(fp64);
    free(fp32);
    PV_REQUIRE(kept, PV_ERR_MEMORY, "FFTW could not keep its wisdom");
    PV_REQUIRE(good, PV_ERR_INPUT, "%s is not accepted by FFTW: damaged, or not of its version %s", from, fftw_version);
    return PV_OK;
}

static pv_status wisdom_import(const char *text) { return take(text, "FFTW wisdom", 1); }

static pv_status wisdom_check(const char *text, const char *from) { return take(text, from, 0); }

const pv_engine_ops pv_engine_fftw = {
    .name = "fftw",
    .supports = supports,
    .create = create,
    .destroy = destroy,
    .execute = execute,
    .wisdom_export = wisdom_export,
    .wisdom_import = wisdom_import,
    .wisdom_check = wisdom_check,
};
