// SPDX-License-Identifier: Apache-2.0
#include "fft/lines/lines.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "fft/engine/wisdom.h"

static const char *const kind_names[] = {"forward", "inverse", "r2c", "c2r"};

// A choice to make: of an engine for lines of n points.
typedef struct line_job {
    pv_line_kind kind;
    int64_t n;
    int few;                 // how many, where they are few and long; else 0
} line_job;

// Engine `lines` always works on a whole tile. A short one is in cache and soon done; of a long one, of mostly nothing,
// another engine makes the few lines that there are in less time.
enum { FEW_LINES = 4, LONG_POINTS = 8192 };

static line_job job_of(pv_line_kind kind, int64_t n, int64_t lines)
{
    return (line_job){kind, n, n > LONG_POINTS && lines <= FEW_LINES ? (int)lines : 0};
}

// Seconds of one line, the least of a few short runs.
static pv_status time_engine(const pv_engine_ops *engine, const line_job *job, pv_precision precision, pv_rigor rigor,
                             double *seconds_p)
{
    pv_line_plan plan;
    PV_TRY(pv_line_plan_create(engine, job->kind, job->n, precision, rigor, &plan));
    char *in = NULL, *out = NULL, *scratch = NULL;
    pv_status status;
    PV_TRY_GOTO(pv_mem_alloc(1, plan.in_bytes, (void **)&in), status, cleanup);
    PV_TRY_GOTO(pv_mem_alloc(1, plan.out_bytes, (void **)&out), status, cleanup);
    PV_TRY_GOTO(pv_mem_alloc(1, plan.scratch_bytes, (void **)&scratch), status, cleanup);
    const int used = job->few > 0 && job->few < plan.lanes ? job->few : plan.lanes;
    double best = 1e30, begun = pv_clock_s();
    for (int round = 0; round < 64 && (round < 4 || pv_clock_s() - begun < 2e-3); round++) {
        double start = pv_clock_s();
        int repeat = 1 + (int)(20000 / (job->n * plan.lanes));
        for (int i = 0; i < repeat; i++) plan.ops->execute(&plan, in, out, scratch);
        double seconds = (pv_clock_s() - start) / repeat / used;
        if (seconds < best) best = seconds;
    }
    *seconds_p = best;
cleanup:
    pv_mem_free(in);
    pv_mem_free(out);
    pv_mem_free(scratch);
    pv_line_plan_destroy(&plan);
    return status;
}

static int is_eligible(const pv_line_set *set, const pv_engine_ops *engine, pv_line_kind kind, int64_t n)
{
    int on_gpu = !pv_device_is_host(pv_comm_device(set->comm));
    return engine->on_gpu == on_gpu && engine->supports(kind, n, set->precision);
}

// Without measuring: the first of the list that has the transform and suits the number of lines.
static int estimate_engine(const pv_line_set *set, const line_job *job)
{
    for (int i = 0; pv_engine_at(i); i++)
        if (is_eligible(set, pv_engine_at(i), job->kind, job->n) && (!job->few || pv_engine_at(i) != &pv_engine_lines))
            return i;
    return 0;
}

// The fastest here; `ref` is the judge and never a candidate.
static pv_status measure_engine(const pv_line_set *set, const line_job *job, int *index_p)
{
    double best = 1e30;
    for (int i = 0; pv_engine_at(i); i++) {
        const pv_engine_ops *engine = pv_engine_at(i);
        double seconds;
        if (engine == &pv_engine_ref || !is_eligible(set, engine, job->kind, job->n)) continue;
        PV_TRY(time_engine(engine, job, set->precision, set->rigor, &seconds));
        if (seconds < best) {
            best = seconds;
            *index_p = i;
        }
    }
    return PV_OK;
}

