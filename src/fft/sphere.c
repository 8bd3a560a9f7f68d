// SPDX-License-Identifier: Apache-2.0
#include "fft/sphere.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "fft/lines.h"
#include "fft/sphere_fold.h"
#include "fft/sphere_pass.h"

struct pv_sphere {
    pv_sphere_shape shape;
    pv_sphere_fold fold;
    pv_line_set lines;
    int threads;
    pv_sphere_work *works;             // [threads]
    size_t bytes;
};

// ---- Making ------------------------------------------------------------------------------------------------------

// One point of the full sphere, on its way into column order.
typedef struct full_point {
    int32_t x, y, z;                   // wrapped
    int32_t is_minus;
    int64_t point;
} full_point;

static int by_column(const void *a, const void *b)
{
    const full_point *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    if (p->z != q->z) return p->z < q->z ? -1 : 1;
    return 0;
}

static pv_status add_point(const int64_t n[3], const int32_t g[3], int is_minus, int64_t point, full_point *to)
{
    int32_t at[3];
    for (int d = 0; d < 3; d++) {
        PV_REQUIRE(2 * (int64_t)abs(g[d]) < n[d], PV_ERR_SHAPE,
                   "plane wave (%d, %d, %d)%s does not fit a grid of %" PRId64 " x %" PRId64 " x %" PRId64, g[0], g[1],
                   g[2], is_minus ? ", a partner in a half sphere," : "", n[0], n[1], n[2]);
        at[d] = g[d] < 0 ? g[d] + (int32_t)n[d] : g[d];
    }
    *to = (full_point){at[0], at[1], at[2], is_minus, point};
    return PV_OK;
}

// All points of the sphere in column order; which of the given ones is its own partner.
static pv_status list_full(const int64_t n[3], int64_t count, const int32_t (*points)[3], const int *twice_k,
                           full_point *list, int64_t *full_count_p, int64_t *single_p)
{
    int64_t full = 0, single = -1;
    for (int64_t p = 0; p < count; p++) {
        const int32_t *g = points[p];
        PV_TRY(add_point(n, g, 0, p, &list[full++]));
        if (!twice_k) continue;
        const int32_t partner[3] = {-g[0] - twice_k[0], -g[1] - twice_k[1], -g[2] - twice_k[2]};
        if (partner[0] == g[0] && partner[1] == g[1] && partner[2] == g[2])
            single = p;
        else
            PV_TRY(add_point(n, partner, 1, p, &list[full++]));
    }
    qsort(list, (size_t)full, sizeof *list, by_column);
    for (int64_t p = 1; p < full; p++)
        PV_REQUIRE(by_column(&list[p - 1], &list[p]) != 0, PV_ERR_SHAPE,
                   "plane waves %" PRId64 " and %" PRId64 " of the list are the same or partners of each other",
                   list[p - 1].point, list[p].point);
    *full_count_p = full;
    *single_p = single;
    return PV_OK;
}

// Columns and planes from the sorted list; room for both was made for the worst case.
static void make_columns(pv_sphere *sphere, const full_point *list)
{
    pv_sphere_shape *shape = &sphere->shape;
    for (int64_t p = 0; p < shape->full_count; p++) {
        const full_point *point = &list[p];
        const int new_plane = p == 0 || point->x != list[p - 1].x;
        if (new_plane) {
            shape->planes[shape->plane_count].x = point->x;
            shape->planes[shape->plane_count++].first_column = shape->column_count;
        }
        if (new_plane || point->y != list[p - 1].y) {
            pv_sphere_column column = {.x = point->x, .y = point->y, .first = p};
            shape->columns[shape->column_count++] = column;
        }
        shape->columns[shape->column_count - 1].last = p + 1;
        shape->planes[shape->plane_count - 1].last_column = shape->column_count;
        shape->z[p] = point->z;
        if (point->is_minus)
            sphere->fold.minus[point->point] = p;
        else
            sphere->fold.plus[point->point] = p;
    }
}

