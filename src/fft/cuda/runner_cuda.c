// SPDX-License-Identifier: Apache-2.0
// Running a program on a GPU: the same stages, passes and transfers, in the order of a stream. No step waits on the
// host. Copies to other ranks run on a stream of their own, each chunk as soon as it is computed.
#include <stdlib.h>

#include <parseval/device_cuda.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "comm/comm_ops.h"
#include "fft/cuda/fft_check.h"
#include "fft/cuda/graph_cuda.h"
#include "fft/cuda/pass_cuda.h"
#include "fft/cuda/planes_cuda.h"
#include "fft/cuda/slabs_cuda.h"
#include "fft/program/runner.h"

// Read and written in memory by a program whose kernels are no longer than their launches.
enum { SHORT_BYTES = 256 << 20 };

typedef struct pv_cuda_stage {
    pv_cuda_pass passes[PV_STAGE_PASSES];
    pv_cuda_planes planes;      // of a stage as_planes, in place of passes
    pv_cuda_slabs slabs;
} pv_cuda_stage;

typedef struct pv_cuda_state {
    pv_cuda_stage stages[PV_ROUTE_STAGES];
    pv_cuda_planes whole;       // of all stages at once
    int has_whole, whole_in_place_only;
    pv_buffer *planes, *rows;   // rows: also cuFFT's work area
    uint64_t bound;             // the workspace whose windows the passes know
    pv_stream *stream, *copies; // copies: NULL without any
    int is_short;               // recorded as a graph
    int in_line;                // no wait may come before what others wait for: so in what is recorded
    pv_cuda_graphs graphs;
} pv_cuda_state;

// ---- Preparation ----------------------------------------------------------------------------------------------------

static void raise_to(size_t *most, size_t bytes)
{
    if (bytes > *most) *most = bytes;
}

static pv_status prepare_passes(pv_program *program, const pv_stage *stage, pv_cuda_stage *made, size_t *planes,
                                size_t *rows)
{
    pv_device *device = pv_comm_device(program->comm);
    const int64_t slices = made->slabs.largest;
    raise_to(planes, stage->plane_bytes * (size_t)slices);
    for (int p = 0; p < stage->pass_count; p++) {
        PV_TRY(pv_cuda_pass_create(device, &stage->passes[p], slices, &made->passes[p]));
        raise_to(rows, made->passes[p].rows_bytes);
    }
    return PV_OK;
}

static pv_status prepare_planes(pv_cuda_stage *made, size_t *rows)
{
    for (int i = 0; i < made->slabs.count; i++)
        PV_TRY(pv_cuda_planes_add(&made->planes, made->slabs.slabs[i].upper - made->slabs.slabs[i].lower));
    raise_to(rows, made->planes.work_bytes);
    return PV_OK;
}

// All stages at once, where cuFFT or kernels of ours can. To reals it spoils what it reads, so that out of place the stages are wanted.
static pv_status prepare_whole(pv_program *program, pv_cuda_state *state, size_t *rows)
{
    const int wanted = program->as_one;
    program->as_one = 0;
    if (!wanted || !pv_cuda_planes_of_program(program, &state->whole)) return PV_OK;
    PV_TRY(pv_cuda_planes_choose_visits(program, &state->whole));
    PV_TRY(pv_cuda_planes_add(&state->whole, program->batch));
    raise_to(rows, state->whole.work_bytes);
    state->has_whole = 1;
    state->whole_in_place_only = program->route.stages[program->route.count - 1].real_store;
    program->as_one = !state->whole_in_place_only;
    return PV_OK;
}

static void destroy(pv_program *program)
{
    pv_cuda_state *state = program->runner_state;
    if (!state) return;
    for (int s = 0; s < program->stage_count; s++) {
        for (int p = 0; p < program->stages[s].pass_count; p++) pv_cuda_pass_destroy(&state->stages[s].passes[p]);
        pv_cuda_planes_destroy(&state->stages[s].planes);
        pv_cuda_slabs_destroy(&state->stages[s].slabs);
    }
    pv_cuda_planes_destroy(&state->whole);
    pv_cuda_graphs_destroy(&state->graphs);
    pv_stream_destroy(state->copies);
    pv_buffer_destroy(state->planes);
    pv_buffer_destroy(state->rows);
    pv_mem_free(state);
    program->runner_state = NULL;
}

