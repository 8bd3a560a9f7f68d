// SPDX-License-Identifier: Apache-2.0
#include "fft/layout/route.h"

#include "base/check.h"
#include "fft/layout/layout.h"

pv_problem pv_problem_make(const int64_t shape[3], pv_fft_type type, pv_precision precision, int64_t batch, int ranks)
{
    pv_problem problem = {
        .real = type == PV_R2C, .precision = precision, .batch = batch, .fold_axis = -1, .ranks = ranks};
    for (int d = 0; d < 3; d++) {
        problem.shape[d] = shape[d];
        problem.transform[d] = shape[d] > 1;
    }
    // A single point is a transform of length 1.
    if (problem.real || (shape[0] == 1 && shape[1] == 1)) problem.transform[2] = 1;
    int64_t n2 = 0,
            n1 = type == PV_C2C && shape[0] == 1 && shape[1] == 1 && batch == 1 ? pv_route_long_line(shape[2], &n2) : 0;
    if (n1 > 0) {
        problem.long_line = 1;
        problem.shape[1] = n1;
        problem.shape[2] = n2;
        problem.transform[1] = 1;
    }
    if (batch > 1 && shape[0] == 1) {
        problem.fold_axis = shape[1] == 1 ? 1 : 0;
        problem.shape[problem.fold_axis] = batch;
        problem.batch = 1;
    }
    for (int d = 0; d < 3; d++) problem.spectrum[d] = problem.shape[d];
    if (problem.real) problem.spectrum[2] = problem.shape[2] / 2 + 1;
    return problem;
}

void pv_problem_keep(pv_problem *problem, const int64_t kept[3], int last_axis_as_is)
{
    if (last_axis_as_is) problem->transform[2] = 0;
    for (int d = 0; d < 3; d++)
        if (kept[d] > 0) problem->spectrum[d] = 2 * kept[d] + 1;
}

int pv_problem_is_shortened(const pv_problem *problem, int axis)
{
    const int64_t n = problem->shape[axis];
    return problem->spectrum[axis] < (problem->real && axis == 2 ? n / 2 + 1 : n);
}

static int transformed_axes(const pv_problem *problem)
{
    return problem->transform[0] + problem->transform[1] + problem->transform[2];
}