// From points of a line along x or y to what is there.
static pv_status make_maps(pv_sphere_shape *shape, const int64_t n[3])
{
    PV_TRY(PV_ALLOC(n[0], &shape->plane_of));
    PV_TRY(PV_ALLOC(shape->plane_count * n[1], &shape->column_of));
    for (int64_t x = 0; x < n[0]; x++) shape->plane_of[x] = -1;
    for (int64_t i = 0; i < shape->plane_count * n[1]; i++) shape->column_of[i] = -1;
    for (int64_t i = 0; i < shape->plane_count; i++) {
        const pv_sphere_plane *plane = &shape->planes[i];
        shape->plane_of[plane->x] = (int32_t)i;
        for (int64_t c = plane->first_column; c < plane->last_column; c++)
            shape->column_of[i * n[1] + shape->columns[c].y] = (int32_t)(c - plane->first_column);
    }
    return PV_OK;
}

static pv_status make_shape(pv_sphere *sphere, const int64_t n[3], const int32_t (*points)[3], const int *twice_k)
{
    pv_sphere_shape *shape = &sphere->shape;
    pv_sphere_fold *fold = &sphere->fold;
    const int64_t most = fold->count * (fold->half ? 2 : 1);
    full_point *list;
    PV_TRY(PV_ALLOC(most, &list));
    pv_status status = list_full(n, fold->count, points, twice_k, list, &shape->full_count, &fold->single);
    if (status == PV_OK) status = PV_ALLOC(fold->count, &fold->plus);
    if (status == PV_OK) status = PV_ALLOC(fold->half ? fold->count : 0, &fold->minus);
    if (status == PV_OK) status = PV_ALLOC(most, &shape->z);
    if (status == PV_OK) status = PV_ALLOC(most < n[0] * n[1] ? most : n[0] * n[1], &shape->columns);
    if (status == PV_OK) status = PV_ALLOC(n[0], &shape->planes);
    if (status == PV_OK) make_columns(sphere, list);
    pv_mem_free(list);
    if (status == PV_OK && fold->single >= 0) fold->minus[fold->single] = fold->plus[fold->single];
    if (status == PV_OK) status = make_maps(shape, n);
    return status;
}

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
    const size_t slots = column_slots + plane_slots + 2 * tile_slots;
    sphere->bytes = (size_t)sphere->threads
                    * ((size_t)shape->full_count * sizeof(pv_c64) + slots * shape->slot_bytes + scratch);
    return PV_OK;
}

// Collective.
static pv_status make_lines(pv_sphere *sphere, const int64_t n[3])
{
    for (int d = 0; d < 3; d++) {
        PV_TRY(pv_line_set_add(&sphere->lines, PV_LINE_INVERSE, n[d]));
        PV_TRY(pv_line_set_add(&sphere->lines, PV_LINE_FORWARD, n[d]));
    }
    return PV_OK;
}

// The same lines on tiles of slots, whose lanes make a slice.
static pv_status make_split_lines(pv_sphere *sphere, const int64_t n[3])
{
    pv_sphere_shape *shape = &sphere->shape;
    const pv_lines_kernels *kernels = pv_lines_kernels_at(sphere->lines.precision, 0);
    for (int d = 0; d < 3; d++) {
        const pv_line_plan *inverse = pv_line_set_find(&sphere->lines, PV_LINE_INVERSE, n[d]);
        const pv_line_plan *forward = pv_line_set_find(&sphere->lines, PV_LINE_FORWARD, n[d]);
        shape->n[d] = n[d];
        PV_TRY(pv_split_line_create(inverse, sphere->lines.rigor, &shape->inverse[d]));
        PV_TRY(pv_split_line_create(forward, sphere->lines.rigor, &shape->forward[d]));
    }
    shape->precision = sphere->lines.precision;
    shape->ops = &kernels->slots;
    shape->slot_bytes = kernels->slot_bytes;
    shape->lanes = kernels->lanes;
    shape->slices = (n[2] + shape->lanes - 1) / shape->lanes;
    shape->groups = (shape->column_count + shape->lanes - 1) / shape->lanes;
    return PV_OK;
}

pv_status pv_sphere_create(pv_comm *comm, const int64_t shape[3], int64_t count, const int32_t (*points)[3],
                           const int *twice_k, const char *engine, pv_rigor rigor, pv_sphere **sphere_p)
{
    pv_sphere *sphere;
    PV_TRY(PV_ALLOC(1, &sphere));
    sphere->lines = (pv_line_set){.comm = comm, .engine = engine, .rigor = rigor, .precision = PV_FP64};
    sphere->fold = (pv_sphere_fold){.half = twice_k != NULL, .count = count};
    sphere->threads = pv_device_threads(pv_comm_device(comm));
    pv_status status = pv_comm_agree(comm, make_shape(sphere, shape, points, twice_k));
    if (status == PV_OK) status = make_lines(sphere, shape);
    if (status == PV_OK) {
        status = make_split_lines(sphere, shape);
        if (status == PV_OK) status = make_phase(&sphere->shape, twice_k);
        if (status == PV_OK) status = make_works(sphere);
        status = pv_comm_agree(comm, status);
    }
    if (status != PV_OK) {
        pv_sphere_destroy(sphere);
        return status;
    }
    *sphere_p = sphere;
    return PV_OK;
}

