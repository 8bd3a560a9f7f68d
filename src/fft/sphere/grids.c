// SPDX-License-Identifier: Apache-2.0
// The form of sphere transforms for GPUs: some fields at a time on whole grids in memory of the device, in the order of
// its own stream. On the host it shows that its kernels are right.
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "fft/batch/batch.h"
#include "fft/sphere/kernels.h"
#include "fft/sphere/ops.h"
#include "fft/sphere/planes.h"

enum { ROOM_BYTES = 128 << 20 };

typedef struct pv_sphere_tables {
    pv_batch *batch;
    pv_buffer *code, *plus, *minus, *phase; // of sphere_arguments
    sphere_arguments common;
    pv_sphere_planes *planes; // NULL: not there
} pv_sphere_tables;

// ---- Making ------------------------------------------------------------------------------------------------------

static pv_status upload(pv_device *device, size_t bytes, const void *from, pv_buffer **buffer_p)
{
    PV_TRY(pv_buffer_create(device, bytes, buffer_p));
    return pv_buffer_write(*buffer_p, 0, from, bytes);
}

// From places in the spectrum to places on the grid, and what is where.
static void list_points(const pv_sphere *sphere, int32_t *place, int32_t *code, int32_t *plus, int32_t *minus)
{
    const pv_sphere_shape *shape = &sphere->shape;
    const pv_sphere_fold *fold = &sphere->fold;
    const int64_t *n = shape->n;
    for (int64_t c = 0; c < shape->column_count; c++) {
        const pv_sphere_column *column = &shape->columns[c];
        for (int64_t p = column->first; p < column->last; p++)
            place[p] = (int32_t)((column->x * n[1] + column->y) * n[2] + shape->z[p]);
    }
    for (int64_t i = 0; i < n[0] * n[1] * n[2]; i++) code[i] = -1;
    for (int64_t p = 0; p < fold->count; p++) {
        plus[p] = place[fold->plus[p]];
        minus[p] = place[fold->half ? fold->minus[p] : fold->plus[p]];
        code[minus[p]] = (int32_t)(2 * p + 1);
        code[plus[p]] = (int32_t)(2 * p);
    }
}

static pv_status make_lists(pv_sphere *sphere)
{
    pv_sphere_tables *tables = sphere->tables;
    const int64_t count = sphere->fold.count, points = tables->common.points;
    int32_t *list;
    PV_TRY(PV_ALLOC(sphere->shape.full_count + points + 2 * count, &list));
    int32_t *code = list + sphere->shape.full_count, *plus = code + points, *minus = plus + count;
    list_points(sphere, list, code, plus, minus);
    pv_status status = upload(sphere->device, (size_t)points * sizeof *code, code, &tables->code);
    if (status == PV_OK) status = upload(sphere->device, (size_t)count * sizeof *plus, plus, &tables->plus);
    if (status == PV_OK) status = upload(sphere->device, (size_t)count * sizeof *minus, minus, &tables->minus);
    pv_mem_free(list);
    if (status != PV_OK) return status;
    tables->common.code = pv_buffer_data(tables->code);
    tables->common.plus = pv_buffer_data(tables->plus);
    tables->common.minus = pv_buffer_data(tables->minus);
    return PV_OK;
}

static pv_status make_phase(pv_sphere *sphere, const int *twice_k)
{
    if (!twice_k || (!twice_k[0] && !twice_k[1] && !twice_k[2])) return PV_OK;
    const double pi = 3.14159265358979323846;
    const int64_t *n = sphere->shape.n, total = n[0] + n[1] + n[2];
    pv_c64 *list;
    PV_TRY(PV_ALLOC(total, &list));
    for (int64_t d = 0, at = 0; d < 3; at += n[d++])
        for (int64_t i = 0; i < n[d]; i++) list[at + i] = cexp(I * pi * (double)twice_k[d] * (double)i / (double)n[d]);
    const pv_status status = upload(sphere->device, (size_t)total * sizeof *list, list, &sphere->tables->phase);
    pv_mem_free(list);
    if (status != PV_OK) return status;
    const double *on_device = pv_buffer_data(sphere->tables->phase);
    for (int64_t d = 0, at = 0; d < 3; at += n[d++]) sphere->tables->common.phase[d] = on_device + 2 * at;
    return PV_OK;
}

static pv_status make(pv_sphere *sphere, const int *twice_k)
{
    const int64_t *n = sphere->shape.n, points = n[0] * n[1] * n[2];
    PV_REQUIRE(sphere->shape.precision == PV_FP64, PV_ERR_UNSUPPORTED,
               "a sphere in FP32 on device %s; FP64 is accepted", pv_device_name(sphere->device));
    PV_TRY(PV_ALLOC(1, &sphere->tables));
    pv_sphere_tables *tables = sphere->tables;
    PV_TRY(pv_batch_open(sphere->device, n, PV_FP64, ROOM_BYTES, &tables->batch));
    tables->common = (sphere_arguments){.n = {n[0], n[1], n[2]},
                                        .points = points,
                                        .count = sphere->fold.count,
                                        .single = sphere->fold.single,
                                        .grids = pv_batch_memory(tables->batch),
                                        .scale = 1.0 / (double)points};
    PV_TRY(make_lists(sphere));
    return make_phase(sphere, twice_k);
}

