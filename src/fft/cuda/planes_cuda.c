// SPDX-License-Identifier: Apache-2.0
#include "fft/cuda/planes_cuda.h"

#include <cufftXt.h>

#include "fft/cuda/fft_check.h"

static cufftType type_of(pv_precision precision, int real_in, int real_out)
{
    const int fp64 = precision == PV_FP64;
    if (real_in) return fp64 ? CUFFT_D2Z : CUFFT_R2C;
    if (real_out) return fp64 ? CUFFT_Z2D : CUFFT_C2R;
    return fp64 ? CUFFT_Z2Z : CUFFT_C2C;
}

static pv_precision precision_of(const pv_program *program)
{
    for (int s = 0; s < program->stage_count; s++)
        if (program->stages[s].passes[0].lines) return program->stages[s].passes[0].lines->precision;
    return PV_FP64;
}

// Pitches of rows and of planes, as cuFFT wants them: lengths of an array that holds each array.
static void embed(const pv_piece *piece, int rank, const long long *n, long long embedded[3])
{
    embedded[0] = n[0];
    for (int i = 1; i < rank; i++) {
        const int axis = 3 - rank + i;
        embedded[i] = (long long)(piece->stride[axis - 1] / piece->stride[axis]);
    }
}

static void set_ends(pv_cuda_planes *planes, const pv_view *from, const pv_view *to)
{
    planes->from_size = from->element_bytes;
    planes->to_size = to->element_bytes;
    planes->from_step = planes->to_step = 1;
    planes->from = from->count == 1 ? &from->pieces[0] : NULL;
    planes->to = to->count == 1 ? &to->pieces[0] : NULL;
    if (!planes->from || !planes->to) return;
    embed(planes->from, planes->rank, planes->n, planes->from_embed);
    embed(planes->to, planes->rank, planes->n, planes->to_embed);
}

// Points along the axes that are transformed; boxes hold half of the last one where it is halved.
static void set_lengths(const pv_program *program, int first_axis, pv_cuda_planes *planes)
{
    planes->rank = 3 - first_axis;
    for (int s = 0; s < program->stage_count; s++)
        for (int p = 0; p < program->stages[s].pass_count; p++) {
            const pv_pass *pass = &program->stages[s].passes[p];
            if (pass->lines && pass->axis >= first_axis) planes->n[pass->axis - first_axis] = pass->lines->n;
        }
}

// Lines along the first axis: those of a slice, and slices, follow one another in memory.
static void across_of_stage(const pv_stage *stage, pv_cuda_planes *planes)
{
    const pv_pass *pass = &stage->passes[0];
    planes->rank = 1;
    planes->n[0] = pass->lines->n;
    set_ends(planes, &pass->load, &pass->store);
    if (!planes->from || !planes->to) return;
    planes->from_step = planes->from->stride[pass->axis];
    planes->to_step = planes->to->stride[pass->axis];
    planes->from_distance = planes->to_distance = 1;
    planes->per_slice = planes->from->box.upper[pass->lane_axis] - planes->from->box.lower[pass->lane_axis];
}

// Rows and columns of the same number of complex points, without gaps between rows.
static pv_status choose_fused(const pv_program *program, const pv_stage *stage, pv_cuda_planes *planes)
{
    const long long n = planes->n[0];
    const int64_t slices = stage->outer_upper - stage->outer_lower;
    const int is_complex = planes->type == CUFFT_C2C || planes->type == CUFFT_Z2Z;
    if (!program->fused_planes || !is_complex || planes->rank != 2 || planes->n[1] != n || !pv_cuda_fused_has(n) ||
        planes->from_embed[1] != n || planes->to_embed[1] != n || slices >= PV_FUSED_PLANES)
        return PV_OK;
    planes->fused = (pv_cuda_fused){.n = n,
                                    .is_fp64 = planes->type == CUFFT_Z2Z,
                                    .is_inverse = planes->direction == CUFFT_INVERSE,
                                    .from_plane = planes->from_distance,
                                    .to_plane = planes->to_distance};
    return pv_cuda_fused_create(pv_comm_device(program->comm), slices, &planes->fused);
}

