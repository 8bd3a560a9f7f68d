// SPDX-License-Identifier: Apache-2.0
#include "fft/plan/plan.h"

#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "fft/layout/layout.h"
#include "fft/plan/request.h"
#include "fft/program/twiddle.h"
#include "fft/transfer/room.h"

pv_fft_options pv_fft_options_defaults(void)
{
    return (pv_fft_options){.batch = 1, .scale_forward = 1.0, .scale_inverse = 1.0, .engine = "auto"};
}

// ---- Building ------------------------------------------------------------------------------------------------------

static pv_status choose_line_layouts(const pv_plan_request *request, pv_fft_plan *plan)
{
    const pv_fft_options *options = request->options;
    int ranks = pv_comm_size(plan->comm);
    PV_TRY(options->space ? pv_layout_copy(options->space, &plan->space)
                          : pv_route_line_space(plan->shape[2], ranks, 0, &plan->space));
    return options->spectrum ? pv_layout_copy(options->spectrum, &plan->spectrum)
                             : pv_route_line_spectrum(plan->shape[2], ranks, 0, &plan->spectrum);
}

static pv_status choose_layouts(const pv_plan_request *request, pv_fft_plan *plan)
{
    const pv_fft_options *options = request->options;
    const pv_route_choice *choice = &plan->candidate.route;
    int ranks = pv_comm_size(plan->comm);
    if (plan->problem.long_line) return choose_line_layouts(request, plan);
    PV_TRY(options->space ? pv_layout_copy(options->space, &plan->space)
                          : pv_route_default_space(plan->shape, choice, ranks, &plan->space));
    if (options->spectrum) return pv_layout_copy(options->spectrum, &plan->spectrum);
    int64_t spectrum[3] = {plan->shape[0], plan->shape[1],
                           plan->type == PV_R2C ? plan->shape[2] / 2 + 1 : plan->shape[2]};
    for (int d = 0; d < 3; d++)
        if (options->kept[d] > 0) spectrum[d] = 2 * options->kept[d] + 1;
    return pv_route_default_spectrum(spectrum, choice, ranks, options->output, &plan->spectrum);
}

static void count_bytes(const pv_fft_options *options, pv_fft_plan *plan)
{
    int rank = pv_comm_rank(plan->comm);
    size_t real = pv_real_bytes(plan->problem.precision);
    int64_t points = pv_layout_count(plan->space, rank);
    const pv_box *box = &plan->space->boxes[rank];
    if (plan->type == PV_R2C && options->padded && points > 0) {
        int64_t row = box->upper[2] - box->lower[2];
        points = points / row * (2 * (row / 2 + 1));
    }
    if (options->space_pitch > 0) points = points / plan->shape[2] * options->space_pitch;
    plan->space_bytes = (size_t)(points * plan->batch) * (plan->type == PV_R2C ? real : 2 * real);
    plan->spectrum_bytes = (size_t)(pv_layout_count(plan->spectrum, rank) * plan->batch) * 2 * real;
}

// Of all ranks, so that the choice of engines, and with it bits, does not depend on their number.
static int64_t lines_along(const pv_problem *problem, int axis)
{
    int64_t lines = problem->batch;
    for (int d = 0; d < 3; d++)
        if (d != axis) lines *= problem->shape[d];
    return lines;
}

static pv_status add_lines(pv_line_set *set, const pv_route *route, const pv_problem *problem)
{
    for (int s = 0; s < route->count; s++)
        for (int i = 0; i < route->stages[s].step_count; i++) {
            const pv_route_step *step = &route->stages[s].steps[i];
            const int half = problem->real && step->axis == 2;
            const int64_t n = problem->shape[step->axis], lines = lines_along(problem, step->axis);
            if (!step->inverse) PV_TRY(pv_line_set_add(set, half ? PV_LINE_R2C : PV_LINE_FORWARD, n, lines));
            if (step->inverse || step->fused)
                PV_TRY(pv_line_set_add(set, half ? PV_LINE_C2R : PV_LINE_INVERSE, n, lines));
        }
    return PV_OK;
}