// Messages are not recorded: some move on the host. Nor are the caller's steps, nor groups, whose waits rely on copies
// that run beside them.
static int is_short(const pv_program *program)
{
    size_t bytes = 0;
    if (program->comm->shares_device) return 0; // the host waits for the others
    for (int s = 0; s < program->stage_count; s++) {
        bytes += program->stages[s].moved_bytes;
        for (int p = 0; p < program->stages[s].pass_count; p++)
            if (program->stages[s].passes[p].back) return 0;
        if (program->stages[s].exchanges || program->stages[s].transfer.messages) return 0;
    }
    if (program->copies >= 0 && program->stages[program->copies].transfer.copies.groups > 1) return 0;
    return program->stage_count > 1 && bytes < SHORT_BYTES;
}

static pv_status prepare(pv_program *program)
{
    pv_device *device = pv_comm_device(program->comm);
    pv_cuda_state *state = NULL;
    PV_TRY(PV_ALLOC(1, &state));
    program->runner_state = state;
    state->stream = pv_device_stream(device);
    size_t planes = 0, rows = 0;
    PV_TRY(prepare_whole(program, state, &rows));
    for (int s = 0; s < program->stage_count && !program->as_one; s++) {
        pv_cuda_stage *made = &state->stages[s];
        if (program->stages[s].as_planes) PV_TRY(pv_cuda_planes_of_stage(program, s, &made->planes));
        PV_TRY(pv_cuda_slabs_make(program, s, made->planes.fused.n > 0, &made->slabs));
        PV_TRY(program->stages[s].as_planes ? prepare_planes(made, &rows)
                                            : prepare_passes(program, &program->stages[s], made, &planes, &rows));
    }
    state->is_short = is_short(program);
    if (program->copies >= 0) PV_TRY(pv_stream_create_urgent(device, &state->copies));
    if (planes > 0) PV_TRY(pv_buffer_create(device, planes, &state->planes));
    return rows > 0 ? pv_buffer_create(device, rows, &state->rows) : PV_OK;
}

// ---- Running --------------------------------------------------------------------------------------------------------

static size_t region_read(const pv_program *program, int s)
{
    return pv_program_region_offset(program, s > 0 ? s - 1 : 0);
}

static pv_status bind(const pv_run *run)
{
    pv_program *program = run->program;
    pv_cuda_state *state = program->runner_state;
    if (state->bound == run->workspace->identity) return PV_OK;
    for (int s = 0; s < program->stage_count; s++)
        for (int p = 0; p < program->stages[s].pass_count && !program->stages[s].as_planes; p++)
            PV_TRY(pv_cuda_pass_bind(&state->stages[s].passes[p], run->workspace->bases, region_read(program, s),
                                     pv_program_region_offset(program, s)));
    state->bound = run->workspace->identity;
    return PV_OK;
}

static char *data_of(const pv_buffer *buffer) { return buffer ? pv_buffer_data(buffer) : NULL; }

static pv_status run_planes(const pv_run *run, const pv_cuda_planes *planes, int s, int64_t item, int64_t lower,
                            int64_t upper)
{
    const pv_cuda_state *state = run->program->runner_state;
    char *window = pv_run_window(run);
    pv_cuda_planes_call call = {.work = data_of(state->rows), .batch = item, .lower = lower, .upper = upper};
    call.slots[PV_SLOT_IN] = (char *)run->in;
    call.slots[PV_SLOT_OUT] = run->out;
    call.slots[PV_SLOT_SEND] = pv_run_send(run);
    call.from_window = window ? window + region_read(run->program, s) : NULL;
    call.to_window = window ? window + pv_program_region_offset(run->program, s) : NULL;
    return pv_cuda_planes_run(planes, &call, pv_stream_cuda(state->stream));
}

