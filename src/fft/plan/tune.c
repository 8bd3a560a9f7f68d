// SPDX-License-Identifier: Apache-2.0
// The tuner: which decomposition, how many chunks, stores through the caches or past them. With PV_MEASURE the ranks
// run the candidates together and take the one whose slowest rank is fastest; what is learnt is wisdom.
#include "fft/plan/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "fft/engine/wisdom.h"
#include "fft/plan/request.h"
#include "fft/program/runner.h"

// Arrays that take more than this on all ranks of a node together will not be found in a cache again; from half of it
// on windows at least, which are a second copy, should leave the caches to the arrays.
#define PV_STREAM_BYTES ((size_t)48 << 20)

// A rank's array on GPUs from which on copies pay.
#define PV_COPY_BYTES ((size_t)16 << 20)

static size_t array_bytes(const pv_plan_request *request)
{
    double points = (double)request->shape[0] * (double)request->shape[1] * (double)request->shape[2];
    size_t element = (request->type == PV_R2C ? 1 : 2) * pv_real_bytes(request->precision);
    return (size_t)(points * (double)element / pv_comm_size(request->comm));
}

static int stream_of(const pv_plan_request *request)
{
    const size_t bytes = array_bytes(request) * (size_t)pv_comm_node_size(request->comm);
    return bytes > PV_STREAM_BYTES ? PV_STREAM_ALL : bytes > PV_STREAM_BYTES / 2 ? PV_STREAM_WINDOWS : 0;
}

static int has_messages(const pv_plan_request *request)
{
    for (int r = 1; r < pv_comm_size(request->comm); r++)
        if (request->node[r] != request->node[0]) return 1;
    return 0;
}

static int has_own_lines(const pv_plan_request *request, int axis)
{
    const pv_runner *runner = pv_runner_of(pv_comm_device(request->comm));
    return !runner->has_lines || runner->has_lines(NULL, request->shape[axis], request->precision);
}

static int is_all_of_own(const pv_plan_request *request)
{
    return request->type == PV_C2C && has_own_lines(request, 0) && has_own_lines(request, 1) &&
           has_own_lines(request, 2);
}

static int wins_lines(const pv_plan_request *request)
{
    const pv_runner *runner = pv_runner_of(pv_comm_device(request->comm));
    int wins = 0;
    for (int d = 0; runner->wins_lines && d < 3; d++) wins |= runner->wins_lines(request->shape[d]);
    return wins && is_all_of_own(request);
}

// Whether the device has a kernel for rows and columns of planes in one visit to memory.
static int has_fused_planes(const pv_plan_request *request)
{
    const pv_runner *runner = pv_runner_of(pv_comm_device(request->comm));
    const int64_t *shape = request->shape;
    return request->type == PV_C2C && shape[1] == shape[2] && strcmp(request->options->engine, "cufft") != 0 &&
           runner->has_fused && runner->has_fused(shape[2]);
}

// Whether the device has kernels for the whole cube in two visits to memory.
static int has_visits(const pv_plan_request *request)
{
    const pv_runner *runner = pv_runner_of(pv_comm_device(request->comm));
    const int64_t *shape = request->shape;
    return request->type == PV_C2C && pv_comm_size(request->comm) == 1 && shape[0] == shape[2] &&
           shape[1] == shape[2] && strcmp(request->options->engine, "cufft") != 0 && runner->has_visits &&
           runner->has_visits(shape[2], request->precision == PV_FP64);
}

// On one GPU the last pass is faster by kernels of our own from some size on; where there are many planes, these are so
// too (decision 0017), and some cubes by two visits to memory (decision 0019).
static int planes_of(const pv_plan_request *request)
{
    const size_t least = request->precision == PV_FP32 ? (size_t)128 << 20 : (size_t)3 << 30;
    const size_t least_fused = (size_t)128 << 20;
    const int64_t least_planes = 256;
    const int is_cufft = strcmp(request->options->engine, "cufft") == 0;
    if (strcmp(request->options->engine, "cuda") == 0 || (!is_cufft && wins_lines(request)))
        return PV_PLANES_NONE;
    if (pv_comm_size(request->comm) > 1 || is_cufft || !has_own_lines(request, 0)) return PV_PLANES_WHOLE;
    if (has_visits(request)) return PV_PLANES_VISITS;
    if (has_fused_planes(request) && request->shape[0] >= least_planes && array_bytes(request) >= least_fused)
        return PV_PLANES_FUSED;
    return array_bytes(request) >= least ? PV_PLANES_VENDOR : PV_PLANES_WHOLE;
}