// from_space, to_space: whether the program begins and ends in real space.
static pv_status make_program(const pv_plan_request *request, pv_fft_plan *plan, double scale, int from_space,
                              int to_space, pv_route *route, pv_program **program_p)
{
    pv_status status = add_lines(&plan->lines, route, &plan->problem);
    if (status != PV_OK) {
        pv_route_destroy(route);
        return status;
    }
    pv_program_desc desc = {
        .comm = plan->comm,
        .problem = &plan->problem,
        .lines = &plan->lines,
        .twiddle = plan->twiddle,
        .node = request->node,
        .padded = request->options->padded,
        .in_pitch = from_space ? request->options->space_pitch : 0,
        .out_pitch = to_space ? request->options->space_pitch : 0,
        .chunks = plan->candidate.chunks,
        .stream = plan->candidate.stream,
        .planes = plan->candidate.planes,
        .copy_groups = plan->candidate.copy_groups,
        .early_percent = plan->candidate.early_percent,
        .scale = scale,
        .wire = request->options->wire,
    };
    return pv_program_create(&desc, route, program_p);
}

static pv_status make_route(const pv_fft_plan *plan, pv_route *forward)
{
    pv_layout *space = NULL, *spectrum = NULL;
    pv_status status;
    if (plan->problem.long_line) {
        int ranks = plan->problem.ranks;
        PV_TRY_GOTO(pv_route_line_space(plan->shape[2], ranks, 1, &space), status, cleanup);
        PV_TRY_GOTO(pv_route_line_spectrum(plan->shape[2], ranks, 1, &spectrum), status, cleanup);
        status = pv_route_forward(&plan->problem, space, spectrum, &plan->candidate.route, forward);
        goto cleanup;
    }
    PV_TRY_GOTO(pv_layout_fold(plan->space, plan->problem.fold_axis, plan->batch, &space), status, cleanup);
    PV_TRY_GOTO(pv_layout_fold(plan->spectrum, plan->problem.fold_axis, plan->batch, &spectrum), status, cleanup);
    status = pv_route_forward(&plan->problem, space, spectrum, &plan->candidate.route, forward);
cleanup:
    pv_layout_destroy(space);
    pv_layout_destroy(spectrum);
    return status;
}

static size_t largest_workspace(const pv_fft_plan *plan)
{
    const pv_program *programs[3] = {plan->forward, plan->inverse, plan->convolve};
    size_t bytes = 0;
    for (int i = 0; i < 3; i++)
        if (programs[i] && pv_program_workspace_bytes(programs[i]) > bytes)
            bytes = pv_program_workspace_bytes(programs[i]);
    return bytes;
}

static pv_status make_programs(const pv_plan_request *request, pv_fft_plan *plan)
{
    const pv_fft_options *options = request->options;
    pv_route forward = {0}, inverse = {0}, convolve = {0};
    pv_status status = make_route(plan, &forward);
    if (status == PV_OK) status = pv_route_inverse(&forward, &inverse);
    if (status == PV_OK && options->convolution) status = pv_route_convolve(&forward, &convolve);
    PV_TRY_GOTO(pv_comm_agree(plan->comm, status), status, cleanup);
    PV_TRY_GOTO(make_program(request, plan, options->scale_forward, 1, 0, &forward, &plan->forward), status, cleanup);
    PV_TRY_GOTO(make_program(request, plan, options->scale_inverse, 0, 1, &inverse, &plan->inverse), status, cleanup);
    if (options->convolution)
        PV_TRY_GOTO(make_program(request, plan, options->scale_forward * options->scale_inverse, 1, 1, &convolve,
                                 &plan->convolve),
                    status, cleanup);
    plan->workspace_bytes = largest_workspace(plan);
    return PV_OK;
cleanup:
    pv_route_destroy(&forward);
    pv_route_destroy(&inverse);
    pv_route_destroy(&convolve);
    return status;
}