// The axis that slabs split first: one that is not transformed costs no exchange; a lone transformed axis stays whole.
static int first_split(const pv_problem *problem)
{
    for (int d = 0; d < 3; d++)
        if (!problem->transform[d] && problem->shape[d] > 1) return d;
    if (transformed_axes(problem) < 2) return problem->transform[1] ? 0 : 1;
    return problem->transform[0] ? 0 : 1;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

pv_status pv_route_choose(const pv_problem *problem, pv_decomposition decomposition, const int grid[2],
                          pv_route_choice *choice_p)
{
    int ranks = problem->ranks, three = transformed_axes(problem) == 3;
    PV_REQUIRE(
        (grid[0] == 0 && grid[1] == 0) || (grid[0] > 0 && (int64_t)grid[0] * grid[1] == ranks), PV_ERR_ARGUMENT,
        "a pencil grid of %d x %d was asked for %d ranks; rows times columns must be the number of ranks, or both 0",
        grid[0], grid[1], ranks);
    pv_route_choice choice = {decomposition, grid[0], grid[1]};
    int split = first_split(problem);
    if (decomposition == PV_DECOMPOSE_AUTO) {
        int64_t planes = least(problem->shape[split], three ? problem->spectrum[1] : problem->shape[split]);
        choice.decomposition = three && (ranks > planes || grid[0] > 0) ? PV_DECOMPOSE_PENCIL : PV_DECOMPOSE_SLAB;
    }
    if (!three && (problem->transform[2] || problem->shape[2] == 1)) choice.decomposition = PV_DECOMPOSE_SLAB;
    if (choice.decomposition == PV_DECOMPOSE_PENCIL && choice.rows == 0) {
        // The squarest grid; fewer rows than columns, since rows also split the longest exchange.
        choice.rows = 1;
        for (int r = 1; (int64_t)r * r <= ranks; r++)
            if (ranks % r == 0) choice.rows = r;
        choice.columns = ranks / choice.rows;
    }
    *choice_p = choice;
    return PV_OK;
}

static int is_three(const int64_t shape[3]) { return shape[0] > 1 && shape[1] > 1 && shape[2] > 1; }

// The first two axes longer than 1 of a shape; the last two when there are not as many.
static void slab_axes(const int64_t shape[3], int *first_p, int *second_p)
{
    *first_p = shape[0] > 1 ? 0 : shape[1] > 1 ? 1 : 2;
    *second_p = *first_p == 0 && shape[1] > 1 ? 1 : 2;
}

pv_status pv_route_default_space(const int64_t shape[3], const pv_route_choice *choice, int ranks, pv_layout **layout_p)
{
    int first, second;
    if (choice->decomposition == PV_DECOMPOSE_PENCIL && is_three(shape))
        return pv_layout_pencil(shape, choice->rows, choice->columns, 2, layout_p);
    slab_axes(shape, &first, &second);
    return pv_layout_slab(shape, ranks, first, layout_p);
}

pv_status pv_route_default_spectrum(const int64_t spectrum[3], const pv_route_choice *choice, int ranks,
                                    pv_output output, pv_layout **layout_p)
{
    int first, second, pencil = choice->decomposition == PV_DECOMPOSE_PENCIL && is_three(spectrum);
    slab_axes(spectrum, &first, &second);
    if (output == PV_OUTPUT_NATURAL) {
        if (pencil) return pv_layout_pencil(spectrum, choice->rows, choice->columns, 2, layout_p);
        return pv_layout_slab(spectrum, ranks, first, layout_p);
    }
    pv_layout *layout;
    if (pencil)
        PV_TRY(pv_layout_pencil(spectrum, choice->rows, choice->columns, 0, &layout));
    else
        PV_TRY(pv_layout_slab(spectrum, ranks, second, &layout));
    if (output == PV_OUTPUT_TRANSPOSED_AXES && first != second) {
        int order[3] = {0, 1, 2};
        order[first] = second;
        order[second] = first;
        pv_status status = pv_layout_set_order(layout, order);
        if (status != PV_OK) {
            pv_layout_destroy(layout);
            return status;
        }
    }
    *layout_p = layout;
    return PV_OK;
}

pv_status pv_layout_fold(const pv_layout *layout, int axis, int64_t batch, pv_layout **folded_p)
{
    PV_TRY(pv_layout_copy(layout, folded_p));
    if (axis < 0) return PV_OK;
    pv_layout *folded = *folded_p;
    folded->shape[axis] = batch;
    for (int r = 0; r < folded->ranks; r++)
        if (pv_box_count(&folded->boxes[r]) > 0) folded->boxes[r].upper[axis] = batch;
    // The batch is outermost in memory; unit axes may stand anywhere in the order.
    int order[3] = {axis, 0, 0}, next = 1;
    for (int i = 0; i < 3; i++)
        if (folded->order[i] != axis) order[next++] = folded->order[i];
    return pv_layout_set_order(folded, order);
}

// ---- Routes -----------------------------------------------------------------------------------------------------

void pv_route_destroy(pv_route *route)
{
    for (int s = 0; s < route->count; s++) {
        pv_layout_destroy(route->stages[s].load);
        pv_layout_destroy(route->stages[s].store);
    }
    *route = (pv_route){0};
}

// The boxes of a layout, complete along `axis`, after that axis got another length.
static void shorten(pv_layout *layout, int axis, int64_t length)
{
    for (int r = 0; r < layout->ranks; r++)
        if (pv_box_count(&layout->boxes[r]) > 0) layout->boxes[r].upper[axis] = length;
    layout->shape[axis] = length;
}

static pv_status add_stage(pv_route *route, const pv_layout *load, int real_load, int halve)
{
    PV_REQUIRE(route->count < PV_ROUTE_STAGES, PV_ERR_INTERNAL, "a route of more than %d stages", PV_ROUTE_STAGES);
    pv_route_stage *stage = &route->stages[route->count];
    *stage = (pv_route_stage){.real_load = real_load, .real_store = real_load && !halve};
    route->count++;
    PV_TRY(pv_layout_copy(load, &stage->load));
    return pv_layout_copy(load, &stage->store);
}

// A layout of the shape, as the choice has them, in which `axis` is complete.
static pv_status inner_layout(const pv_problem *problem, const int64_t shape[3], const pv_route_choice *choice,
                              int axis, pv_layout **layout_p)
{
    if (choice->decomposition == PV_DECOMPOSE_PENCIL)
        return pv_layout_pencil(shape, choice->rows, choice->columns, axis, layout_p);
    int split = first_split(problem);
    for (int i = 0; split == axis; i++) {
        int other = (axis + 1 + i) % 3;
        if (shape[other] > 1 || i == 1) split = other;
    }
    return pv_layout_slab(shape, problem->ranks, split, layout_p);
}

typedef struct pv_route_state {
    int remaining[3], count;      // axes not transformed yet
    int real;                     // elements are still real
    int long_line;
} pv_route_state;

// The last axis first, which halves real data at once; a long line's columns before its rows.
static int next_axis(const pv_route_state *state)
{
    if (state->long_line) return state->remaining[1] ? 1 : state->remaining[2] ? 2 : -1;
    for (int axis = 2; axis >= 0; axis--)
        if (state->remaining[axis]) return axis;
    return -1;
}

// Axes of a stage: two, since it works on planes, except where the last axis is left as it is: lines lie side by side
// along that one, as planes of the other two do not.
static int most_axes(const pv_problem *problem)
{
    return problem->transform[2] || problem->shape[2] == 1 ? 2 : 1;
}

// Adds a stage in `layout` that transforms what is complete there.
// The order of axes is the same whatever the layouts (last to first), or the bits of a result would depend on them.
static pv_status add_transforms(const pv_problem *problem, pv_route *route, const pv_layout *layout,
                                pv_route_state *state)
{
    int axes[2], count = 0;
    if (state->long_line) {
        int axis = next_axis(state);
        if (pv_layout_is_complete(layout, axis)) axes[count++] = axis;
    }
    for (int axis = 2; axis >= 0 && count < most_axes(problem) && !state->long_line; axis--) {
        if (!state->remaining[axis]) continue;
        if (!pv_layout_is_complete(layout, axis)) break;
        axes[count++] = axis;
    }
    int halve = state->real && count > 0 && axes[0] == 2;
    PV_TRY(add_stage(route, layout, state->real, halve));
    pv_route_stage *stage = &route->stages[route->count - 1];
    for (int i = 0; i < count; i++) {
        stage->steps[stage->step_count++] =
            (pv_route_step){.axis = axes[i], .twiddle = state->long_line && axes[i] == 1};
        shorten(stage->store, axes[i], problem->spectrum[axes[i]]);
        state->remaining[axes[i]] = 0;
        state->count--;
    }
    if (halve) state->real = 0;
    return PV_OK;
}

// Whether the layout of the spectrum serves as the next one: axes to become shorter must do so in this very stage.
static int ends_here(const pv_problem *problem, const pv_layout *spectrum, const pv_route_state *state)
{
    const int axis = next_axis(state);
    for (int d = 0; d < 3; d++)
        if (state->remaining[d] && problem->spectrum[d] != problem->shape[d] &&
            (state->count > most_axes(problem) || !pv_layout_is_complete(spectrum, d)))
            return 0;
    return !state->real && (axis < 0 || pv_layout_is_complete(spectrum, axis));
}

static pv_status last_stage(const pv_problem *problem, const pv_layout *spectrum, pv_route_state *state,
                            pv_route *route)
{
    pv_layout *before;
    PV_TRY(pv_layout_copy(spectrum, &before));
    for (int d = 0; d < 3; d++)
        if (state->remaining[d] && before->shape[d] != problem->shape[d]) shorten(before, d, problem->shape[d]);
    pv_status status = add_transforms(problem, route, before, state);
    pv_layout_destroy(before);
    return status;
}

static pv_status next_stage(const pv_problem *problem, const pv_layout *spectrum, const pv_route_choice *choice,
                            pv_route_state *state, pv_route *route)
{
    int axis = next_axis(state);
    if (ends_here(problem, spectrum, state)) return last_stage(problem, spectrum, state, route);
    int64_t shape[3];
    for (int d = 0; d < 3; d++) shape[d] = state->remaining[d] ? problem->shape[d] : problem->spectrum[d];
    pv_layout *inner;
    PV_TRY(inner_layout(problem, shape, choice, axis, &inner));
    pv_status status = add_transforms(problem, route, inner, state);
    pv_layout_destroy(inner);
    return status;
}

static int same_memory(const pv_layout *a, const pv_layout *b)
{
    for (int i = 0; i < 3; i++)
        if (a->order[i] != b->order[i]) return 0;
    return 1;
}

pv_status pv_route_forward(const pv_problem *problem, const pv_layout *space, const pv_layout *spectrum,
                           const pv_route_choice *choice, pv_route *route_p)
{
    pv_route route = {.long_line = problem->long_line};
    pv_route_state state = {.count = transformed_axes(problem), .real = problem->real, .long_line = problem->long_line};
    for (int d = 0; d < 3; d++) state.remaining[d] = problem->transform[d];
    pv_status status;
    PV_TRY_GOTO(add_transforms(problem, &route, space, &state), status, failed);
    while (state.count > 0) PV_TRY_GOTO(next_stage(problem, spectrum, choice, &state, &route), status, failed);
    // A lone stage that changes the order in memory could not run in place: move in a stage of its own.
    const pv_layout *end = route.stages[route.count - 1].store;
    if (!pv_layout_is_equal(end, spectrum) || (route.count == 1 && !same_memory(space, spectrum)))
        PV_TRY_GOTO(add_stage(&route, spectrum, 0, 0), status, failed);
    *route_p = route;
    return PV_OK;
failed:
    pv_route_destroy(&route);
    return status;
}

static pv_status add_reversed(const pv_route_stage *stage, int long_line, pv_route *route)
{
    PV_REQUIRE(route->count < PV_ROUTE_STAGES, PV_ERR_INTERNAL, "a route of more than %d stages", PV_ROUTE_STAGES);
    pv_route_stage *reversed = &route->stages[route->count++];
    *reversed = (pv_route_stage){.real_load = stage->real_store, .real_store = stage->real_load};
    for (int i = stage->step_count - 1; i >= 0; i--)
        reversed->steps[reversed->step_count++] = (pv_route_step){.axis = stage->steps[i].axis, .inverse = 1};
    // The factors between the axes of a long line come before the inverse along axis 1: after the one along axis 2.
    if (stage->step_count > 0 && stage->steps[0].axis == 2 && long_line) reversed->steps[0].twiddle = 1;
    PV_TRY(pv_layout_copy(stage->store, &reversed->load));
    return pv_layout_copy(stage->load, &reversed->store);
}

static pv_status add_copied(const pv_route_stage *stage, pv_route *route)
{
    pv_route_stage *copy = &route->stages[route->count++];
    *copy = *stage;
    copy->load = copy->store = NULL;
    PV_TRY(pv_layout_copy(stage->load, &copy->load));
    return pv_layout_copy(stage->store, &copy->store);
}

pv_status pv_route_inverse(const pv_route *forward, pv_route *route_p)
{
    pv_route route = {.long_line = forward->long_line};
    for (int s = forward->count - 1; s >= 0; s--) {
        pv_status status = add_reversed(&forward->stages[s], forward->long_line, &route);
        if (status != PV_OK) {
            pv_route_destroy(&route);
            return status;
        }
    }
    *route_p = route;
    return PV_OK;
}

pv_status pv_route_convolve(const pv_route *forward, pv_route *route_p)
{
    int last = forward->count - 1;
    while (last > 0 && forward->stages[last].step_count == 0) last--;
    pv_route route = {.long_line = forward->long_line};
    pv_status status;
    for (int s = 0; s <= last; s++) PV_TRY_GOTO(add_copied(&forward->stages[s], &route), status, failed);
    // The stage that turns round: its last axis goes both ways in one visit, the one before it (if any) back after it.
    pv_route_stage *turn = &route.stages[last];
    turn->steps[turn->step_count - 1].fused = 1;
    if (turn->step_count == 2)
        turn->steps[turn->step_count++] = (pv_route_step){.axis = turn->steps[0].axis, .inverse = 1};
    turn->steps[turn->step_count - 1].twiddle = forward->long_line;
    pv_layout_destroy(turn->store);
    turn->store = NULL;
    turn->real_store = turn->real_load;
    PV_TRY_GOTO(pv_layout_copy(turn->load, &turn->store), status, failed);
    for (int s = last - 1; s >= 0; s--)
        PV_TRY_GOTO(add_reversed(&forward->stages[s], forward->long_line, &route), status, failed);
    *route_p = route;
    return PV_OK;
failed:
    pv_route_destroy(&route);
    return status;
}

pv_status pv_route_move(const pv_layout *from, const pv_layout *to, pv_route *route_p)
{
    pv_route route = {0};
    pv_status status;
    PV_TRY_GOTO(add_stage(&route, from, 0, 0), status, failed);
    PV_TRY_GOTO(add_stage(&route, to, 0, 0), status, failed);
    *route_p = route;
    return PV_OK;
failed:
    pv_route_destroy(&route);
    return status;
}