// The two calls that make up most of a run.
static pv_status make_planes(pv_sphere *sphere)
{
#if PV_HAVE_CUDA
    pv_sphere_tables *tables = sphere->tables;
    if (!pv_device_is_host(sphere->device))
        return pv_sphere_planes_create(sphere, &tables->common, pv_batch_memory(tables->batch),
                                       pv_batch_bytes(tables->batch), &tables->planes);
#endif
    (void)sphere;
    return PV_OK;
}

static pv_status create(pv_sphere *sphere, const int *twice_k)
{
    pv_status status = make(sphere, twice_k);
    if (status == PV_OK) status = make_planes(sphere);
    return pv_comm_agree(sphere->lines.comm, status);
}

static void destroy(pv_sphere *sphere)
{
    pv_sphere_tables *tables = sphere->tables;
    if (!tables) return;
#if PV_HAVE_CUDA
    pv_sphere_planes_destroy(tables->planes);
#endif
    pv_batch_close(tables->batch);
    pv_buffer *const buffers[] = {tables->code, tables->plus, tables->minus, tables->phase};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) pv_buffer_destroy(buffers[i]);
    pv_mem_free(tables);
}

// ---- Fields that go through memory together -----------------------------------------------------------------------

typedef struct some {
    int64_t first, fields, transforms;
} some;

// Of `fields` the next ones after `last`; 0 when it was the last.
static int next(const pv_sphere *sphere, int64_t fields, some *s)
{
    const int64_t each = pv_sphere_fields_each(sphere), room = pv_batch_most(sphere->tables->batch);
    const int64_t most = each * (room < SPHERE_MOST_WEIGHTS / 2 ? room : SPHERE_MOST_WEIGHTS / 2);
    s->first += s->fields;
    s->fields = fields - s->first < most ? fields - s->first : most;
    s->transforms = (s->fields + each - 1) / each;
    return s->fields > 0;
}

static pv_status launch(const pv_sphere *sphere, const pv_kernel *kernel, int64_t count, const sphere_arguments *a)
{
    return pv_kernel_launch(pv_device_stream(sphere->device), kernel, count, a);
}

pv_status pv_sphere_gather(const pv_sphere *sphere, int64_t transforms, const sphere_arguments *a)
{
    return launch(sphere, sphere->fold.half ? &sphere_refold : &sphere_collect, transforms * a->count, a);
}

// Of a lone field the imaginary part is that of the phase, or zero: it counts as the real one does.
void pv_sphere_weigh(int64_t each, int64_t fields, int64_t t, const double *weights, double of_parts[2])
{
    const int64_t f = t * each;
    of_parts[0] = weights[f];
    of_parts[1] = weights[each == 2 && f + 1 < fields ? f + 1 : f];
}

static pv_status transform(const pv_sphere *sphere, pv_direction direction, int64_t transforms)
{
    void *grids = pv_batch_memory(sphere->tables->batch);
    return pv_batch_run(sphere->tables->batch, pv_device_stream(sphere->device), direction, transforms, grids, grids);
}

static pv_status coefficients_to_memory(const pv_sphere *sphere, const some *s, const pv_c64 *coefficients,
                                        int64_t stride)
{
    sphere_arguments a = sphere->tables->common;
    a.fields = s->fields;
    a.in = (const double *)(coefficients + s->first * stride);
    a.stride = stride;
    PV_TRY(launch(sphere, sphere->fold.half ? &sphere_unfold : &sphere_spread, s->transforms * a.points, &a));
    return transform(sphere, PV_INVERSE, s->transforms);
}

static pv_status memory_to_coefficients(const pv_sphere *sphere, const some *s, pv_c64 *coefficients, int64_t stride)
{
    sphere_arguments a = sphere->tables->common;
    a.fields = s->fields;
    a.out = (double *)(coefficients + s->first * stride);
    a.stride = stride;
    PV_TRY(transform(sphere, PV_FORWARD, s->transforms));
    return pv_sphere_gather(sphere, s->transforms, &a);
}

// ---- The calls -----------------------------------------------------------------------------------------------------

static pv_status copy(const pv_sphere *sphere, void *to, const void *from, int64_t count, size_t size)
{
    return pv_stream_copy(pv_device_stream(sphere->device), to, from, (size_t)count * size);
}

static int64_t reals_count(const pv_sphere *sphere)
{
    return sphere->tables->common.points;
}

