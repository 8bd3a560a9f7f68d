// SPDX-License-Identifier: Apache-2.0
// Running a program on the CPU: stage after stage, overlapping the messages of one chunk with the work on the next.
#include "fft/program/runner.h"

#include <omp.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"

static void bind_stage(const pv_run *run, int s)
{
    void *slots[PV_SLOT_COUNT] = {0};
    slots[PV_SLOT_IN] = (void *)run->in;
    slots[PV_SLOT_OUT] = run->out;
    slots[PV_SLOT_SEND] = pv_run_send(run);
    pv_stage *stage = &run->program->stages[s];
    void *const *windows = run->workspace ? run->workspace->bases : NULL;
    for (int p = 0; p < stage->pass_count; p++) {
        pv_view_bind(&stage->passes[p].load, slots, windows,
                     pv_program_region_offset(run->program, s - 1 < 0 ? 0 : s - 1));
        pv_view_bind(&stage->passes[p].store, slots, windows, pv_program_region_offset(run->program, s));
    }
}

static pv_pass_call call_of(const pv_run *run, const pv_stage *stage, int64_t batch, int thread)
{
    char *scratch = (char *)run->program->runner_state + (size_t)thread * run->program->scratch_bytes;
    return (pv_pass_call){.batch = batch, .step = run->step, .context = run->context, .planes = scratch,
                          .scratch = scratch + stage->plane_bytes};
}

// All passes of a stage over the slices lower <= outer < upper, one slice after another so that planes stay in cache;
// a lone pass takes them all at once.
static void run_slices(const pv_run *run, const pv_stage *stage, int64_t batch, int64_t lower, int64_t upper,
                       int thread)
{
    pv_pass_call call = call_of(run, stage, batch, thread);
    int64_t step = stage->pass_count == 1 ? upper - lower : 1;
    for (int64_t slice = lower; slice < upper; slice += step) {
        call.outer_lower = slice;
        call.outer_upper = slice + step;
        for (int p = 0; p < stage->pass_count; p++) {
            const pv_pass *pass = &stage->passes[p];
            pv_pass_run(pass, &call, 0, pv_pass_tiles(pass, slice, slice + step));
        }
    }
}

// Threads take slices; where there are fewer slices than threads, they share the tiles of each.
static void run_threads(const pv_run *run, const pv_stage *stage, int64_t batch, int64_t lower, int64_t upper)
{
    int threads = run->program->threads;
    if (threads == 1) {
        run_slices(run, stage, batch, lower, upper, 0);
        return;
    }
    int64_t slices = upper - lower;
#pragma omp parallel num_threads(threads)
    {
        int thread = omp_get_thread_num(), team = omp_get_num_threads();
        if (slices >= team) {
            run_slices(run, stage, batch, lower + slices * thread / team, lower + slices * (thread + 1) / team, thread);
        } else {
            pv_pass_call call = call_of(run, stage, batch, thread);
            call.planes = run->program->runner_state;
            for (int64_t slice = lower; slice < upper; slice++)
                for (int p = 0; p < stage->pass_count; p++) {
                    call.outer_lower = slice;
                    call.outer_upper = slice + 1;
                    int64_t tiles = pv_pass_tiles(&stage->passes[p], slice, slice + 1);
                    pv_pass_run(&stage->passes[p], &call, tiles * thread / team, tiles * (thread + 1) / team);
#pragma omp barrier
                }
        }
        pv_move_fence();
    }
}

static pv_status progress(const pv_stage *stage, int started)
{
    int done;
    for (int c = 0; c < started; c++) PV_TRY(pv_exchange_test(stage->exchanges[c], &done));
    return PV_OK;
}

// The chunks of a stage: each is computed, then sent while the next is computed.
static pv_status run_chunks(const pv_run *run, int s, int64_t first_item, int64_t last_item)
{
    pv_program *program = run->program;
    pv_stage *stage = &program->stages[s];
    int chunks = stage->has_transfer ? stage->transfer.chunks : 1;
    for (int c = 0; c < chunks; c++) {
        int64_t lower = stage->has_transfer ? stage->transfer.chunk[c].lower : stage->outer_lower;
        int64_t upper = stage->has_transfer ? stage->transfer.chunk[c].upper : stage->outer_upper;
        for (int64_t item = first_item; item < last_item; item++) run_threads(run, stage, item, lower, upper);
        if (!stage->exchanges) continue;
        pv_move_fence();
        PV_TRY(pv_run_start_messages(run, s, c, pv_device_stream(pv_comm_device(program->comm))));
        PV_TRY(progress(stage, c));
    }
    return PV_OK;
}

static pv_status run_stages(const pv_run *run, int64_t first_item, int64_t last_item)
{
    pv_program *program = run->program;
    pv_stream *stream = pv_device_stream(pv_comm_device(program->comm));
    uint64_t number = 0, previous = 0;
    for (int s = 0; s < program->stage_count; s++) {
        pv_stage *stage = &program->stages[s];
        double start = pv_clock_s();
        bind_stage(run, s);
        if (stage->has_transfer) PV_TRY(pv_workspace_open_exchange(run->workspace, stream, s, &number));
        if (s > 0) {
            PV_TRY(pv_run_finish_messages(run, s - 1, stream));
            PV_TRY(pv_workspace_wait_arrived(run->workspace, stream, previous));
        }
        PV_TRY(run_chunks(run, s, first_item, last_item));
        if (stage->has_transfer) PV_TRY(pv_workspace_post_arrived(run->workspace, stream, number));
        if (s > 0) PV_TRY(pv_workspace_post_consumed(run->workspace, stream, previous));
        previous = number;
        stage->seconds = pv_clock_s() - start;
    }
    return PV_OK;
}

static pv_status prepare(pv_program *program)
{
    program->scratch_bytes = (program->scratch_bytes + 4095) / 4096 * 4096 + 4096;
    return pv_mem_alloc((size_t)program->threads, program->scratch_bytes, &program->runner_state);
}

static void destroy(pv_program *program) { pv_mem_free(program->runner_state); }

static pv_status run(const pv_run *run)
{
    int64_t batch = run->program->batch;
    if (run->workspace) pv_workspace_begin(run->workspace, run->program->mark);
    if (!run->program->item_major) return run_stages(run, 0, batch);
    for (int64_t item = 0; item < batch; item++) PV_TRY(run_stages(run, item, item + 1));
    return PV_OK;
}

const pv_runner pv_runner_cpu = {.device = "cpu", .prepare = prepare, .destroy = destroy, .run = run};