static pv_status prepare_line(pv_fft_plan *plan)
{
    int64_t n = plan->shape[2];
    int ranks = plan->problem.ranks;
    size_t element = 2 * pv_real_bytes(plan->problem.precision);
    pv_layout *space = NULL, *spectrum = NULL;
    pv_status status = pv_twiddle_create(n, &plan->twiddle);
    if (status == PV_OK) status = pv_route_line_space(n, ranks, 0, &space);
    if (status == PV_OK) status = pv_route_line_spectrum(n, ranks, 0, &spectrum);
    status = pv_comm_agree(plan->comm, status);
    if (status == PV_OK) status = pv_line_end_create(plan->comm, plan->space, space, element, &plan->space_end);
    if (status == PV_OK)
        status = pv_line_end_create(plan->comm, plan->spectrum, spectrum, element, &plan->spectrum_end);
    pv_layout_destroy(space);
    pv_layout_destroy(spectrum);
    return status;
}

pv_status pv_plan_build(const pv_plan_request *request, const pv_candidate *candidate, pv_fft_plan **plan_p)
{
    const pv_fft_options *options = request->options;
    pv_fft_plan *plan = NULL;
    pv_status status = PV_ALLOC(1, &plan);
    if (status == PV_OK) {
        plan->comm = request->comm;
        memcpy(plan->shape, request->shape, sizeof plan->shape);
        plan->type = request->type;
        plan->batch = options->batch;
        plan->is_padded = options->padded;
        plan->candidate = *candidate;
        plan->problem = pv_problem_make(request->shape, request->type, request->precision, options->batch,
                                        pv_comm_size(plan->comm));
        pv_problem_keep(&plan->problem, options->kept, options->last_axis_as_is);
        strncpy(plan->engine, options->engine, sizeof plan->engine - 1);
        plan->lines = (pv_line_set){
            .comm = plan->comm, .engine = plan->engine, .rigor = options->rigor, .precision = request->precision};
        status = choose_layouts(request, plan);
    }
    status = pv_comm_agree(request->comm, status);
    if (status == PV_OK) {
        count_bytes(options, plan);
        if (plan->problem.long_line) status = prepare_line(plan);
    }
    if (status == PV_OK) {
        status = make_programs(request, plan);
    }
    if (status == PV_OK && !options->defer_workspace) {
        status = pv_workspace_create(plan->comm, plan->workspace_bytes, &plan->workspace);
        plan->owns_workspace = status == PV_OK;
    }
    if (status != PV_OK) {
        pv_fft_plan_destroy(plan);
        return status;
    }
    *plan_p = plan;
    return PV_OK;
}

pv_status pv_fft_plan_create(pv_comm *comm, const int64_t shape[3], pv_fft_type type, pv_precision precision,
                             const pv_fft_options *options, pv_fft_plan **plan_p)
{
    PV_REQUIRE_GIVEN(plan_p);
    pv_fft_options defaults = pv_fft_options_defaults();
    pv_plan_request request = {comm, shape, type, precision, options ? options : &defaults, NULL};
    PV_TRY(pv_request_check(&request));
    const size_t element_bytes = pv_real_bytes(precision) * (type == PV_R2C ? 1 : 2);
    PV_TRY(pv_room_check_array(comm, shape, request.options->batch, element_bytes));
    int *node = NULL;
    pv_status status = pv_comm_agree(comm, PV_ALLOC(pv_comm_size(comm), &node));
    if (status == PV_OK) status = pv_workspace_nodes(comm, node);
    request.node = node;
    // What is changed on its way goes by messages.
    for (int r = 0; status == PV_OK && request.options->wire && r < pv_comm_size(comm); r++) node[r] = r;
    pv_candidate candidate;
    if (status == PV_OK) status = pv_tune(&request, &candidate);
    pv_rates rates;
    if (status == PV_OK) status = pv_rates_get(&request, &rates);
    pv_fft_plan *plan = NULL;
    if (status == PV_OK) status = pv_plan_build(&request, &candidate, &plan);
    pv_mem_free(node);
    if (status != PV_OK) return status;
    pv_rates_forecast(&rates, plan->forward);
    pv_rates_forecast(&rates, plan->inverse);
    pv_rates_forecast(&rates, plan->convolve);
    *plan_p = plan;
    return PV_OK;
}

void pv_fft_plan_destroy(pv_fft_plan *plan)
{
    if (!plan) return;
    pv_program_destroy(plan->forward);
    pv_program_destroy(plan->inverse);
    pv_program_destroy(plan->convolve);
    if (plan->owns_workspace) pv_workspace_destroy(plan->workspace);
    pv_line_set_destroy(&plan->lines);
    pv_line_end_destroy(&plan->space_end);
    pv_line_end_destroy(&plan->spectrum_end);
    pv_twiddle_destroy(plan->twiddle);
    pv_layout_destroy(plan->space);
    pv_layout_destroy(plan->spectrum);
    pv_mem_free(plan->text);
    pv_mem_free(plan);
}

