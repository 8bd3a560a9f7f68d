// SPDX-License-Identifier: Apache-2.0
// Running a program on a GPU: the same stages, passes and transfers, in the order of a stream. No step waits on the host.
#include <stdlib.h>

#include <parseval/device_cuda.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "fft/cuda/pass_cuda.h"
#include "fft/runner.h"

enum {
    // Planes between two passes. Groups that fit the L2 cache (48 MB) were slower: each launch ends in a half-empty wave.
    PLANE_BYTES = 400 << 20,
    ROW_BYTES = 256 << 20,      // rows gathered for cuFFT
};

typedef struct pv_cuda_stage {
    pv_cuda_pass passes[PV_STAGE_PASSES];
    int64_t slices;             // that go through all passes together
} pv_cuda_stage;

typedef struct pv_cuda_state {
    pv_cuda_stage stages[PV_ROUTE_STAGES];
    pv_buffer *planes, *rows;
    const pv_workspace *bound;  // whose windows the passes know
    pv_stream *stream;
} pv_cuda_state;

static int64_t slices_of(const pv_stage *stage)
{
    int64_t all = stage->outer_upper - stage->outer_lower, slices = all > 0 ? all : 1;
    if (stage->plane_bytes > 0 && slices > (int64_t)(PLANE_BYTES / stage->plane_bytes)) slices = PLANE_BYTES / stage->plane_bytes;
    for (int p = 0; p < stage->pass_count; p++) {
        const pv_pass *pass = &stage->passes[p];
        if (!pass->lines) continue;
        int64_t lanes = pass->load_box.upper[pass->lane_axis] - pass->load_box.lower[pass->lane_axis];
        int64_t slice = lanes * (pass->lines->n + 2) * 2 * (int64_t)pv_real_bytes(pass->lines->precision);
        if (slice > 0 && slices > ROW_BYTES / slice) slices = ROW_BYTES / slice;
    }
    return slices > 1 ? slices : 1;
}

static void destroy(pv_program *program)
{
    pv_cuda_state *state = program->runner_state;
    if (!state) return;
    for (int s = 0; s < program->stage_count; s++)
        for (int p = 0; p < program->stages[s].pass_count; p++) pv_cuda_pass_destroy(&state->stages[s].passes[p]);
    pv_buffer_destroy(state->planes);
    pv_buffer_destroy(state->rows);
    pv_mem_free(state);
    program->runner_state = NULL;
}

static pv_status prepare(pv_program *program)
{
    pv_device *device = pv_comm_device(program->comm);
    pv_cuda_state *state = NULL;
    PV_TRY(PV_ALLOC(1, &state));
    program->runner_state = state;
    state->stream = pv_device_stream(device);
    size_t planes = 0, rows = 0;
    for (int s = 0; s < program->stage_count; s++) {
        const pv_stage *stage = &program->stages[s];
        state->stages[s].slices = slices_of(stage);
        size_t bytes = stage->plane_bytes * (size_t)state->stages[s].slices;
        if (bytes > planes) planes = bytes;
        for (int p = 0; p < stage->pass_count; p++) {
            PV_REQUIRE(!stage->passes[p].twiddle, PV_ERR_UNSUPPORTED,
                       "a complex line of 65536 points or more was asked of device %s; it runs on cpu so far",
                       pv_device_name(device));
            PV_REQUIRE(!stage->passes[p].back, PV_ERR_UNSUPPORTED,
                       "a convolution in one plan was asked of device %s; it runs on cpu so far", pv_device_name(device));
            PV_TRY(pv_cuda_pass_create(device, &stage->passes[p], state->stages[s].slices, &state->stages[s].passes[p]));
            if (state->stages[s].passes[p].rows_bytes > rows) rows = state->stages[s].passes[p].rows_bytes;
        }
    }
    if (planes > 0) PV_TRY(pv_buffer_create(device, planes, &state->planes));
    return rows > 0 ? pv_buffer_create(device, rows, &state->rows) : PV_OK;
}

