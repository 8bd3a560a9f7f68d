// SPDX-License-Identifier: Apache-2.0
#include "fft/program/ways.h"

#include "fft/program/runner.h"

// Lines of a pass stand side by side along the lane axis: the fastest one in memory that is longer than 1. Passes of
// one stage share planes, so there the lane axis of each is the line axis of the other.
pv_walk pv_program_walk(const pv_route_stage *stage, int step)
{
    const int64_t *shape = stage->store->shape;
    if (stage->step_count == 0) {
        const int *order = stage->store->order;
        return (pv_walk){order[2], order[1], order[0]};
    }
    int axis = stage->steps[step].axis;
    for (int other = 0; other < stage->step_count; other++)
        if (stage->steps[other].axis != axis)
            return (pv_walk){axis, stage->steps[other].axis, 3 - axis - stage->steps[other].axis};
    int lane = axis == 2 ? 1 : 2;
    if (shape[lane] == 1) lane = 3 - axis - lane;
    return (pv_walk){axis, lane, 3 - axis - lane};
}

static pv_line_kind kind_of(const pv_problem *problem, int axis, int inverse)
{
    if (problem->real && axis == 2) return inverse ? PV_LINE_C2R : PV_LINE_R2C;
    return inverse ? PV_LINE_INVERSE : PV_LINE_FORWARD;
}

const pv_line_plan *pv_program_lines(const pv_program_desc *desc, int axis, int inverse)
{
    return pv_line_set_find(desc->lines, kind_of(desc->problem, axis, inverse), desc->problem->shape[axis]);
}

static int is_natural(const pv_layout *layout)
{
    return layout->order[0] == 0 && layout->order[1] == 1 && layout->order[2] == 2;
}

// Transfers alternate between two regions but share one send buffer: at most one goes by copies.
static int find_copies(const pv_program_desc *desc, const pv_route *route)
{
    for (int s = 0; desc->copy_groups > 0 && s + 1 < route->count; s++) {
        const pv_route_stage *from = &route->stages[s], *to = &route->stages[s + 1];
        if (from->step_count > 0 && to->step_count > 0 &&
            pv_copy_applies(from->store, to->load, desc->node, pv_program_walk(from, 0).outer,
                            pv_program_walk(to, 0).outer))
            return s;
    }
    return -1;
}

static int is_by_planes_alone(const pv_program *program, const pv_program_desc *desc, int axis)
{
    const pv_line_plan *lines = pv_program_lines(desc, axis, 0);
    if (!lines) lines = pv_program_lines(desc, axis, 1);
    return program->runner->has_lines && lines && !program->runner->has_lines(lines->ops, lines->n, lines->precision);
}

// Whether the stage goes from one array in natural order to another and transforms the last two axes, or the last; or
// the first, for which the device has no kernels but the vendor's. (Lines along the second are not evenly spaced.)
static int may_be_planes(const pv_program_desc *desc, const pv_program *program, int s)
{
    const pv_route *route = &program->route;
    const int copies = program->copies;
    const pv_route_stage *stage = &route->stages[s];
    const int one_rank = pv_comm_size(desc->comm) == 1;
    int axes = 0;
    for (int i = 0; i < stage->step_count; i++) axes |= 1 << stage->steps[i].axis;
    if (!desc->planes || desc->problem->long_line || axes == 0) return 0;
    if (axes != 6 && axes != 4 && !(axes == 1 && is_by_planes_alone(program, desc, 0))) return 0;
    for (int i = 0; i < stage->step_count; i++)
        if (stage->steps[i].fused) return 0;
    if (!is_natural(stage->load) || !is_natural(stage->store)) return 0;
    for (int d = 0; d < 3; d++)
        if ((axes & 1 << d) && pv_problem_is_shortened(desc->problem, d)) return 0;
    // To reals cuFFT spoils what it reads; the caller's array must stay as it is.
    if (s == 0 && stage->real_store) return 0;
    // Rows of an odd number of reals would begin between the pairs that vendors load.
    if (desc->problem->real && (axes & 4) && desc->problem->shape[2] % 2 != 0 && !desc->padded) return 0;
    for (int r = 1; r < pv_comm_size(desc->comm); r++)
        if (desc->node[r] != desc->node[0]) return 0; // what arrives by messages is not one array
    return s + 1 == route->count || one_rank || copies == s;
}

// The share is meant for stages of two passes; during a lone one less can leave.
int pv_program_early_percent(const pv_program_desc *desc, const pv_route_stage *from)
{
    return from->step_count > 1 ? desc->early_percent : desc->early_percent * 2 / 3;
}

// Planes are of one array on either side; passes may work on two.
pv_copy_keep pv_program_keep(const pv_program *program, int s)
{
    if (!program->stages[s].as_planes) return PV_KEEP_IN_WINDOW;
    return program->stages[s + 1].as_planes ? PV_KEEP_BY_COPY : PV_KEEP_IN_SEND;
}

// The stage that scales. Planes do not.
static int find_scaling(const pv_program *program)
{
    int last = -1;
    for (int s = 0; s < program->stage_count; s++)
        if (program->route.stages[s].step_count > 0 &&
            (last < 0 || !program->stages[s].as_planes || program->stages[last].as_planes))
            last = s;
    return last;
}

void pv_program_choose_ways(const pv_program_desc *desc, pv_program *program)
{
    const int is_scaled = desc->scale != 1.0;
    program->copies = find_copies(desc, &program->route);
    int others = 0; // stages that scale
    for (int s = 0; s < program->stage_count; s++) {
        pv_stage *stage = &program->stages[s];
        stage->as_planes = may_be_planes(desc, program, s);
        others += program->route.stages[s].step_count > 0 && !stage->as_planes;
    }
    for (int s = 0; is_scaled && others == 0 && s < program->stage_count; s++) program->stages[s].as_planes = 0;
    program->by_visits = desc->planes == PV_PLANES_VISITS;
    // What turns out to be no whole goes by planes.
    program->fused_planes = program->by_visits || desc->planes == PV_PLANES_FUSED;
    program->as_one =
        (desc->planes == PV_PLANES_WHOLE || program->by_visits) && !is_scaled && pv_comm_size(desc->comm) == 1 &&
        !desc->problem->long_line;
    for (int d = 0; d < 3; d++) program->as_one &= !pv_problem_is_shortened(desc->problem, d);
    program->scaling = find_scaling(program);
}