pv_status pv_cuda_planes_of_stage(const pv_program *program, int s, pv_cuda_planes *planes)
{
    const pv_stage *stage = &program->stages[s];
    const pv_route_stage *route = &program->route.stages[s];
    const pv_pass *last = &stage->passes[stage->pass_count - 1];
    *planes = (pv_cuda_planes){.outer_axis = stage->outer_axis,
                               .per_slice = 1,
                               .type = type_of(precision_of(program), route->real_load, route->real_store),
                               .direction = route->steps[0].inverse ? CUFFT_INVERSE : CUFFT_FORWARD};
    if (stage->pass_count == 1 && stage->passes[0].axis == 0) {
        across_of_stage(stage, planes);
        return PV_OK;
    }
    set_lengths(program, stage->pass_count == 2 ? 1 : 2, planes);
    set_ends(planes, &stage->passes[0].load, &last->store);
    if (!planes->from || !planes->to) return PV_OK;
    const int distant = planes->rank == 2        ? 0
                        : stage->outer_axis == 0 ? 1
                                                 : 0; // the axis from one transform to the next
    planes->from_distance = planes->from->stride[distant];
    planes->to_distance = planes->to->stride[distant];
    if (planes->rank == 1) planes->per_slice = planes->from->box.upper[distant] - planes->from->box.lower[distant];
    return choose_fused(program, stage, planes);
}

static int is_natural(const pv_piece *piece)
{
    return piece->stride[2] == 1 && piece->stride[0] % piece->stride[1] == 0 && piece->tiled_axis < 0;
}

int pv_cuda_planes_of_program(const pv_program *program, pv_cuda_planes *planes)
{
    const pv_stage *first = &program->stages[0], *last = &program->stages[program->stage_count - 1];
    const pv_route *route = &program->route;
    int axes = 0, fused = 0;
    for (int s = 0; s < route->count; s++)
        for (int i = 0; i < route->stages[s].step_count; i++) {
            axes |= 1 << route->stages[s].steps[i].axis;
            fused |= route->stages[s].steps[i].fused;
        }
    if (axes != 7 || fused || program->stage_count < 2) return 0;
    *planes = (pv_cuda_planes){.outer_axis = -1,
                               .per_slice = 1,
                               .type = type_of(precision_of(program), route->stages[0].real_load,
                                               route->stages[route->count - 1].real_store),
                               .direction = route->stages[0].steps[0].inverse ? CUFFT_INVERSE : CUFFT_FORWARD};
    set_lengths(program, 0, planes);
    const pv_view *from = &first->passes[0].load, *to = &last->passes[last->pass_count - 1].store;
    if (from->count != 1 || to->count != 1 || !is_natural(&from->pieces[0]) || !is_natural(&to->pieces[0])) return 0;
    set_ends(planes, from, to);
    planes->from_distance = planes->from->batch_stride;
    planes->to_distance = planes->to->batch_stride;
    const int real = planes->from_size != planes->to_size;
    return !real || (planes->from_distance % 2 == 0 && planes->to_distance % 2 == 0) || program->batch == 1;
}

pv_status pv_cuda_planes_choose_visits(const pv_program *program, pv_cuda_planes *planes)
{
    const long long n = planes->n[0];
    const int is_complex = planes->type == CUFFT_C2C || planes->type == CUFFT_Z2Z;
    const int is_fp64 = planes->type == CUFFT_Z2Z;
    int is_dense = is_complex && pv_cuda_visits_has(n, is_fp64);
    for (int d = 1; d < 3; d++) is_dense &= planes->n[d] == n && planes->from_embed[d] == n && planes->to_embed[d] == n;
    if (!program->by_visits || !is_dense) return PV_OK;
    planes->visits = (pv_cuda_visits){.n = n,
                                      .is_fp64 = is_fp64,
                                      .is_inverse = planes->direction == CUFFT_INVERSE,
                                      .from_cube = planes->from_distance,
                                      .to_cube = planes->to_distance};
    planes->work_bytes = pv_cuda_visits_work_bytes(&planes->visits);
    return pv_cuda_visits_create(pv_comm_device(program->comm), &planes->visits);
}

