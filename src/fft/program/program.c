// SPDX-License-Identifier: Apache-2.0
#include "fft/program/program.h"

#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "fft/layout/box.h"
#include "fft/program/messages.h"
#include "fft/program/runner.h"
#include "fft/program/ways.h"
#include "fft/transfer/wire.h"

static int on_host(const pv_program_desc *desc) { return pv_device_is_host(pv_comm_device(desc->comm)); }

// How the first pass of a stage likes to find its points. A GPU's threads reach along the last axis, so there the
// natural order serves all passes.
static pv_block_order order_of(const pv_program_desc *desc, const pv_route_stage *stage, int step)
{
    pv_walk walk = pv_program_walk(stage, step);
    if (!on_host(desc)) return (pv_block_order){{0, 1, 2}, -1, 1};
    // Gaps in tiles would spoil the exponents of their neighbours.
    if (desc->wire) return (pv_block_order){{walk.outer, walk.lane, walk.axis}, -1, 1};
    if (stage->step_count == 0) return (pv_block_order){{walk.outer, walk.lane, walk.axis}, -1, 1};
    const pv_line_plan *lines = pv_program_lines(desc, walk.axis, stage->steps[step].inverse);
    return (pv_block_order){{walk.outer, walk.lane, walk.axis}, walk.lane, lines->lanes};
}

// ---- Views ----------------------------------------------------------------------------------------------------------

static size_t element_bytes(const pv_program_desc *desc, int real)
{
    if (desc->element_bytes) return desc->element_bytes;
    return (real ? 1 : 2) * pv_real_bytes(desc->problem->precision);
}

// The caller's array.
static pv_status view_array(const pv_program_desc *desc, const pv_layout *layout, int real, pv_slot slot, pv_view *view)
{
    PV_TRY(pv_view_create(element_bytes(desc, real), 1, view));
    const pv_box *box = &layout->boxes[pv_comm_rank(desc->comm)];
    if (pv_box_count(box) == 0) return PV_OK;
    pv_piece *piece = pv_view_add(view, box, slot, 0);
    pv_box memory = *box;
    const int64_t pitch = slot == PV_SLOT_IN ? desc->in_pitch : desc->out_pitch;
    if (pitch > 0) memory.upper[2] = memory.lower[2] + pitch;
    if (real && desc->padded) memory.upper[2] = memory.lower[2] + 2 * ((memory.upper[2] - memory.lower[2]) / 2 + 1);
    pv_block_order order = {{layout->order[0], layout->order[1], layout->order[2]}, -1, 1};
    piece->batch_stride = pv_piece_dense(&memory, &order, piece);
    return PV_OK;
}

// A plane between two passes of a stage, ordered as the second wants it; the same memory for every slice, until
// spread_planes.
static pv_status view_plane(const pv_program_desc *desc, const pv_box *box, pv_walk walk, const pv_block_order *order,
                            int real, size_t offset_bytes, pv_view *view, size_t *bytes_p)
{
    size_t size = element_bytes(desc, real);
    PV_TRY(pv_view_create(size, 1, view));
    *bytes_p = 0;
    if (pv_box_count(box) == 0) return PV_OK;
    pv_piece *piece = pv_view_add(view, box, PV_SLOT_SCRATCH, 0);
    pv_box plane = *box;
    plane.upper[walk.outer] = plane.lower[walk.outer] + 1;
    *bytes_p = ((size_t)pv_piece_dense(&plane, order, piece) * size + 127) / 128 * 128;
    piece->stride[walk.outer] = 0;
    piece->offset = (int64_t)(offset_bytes / size);
    return PV_OK;
}

static pv_status copy_view(const pv_view *from, int whole_batch, pv_view *to)
{
    PV_TRY(pv_view_create(from->element_bytes, from->count, to));
    to->count = from->count;
    if (from->count > 0) memcpy(to->pieces, from->pieces, (size_t)from->count * sizeof *from->pieces);
    for (int i = 0; i < to->count && !whole_batch; i++) to->pieces[i].batch_stride = 0;
    return PV_OK;
}

