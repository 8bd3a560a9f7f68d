// SPDX-License-Identifier: Apache-2.0
// The form of sphere transforms for the host: line by line, a slice of the grid in cache at a time.
#include <math.h>

#include "base/check.h"
#include "base/mem.h"
#include "fft/sphere/ops.h"

// ---- Making ------------------------------------------------------------------------------------------------------

// exp(i k r) along each axis, where it is not 1 everywhere. Lines are made before: z wants whole slices.
static pv_status make_phase(pv_sphere_shape *shape, const int *twice_k)
{
    if (!twice_k || (!twice_k[0] && !twice_k[1] && !twice_k[2])) return PV_OK;
    const double pi = 3.14159265358979323846;
    for (int d = 0; d < 3; d++) {
        PV_TRY(PV_ALLOC(d == 2 ? shape->slices * shape->lanes : shape->n[d], &shape->phase[d]));
        for (int64_t i = 0; i < shape->n[d]; i++)
            shape->phase[d][i] = cexp(I * pi * (double)twice_k[d] * (double)i / (double)shape->n[d]);
    }
    return PV_OK;
}

static pv_status make_works(pv_sphere *sphere)
{
    const pv_sphere_shape *shape = &sphere->shape;
    const size_t column_slots = (size_t)(shape->groups * shape->lanes * shape->slices);
    const size_t plane_slots = (size_t)(shape->plane_count * shape->n[1]);
    size_t tile_slots = (size_t)(shape->slices * shape->lanes), scratch = 0;
    for (int d = 0; d < 3; d++) {
        if ((size_t)shape->n[d] > tile_slots) tile_slots = (size_t)shape->n[d];
        if (shape->inverse[d].scratch_bytes > scratch) scratch = shape->inverse[d].scratch_bytes;
        if (shape->forward[d].scratch_bytes > scratch) scratch = shape->forward[d].scratch_bytes;
    }
    PV_TRY(PV_ALLOC(sphere->threads, &sphere->works));
    for (int t = 0; t < sphere->threads; t++) {
        pv_sphere_work *work = &sphere->works[t];
        PV_TRY(PV_ALLOC(shape->full_count, &work->spectrum));
        PV_TRY(pv_mem_alloc(column_slots, shape->slot_bytes, &work->columns));
        PV_TRY(pv_mem_alloc(plane_slots, shape->slot_bytes, &work->planes));
        PV_TRY(pv_mem_alloc(tile_slots, shape->slot_bytes, &work->tile_a));
        PV_TRY(pv_mem_alloc(tile_slots, shape->slot_bytes, &work->tile_b));
        PV_TRY(pv_mem_alloc(scratch, 1, &work->scratch));
    }
    return PV_OK;
}

// Collective.
static pv_status make_lines(pv_sphere *sphere, const int64_t n[3])
{
    for (int d = 0; d < 3; d++) {
        PV_TRY(pv_line_set_add(&sphere->lines, PV_LINE_INVERSE, n[d], INT64_MAX));
        PV_TRY(pv_line_set_add(&sphere->lines, PV_LINE_FORWARD, n[d], INT64_MAX));
    }
    return PV_OK;
}

// The same lines on tiles of slots, whose lanes make a slice.
static pv_status make_split_lines(pv_sphere *sphere, const int64_t n[3])
{
    pv_sphere_shape *shape = &sphere->shape;
    pv_sphere_shape_slice(pv_lines_kernels_at(sphere->lines.precision, 0), shape);
    for (int d = 0; d < 3; d++) {
        const pv_line_plan *inverse = pv_line_set_find(&sphere->lines, PV_LINE_INVERSE, n[d]);
        const pv_line_plan *forward = pv_line_set_find(&sphere->lines, PV_LINE_FORWARD, n[d]);
        PV_TRY(pv_split_line_create(inverse, sphere->lines.rigor, &shape->inverse[d]));
        PV_TRY(pv_split_line_create(forward, sphere->lines.rigor, &shape->forward[d]));
    }
    return PV_OK;
}

static pv_status create(pv_sphere *sphere, const int *twice_k)
{
    const int64_t n[3] = {sphere->shape.n[0], sphere->shape.n[1], sphere->shape.n[2]};
    PV_TRY(make_lines(sphere, n));
    pv_status status = make_split_lines(sphere, n);
    if (status == PV_OK) status = make_phase(&sphere->shape, twice_k);
    if (status == PV_OK) status = make_works(sphere);
    return pv_comm_agree(sphere->lines.comm, status);
}