static pv_status pack(const pv_sphere *sphere, const double *grid, double *packed)
{
    return copy(sphere, packed, grid, reals_count(sphere), sizeof *grid);
}

static pv_status unpack(const pv_sphere *sphere, const double *packed, double *grid)
{
    return copy(sphere, grid, packed, reals_count(sphere), sizeof *grid);
}

static pv_status to_grid(const pv_sphere *sphere, int64_t fields, const pv_c64 *coefficients, int64_t stride,
                         pv_c64 *grids)
{
    const int64_t points = reals_count(sphere);
    for (some s = {0}; next(sphere, fields, &s);) {
        PV_TRY(coefficients_to_memory(sphere, &s, coefficients, stride));
        PV_TRY(copy(sphere, grids + s.first / pv_sphere_fields_each(sphere) * points,
                    pv_batch_memory(sphere->tables->batch), s.transforms * points, sizeof *grids));
    }
    return PV_OK;
}

static pv_status from_grid(const pv_sphere *sphere, int64_t fields, const pv_c64 *grids, pv_c64 *coefficients,
                           int64_t stride)
{
    const int64_t points = reals_count(sphere);
    for (some s = {0}; next(sphere, fields, &s);) {
        PV_TRY(copy(sphere, pv_batch_memory(sphere->tables->batch),
                    grids + s.first / pv_sphere_fields_each(sphere) * points, s.transforms * points, sizeof *grids));
        PV_TRY(memory_to_coefficients(sphere, &s, coefficients, stride));
    }
    return PV_OK;
}

static pv_status multiply(const pv_sphere *sphere, int64_t fields, const double *packed, const pv_c64 *in,
                          int64_t in_stride, pv_c64 *out, int64_t out_stride)
{
    sphere_arguments a = sphere->tables->common;
#if PV_HAVE_CUDA
    if (sphere->tables->planes)
        return pv_sphere_planes_multiply(sphere->tables->planes, fields, packed, in, in_stride, out, out_stride);
#endif
    a.reals = packed;
    for (some s = {0}; next(sphere, fields, &s);) {
        PV_TRY(coefficients_to_memory(sphere, &s, in, in_stride));
        PV_TRY(launch(sphere, &sphere_times, s.transforms * a.points, &a));
        PV_TRY(memory_to_coefficients(sphere, &s, out, out_stride));
    }
    return PV_OK;
}

static pv_status add_squares(const pv_sphere *sphere, int64_t fields, const double *weights, const pv_c64 *coefficients,
                             int64_t stride, double *packed)
{
    sphere_weights w = {.a = sphere->tables->common};
#if PV_HAVE_CUDA
    if (sphere->tables->planes)
        return pv_sphere_planes_add_squares(sphere->tables->planes, fields, weights, coefficients, stride, packed);
#endif
    const int64_t each = pv_sphere_fields_each(sphere);
    w.a.sums = packed;
    for (some s = {0}; next(sphere, fields, &s);) {
        PV_TRY(coefficients_to_memory(sphere, &s, coefficients, stride));
        w.transforms = s.transforms;
        for (int64_t t = 0; t < s.transforms; t++)
            pv_sphere_weigh(each, s.fields, t, weights + s.first, &w.weight[2 * t]);
        PV_TRY(pv_kernel_launch(pv_device_stream(sphere->device), &sphere_squares, w.a.points, &w));
    }
    return PV_OK;
}

static pv_status to_reals(const pv_sphere *sphere, int64_t fields, const pv_c64 *coefficients, int64_t stride,
                          double *packed)
{
    sphere_arguments a = sphere->tables->common;
    for (some s = {0}; next(sphere, fields, &s);) {
        PV_TRY(coefficients_to_memory(sphere, &s, coefficients, stride));
        a.fields = s.fields;
        a.out = packed + s.first * a.points;
        PV_TRY(launch(sphere, &sphere_to_reals, s.transforms * a.points, &a));
    }
    return PV_OK;
}

static pv_status from_reals(const pv_sphere *sphere, int64_t fields, const double *packed, pv_c64 *coefficients,
                            int64_t stride)
{
    sphere_arguments a = sphere->tables->common;
    for (some s = {0}; next(sphere, fields, &s);) {
        a.fields = s.fields;
        a.reals = packed + s.first * a.points;
        PV_TRY(launch(sphere, &sphere_from_reals, s.transforms * a.points, &a));
        PV_TRY(memory_to_coefficients(sphere, &s, coefficients, stride));
    }
    return PV_OK;
}

const pv_sphere_ops pv_sphere_grids = {
    .create = create,
    .destroy = destroy,
    .reals_count = reals_count,
    .pack = pack,
    .unpack = unpack,
    .to_grid = to_grid,
    .from_grid = from_grid,
    .multiply = multiply,
    .add_squares = add_squares,
    .to_reals = to_reals,
    .from_reals = from_reals,
};