// ---- Stages ---------------------------------------------------------------------------------------------------------

static pv_status describe_transfer(const pv_program_desc *desc, pv_program *program, int s)
{
    const pv_route_stage *from = &program->route.stages[s], *to = &program->route.stages[s + 1];
    pv_stage *stage = &program->stages[s];
    pv_transfer_desc transfer = {
        .from = from->store,
        .to = to->load,
        .rank = pv_comm_rank(desc->comm),
        .node = desc->node,
        .order = order_of(desc, to, 0),
        .chunk_axis = pv_program_walk(from, 0).outer,
        .chunks = desc->chunks,
        .batch = program->item_major ? 1 : program->batch,
        .element_bytes = element_bytes(desc, from->real_store),
    };
    if (s == program->copies)
        transfer.copies = (pv_copy_choice){.groups = desc->copy_groups,
                                           .early_percent = pv_program_early_percent(desc, from),
                                           .group_axis = pv_program_walk(to, 0).outer,
                                           .keep = pv_program_keep(program, s)};
    PV_TRY(pv_transfer_describe(&transfer, &stage->transfer));
    if (desc->wire)
        stage->transfer.sent_bytes = pv_wire_bytes(program->precision, (stage->transfer.sent_bytes + 63) / 64 * 64);
    stage->has_transfer = 1;
    return PV_OK;
}

// The box of a pass before its axis is transformed (load) or after (store), inside a stage.
static pv_box box_between(const pv_route_stage *stage, int rank, int step)
{
    // Axes that the first `step` steps have halved, shortened or restored.
    pv_box box = stage->load->boxes[rank];
    const pv_box *after = &stage->store->boxes[rank];
    for (int i = 0; i < step; i++) {
        const int axis = stage->steps[i].axis;
        if (stage->steps[i].fused) continue;
        box.lower[axis] = after->lower[axis];
        box.upper[axis] = after->upper[axis];
    }
    return box;
}

static int real_between(const pv_route_stage *stage, int step)
{
    int real = stage->real_load;
    for (int i = 0; i < step; i++)
        if (stage->steps[i].axis == 2 && !stage->steps[i].fused) real = stage->steps[i].inverse ? stage->real_store : 0;
    return real;
}

// A convolution that turns round in one stage has its half spectrum in the middle only.
static pv_box turning_box(const pv_program_desc *desc, const pv_route_stage *stage, int rank, int step)
{
    pv_box box = box_between(stage, rank, step);
    if (desc->problem && desc->problem->real && stage->real_load && stage->real_store && step > 0 &&
        step < stage->step_count)
        if (pv_box_count(&box) > 0) box.upper[2] = desc->problem->shape[2] / 2 + 1;
    return box;
}