pv_status pv_cuda_planes_add(pv_cuda_planes *planes, int64_t slices)
{
    if (!planes->from || !planes->to || slices == 0 || planes->fused.n > 0 || planes->visits.n > 0) return PV_OK;
    for (int i = 0; i < planes->size_count; i++)
        if (planes->sizes[i].slices == slices) return PV_OK;
    PV_REQUIRE(planes->size_count < PV_CUDA_PLANES_SIZES, PV_ERR_INTERNAL,
               "planes in more than %d groups of different sizes", PV_CUDA_PLANES_SIZES);
    cufftHandle plan;
    size_t work = 0;
    PV_FFT_CUFFT(cufftCreate(&plan), "making a cuFFT plan");
    planes->sizes[planes->size_count].slices = slices;
    planes->sizes[planes->size_count++].plan = plan;
    PV_FFT_CUFFT(cufftSetAutoAllocation(plan, 0), "making a cuFFT plan");
    PV_FFT_CUFFT(cufftMakePlanMany64(plan, planes->rank, planes->n, planes->from_embed, planes->from_step,
                                     planes->from_distance, planes->to_embed, planes->to_step, planes->to_distance,
                                     planes->type, slices * planes->per_slice, &work),
                 "making a cuFFT plan");
    if (work > planes->work_bytes) planes->work_bytes = work;
    return PV_OK;
}

static char *address(const pv_cuda_planes *planes, const pv_piece *piece, size_t size, const pv_cuda_planes_call *call,
                     char *window)
{
    char *base = piece->slot == PV_SLOT_WINDOW ? window : call->slots[piece->slot];
    int64_t elements = piece->offset;
    if (planes->outer_axis >= 0)
        elements += call->batch * piece->batch_stride +
                    (call->lower - piece->origin[planes->outer_axis]) * piece->stride[planes->outer_axis];
    return base + elements * (int64_t)size;
}

static pv_status run_cufft(const pv_cuda_planes *planes, int64_t slices, void *work, char *from, char *to,
                           void *cuda_stream)
{
    int i = 0;
    while (i < planes->size_count && planes->sizes[i].slices != slices) i++;
    PV_REQUIRE(i < planes->size_count, PV_ERR_INTERNAL, "no cuFFT plan for %lld planes", (long long)slices);
    const cufftHandle plan = planes->sizes[i].plan;
    PV_FFT_CUFFT(cufftSetWorkArea(plan, work), "giving cuFFT its work area");
    PV_FFT_CUFFT(cufftSetStream(plan, cuda_stream), "giving cuFFT a stream");
    PV_FFT_CUFFT(cufftXtExec(plan, from, to, planes->direction), "running cuFFT");
    return PV_OK;
}

pv_status pv_cuda_planes_run(const pv_cuda_planes *planes, const pv_cuda_planes_call *call, void *cuda_stream)
{
    const int64_t slices = call->upper - call->lower;
    if (!planes->from || !planes->to || slices == 0) return PV_OK;
    char *from = address(planes, planes->from, planes->from_size, call, call->from_window);
    char *to = address(planes, planes->to, planes->to_size, call, call->to_window);
    const size_t pair = planes->from_size > planes->to_size ? planes->from_size : planes->to_size;
    PV_REQUIRE((uintptr_t)from % pair == 0 && (uintptr_t)to % pair == 0, PV_ERR_ARGUMENT,
               "an array begins at an address that is no multiple of %zu bytes, which cuFFT asks for; engine \"cuda\" "
               "does without",
               pair);
    if (planes->fused.n > 0) return pv_cuda_fused_run(&planes->fused, from, to, slices, cuda_stream);
    if (planes->visits.n > 0) return pv_cuda_visits_run(&planes->visits, from, to, call->work, slices, cuda_stream);
    return run_cufft(planes, slices, call->work, from, to, cuda_stream);
}

void pv_cuda_planes_destroy(pv_cuda_planes *planes)
{
    for (int i = 0; i < planes->size_count; i++) cufftDestroy(planes->sizes[i].plan);
    pv_cuda_fused_destroy(&planes->fused);
    pv_cuda_visits_destroy(&planes->visits);
    *planes = (pv_cuda_planes){0};
}