static pv_status run_slab(const pv_run *run, int s, int64_t item, const pv_cuda_slab *slab)
{
    pv_cuda_state *state = run->program->runner_state;
    const pv_stage *stage = &run->program->stages[s];
    pv_cuda_stage *made = &state->stages[s];
    if (stage->as_planes) return run_planes(run, &made->planes, s, item, slab->lower, slab->upper);
    pv_device_call call = {.batch = item, .outer_lower = slab->lower, .outer_upper = slab->upper};
    call.slots[PV_SLOT_IN] = (char *)run->in;
    call.slots[PV_SLOT_OUT] = run->out;
    call.slots[PV_SLOT_SEND] = pv_run_send(run);
    // Pieces of planes count slices from the stage's first one.
    call.slots[PV_SLOT_SCRATCH] =
        data_of(state->planes) - (slab->lower - stage->outer_lower) * (int64_t)stage->plane_bytes;
    for (int p = 0; p < stage->pass_count; p++)
        PV_TRY(pv_cuda_pass_run(&made->passes[p], &call, data_of(state->rows), run->step, run->context,
                                pv_stream_cuda(state->stream)));
    return PV_OK;
}

static pv_status copy_list(const pv_run *run, int s, const pv_copy_list *list, const pv_stream *stream)
{
    const char *send = pv_run_send(run);
    for (int i = 0; i < list->count; i++) {
        const pv_copy *copy = &list->copies[i];
        char *region = (char *)run->workspace->bases[copy->rank] + pv_program_region_offset(run->program, s);
        PV_FFT_CUDA(cudaMemcpy2DAsync(region + copy->to_bytes, copy->to_pitch, send + copy->from_bytes,
                                      copy->from_pitch, copy->width, copy->height, cudaMemcpyDefault,
                                      pv_stream_cuda(stream)),
                    "copying to another rank");
    }
    return PV_OK;
}

// What leaves when chunk `chunk` is there; with the last one all that is left.
static pv_status send_copies(const pv_run *run, int s, int chunk, uint64_t number)
{
    pv_cuda_state *state = run->program->runner_state;
    const pv_transfer *transfer = &run->program->stages[s].transfer;
    PV_TRY(pv_stream_follow(state->copies, state->stream));
    PV_TRY(copy_list(run, s, &transfer->copies.lists[chunk], state->copies));
    if (transfer->copies.own) PV_TRY(copy_list(run, s, &transfer->copies.own[chunk], state->stream));
    for (int group = 0; chunk + 1 == transfer->chunks && group < transfer->copies.groups; group++) {
        if (group > 0) PV_TRY(copy_list(run, s, &transfer->copies.lists[chunk + group], state->copies));
        if (group + 1 < transfer->copies.groups)
            PV_TRY(pv_workspace_post_part(run->workspace, state->copies, number, group));
        else PV_TRY(pv_workspace_post_arrived(run->workspace, state->copies, number));
    }
    return PV_OK;
}

static pv_status run_slabs(const pv_run *run, int s, int64_t first_item, int64_t last_item, uint64_t previous,
                           uint64_t number)
{
    pv_program *program = run->program;
    pv_cuda_state *state = program->runner_state;
    pv_stage *stage = &program->stages[s];
    int awaited = -1;
    for (int i = 0; i < state->stages[s].slabs.count; i++) {
        const pv_cuda_slab *slab = &state->stages[s].slabs.slabs[i];
        if (slab->await_part > awaited) {
            awaited = slab->await_part;
            if (state->in_line) PV_TRY(pv_stream_follow(state->stream, state->copies));
            PV_TRY(pv_workspace_wait_part(run->workspace, state->stream, previous, awaited));
        }
        for (int64_t item = first_item; item < last_item; item++) PV_TRY(run_slab(run, s, item, slab));
        if (slab->chunk < 0) continue;
        if (stage->exchanges) PV_TRY(pv_run_start_messages(run, s, slab->chunk, state->stream));
        if (s == program->copies) PV_TRY(send_copies(run, s, slab->chunk, number));
    }
    return PV_OK;
}