// Rank 0 decides: what is known differs where plans on sub-communicators have learnt.
static pv_status choose_here(const pv_line_set *set, const line_job *job, const char *key, int *index_p)
{
    const pv_engine_ops *engine;
    if (strcmp(set->engine, "auto") != 0) {
        PV_TRY(pv_engine_find(set->engine, &engine));
        const char *device = pv_device_name(pv_comm_device(set->comm));
        PV_REQUIRE(engine->on_gpu != pv_device_is_host(pv_comm_device(set->comm)), PV_ERR_UNSUPPORTED,
                   "engine %s is for %s; the device is %s", set->engine, engine->on_gpu ? "GPUs" : "the host", device);
        PV_REQUIRE(is_eligible(set, engine, job->kind, job->n), PV_ERR_UNSUPPORTED,
                   "engine %s has no %s transform of length %lld on device %s; use \"auto\" or another engine",
                   set->engine, kind_names[job->kind], (long long)job->n, device);
    } else {
        const char *known = pv_wisdom_find(key);
        engine = NULL;
        for (int i = 0; known && pv_engine_at(i); i++)
            if (strcmp(known, pv_engine_at(i)->name) == 0 && is_eligible(set, pv_engine_at(i), job->kind, job->n))
                engine = pv_engine_at(i);
        if (!engine) {
            *index_p = estimate_engine(set, job);
            return set->rigor == PV_MEASURE && pv_device_is_host(pv_comm_device(set->comm))
                       ? measure_engine(set, job, index_p)
                       : PV_OK;
        }
    }
    for (*index_p = 0; pv_engine_at(*index_p) != engine; ++*index_p) continue;
    return PV_OK;
}

static pv_status choose_engine(const pv_line_set *set, const line_job *job, const pv_engine_ops **engine_p)
{
    char key[64], few[16] = "";
    if (job->few) snprintf(few, sizeof few, " lines %d", job->few);
    snprintf(key, sizeof key, "line %s %lld %s%s", kind_names[job->kind], (long long)job->n,
             set->precision == PV_FP64 ? "fp64" : "fp32", few);
    int index = 0;
    pv_status status = pv_comm_rank(set->comm) == 0 ? choose_here(set, job, key, &index) : PV_OK;
    PV_TRY(pv_comm_agree(set->comm, status));
    PV_TRY(pv_comm_broadcast(set->comm, 0, sizeof index, &index));
    *engine_p = pv_engine_at(index);
    if (set->rigor == PV_MEASURE && strcmp(set->engine, "auto") == 0) return pv_wisdom_learn(key, (*engine_p)->name);
    return PV_OK;
}

// Ranks share what rank 0's planning found, so that a line goes through the same instructions everywhere.
static pv_status share_wisdom(const pv_line_set *set, const pv_engine_ops *engine)
{
    if (pv_comm_size(set->comm) == 1) return PV_OK;
    char *text = NULL;
    int root = pv_comm_rank(set->comm) == 0;
    pv_status status = root ? engine->wisdom_export(&text) : PV_OK;
    int64_t length = text ? (int64_t)strlen(text) + 1 : 0;
    status = pv_comm_agree(set->comm, status);
    if (status == PV_OK) status = pv_comm_broadcast(set->comm, 0, sizeof length, &length);
    if (status == PV_OK && length > 0) {
        if (!root) status = pv_mem_alloc(1, (size_t)length, (void **)&text);
        status = pv_comm_agree(set->comm, status);
        if (status == PV_OK) status = pv_comm_broadcast(set->comm, 0, (size_t)length, text);
        if (status == PV_OK && !root) status = engine->wisdom_import(text);
    }
    pv_mem_free(text);
    return status;
}

pv_status pv_line_set_add(pv_line_set *set, pv_line_kind kind, int64_t n, int64_t lines)
{
    if (pv_line_set_find(set, kind, n)) return PV_OK;
    PV_REQUIRE(set->count < PV_LINE_SET_CAPACITY, PV_ERR_INTERNAL, "more than %d line plans", PV_LINE_SET_CAPACITY);
    const pv_engine_ops *engine = NULL;
    const line_job job = job_of(kind, n, lines);
    PV_TRY(choose_engine(set, &job, &engine));
    pv_line_plan plan;
    int root = pv_comm_rank(set->comm) == 0;
    pv_status status = root ? pv_line_plan_create(engine, kind, n, set->precision, set->rigor, &plan) : PV_OK;
    PV_TRY(pv_comm_agree(set->comm, status));
    if (set->rigor == PV_MEASURE) status = share_wisdom(set, engine);
    if (status == PV_OK && !root) status = pv_line_plan_create(engine, kind, n, set->precision, set->rigor, &plan);
    PV_TRY(pv_comm_agree(set->comm, status));
    set->plans[set->count++] = plan;
    return PV_OK;
}

const pv_line_plan *pv_line_set_find(const pv_line_set *set, pv_line_kind kind, int64_t n)
{
    for (int i = 0; set && i < set->count; i++)
        if (set->plans[i].kind == kind && set->plans[i].n == n) return &set->plans[i];
    return NULL;
}

void pv_line_set_destroy(pv_line_set *set)
{
    for (int i = 0; i < set->count; i++) pv_line_plan_destroy(&set->plans[i]);
    set->count = 0;
}