static void destroy(pv_sphere *sphere)
{
    for (int t = 0; sphere->works && t < sphere->threads; t++) {
        pv_sphere_work *work = &sphere->works[t];
        void *parts[] = {work->spectrum, work->columns, work->planes, work->tile_a, work->tile_b, work->scratch};
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) pv_mem_free(parts[i]);
    }
    pv_mem_free(sphere->works);
    for (int d = 0; d < 3; d++) {
        pv_split_line_destroy(&sphere->shape.inverse[d]);
        pv_split_line_destroy(&sphere->shape.forward[d]);
    }
    pv_line_set_destroy(&sphere->lines);
}

const pv_sphere_shape *pv_sphere_shape_of(const pv_sphere *sphere)
{
    return &sphere->shape;
}
const pv_sphere_work *pv_sphere_work_of(const pv_sphere *sphere, int thread)
{
    return &sphere->works[thread];
}
const int64_t *pv_sphere_places(const pv_sphere *sphere)
{
    return sphere->fold.plus;
}

// ---- The calls -----------------------------------------------------------------------------------------------------

#ifdef _OPENMP
#include <omp.h>
int pv_sphere_thread(void)
{
    return omp_get_thread_num();
}
#else
int pv_sphere_thread(void)
{
    return 0;
}
#endif

void pv_sphere_to_columns(const pv_sphere *sphere, const pv_sphere_work *work, int64_t fields, int64_t first,
                          const pv_c64 *coefficients, int64_t stride)
{
    pv_sphere_unfold(&sphere->fold, fields, first, coefficients, stride, work->spectrum);
    pv_sphere_spectrum_to_columns(&sphere->shape, work);
}

void pv_sphere_from_columns(const pv_sphere *sphere, const pv_sphere_work *work, int64_t fields, int64_t first,
                            pv_c64 *coefficients, int64_t stride)
{
    const int64_t *n = sphere->shape.n;
    const double scale = 1.0 / ((double)n[0] * (double)n[1] * (double)n[2]);
    pv_sphere_columns_to_spectrum(&sphere->shape, work);
    pv_sphere_refold(&sphere->fold, scale, fields, first, work->spectrum, coefficients, stride);
}

static pv_status to_grid(const pv_sphere *sphere, int64_t fields, const pv_c64 *coefficients, int64_t stride,
                         pv_c64 *grids)
{
    const pv_sphere_shape *shape = &sphere->shape;
    const int64_t each = pv_sphere_fields_each(sphere), points = shape->n[0] * shape->n[1] * shape->n[2];
#pragma omp parallel for num_threads(sphere->threads) schedule(static, 1)
    for (int64_t first = 0; first < fields; first += each) {
        const pv_sphere_work *work = &sphere->works[pv_sphere_thread()];
        pv_sphere_to_columns(sphere, work, fields, first, coefficients, stride);
        for (int64_t s = 0; s < shape->slices; s++)
            pv_sphere_slice_to_grid(shape, work, s, grids + first / each * points);
    }
    return PV_OK;
}

static pv_status from_grid(const pv_sphere *sphere, int64_t fields, const pv_c64 *grids, pv_c64 *coefficients,
                           int64_t stride)
{
    const pv_sphere_shape *shape = &sphere->shape;
    const int64_t each = pv_sphere_fields_each(sphere), points = shape->n[0] * shape->n[1] * shape->n[2];
#pragma omp parallel for num_threads(sphere->threads) schedule(static, 1)
    for (int64_t first = 0; first < fields; first += each) {
        const pv_sphere_work *work = &sphere->works[pv_sphere_thread()];
        for (int64_t s = 0; s < shape->slices; s++)
            pv_sphere_slice_from_grid(shape, work, s, grids + first / each * points);
        pv_sphere_from_columns(sphere, work, fields, first, coefficients, stride);
    }
    return PV_OK;
}

static int64_t reals_count(const pv_sphere *sphere)
{
    return pv_sphere_sliced_count(&sphere->shape);
}

static pv_status pack(const pv_sphere *sphere, const double *grid, double *packed)
{
    pv_sphere_slice_reals(&sphere->shape, grid, packed);
    return PV_OK;
}

static pv_status unpack(const pv_sphere *sphere, const double *packed, double *grid)
{
    pv_sphere_unslice_reals(&sphere->shape, packed, grid);
    return PV_OK;
}