void pv_sphere_destroy(pv_sphere *sphere)
{
    if (!sphere) return;
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
    pv_mem_free(sphere->shape.z);
    pv_mem_free(sphere->shape.plane_of);
    pv_mem_free(sphere->shape.column_of);
    pv_mem_free(sphere->shape.columns);
    pv_mem_free(sphere->shape.planes);
    for (int d = 0; d < 3; d++) pv_mem_free(sphere->shape.phase[d]);
    pv_mem_free(sphere->fold.plus);
    pv_mem_free(sphere->fold.minus);
    pv_mem_free(sphere);
}

int64_t pv_sphere_count(const pv_sphere *sphere) { return sphere->fold.count; }
int pv_sphere_is_half(const pv_sphere *sphere) { return sphere->fold.half; }
size_t pv_sphere_bytes(const pv_sphere *sphere) { return sphere->bytes; }
const pv_sphere_shape *pv_sphere_shape_of(const pv_sphere *sphere) { return &sphere->shape; }
const pv_sphere_work *pv_sphere_work_of(const pv_sphere *sphere, int thread) { return &sphere->works[thread]; }
const int64_t *pv_sphere_places(const pv_sphere *sphere) { return sphere->fold.plus; }

// ---- The calls -----------------------------------------------------------------------------------------------------

#ifdef _OPENMP
#include <omp.h>
static int thread_index(void) { return omp_get_thread_num(); }
#else
static int thread_index(void) { return 0; }
#endif

// The fields of one transform: a field, and for a half sphere its neighbour if there is one.
static int64_t fields_each(const pv_sphere *sphere) { return sphere->fold.half ? 2 : 1; }

static void to_columns(const pv_sphere *sphere, const pv_sphere_work *work, int64_t fields, int64_t first,
                       const pv_c64 *coefficients, int64_t stride)
{
    pv_sphere_unfold(&sphere->fold, fields, first, coefficients, stride, work->spectrum);
    pv_sphere_spectrum_to_columns(&sphere->shape, work);
}

static void from_columns(const pv_sphere *sphere, const pv_sphere_work *work, int64_t fields, int64_t first,
                         pv_c64 *coefficients, int64_t stride)
{
    const int64_t *n = sphere->shape.n;
    const double scale = 1.0 / ((double)n[0] * (double)n[1] * (double)n[2]);
    pv_sphere_columns_to_spectrum(&sphere->shape, work);
    pv_sphere_refold(&sphere->fold, scale, fields, first, work->spectrum, coefficients, stride);
}

void pv_sphere_to_grid(const pv_sphere *sphere, int64_t fields, const double _Complex *coefficients, int64_t stride,
                       double _Complex *grids)
{
    const pv_sphere_shape *shape = &sphere->shape;
    const int64_t each = fields_each(sphere), points = shape->n[0] * shape->n[1] * shape->n[2];
#pragma omp parallel for num_threads(sphere->threads) schedule(static, 1)
    for (int64_t first = 0; first < fields; first += each) {
        const pv_sphere_work *work = &sphere->works[thread_index()];
        to_columns(sphere, work, fields, first, coefficients, stride);
        for (int64_t s = 0; s < shape->slices; s++)
            pv_sphere_slice_to_grid(shape, work, s, grids + first / each * points);
    }
}

void pv_sphere_from_grid(const pv_sphere *sphere, int64_t fields, const double _Complex *grids,
                         double _Complex *coefficients, int64_t stride)
{
    const pv_sphere_shape *shape = &sphere->shape;
    const int64_t each = fields_each(sphere), points = shape->n[0] * shape->n[1] * shape->n[2];
#pragma omp parallel for num_threads(sphere->threads) schedule(static, 1)
    for (int64_t first = 0; first < fields; first += each) {
        const pv_sphere_work *work = &sphere->works[thread_index()];
        for (int64_t s = 0; s < shape->slices; s++)
            pv_sphere_slice_from_grid(shape, work, s, grids + first / each * points);
        from_columns(sphere, work, fields, first, coefficients, stride);
    }
}