// ---- Use ------------------------------------------------------------------------------------------------------------

const pv_layout *pv_fft_plan_space(const pv_fft_plan *plan) { return plan->space; }
const pv_layout *pv_fft_plan_spectrum(const pv_fft_plan *plan) { return plan->spectrum; }
size_t pv_fft_plan_space_bytes(const pv_fft_plan *plan) { return plan->space_bytes; }
size_t pv_fft_plan_spectrum_bytes(const pv_fft_plan *plan) { return plan->spectrum_bytes; }
size_t pv_fft_plan_workspace_bytes(const pv_fft_plan *plan) { return plan->workspace_bytes; }
size_t pv_fft_plan_sent_bytes(const pv_fft_plan *plan) { return pv_program_sent_bytes(plan->forward); }
double pv_fft_plan_wire_bound(const pv_fft_plan *plan) { return pv_program_wire_bound(plan->forward); }

pv_status pv_fft_plan_set_workspace(pv_fft_plan *plan, pv_workspace *workspace)
{
    PV_REQUIRE_GIVEN(plan);
    PV_REQUIRE(workspace && workspace->bytes >= plan->workspace_bytes, PV_ERR_ARGUMENT,
               "a workspace of %zu bytes was given, the plan needs %zu", workspace ? workspace->bytes : (size_t)0,
               plan->workspace_bytes);
    PV_REQUIRE(workspace->comm == plan->comm, PV_ERR_ARGUMENT,
               "the workspace belongs to another communicator than the plan");
    if (plan->owns_workspace) pv_workspace_destroy(plan->workspace);
    plan->workspace = workspace;
    plan->owns_workspace = 0;
    return PV_OK;
}

static pv_status run(pv_fft_plan *plan, pv_program *program, pv_line_end *from, pv_line_end *to,
                     const pv_plan_call *call)
{
    const size_t in_bytes = from == &plan->space_end ? plan->space_bytes : plan->spectrum_bytes;
    const size_t out_bytes = to == &plan->space_end ? plan->space_bytes : plan->spectrum_bytes;
    PV_TRY(pv_request_check_arrays(call->in, in_bytes, call->out, out_bytes, pv_real_bytes(plan->problem.precision)));
    const int is_in_place = call->in == call->out && in_bytes > 0 && out_bytes > 0;
    PV_REQUIRE(!is_in_place || plan->type == PV_C2C || plan->is_padded || from == to, PV_ERR_ARGUMENT,
               "in place, and the plan's real rows are not padded; options.padded makes them so");
    PV_REQUIRE(plan->workspace, PV_ERR_ARGUMENT, "the plan has no workspace yet; call pv_fft_plan_set_workspace first");
    return pv_line_run(plan, program, from, to, call);
}

pv_status pv_fft_forward(pv_fft_plan *plan, const void *in, void *out)
{
    PV_REQUIRE_GIVEN(plan);
    return run(plan, plan->forward, &plan->space_end, &plan->spectrum_end, &(pv_plan_call){.in = in, .out = out});
}

pv_status pv_fft_inverse(pv_fft_plan *plan, const void *in, void *out)
{
    PV_REQUIRE_GIVEN(plan);
    return run(plan, plan->inverse, &plan->spectrum_end, &plan->space_end, &(pv_plan_call){.in = in, .out = out});
}

pv_status pv_fft_convolve(pv_fft_plan *plan, pv_fft_pointwise step, void *context, const void *in, void *out)
{
    PV_REQUIRE_GIVEN(plan);
    PV_REQUIRE(plan->convolve, PV_ERR_ARGUMENT, "the plan was not made for convolutions; set options.convolution");
    PV_REQUIRE(step, PV_ERR_ARGUMENT, "a convolution needs a pointwise step, found NULL");
    return run(plan, plan->convolve, &plan->space_end, &plan->space_end, &(pv_plan_call){in, out, step, context});
}
