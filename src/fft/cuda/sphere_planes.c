// SPDX-License-Identifier: Apache-2.0
#include "fft/sphere/planes.h"

#include <parseval/device_cuda.h>

#include "base/check.h"
#include "base/mem.h"
#include "fft/cuda/fft_check.h"
#include "fft/cuda/planes_axes.h"
#include "fft/cuda/sphere_device.h"

struct pv_sphere_planes {
    const pv_sphere *sphere;
    pv_stream *stream;
    pv_sphere_device device;
    int64_t most; // transforms that the memory holds
    pv_buffer *roots, *lists, *ordered;
    const int32_t *plus, *minus; // [count]: places of coefficients and partners in the whole sphere
    double scale;
};

// ---- Making --------------------------------------------------------------------------------------------------------

// All lists in one array: where each begins.
typedef struct lists {
    int64_t plane_of, first_point, first_column, column, place, code, plus, minus, total;
} lists;

static lists measure(const pv_sphere *sphere)
{
    const pv_sphere_shape *shape = &sphere->shape;
    lists l = {.plane_of = 0};
    l.first_point = l.plane_of + shape->n[0];
    l.first_column = l.first_point + shape->plane_count + 1;
    l.column = l.first_column + shape->plane_count + 1;
    l.place = l.column + shape->column_count;
    l.code = l.place + shape->full_count;
    l.plus = l.code + shape->full_count;
    l.minus = l.plus + sphere->fold.count;
    l.total = l.minus + sphere->fold.count;
    return l;
}

static void fill(const pv_sphere *sphere, const lists *l, int32_t *list)
{
    const pv_sphere_shape *shape = &sphere->shape;
    const pv_sphere_fold *fold = &sphere->fold;
    const int64_t row = shape->n[2] | 1;
    for (int64_t x = 0; x < shape->n[0]; x++) list[l->plane_of + x] = shape->plane_of[x];
    for (int64_t i = 0; i < shape->plane_count; i++) {
        const pv_sphere_plane *plane = &shape->planes[i];
        list[l->first_column + i] = (int32_t)plane->first_column;
        list[l->first_point + i] = (int32_t)shape->columns[plane->first_column].first;
    }
    list[l->first_column + shape->plane_count] = (int32_t)shape->column_count;
    list[l->first_point + shape->plane_count] = (int32_t)shape->full_count;
    for (int64_t c = 0; c < shape->column_count; c++) {
        const pv_sphere_column *column = &shape->columns[c];
        list[l->column + c] = column->y;
        for (int64_t p = column->first; p < column->last; p++)
            list[l->place + p] = (int32_t)(column->y * row + shape->z[p]);
    }
    for (int64_t p = 0; p < fold->count; p++) {
        const int64_t minus = fold->half ? fold->minus[p] : fold->plus[p];
        list[l->plus + p] = (int32_t)fold->plus[p];
        list[l->minus + p] = (int32_t)minus;
        list[l->code + minus] = (int32_t)(2 * p + 1);
        list[l->code + fold->plus[p]] = (int32_t)(2 * p);
    }
}

static pv_status make_lists(pv_sphere_planes *planes)
{
    const pv_sphere *sphere = planes->sphere;
    const lists l = measure(sphere);
    int32_t *list;
    PV_TRY(PV_ALLOC(l.total, &list));
    fill(sphere, &l, list);
    pv_status status = pv_buffer_create(sphere->device, (size_t)l.total * sizeof *list, &planes->lists);
    if (status == PV_OK) status = pv_buffer_write(planes->lists, 0, list, (size_t)l.total * sizeof *list);
    pv_mem_free(list);
    if (status != PV_OK) return status;
    const int32_t *there = pv_buffer_data(planes->lists);
    pv_sphere_device *d = &planes->device;
    d->plane_of = there + l.plane_of;
    d->first_point = there + l.first_point;
    d->first_column = there + l.first_column;
    d->column = there + l.column;
    d->place = there + l.place;
    d->code = there + l.code;
    planes->plus = there + l.plus;
    planes->minus = there + l.minus;
    return PV_OK;
}

static int suits(const pv_sphere *sphere, size_t room_bytes)
{
    enum { MOST_BYTES = 227 << 10, LINE = PV_PLANES_LANES * (2 + 1) * (int)sizeof(double) };
    const int64_t *n = sphere->shape.n;
    for (int d = 0; d < 3; d++)
        if (!pv_planes_have_steps(n[d])) return 0;
    const pv_sphere_shape *shape = &sphere->shape;
    if (((size_t)(shape->plane_count * n[1] * n[2]) + (size_t)shape->full_count) * sizeof(pv_c64) > room_bytes)
        return 0;
    int most = 0;
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, pv_device_cuda_gpu(sphere->device));
    const int64_t bytes = pv_cubes_planes_bytes((int)n[1], (int)n[2], 1);
    return bytes <= most && bytes <= MOST_BYTES && n[0] * LINE <= most;
}