static pv_status multiply(const pv_sphere *sphere, int64_t fields, const double *packed, const pv_c64 *in,
                          int64_t in_stride, pv_c64 *out, int64_t out_stride)
{
    const pv_sphere_shape *shape = &sphere->shape;
    const int64_t each = pv_sphere_fields_each(sphere);
#pragma omp parallel for num_threads(sphere->threads) schedule(static, 1)
    for (int64_t first = 0; first < fields; first += each) {
        const pv_sphere_work *work = &sphere->works[pv_sphere_thread()];
        pv_sphere_to_columns(sphere, work, fields, first, in, in_stride);
        for (int64_t s = 0; s < shape->slices; s++) pv_sphere_slice_multiply(shape, work, s, packed);
        pv_sphere_from_columns(sphere, work, fields, first, out, out_stride);
    }
    return PV_OK;
}

void pv_sphere_add_slices(const pv_sphere *sphere, const pv_sphere_shape *shape, const pv_sphere_work *works,
                          int64_t fields, int64_t start, int64_t end, const double *weights, double *packed)
{
    const int64_t each = pv_sphere_fields_each(sphere);
#pragma omp parallel for num_threads(sphere->threads)
    for (int64_t s = 0; s < shape->slices; s++)
        for (int64_t first = start; first < end; first += each) {
            // Of a lone field the imaginary part is that of the phase, or zero: it counts as the real one does.
            const int paired = sphere->fold.half && first + 1 < fields;
            const double weight[2] = {weights[first], weights[paired ? first + 1 : first]};
            pv_sphere_slice_add_squares(shape, &works[pv_sphere_thread()], works[(first - start) / each].columns, s,
                                        weight, packed);
        }
}

// Threads take a transform each as far as the columns, then share out the slices: sums are added in the order of fields
// whatever the number of threads.
static pv_status add_squares(const pv_sphere *sphere, int64_t fields, const double *weights, const pv_c64 *coefficients,
                             int64_t stride, double *packed)
{
    const pv_sphere_shape *shape = &sphere->shape;
    const int64_t each = pv_sphere_fields_each(sphere), batch = each * sphere->threads;
    for (int64_t start = 0; start < fields; start += batch) {
        const int64_t end = start + batch < fields ? start + batch : fields;
#pragma omp parallel for num_threads(sphere->threads) schedule(static, 1)
        for (int64_t first = start; first < end; first += each) {
            const pv_sphere_work *work = &sphere->works[(first - start) / each];
            pv_sphere_to_columns(sphere, work, fields, first, coefficients, stride);
        }
        pv_sphere_add_slices(sphere, shape, sphere->works, fields, start, end, weights, packed);
    }
    return PV_OK;
}

static pv_status to_reals(const pv_sphere *sphere, int64_t fields, const pv_c64 *coefficients, int64_t stride,
                          double *packed)
{
    const pv_sphere_shape *shape = &sphere->shape;
    const int64_t reals = reals_count(sphere);
#pragma omp parallel for num_threads(sphere->threads) schedule(static, 1)
    for (int64_t first = 0; first < fields; first += 2) {
        const pv_sphere_work *work = &sphere->works[pv_sphere_thread()];
        double *a = packed + first * reals, *b = first + 1 < fields ? a + reals : NULL;
        pv_sphere_to_columns(sphere, work, fields, first, coefficients, stride);
        for (int64_t s = 0; s < shape->slices; s++) pv_sphere_slice_to_reals(shape, work, s, a, b);
    }
    return PV_OK;
}

static pv_status from_reals(const pv_sphere *sphere, int64_t fields, const double *packed, pv_c64 *coefficients,
                            int64_t stride)
{
    const pv_sphere_shape *shape = &sphere->shape;
    const int64_t reals = reals_count(sphere);
#pragma omp parallel for num_threads(sphere->threads) schedule(static, 1)
    for (int64_t first = 0; first < fields; first += 2) {
        const pv_sphere_work *work = &sphere->works[pv_sphere_thread()];
        const double *a = packed + first * reals, *b = first + 1 < fields ? a + reals : NULL;
        for (int64_t s = 0; s < shape->slices; s++) pv_sphere_slice_from_reals(shape, work, s, a, b);
        pv_sphere_from_columns(sphere, work, fields, first, coefficients, stride);
    }
    return PV_OK;
}

const pv_sphere_ops pv_sphere_slices = {
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
