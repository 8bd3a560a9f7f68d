// SPDX-License-Identifier: Apache-2.0
// Boxes plane by plane: chooses the steps of lines, and runs as many boxes at a time as its memory holds.
#include <stdio.h>
#include <string.h>

#include <parseval/device_cuda.h>

#include "base/check.h"
#include "base/mem.h"
#include "fft/cubes/ops.h"
#include "fft/cuda/planes_axes.h"
#include "fft/cuda/fft_check.h"

// Of a multiprocessor, less what the driver keeps.
enum { MOST_BYTES = 227 << 10 };

typedef struct planes_state {
    pv_cubes_planes planes;
    const pv_planes_fixed *fixed; // kernels of the shape; NULL: those of any
    pv_buffer *roots, *factor, *columns;
} planes_state;

static const pv_planes_fixed *fixed_of(const int64_t shape[3], pv_precision precision)
{
    const pv_planes_fixed *fixed = pv_planes_fixed_table;
    for (; fixed->shape[0] > 0; fixed++)
        if (memcmp(fixed->shape, shape, sizeof fixed->shape) == 0 && fixed->is_double == (precision == PV_FP64))
            return fixed;
    return NULL;
}

static void supports(const pv_device *device, const int64_t shape[3], pv_precision precision, const char **why_p)
{
    int most_bytes = 0;
    const int bytes = pv_cubes_planes_bytes((int)shape[1], (int)shape[2], precision == PV_FP64);
    cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, pv_device_cuda_gpu(device));
    *why_p = NULL;
    for (int d = 0; d < 3; d++)
        if (!pv_planes_have_steps(shape[d])) *why_p = "lengths that are products of 2, 3, 5 and 7";
    const int64_t line_bytes = shape[0] * PV_PLANES_LANES * (precision == PV_FP64 ? 16 : 8);
    if (bytes > most_bytes || bytes > MOST_BYTES || line_bytes > most_bytes)
        *why_p = "planes that fit the shared memory of a block";
}

static void destroy(pv_cubes *cubes)
{
    planes_state *state = cubes->state;
    if (!state) return;
    pv_buffer_destroy(state->roots);
    pv_buffer_destroy(state->factor);
    pv_buffer_destroy(state->columns);
    pv_mem_free(state);
}

// The columns' numbers, and then how many there are.
static pv_status make_columns(pv_cubes *cubes, planes_state *state)
{
    const size_t plane = (size_t)(cubes->shape[1] * cubes->shape[2]), bytes = (plane * sizeof(uint16_t) + 3) / 4 * 4;
    PV_TRY(pv_buffer_create(cubes->device, bytes + sizeof(int), &state->columns));
    state->planes.column = pv_buffer_data(state->columns);
    state->planes.columns = (int *)((char *)pv_buffer_data(state->columns) + bytes);
    return PV_OK;
}

static pv_status create(pv_cubes *cubes)
{
    planes_state *state;
    PV_TRY(PV_ALLOC(1, &state));
    cubes->state = state;
    PV_FFT_CUDA(cudaSetDevice(pv_device_cuda_gpu(cubes->device)), "choosing the GPU of a convolution");
    state->planes.is_double = cubes->precision == PV_FP64;
    PV_TRY(pv_planes_make_axes(cubes->device, cubes->shape, cubes->precision, state->planes.axis, &state->roots));
    const size_t real_bytes = cubes->precision == PV_FP32 ? sizeof(float) : sizeof(double);
    PV_TRY(pv_buffer_create(cubes->device, (size_t)cubes->points * real_bytes, &state->factor));
    PV_TRY(pv_buffer_create(cubes->device, 2 * (size_t)(cubes->batch * cubes->points) * real_bytes, &cubes->work));
    cubes->boxes = pv_buffer_data(cubes->work);
    state->planes.factor = pv_buffer_data(state->factor);
    state->planes.boxes = cubes->boxes;
    PV_TRY(make_columns(cubes, state));
    state->fixed = fixed_of(cubes->shape, cubes->precision);
    if (state->fixed) snprintf(cubes->text, sizeof cubes->text, "planes, by kernels of this shape");
    PV_FFT_CUDA(state->fixed ? state->fixed->prepare() : pv_cubes_planes_prepare(state->planes.is_double),
                "asking for shared memory of planes");
    return PV_OK;
}

// All boxes or pairs of a call, some at a time.
static pv_status run(pv_cubes *cubes, pv_stream *stream, const void *factor, const pv_cubes_ends *ends,
                     size_t pair_bytes)
{
    planes_state *state = cubes->state;
    const size_t box_bytes = (size_t)cubes->points * (cubes->precision == PV_FP32 ? 8 : 16);
    void *cuda_stream = pv_stream_cuda(stream);
    PV_FFT_CUDA(cudaSetDevice(pv_device_cuda_gpu(cubes->device)), "choosing the GPU of a convolution");
    PV_FFT_CUDA(pv_planes_take_factor(cuda_stream, &state->planes, factor), "ordering the factor of a convolution");
    for (int64_t first = 0; first < ends->items; first += cubes->batch) {
        pv_cubes_planes planes = state->planes;
        planes.ends = *ends;
        planes.ends.items = ends->items - first < cubes->batch ? ends->items - first : cubes->batch;
        if (ends->in) planes.ends.in = (const char *)ends->in + (size_t)first * box_bytes;
        if (ends->out) planes.ends.out = (char *)ends->out + (size_t)first * box_bytes;
        if (ends->list) planes.ends.list = (const char *)ends->list + (size_t)first * pair_bytes;
        PV_FFT_CUDA((state->fixed ? state->fixed->run : pv_cubes_planes_run)(cuda_stream, &planes),
                    "starting convolutions by planes");
    }
    return PV_OK;
}

static pv_status convolve(pv_cubes *cubes, pv_stream *stream, const void *factor, int64_t count, const void *in,
                          void *out)
{
    const pv_cubes_ends ends = {.kind = PV_CUBES_PLAIN, .items = count, .in = in, .out = out};
    return run(cubes, stream, factor, &ends, 0);
}

static pv_status run_pairs(pv_cubes *cubes, pv_stream *stream, const void *factor, const pv_cubes_pairs *pairs)
{
    const pv_cubes_ends ends = {.kind = pairs->is_real ? PV_CUBES_REAL_PAIRS : PV_CUBES_COMPLEX_PAIRS,
                                .items = pairs->count,
                                .list = pairs->list,
                                .phase = {pairs->phase[0], pairs->phase[1], pairs->phase[2]}};
    return run(cubes, stream, factor, &ends, pairs->is_real ? sizeof(pv_real_pair) : sizeof(pv_complex_pair));
}

const pv_cubes_ops pv_cubes_by_planes = {
    .name = "planes",
    .on_gpu = 1,
    .supports = supports,
    .create = create,
    .destroy = destroy,
    .convolve = convolve,
    .run_pairs = run_pairs,
};