static pv_status make(pv_sphere_planes *planes, const sphere_arguments *common, void *memory, size_t bytes)
{
    const pv_sphere *sphere = planes->sphere;
    const pv_sphere_shape *shape = &sphere->shape;
    pv_sphere_device *d = &planes->device;
    *d = (pv_sphere_device){.planes = (int)shape->plane_count,
                            .full_count = shape->full_count,
                            .single = sphere->fold.single,
                            .is_half = sphere->fold.half,
                            .phase = {common->phase[0], common->phase[1], common->phase[2]}};
    const int64_t box = shape->plane_count * shape->n[1] * shape->n[2];
    planes->most = (int64_t)bytes / (int64_t)((size_t)(box + shape->full_count) * sizeof(pv_c64));
    if (planes->most > PV_SPHERE_MOST_TOGETHER) planes->most = PV_SPHERE_MOST_TOGETHER;
    d->boxes = memory;
    d->spectra = d->boxes + 2 * planes->most * box;
    planes->scale = common->scale;
    PV_TRY(pv_planes_make_axes(sphere->device, shape->n, PV_FP64, d->axis, &planes->roots));
    PV_TRY(make_lists(planes));
    PV_TRY(pv_buffer_create(sphere->device, (size_t)common->points * sizeof(double), &planes->ordered));
    PV_FFT_CUDA(pv_sphere_planes_prepare(), "asking for shared memory of planes");
    return PV_OK;
}

pv_status pv_sphere_planes_create(const pv_sphere *sphere, const sphere_arguments *common, void *memory, size_t bytes,
                                  pv_sphere_planes **planes_p)
{
    pv_sphere_planes *planes;
    if (!suits(sphere, bytes)) return PV_OK;
    PV_TRY(PV_ALLOC(1, &planes));
    planes->sphere = sphere;
    planes->stream = pv_device_stream(sphere->device);
    const pv_status status = make(planes, common, memory, bytes);
    if (status != PV_OK) {
        pv_sphere_planes_destroy(planes);
        return status;
    }
    *planes_p = planes;
    return PV_OK;
}

void pv_sphere_planes_destroy(pv_sphere_planes *planes)
{
    if (!planes) return;
    pv_buffer_destroy(planes->roots);
    pv_buffer_destroy(planes->lists);
    pv_buffer_destroy(planes->ordered);
    pv_mem_free(planes);
}

// ---- The calls -----------------------------------------------------------------------------------------------------

// The next of the fields, as many as the memory holds; 0 after the last.
static int next(const pv_sphere_planes *planes, int64_t fields, int64_t *first, pv_sphere_device *d)
{
    const int64_t each = pv_sphere_fields_each(planes->sphere), most = planes->most * each;
    *first += d->fields;
    d->fields = fields - *first < most ? fields - *first : most;
    d->transforms = (d->fields + each - 1) / each;
    return d->fields > 0;
}

static pv_status begin(const pv_sphere_planes *planes, const pv_c64 *coefficients, int64_t stride, int64_t first,
                       pv_sphere_device *d)
{
    d->in = (const double *)(coefficients + first * stride);
    d->stride = stride;
    PV_FFT_CUDA(pv_sphere_planes_spread(pv_stream_cuda(planes->stream), d), "transforming plane waves");
    return PV_OK;
}

// Spectra are coefficients in another order, of half spheres of two fields.
static pv_status finish(const pv_sphere_planes *planes, const pv_sphere_device *d, pv_c64 *out)
{
    const sphere_arguments a = {.points = d->full_count,
                                .count = planes->sphere->fold.count,
                                .fields = d->fields,
                                .plus = planes->plus,
                                .minus = planes->minus,
                                .single = d->single,
                                .out = (double *)out,
                                .stride = d->stride,
                                .grids = d->spectra,
                                .scale = planes->scale};
    PV_FFT_CUDA(pv_sphere_planes_collect(pv_stream_cuda(planes->stream), d), "transforming to plane waves");
    return pv_sphere_gather(planes->sphere, d->transforms, &a);
}

static pv_status use(const pv_sphere_planes *planes)
{
    PV_FFT_CUDA(cudaSetDevice(pv_device_cuda_gpu(planes->sphere->device)), "choosing the GPU of a transform");
    return PV_OK;
}

pv_status pv_sphere_planes_multiply(pv_sphere_planes *planes, int64_t fields, const double *packed, const pv_c64 *in,
                                    int64_t in_stride, pv_c64 *out, int64_t out_stride)
{
    pv_sphere_device d = planes->device;
    double *ordered = pv_buffer_data(planes->ordered);
    void *stream = pv_stream_cuda(planes->stream);
    PV_TRY(use(planes));
    PV_FFT_CUDA(pv_sphere_planes_order(stream, &d, packed, ordered), "ordering a potential");
    d.reals = ordered;
    for (int64_t first = 0; next(planes, fields, &first, &d);) {
        PV_TRY(begin(planes, in, in_stride, first, &d));
        PV_FFT_CUDA(pv_sphere_planes_times(stream, &d), "multiplying fields");
        d.stride = out_stride;
        PV_TRY(finish(planes, &d, out + first * out_stride));
    }
    return PV_OK;
}

pv_status pv_sphere_planes_add_squares(pv_sphere_planes *planes, int64_t fields, const double *weights,
                                       const pv_c64 *coefficients, int64_t stride, double *packed)
{
    pv_sphere_device d = planes->device;
    void *stream = pv_stream_cuda(planes->stream);
    const int64_t each = pv_sphere_fields_each(planes->sphere);
    PV_TRY(use(planes));
    PV_TRY(pv_stream_zero(planes->stream, pv_buffer_data(planes->ordered), pv_buffer_bytes(planes->ordered)));
    d.sums = pv_buffer_data(planes->ordered);
    for (int64_t first = 0; next(planes, fields, &first, &d);) {
        PV_TRY(begin(planes, coefficients, stride, first, &d));
        for (int64_t t = 0; t < d.transforms; t++)
            pv_sphere_weigh(each, d.fields, t, weights + first, &d.weight[2 * t]);
        PV_FFT_CUDA(pv_sphere_planes_squares(stream, &d), "adding squares of fields");
    }
    PV_FFT_CUDA(pv_sphere_planes_add(stream, &d, d.sums, packed), "adding squares of fields");
    return PV_OK;
}