static pv_status make_pass(const pv_program_desc *desc, pv_program *program, int s, int step)
{
    const pv_route_stage *route = &program->route.stages[s];
    pv_stage *stage = &program->stages[s];
    int rank = pv_comm_rank(desc->comm), last = step + 1 == stage->pass_count,
        last_stage = s + 1 == program->stage_count;
    pv_pass *pass = &stage->passes[step];
    pv_walk walk = pv_program_walk(route, step);
    *pass = (pv_pass){.axis = walk.axis, .lane_axis = walk.lane, .outer_axis = walk.outer, .scale = 1.0,
                      .fold_axis = desc->problem->fold_axis,
                      .long_line = desc->problem->long_line ? desc->problem->shape[1] : 0};
    if (route->step_count > 0) {
        const pv_route_step *it = &route->steps[step];
        pass->lines = pv_program_lines(desc, walk.axis, it->inverse);
        pass->twiddle = it->twiddle ? desc->twiddle : NULL;
        pass->twiddle_sign = it->inverse || it->fused ? 1 : -1;
        pass->back = it->fused ? pv_program_lines(desc, walk.axis, 1) : NULL;
        PV_REQUIRE(pass->lines && (!it->fused || pass->back), PV_ERR_INTERNAL, "no line plan for axis %d", walk.axis);
    }
    pass->load_box = turning_box(desc, route, rank, step);
    pass->store_box = turning_box(desc, route, rank, step + 1);
    if (step > 0)
        PV_TRY(copy_view(&stage->passes[step - 1].store, 1, &pass->load));
    else if (s > 0)
        PV_TRY(copy_view(&program->stages[s - 1].transfer.load, !program->item_major, &pass->load));
    else
        PV_TRY(view_array(desc, route->load, route->real_load, PV_SLOT_IN, &pass->load));
    if (!last) {
        pv_block_order order = order_of(desc, route, step + 1);
        size_t bytes;
        int real = desc->problem->real && route->real_load && route->real_store ? 0 : real_between(route, step + 1);
        PV_TRY(view_plane(desc, &pass->store_box, pv_program_walk(route, step + 1), &order, real, stage->plane_bytes,
                          &pass->store, &bytes));
        stage->plane_bytes += bytes;
    } else if (!last_stage) {
        PV_TRY(copy_view(&stage->transfer.store, !program->item_major, &pass->store));
    } else {
        PV_TRY(view_array(desc, route->store, route->real_store, PV_SLOT_OUT, &pass->store));
    }
    // What only moves points does not touch their values: the last lines do.
    if (last && s == program->scaling) pass->scale = desc->scale;
    int stream = last && (desc->stream & (last_stage ? PV_STREAM_ARRAYS : PV_STREAM_WINDOWS));
    return pv_pass_prepare(pass, stream, on_host(desc) && stage->pass_count == 1);
}

// A thread of the CPU has one slice's planes for all slices; a GPU works on several slices at once, each with planes of
// its own.
static void spread_planes(pv_stage *stage)
{
    for (int p = 0; p < stage->pass_count; p++) {
        pv_view *views[2] = {&stage->passes[p].load, &stage->passes[p].store};
        for (int v = 0; v < 2; v++)
            for (int i = 0; i < views[v]->count; i++)
                if (views[v]->pieces[i].slot == PV_SLOT_SCRATCH)
                    views[v]->pieces[i].stride[stage->outer_axis] =
                        (int64_t)(stage->plane_bytes / views[v]->element_bytes);
    }
}

static pv_status make_stage(const pv_program_desc *desc, pv_program *program, int s)
{
    const pv_route_stage *route = &program->route.stages[s];
    pv_stage *stage = &program->stages[s];
    const pv_box *box = &route->load->boxes[pv_comm_rank(desc->comm)];
    stage->outer_axis = pv_program_walk(route, 0).outer;
    stage->outer_lower = box->lower[stage->outer_axis];
    stage->outer_upper = pv_box_count(box) > 0 ? box->upper[stage->outer_axis] : stage->outer_lower;
    stage->pass_count = route->step_count > 0 ? route->step_count : 1;
    if (s + 1 < program->stage_count) PV_TRY(describe_transfer(desc, program, s));
    size_t tile_bytes = 0;
    for (int step = 0; step < stage->pass_count; step++) {
        PV_TRY(make_pass(desc, program, s, step));
        size_t bytes = pv_pass_scratch_bytes(&stage->passes[step]);
        if (bytes > tile_bytes) tile_bytes = bytes;
    }
    if (!on_host(desc)) spread_planes(stage);
    stage->moved_bytes = (size_t)program->batch *
        ((size_t)pv_box_count(box) * element_bytes(desc, route->real_load) +
         (size_t)pv_box_count(&route->store->boxes[pv_comm_rank(desc->comm)]) * element_bytes(desc, route->real_store));
    if (stage->plane_bytes + tile_bytes > program->scratch_bytes)
        program->scratch_bytes = stage->plane_bytes + tile_bytes;
    return PV_OK;
}