// What a GPU does beside: planes by the vendor where the engine leaves the choice, and copies to other ranks under the
// computing, except where little is sent and there are kernels of our own that store it. Chunks asked for ask for
// copies.
static void estimate_on_device(const pv_plan_request *request, pv_candidate *candidate)
{
    static const struct {
        int megabytes, chunks, groups;
    } ways[] = {{16, 1, 1}, {64, 2, 1}, {512, 4, 2}, {2048, 8, 2}, {0, 16, 4}};
    const pv_fft_options *o = request->options;
    const size_t bytes = array_bytes(request) * (size_t)o->batch;
    int way = 0;
    candidate->stream = 0;
    candidate->planes = planes_of(request);
    candidate->chunks = 1;      // what arrives by messages is best in few pieces
    if (has_messages(request) || o->chunks == 1 || pv_comm_size(request->comm) == 1) return;
    if (o->chunks == 0 && bytes < PV_COPY_BYTES && (candidate->planes == 0 || is_all_of_own(request))) return;
    while (ways[way].megabytes > 0 && bytes >= (size_t)ways[way].megabytes << 20) way++;
    candidate->chunks = o->chunks > 0 ? o->chunks : ways[way].chunks;
    candidate->copy_groups = ways[way].groups;
    candidate->early_percent = 75;
}

static pv_status estimate(const pv_plan_request *request, pv_candidate *candidate_p)
{
    const pv_fft_options *o = request->options;
    pv_problem problem =
        pv_problem_make(request->shape, request->type, request->precision, o->batch, pv_comm_size(request->comm));
    pv_problem_keep(&problem, o->kept, o->last_axis_as_is);
    pv_candidate candidate = {.chunks = o->chunks > 0 ? o->chunks : 1, .stream = stream_of(request)};
    if (!pv_device_is_host(pv_comm_device(request->comm))) estimate_on_device(request, &candidate);
    PV_TRY(pv_route_choose(&problem, o->decomposition, o->grid, &candidate.route));
    *candidate_p = candidate;
    return PV_OK;
}

// ---- Measuring ------------------------------------------------------------------------------------------------------

typedef struct pv_trial {
    const pv_plan_request *request;
    pv_candidate best;
    double best_seconds;
    int tried;                         // candidates that were the best for a while
} pv_trial;

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The median of a few runs there and back: where ranks share cores the fastest run is an accident.
static pv_status time_plan(pv_fft_plan *plan, void *space, void *spectrum, double *seconds_p)
{
    enum { MOST = 64 };
    double runs[MOST], begun = pv_clock_s(), spent;
    int count = 0;
    do {
        PV_TRY(pv_comm_barrier(plan->comm));
        double start = pv_clock_s();
        PV_TRY(pv_fft_forward(plan, space, spectrum));
        PV_TRY(pv_fft_inverse(plan, spectrum, space));
        PV_TRY(pv_stream_wait(pv_device_stream(pv_comm_device(plan->comm))));
        double seconds[2] = {pv_clock_s() - start, pv_clock_s() - begun};
        PV_TRY(pv_comm_reduce_f64(plan->comm, PV_MAX, 2, seconds));
        runs[count++] = seconds[0];
        spent = seconds[1];
    } while (count < MOST && (spent < 0.1 || (spent < 0.5 && count < 5)));
    qsort(runs, (size_t)count, sizeof *runs, by_value);
    *seconds_p = runs[(count - 1) / 2];
    return PV_OK;
}

static pv_status time_candidate(const pv_trial *trial, const pv_candidate *candidate, double *seconds_p)
{
    pv_device *device = pv_comm_device(trial->request->comm);
    pv_fft_options options = *trial->request->options;
    pv_plan_request request = *trial->request;
    options.defer_workspace = 0;
    options.convolution = 0;
    request.options = &options;
    pv_fft_plan *plan = NULL;
    pv_buffer *space = NULL, *spectrum = NULL;
    PV_TRY(pv_plan_build(&request, candidate, &plan));
    pv_status status = pv_buffer_create(device, plan->space_bytes, &space);
    if (status == PV_OK) status = pv_buffer_create(device, plan->spectrum_bytes, &spectrum);
    status = pv_comm_agree(plan->comm, status);
    if (status == PV_OK) status = time_plan(plan, pv_buffer_data(space), pv_buffer_data(spectrum), seconds_p);
    pv_buffer_destroy(space);
    pv_buffer_destroy(spectrum);
    pv_fft_plan_destroy(plan);
    return status;
}

// Whether a trial ended for want of memory, on any rank: of the others such a failure is a peer's.
static int lacked_room(const pv_trial *trial, pv_status status)
{
    int64_t lacked = status == PV_ERR_MEMORY;
    if (status != PV_ERR_MEMORY && status != PV_ERR_PEER) return 0;
    return pv_comm_reduce_i64(trial->request->comm, PV_MAX, 1, &lacked) == PV_OK && lacked;
}