int64_t pv_sphere_reals_count(const pv_sphere *sphere) { return pv_sphere_sliced_count(&sphere->shape); }

void pv_sphere_pack(const pv_sphere *sphere, const double *grid, double *packed)
{
    pv_sphere_slice_reals(&sphere->shape, grid, packed);
}

void pv_sphere_unpack(const pv_sphere *sphere, const double *packed, double *grid)
{
    pv_sphere_unslice_reals(&sphere->shape, packed, grid);
}

void pv_sphere_multiply(const pv_sphere *sphere, int64_t fields, const double *packed, const double _Complex *in,
                        int64_t in_stride, double _Complex *out, int64_t out_stride)
{
    const pv_sphere_shape *shape = &sphere->shape;
    const int64_t each = fields_each(sphere);
#pragma omp parallel for num_threads(sphere->threads) schedule(static, 1)
    for (int64_t first = 0; first < fields; first += each) {
        const pv_sphere_work *work = &sphere->works[thread_index()];
        to_columns(sphere, work, fields, first, in, in_stride);
        for (int64_t s = 0; s < shape->slices; s++) pv_sphere_slice_multiply(shape, work, s, packed);
        from_columns(sphere, work, fields, first, out, out_stride);
    }
}

// Threads take a transform each as far as the columns, then share out the slices: sums are added in the order of fields
// whatever the number of threads.
void pv_sphere_add_squares(const pv_sphere *sphere, int64_t fields, const double *weights,
                           const double _Complex *coefficients, int64_t stride, double *packed)
{
    const pv_sphere_shape *shape = &sphere->shape;
    const int64_t each = fields_each(sphere), batch = each * sphere->threads;
    for (int64_t start = 0; start < fields; start += batch) {
        const int64_t end = start + batch < fields ? start + batch : fields;
#pragma omp parallel for num_threads(sphere->threads) schedule(static, 1)
        for (int64_t first = start; first < end; first += each) {
            const pv_sphere_work *work = &sphere->works[(first - start) / each];
            to_columns(sphere, work, fields, first, coefficients, stride);
        }
#pragma omp parallel for num_threads(sphere->threads)
        for (int64_t s = 0; s < shape->slices; s++)
            for (int64_t first = start; first < end; first += each) {
                // Of a lone field the imaginary part is that of the phase, or zero: it counts as the real one does.
                const int paired = sphere->fold.half && first + 1 < fields;
                const double weight[2] = {weights[first], weights[paired ? first + 1 : first]};
                pv_sphere_slice_add_squares(shape, &sphere->works[thread_index()],
                                            sphere->works[(first - start) / each].columns, s, weight, packed);
            }
    }
}

void pv_sphere_to_reals(const pv_sphere *sphere, int64_t fields, const double _Complex *coefficients, int64_t stride,
                        double *packed)
{
    const pv_sphere_shape *shape = &sphere->shape;
    const int64_t reals = pv_sphere_reals_count(sphere);
    PV_ASSERT(sphere->fold.half);
#pragma omp parallel for num_threads(sphere->threads) schedule(static, 1)
    for (int64_t first = 0; first < fields; first += 2) {
        const pv_sphere_work *work = &sphere->works[thread_index()];
        double *a = packed + first * reals, *b = first + 1 < fields ? a + reals : NULL;
        to_columns(sphere, work, fields, first, coefficients, stride);
        for (int64_t s = 0; s < shape->slices; s++) pv_sphere_slice_to_reals(shape, work, s, a, b);
    }
}

void pv_sphere_from_reals(const pv_sphere *sphere, int64_t fields, const double *packed,
                          double _Complex *coefficients, int64_t stride)
{
    const pv_sphere_shape *shape = &sphere->shape;
    const int64_t reals = pv_sphere_reals_count(sphere);
    PV_ASSERT(sphere->fold.half);
#pragma omp parallel for num_threads(sphere->threads) schedule(static, 1)
    for (int64_t first = 0; first < fields; first += 2) {
        const pv_sphere_work *work = &sphere->works[thread_index()];
        const double *a = packed + first * reals, *b = first + 1 < fields ? a + reals : NULL;
        for (int64_t s = 0; s < shape->slices; s++) pv_sphere_slice_from_reals(shape, work, s, a, b);
        from_columns(sphere, work, fields, first, coefficients, stride);
    }
}