static pv_status make_local(const pv_program_desc *desc, pv_program *program)
{
    pv_program_choose_ways(desc, program);
    for (int s = 0; s < program->stage_count; s++) PV_TRY(make_stage(desc, program, s));
    return program->runner->prepare(program);
}

// Which way it goes, and of which sizes: nothing that ranks may see in different ways.
static int mark_of(const pv_problem *problem, const pv_route *route)
{
    uint64_t sizes = (uint64_t)problem->batch;
    int is_forward = 0, is_inverse = 0;
    for (int axis = 0; axis < 3; axis++) sizes = sizes * 1000003 + (uint64_t)problem->shape[axis];
    for (int s = 0; s < route->count; s++)
        for (int i = 0; i < route->stages[s].step_count; i++) {
            const pv_route_step *step = &route->stages[s].steps[i];
            is_forward |= !step->inverse;
            is_inverse |= step->inverse || step->fused;
        }
    return (int)((sizes ^ sizes >> 17) % (PV_EXCHANGE_PARTS / 4)) * 4 + 2 * is_inverse + is_forward;
}

pv_status pv_program_create(const pv_program_desc *desc, pv_route *route, pv_program **program_p)
{
    pv_program *program = NULL;
    pv_status status = PV_ALLOC(1, &program);
    if (status == PV_OK) {
        program->comm = desc->comm;
        program->route = *route;
        *route = (pv_route){0};
        program->batch = desc->problem->batch;
        program->wire = desc->wire;
        program->precision = desc->problem->precision;
        program->mark = mark_of(desc->problem, &program->route);
        program->item_major = pv_comm_size(desc->comm) == 1;
        program->stage_count = program->route.count;
        program->threads = pv_device_threads(pv_comm_device(desc->comm));
        program->runner = pv_runner_of(pv_comm_device(desc->comm));
        status = make_local(desc, program);
    }
    status = pv_comm_agree(desc->comm, status);
    for (int s = 0; status == PV_OK && s < program->stage_count; s++) status = pv_program_make_exchanges(program, s);
    if (status == PV_OK) status = pv_program_agree_regions(program);
    if (status != PV_OK) {
        pv_route_destroy(route);
        pv_program_destroy(program);
        return status;
    }
    *program_p = program;
    return PV_OK;
}

void pv_program_destroy(pv_program *program)
{
    if (!program) return;
    if (program->runner) program->runner->destroy(program);
    for (int s = 0; s < program->stage_count; s++) {
        pv_stage *stage = &program->stages[s];
        for (int p = 0; p < stage->pass_count; p++) pv_pass_destroy(&stage->passes[p]);
        for (int c = 0; stage->exchanges && c < stage->transfer.chunks; c++) pv_exchange_destroy(stage->exchanges[c]);
        pv_mem_free(stage->exchanges);
        pv_transfer_destroy(&stage->transfer);
    }
    pv_route_destroy(&program->route);
    pv_mem_free(program);
}

size_t pv_program_workspace_bytes(const pv_program *program)
{
    return program->region_bytes[0] + program->region_bytes[1] + program->send_bytes + program->wire_bytes[0] +
           program->wire_bytes[1];
}

size_t pv_program_sent_bytes(const pv_program *program)
{
    size_t bytes = 0;
    for (int s = 0; s < program->stage_count; s++)
        bytes += program->stages[s].transfer.sent_bytes * (program->item_major ? (size_t)program->batch : 1);
    return bytes;
}

pv_status pv_program_run(pv_program *program, pv_workspace *workspace, const void *in, void *out, pv_fft_pointwise step,
                         void *context)
{
    pv_run run = {program, workspace, in, out, step, context};
    if (workspace) PV_TRY(pv_workspace_check_kept(workspace));
    const pv_status status = program->runner->run(&run);
    if (status != PV_OK && workspace) pv_workspace_give_up(workspace, status);
    return status;
}