// A change must gain more than the noise of a trial, and do so twice: now and then a core is taken away for a while.
// One for which there is no room is none, where another has been found.
static pv_status try_candidate(pv_trial *trial, const pv_candidate *candidate)
{
    const double enough = 0.93;
    double seconds;
    const pv_status status = time_candidate(trial, candidate, &seconds);
    if (trial->tried > 0 && lacked_room(trial, status)) return PV_OK;
    PV_TRY(status);
    if (seconds >= enough * trial->best_seconds) return PV_OK;
    if (trial->tried > 0) {
        double before;
        PV_TRY(time_candidate(trial, &trial->best, &before));
        PV_TRY(time_candidate(trial, candidate, &seconds));
        if (before < trial->best_seconds) trial->best_seconds = before;
        if (seconds >= enough * trial->best_seconds) return PV_OK;
    }
    trial->tried++;
    trial->best_seconds = seconds;
    trial->best = *candidate;
    return PV_OK;
}

// Pencil grids worth a trial: all of two factors above 1.
static pv_status try_pencils(pv_trial *trial)
{
    int ranks = pv_comm_size(trial->request->comm), tried = 0;
    pv_candidate candidate = trial->best;
    for (int rows = 2; rows < ranks && tried < 6; rows++) {
        if (ranks % rows != 0) continue;
        candidate.route = (pv_route_choice){PV_DECOMPOSE_PENCIL, rows, ranks / rows};
        PV_TRY(try_candidate(trial, &candidate));
        tried++;
    }
    return PV_OK;
}

// On a GPU: who does the planes; stores or copies, in how many chunks and groups.
static pv_status measure_on_device(pv_trial *trial)
{
    static const struct {
        int chunks, groups, early;
    } ways[] = {{1, 0, 0}, {1, 1, 0}, {2, 1, 0}, {4, 2, 75}, {8, 2, 75}, {16, 2, 75}, {16, 4, 75}};
    const pv_plan_request *request = trial->request;
    pv_candidate candidate = trial->best;
    const int may_be_planes = candidate.planes > 0;
    for (int planes = 0; may_be_planes && planes < PV_PLANES_COUNT; planes++) {
        if (planes == trial->best.planes || (planes == PV_PLANES_FUSED && !has_fused_planes(request)) ||
            (planes == PV_PLANES_VISITS && !has_visits(request)))
            continue;
        candidate = trial->best;
        candidate.planes = planes;
        PV_TRY(try_candidate(trial, &candidate));
    }
    if (pv_comm_size(request->comm) == 1 || has_messages(request) || request->options->chunks > 0) return PV_OK;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        candidate = trial->best;
        candidate.chunks = ways[i].chunks;
        candidate.copy_groups = ways[i].groups;
        candidate.early_percent = ways[i].early;
        PV_TRY(try_candidate(trial, &candidate));
    }
    return PV_OK;
}

// One choice after another, each with the best of those before.
static pv_status measure(const pv_plan_request *request, pv_candidate *candidate_p)
{
    const pv_fft_options *o = request->options;
    pv_trial trial = {request, *candidate_p, 1e30, 0};
    PV_TRY(try_candidate(&trial, candidate_p));
    pv_candidate candidate = trial.best;
    // What the caches hold of small arrays differs between a trial and its use.
    for (int change = candidate_p->stream == PV_STREAM_ALL ? PV_STREAM_ALL : 0; change > 0; change--) {
        candidate.stream = candidate_p->stream ^ change;
        PV_TRY(try_candidate(&trial, &candidate));
    }
    int three = request->shape[0] > 1 && request->shape[1] > 1 && request->shape[2] > 1;
    if (o->decomposition != PV_DECOMPOSE_SLAB && o->grid[0] == 0 && three) PV_TRY(try_pencils(&trial));
    const int on_host = pv_device_is_host(pv_comm_device(request->comm));
    if (!on_host) PV_TRY(measure_on_device(&trial));
    for (int chunks = 2; on_host && has_messages(request) && o->chunks == 0 && chunks <= 8; chunks *= 2) {
        candidate = trial.best;
        candidate.chunks = chunks;
        PV_TRY(try_candidate(&trial, &candidate));
    }
    *candidate_p = trial.best;
    return PV_OK;
}

// ---- Wisdom ---------------------------------------------------------------------------------------------------------