static pv_status bind(const pv_run *run)
{
    pv_program *program = run->program;
    pv_cuda_state *state = program->runner_state;
    if (state->bound == run->workspace) return PV_OK;
    for (int s = 0; s < program->stage_count; s++)
        for (int p = 0; p < program->stages[s].pass_count; p++)
            PV_TRY(pv_cuda_pass_bind(&state->stages[s].passes[p], run->workspace->bases,
                                     pv_program_region_offset(program, s > 0 ? s - 1 : 0), pv_program_region_offset(program, s)));
    state->bound = run->workspace;
    return PV_OK;
}

// Slices lower <= outer < upper through all passes, as many at a time as the planes hold.
static pv_status run_slices(const pv_run *run, int s, int64_t item, int64_t lower, int64_t upper)
{
    pv_cuda_state *state = run->program->runner_state;
    const pv_stage *stage = &run->program->stages[s];
    pv_cuda_stage *made = &state->stages[s];
    char *planes = state->planes ? pv_buffer_data(state->planes) : NULL, *rows = state->rows ? pv_buffer_data(state->rows) : NULL;
    for (int64_t first = lower; first < upper; first += made->slices) {
        pv_device_call call = {.batch = item, .outer_lower = first, .outer_upper = first + made->slices < upper ? first + made->slices : upper};
        call.slots[PV_SLOT_IN] = (char *)run->in;
        call.slots[PV_SLOT_OUT] = run->out;
        call.slots[PV_SLOT_SEND] = pv_run_send(run);
        // Pieces of planes count slices from the stage's first one.
        call.slots[PV_SLOT_SCRATCH] = planes - (first - stage->outer_lower) * (int64_t)stage->plane_bytes;
        for (int p = 0; p < stage->pass_count; p++)
            PV_TRY(pv_cuda_pass_run(&made->passes[p], &call, rows, pv_stream_cuda(state->stream)));
    }
    return PV_OK;
}

static pv_status run_chunks(const pv_run *run, int s, int64_t first_item, int64_t last_item)
{
    pv_program *program = run->program;
    pv_cuda_state *state = program->runner_state;
    pv_stage *stage = &program->stages[s];
    int chunks = stage->has_transfer ? stage->transfer.chunks : 1;
    for (int c = 0; c < chunks; c++) {
        int64_t lower = stage->has_transfer ? stage->transfer.chunk[c].lower : stage->outer_lower;
        int64_t upper = stage->has_transfer ? stage->transfer.chunk[c].upper : stage->outer_upper;
        for (int64_t item = first_item; item < last_item; item++) PV_TRY(run_slices(run, s, item, lower, upper));
        if (stage->exchanges)
            PV_TRY(pv_exchange_start_on(stage->exchanges[c], state->stream, pv_run_send(run),
                                        pv_run_window(run) + pv_program_region_offset(program, s)));
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
        if (stage->has_transfer) PV_TRY(pv_workspace_open_exchange(run->workspace, state->stream, s, &number));
        if (s > 0) {
            const pv_stage *before = &program->stages[s - 1];
            for (int c = 0; before->exchanges && c < before->transfer.chunks; c++)
                PV_TRY(pv_exchange_wait_on(before->exchanges[c], state->stream));
            PV_TRY(pv_workspace_wait_arrived(run->workspace, state->stream, previous));
        }
        PV_TRY(run_chunks(run, s, first_item, last_item));
        if (stage->has_transfer) PV_TRY(pv_workspace_post_arrived(run->workspace, state->stream, number));
        if (s > 0) PV_TRY(pv_workspace_post_consumed(run->workspace, state->stream, previous));
        previous = number;
    }
    return PV_OK;
}

static pv_status run(const pv_run *run)
{
    PV_TRY(bind(run));
    int64_t batch = run->program->batch;
    if (!run->program->item_major) return run_stages(run, 0, batch);
    for (int64_t item = 0; item < batch; item++) PV_TRY(run_stages(run, item, item + 1));
    return PV_OK;
}

const pv_runner pv_runner_cuda = {.device = "cuda", .prepare = prepare, .destroy = destroy, .run = run};
