// SPDX-License-Identifier: Apache-2.0
#include "fft/sphere/shape.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"

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
    if (full > 0) qsort(list, (size_t)full, sizeof *list, by_column);
    for (int64_t p = 1; p < full; p++)
        PV_REQUIRE(by_column(&list[p - 1], &list[p]) != 0, PV_ERR_SHAPE,
                   "plane waves %" PRId64 " and %" PRId64 " of the list are the same or partners of each other",
                   list[p - 1].point, list[p].point);
    *full_count_p = full;
    *single_p = single;
    return PV_OK;
}

// Columns and planes from the sorted list; room for both was made for the worst case.
static void make_columns(const full_point *list, pv_sphere_shape *shape, pv_sphere_fold *fold)
{
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
            fold->minus[point->point] = p;
        else
            fold->plus[point->point] = p;
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

pv_status pv_sphere_shape_list(const int64_t n[3], int64_t count, const int32_t (*points)[3], const int *twice_k,
                               pv_sphere_shape *shape, pv_sphere_fold *fold)
{
    const int64_t most = count * (twice_k ? 2 : 1);
    full_point *list;
    fold->half = twice_k != NULL;
    fold->count = count;
    for (int d = 0; d < 3; d++) shape->n[d] = n[d];
    PV_TRY(PV_ALLOC(most, &list));
    pv_status status = list_full(n, count, points, twice_k, list, &shape->full_count, &fold->single);
    if (status == PV_OK) status = PV_ALLOC(fold->count, &fold->plus);
    if (status == PV_OK) status = PV_ALLOC(fold->half ? fold->count : 0, &fold->minus);
    if (status == PV_OK) status = PV_ALLOC(most, &shape->z);
    if (status == PV_OK) status = PV_ALLOC(most < n[0] * n[1] ? most : n[0] * n[1], &shape->columns);
    if (status == PV_OK) status = PV_ALLOC(n[0], &shape->planes);
    if (status == PV_OK) make_columns(list, shape, fold);
    pv_mem_free(list);
    if (status == PV_OK && fold->single >= 0) fold->minus[fold->single] = fold->plus[fold->single];
    if (status == PV_OK) status = make_maps(shape, n);
    return status;
}

void pv_sphere_shape_free(pv_sphere_shape *shape)
{
    void *parts[] = {shape->z, shape->columns, shape->planes, shape->plane_of, shape->column_of};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) pv_mem_free(parts[i]);
}

void pv_sphere_fold_free(pv_sphere_fold *fold)
{
    pv_mem_free(fold->plus);
    pv_mem_free(fold->minus);
}

void pv_sphere_shape_slice(const pv_lines_kernels *kernels, pv_sphere_shape *shape)
{
    shape->precision = kernels->precision;
    shape->ops = &kernels->slots;
    shape->slot_bytes = kernels->slot_bytes;
    shape->lanes = kernels->lanes;
    shape->slices = (shape->n[2] + shape->lanes - 1) / shape->lanes;
    shape->groups = (shape->column_count + shape->lanes - 1) / shape->lanes;
}