static void make_key(const pv_plan_request *request, char *key, size_t size)
{
    const pv_fft_options *o = request->options;
    snprintf(key, size,
             "plan %lldx%lldx%lld %s %s batch %lld ranks %d transport %s node %d output %d layouts %llx decomposition "
             "%d grid %dx%d chunks %d padded %d",
             (long long)request->shape[0], (long long)request->shape[1], (long long)request->shape[2],
             request->type == PV_R2C ? "r2c" : "c2c", request->precision == PV_FP64 ? "fp64" : "fp32",
             (long long)o->batch, pv_comm_size(request->comm), pv_comm_transport(request->comm),
             pv_comm_node_size(request->comm), (int)o->output,
             (unsigned long long)pv_request_hash_layout(o->space) ^
                 3 * (unsigned long long)pv_request_hash_layout(o->spectrum),
             (int)o->decomposition, o->grid[0], o->grid[1], o->chunks, o->padded);
    if (o->wire) strncat(key, " wire reduced", size - strlen(key) - 1);
    size_t used = strlen(key);
    if (o->kept[0] + o->kept[1] + o->kept[2] + o->last_axis_as_is + o->space_pitch > 0)
        snprintf(key + used, size - used, " kept %lldx%lldx%lld as is %d pitch %lld", (long long)o->kept[0],
                 (long long)o->kept[1], (long long)o->kept[2], o->last_axis_as_is, (long long)o->space_pitch);
    used = strlen(key);
    if (!pv_device_is_host(pv_comm_device(request->comm)))
        snprintf(key + used, size - used, " on a gpu engine %s", o->engine);
}

static int read_candidate(const char *text, int ranks, pv_candidate *candidate)
{
    int decomposition, rows, columns, chunks, stream, planes = 0, groups = 0, early = 0, used = 0, more = 0;
    if (!text ||
        sscanf(text, "decomposition %d grid %dx%d chunks %d stream %d%n", &decomposition, &rows, &columns, &chunks,
               &stream, &used) != 5 ||
        stream < 0 || stream > PV_STREAM_ALL)
        return 0;
    // Of a GPU.
    if (text[used] && (sscanf(text + used, " planes %d groups %d early %d%n", &planes, &groups, &early, &more) != 3 ||
                       text[used + more]))
        return 0;
    if (planes < 0 || planes >= PV_PLANES_COUNT || early < 0 || early > 100) return 0;
    if (groups < 0 || groups >= PV_EXCHANGE_PARTS) return 0;
    int pencil = decomposition == PV_DECOMPOSE_PENCIL;
    if ((!pencil && decomposition != PV_DECOMPOSE_SLAB) || (pencil && (int64_t)rows * columns != ranks) || chunks < 1 ||
        chunks > 1024)
        return 0;
    *candidate =
        (pv_candidate){{decomposition, pencil ? rows : 0, pencil ? columns : 0}, chunks, stream, planes, groups, early};
    return 1;
}

int pv_tune_accepts(const char *key, const char *value)
{
    const char *word = strstr(key, " ranks ");
    int ranks;
    pv_candidate candidate;
    return word && sscanf(word, " ranks %d", &ranks) == 1 && read_candidate(value, ranks, &candidate);
}

static pv_status learn(const char *key, const pv_candidate *candidate)
{
    char value[128];
    snprintf(value, sizeof value, "decomposition %d grid %dx%d chunks %d stream %d",
             (int)candidate->route.decomposition, candidate->route.rows, candidate->route.columns, candidate->chunks,
             candidate->stream);
    if (candidate->planes > 0 || candidate->copy_groups > 0)
        snprintf(value + strlen(value), sizeof value - strlen(value), " planes %d groups %d early %d",
                 candidate->planes, candidate->copy_groups, candidate->early_percent);
    return pv_wisdom_learn(key, value);
}

pv_status pv_tune(const pv_plan_request *request, pv_candidate *candidate_p)
{
    pv_candidate candidate;
    PV_TRY(pv_comm_agree(request->comm, estimate(request, &candidate)));
    char key[448];
    make_key(request, key, sizeof key);
    // What is known may differ between ranks: rank 0 decides for all.
    struct { int known; pv_candidate candidate; } decision;
    memset(&decision, 0, sizeof decision);
    decision.candidate = candidate;
    decision.known = read_candidate(pv_wisdom_find(key), pv_comm_size(request->comm), &decision.candidate);
    PV_TRY(pv_comm_broadcast(request->comm, 0, sizeof decision, &decision));
    candidate = decision.candidate;
    if (!decision.known && request->options->rigor == PV_MEASURE) {
        PV_TRY(measure(request, &candidate));
        PV_TRY(pv_comm_agree(request->comm, learn(key, &candidate)));
    }
    *candidate_p = candidate;
    return PV_OK;
}