static pv_status run_stages(const pv_run *run, int64_t first_item, int64_t last_item)
{
    pv_program *program = run->program;
    pv_cuda_state *state = program->runner_state;
    uint64_t number = 0, previous = 0;
    for (int s = 0; s < program->stage_count; s++) {
        pv_stage *stage = &program->stages[s];
        const int by_copies = s == program->copies;
        // Where copies go, computing need not wait until others are done with what came before.
        if (stage->has_transfer)
            PV_TRY(pv_workspace_open_exchange(run->workspace, by_copies ? state->copies : state->stream, s, &number));
        if (s > 0) {
            PV_TRY(pv_run_finish_messages(run, s - 1, state->stream));
            if (!pv_cuda_copies_into(program, s))
                PV_TRY(pv_workspace_wait_arrived(run->workspace, state->stream, previous));
        }
        PV_TRY(run_slabs(run, s, first_item, last_item, previous, number));
        // Counters only grow: what copies post of an earlier exchange comes first.
        if (stage->has_transfer && program->copies >= 0 && s > program->copies)
            PV_TRY(pv_stream_follow(state->stream, state->copies));
        if (stage->has_transfer && !by_copies) PV_TRY(pv_workspace_post_arrived(run->workspace, state->stream, number));
        if (s > 0) PV_TRY(pv_workspace_post_consumed(run->workspace, state->stream, previous));
        previous = number;
    }
    return PV_OK;
}

static pv_status count_exchanges(const pv_run *run, const pv_stream *stream)
{
    const pv_workspace_steps steps = pv_workspace_end(run->workspace);
    if (steps.base)
        PV_FFT_CUDA(pv_cuda_count_on(steps.base, steps.arrived, steps.consumed, pv_stream_cuda(stream)),
                    "counting exchanges");
    return PV_OK;
}

static pv_status run_all(const pv_run *run)
{
    pv_program *program = run->program;
    pv_cuda_state *state = program->runner_state;
    pv_workspace_begin(run->workspace, program->mark);
    // An earlier run on this stream is done with what the copies will read and write here.
    if (state->copies) PV_TRY(pv_stream_follow(state->copies, state->stream));
    int64_t batch = program->batch;
    if (!program->item_major) PV_TRY(run_stages(run, 0, batch));
    for (int64_t item = 0; item < batch && program->item_major; item++) PV_TRY(run_stages(run, item, item + 1));
    if (state->copies) PV_TRY(pv_stream_follow(state->stream, state->copies));
    return count_exchanges(run, state->stream);
}

static pv_status run_whole(const pv_run *run)
{
    const pv_cuda_state *state = run->program->runner_state;
    return run_planes(run, &state->whole, 0, 0, 0, run->program->batch);
}

static pv_status run_short(const pv_run *run, pv_cuda_body body)
{
    pv_cuda_state *state = run->program->runner_state;
    return state->is_short ? pv_cuda_graphs_run(&state->graphs, run, state->stream, body) : body(run);
}

static pv_status run(const pv_run *run)
{
    pv_program *program = run->program;
    pv_cuda_state *state = program->runner_state;
    if (state->has_whole && (!state->whole_in_place_only || run->in == run->out)) return run_short(run, run_whole);
    const int is_recorded = pv_cuda_is_recorded(state->stream);
    PV_REQUIRE(!is_recorded || state->bound == run->workspace->identity, PV_ERR_ARGUMENT,
               "a transform that has not run in this workspace was to be recorded in a graph; it must run once before");
    PV_TRY(bind(run));
    state->in_line = state->is_short || is_recorded;
    return run_short(run, run_all);
}

static int has_lines(const pv_engine_ops *engine, int64_t n, pv_precision precision)
{
    if (engine && engine != &pv_engine_cuda) return 0;
    return pv_cuda_columns_has(n) || pv_cuda_own_lanes(n, precision == PV_FP64) > 0;
}

static int wins_lines(int64_t n) { return pv_cuda_convolved_points(n) > 0; }

const pv_runner pv_runner_cuda = {
    .device = "cuda", .prepare = prepare, .destroy = destroy, .run = run, .has_lines = has_lines,
    .wins_lines = wins_lines, .has_fused = pv_cuda_fused_has, .has_visits = pv_cuda_visits_has,
};
