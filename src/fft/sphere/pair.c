// SPDX-License-Identifier: Apache-2.0
#include "fft/sphere/pair.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "fft/sphere/pass.h"

struct pv_pair_kernel {
    const pv_sphere *host;
    pv_sphere_shape shape; // lines are the host's
    int32_t *row_of;       // [groups][n2]: where each slot of a group's tile has its row; -1: outside the sphere
    void *rows;            // [..][lanes], in the sphere's precision
    pv_c64 *phase[3];      // exp(-i kappa r) by axis, [n0], [n1], [slices * lanes]; NULL where it is 1
};

// ---- The kernel --------------------------------------------------------------------------------------------------

// Rows that groups of columns need, and where; their number.
static int64_t lay_rows(const pv_sphere_shape *shape, int32_t *row_of)
{
    const int64_t n = shape->n[2];
    int64_t rows = 0;
    for (int64_t i = 0; i < shape->groups * n; i++) row_of[i] = -1;
    for (int64_t c = 0; c < shape->column_count; c++)
        for (int64_t p = shape->columns[c].first; p < shape->columns[c].last; p++)
            row_of[c / shape->lanes * n + shape->z[p]] = 0;
    for (int64_t i = 0; i < shape->groups * n; i++)
        if (row_of[i] == 0) row_of[i] = (int32_t)rows++;
    return rows;
}

static void fill_rows(const pv_sphere_shape *shape, const double *ordered, pv_pair_kernel *kernel)
{
    for (int64_t c = 0; c < shape->column_count; c++)
        for (int64_t p = shape->columns[c].first; p < shape->columns[c].last; p++) {
            const int64_t row = kernel->row_of[c / shape->lanes * shape->n[2] + shape->z[p]];
            const int64_t at = row * shape->lanes + c % shape->lanes;
            if (shape->precision == PV_FP64)
                ((double *)kernel->rows)[at] = ordered[p];
            else
                ((float *)kernel->rows)[at] = (float)ordered[p];
        }
}

static pv_status make_rows(const int64_t *place, double scale, const double *values, pv_pair_kernel *kernel)
{
    const pv_sphere_shape *shape = &kernel->shape;
    double *ordered;
    PV_TRY(PV_ALLOC(shape->groups * shape->n[2], &kernel->row_of));
    const int64_t rows = lay_rows(shape, kernel->row_of);
    PV_TRY(pv_mem_alloc((size_t)rows, shape->slot_bytes / 2, &kernel->rows));
    PV_TRY(PV_ALLOC(shape->full_count, &ordered));
    for (int64_t p = 0; p < shape->full_count; p++) ordered[place[p]] = scale * values[p];
    fill_rows(shape, ordered, kernel);
    pv_mem_free(ordered);
    return PV_OK;
}

// The sphere on the host's grid, as far as the host has room for it.
static pv_status make_shape(int64_t count, const int32_t (*points)[3], pv_sphere_fold *fold, pv_pair_kernel *kernel)
{
    const pv_sphere_shape *host = pv_sphere_shape_of(kernel->host);
    pv_sphere_shape *shape = &kernel->shape;
    PV_REQUIRE(!pv_sphere_is_half(kernel->host), PV_ERR_ARGUMENT, "a kernel on a half sphere; a whole one is accepted");
    PV_TRY(pv_sphere_shape_list(host->n, count, points, NULL, shape, fold));
    PV_REQUIRE(shape->column_count <= host->column_count && shape->plane_count <= host->plane_count, PV_ERR_SHAPE,
               "a kernel of %" PRId64 " columns in %" PRId64 " planes; its host has room for %" PRId64 " in %" PRId64,
               shape->column_count, shape->plane_count, host->column_count, host->plane_count);
    pv_sphere_shape_slice(host->forward[0].kernels, shape);
    for (int d = 0; d < 3; d++) {
        shape->forward[d] = host->forward[d];
        shape->inverse[d] = host->inverse[d];
    }
    return PV_OK;
}

static pv_status make_phase(const int *twice_kappa, pv_pair_kernel *kernel)
{
    const pv_sphere_shape *shape = &kernel->shape;
    if (!twice_kappa || (!twice_kappa[0] && !twice_kappa[1] && !twice_kappa[2])) return PV_OK;
    const double pi = 3.14159265358979323846;
    for (int d = 0; d < 3; d++) {
        PV_TRY(PV_ALLOC(d == 2 ? shape->slices * shape->lanes : shape->n[d], &kernel->phase[d]));
        for (int64_t i = 0; i < shape->n[d]; i++)
            kernel->phase[d][i] = cexp(-I * pi * (double)twice_kappa[d] * (double)i / (double)shape->n[d]);
    }
    return PV_OK;
}

pv_status pv_pair_kernel_create(const pv_sphere *host, int64_t count, const int32_t (*points)[3],
                                const int *twice_kappa, double scale, const double *values, pv_pair_kernel **kernel_p)
{
    pv_sphere_fold fold = {0};
    pv_pair_kernel *kernel;
    PV_TRY(PV_ALLOC(1, &kernel));
    kernel->host = host;
    pv_status status = make_shape(count, points, &fold, kernel);
    if (status == PV_OK) status = make_rows(fold.plus, scale, values, kernel);
    if (status == PV_OK) status = make_phase(twice_kappa, kernel);
    pv_sphere_fold_free(&fold);
    if (status != PV_OK) {
        pv_pair_kernel_destroy(kernel);
        return status;
    }
    *kernel_p = kernel;
    return PV_OK;
}

void pv_pair_kernel_destroy(pv_pair_kernel *kernel)
{
    if (!kernel) return;
    pv_sphere_shape_free(&kernel->shape);
    pv_mem_free(kernel->row_of);
    pv_mem_free(kernel->rows);
    for (int d = 0; d < 3; d++) pv_mem_free(kernel->phase[d]);
    pv_mem_free(kernel);
}

// Columns -> along z to the sphere, times the kernel, and back -> columns.
static void apply(const pv_pair_kernel *kernel, const pv_sphere_work *work, int64_t shift)
{
    const pv_sphere_shape *shape = &kernel->shape;
    const ptrdiff_t stride = (ptrdiff_t)shape->slices * (ptrdiff_t)shape->slot_bytes;
    const int64_t n = shape->n[2];
    for (int64_t group = 0; group < shape->groups; group++) {
        char *columns = (char *)work->columns + group * shape->lanes * stride;
        const int32_t *row_of = kernel->row_of + group * n;
        shape->ops->columns_load(shape->slices, columns, stride, work->tile_a);
        pv_split_line_run(&shape->forward[2], work->tile_a, work->tile_b, work->scratch);
        shape->ops->multiply_some(n - shift, row_of, kernel->rows,
                                  (char *)work->tile_b + shift * (int64_t)shape->slot_bytes);
        if (shift > 0) shape->ops->multiply_some(shift, row_of + n - shift, kernel->rows, work->tile_b);
        pv_split_line_run(&shape->inverse[2], work->tile_b, work->tile_a, work->scratch);
        shape->ops->columns_store(shape->slices, n, work->tile_a, columns, stride);
    }
}

// ---- Real fields -------------------------------------------------------------------------------------------------

// tile times the phases of line y of a slice, or their conjugates.
static void turn(const pv_pair_kernel *kernel, int64_t slice, int64_t y, int back, void *tile)
{
    if (!kernel->phase[0]) return;
    enum { MOST_LANES = 16 };
    const pv_sphere_shape *shape = &kernel->shape;
    pv_c64 across[MOST_LANES];
    for (int64_t w = 0; w < shape->lanes; w++)
        across[w] = kernel->phase[1][y] * kernel->phase[2][slice * shape->lanes + w];
    shape->ops->turn(shape->n[0], back, kernel->phase[0], across, tile);
}

static void real_forth(const pv_pair_kernel *kernel, const pv_sphere_work *work, int64_t s,
                       const pv_real_pair *pair)
{
    const pv_sphere_shape *shape = &kernel->shape;
    const int64_t nx = shape->n[0], ny = shape->n[1];
    for (int64_t y = 0; y < ny; y++) {
        shape->ops->real_product(nx, (s * ny + y) * nx, pair, work->tile_a);
        turn(kernel, s, y, 0, work->tile_a);
        pv_sphere_forward_x(shape, work, y, 0);
    }
    pv_sphere_planes_to_columns(shape, work, s, 0);
}

static void real_back(const pv_pair_kernel *kernel, const pv_sphere_work *work, int64_t s,
                      const pv_real_pair *pair)
{
    const pv_sphere_shape *shape = &kernel->shape;
    const int64_t nx = shape->n[0], ny = shape->n[1];
    pv_sphere_columns_to_planes(shape, work, work->columns, s, 0);
    for (int64_t y = 0; y < ny; y++) {
        pv_sphere_inverse_x(shape, work, y, 0);
        turn(kernel, s, y, 1, work->tile_b);
        shape->ops->real_sums(nx, (s * ny + y) * nx, pair, work->tile_b);
    }
}

// A slice of the columns is free for the next pair as soon as it has gone back.
void pv_sphere_pair_real(const pv_pair_kernel *kernel, int thread, int64_t count, const pv_real_pair *pairs)
{
    const pv_sphere_work *work = pv_sphere_work_of(kernel->host, thread);
    for (int64_t i = 0; count > 0 && i <= count; i++) {
        for (int64_t s = 0; s < kernel->shape.slices; s++) {
            if (i > 0) real_back(kernel, work, s, &pairs[i - 1]);
            if (i < count) real_forth(kernel, work, s, &pairs[i]);
        }
        if (i < count) apply(kernel, work, 0);
    }
}

// ---- Complex fields ----------------------------------------------------------------------------------------------

static void complex_forth(const pv_pair_kernel *kernel, const pv_sphere_work *work, const int64_t shift[3], int64_t s,
                          const pv_complex_pair *pair)
{
    const pv_sphere_shape *shape = &kernel->shape;
    const int64_t nx = shape->n[0], ny = shape->n[1];
    for (int64_t y = 0; y < ny; y++) {
        shape->ops->complex_product(nx, (s * ny + y) * nx, pair, work->tile_a);
        pv_sphere_forward_x(shape, work, y, shift[0]);
    }
    pv_sphere_planes_to_columns(shape, work, s, shift[1]);
}

static void complex_back(const pv_pair_kernel *kernel, const pv_sphere_work *work, const int64_t shift[3], int64_t s,
                         const pv_complex_pair *pair)
{
    const pv_sphere_shape *shape = &kernel->shape;
    const int64_t nx = shape->n[0], ny = shape->n[1];
    pv_sphere_columns_to_planes(shape, work, work->columns, s, shift[1]);
    for (int64_t y = 0; y < ny; y++) {
        pv_sphere_inverse_x(shape, work, y, shift[0]);
        shape->ops->complex_sums(nx, (s * ny + y) * nx, pair, work->tile_b);
    }
}

void pv_sphere_pair_complex(const pv_pair_kernel *kernel, int thread, const int shift[3], int64_t count,
                            const pv_complex_pair *pairs)
{
    const pv_sphere_shape *shape = &kernel->shape;
    const pv_sphere_work *work = pv_sphere_work_of(kernel->host, thread);
    int64_t by[3];
    for (int d = 0; d < 3; d++) by[d] = (shift[d] % shape->n[d] + shape->n[d]) % shape->n[d];
    for (int64_t i = 0; count > 0 && i <= count; i++) {
        for (int64_t s = 0; s < shape->slices; s++) {
            if (i > 0) complex_back(kernel, work, by, s, &pairs[i - 1]);
            if (i < count) complex_forth(kernel, work, by, s, &pairs[i]);
        }
        if (i < count) apply(kernel, work, by[2]);
    }
}

void pv_sphere_to_slices(const pv_sphere *sphere, int thread, const double _Complex *coefficients, void *sliced)
{
    const pv_sphere_shape *shape = pv_sphere_shape_of(sphere);
    const pv_sphere_work *work = pv_sphere_work_of(sphere, thread);
    const int64_t *place = pv_sphere_places(sphere);
    const int64_t nx = shape->n[0], ny = shape->n[1];
    for (int64_t p = 0; p < pv_sphere_count(sphere); p++) work->spectrum[place[p]] = coefficients[p];
    pv_sphere_spectrum_to_columns(shape, work);
    for (int64_t s = 0; s < shape->slices; s++) {
        pv_sphere_columns_to_planes(shape, work, work->columns, s, 0);
        for (int64_t y = 0; y < ny; y++) {
            pv_sphere_inverse_x(shape, work, y, 0);
            memcpy((char *)sliced + (size_t)((s * ny + y) * nx) * shape->slot_bytes, work->tile_b,
                   (size_t)nx * shape->slot_bytes);
        }
    }
}

void pv_sphere_from_slices(const pv_sphere *sphere, int thread, const void *sliced, double _Complex *coefficients)
{
    const pv_sphere_shape *shape = pv_sphere_shape_of(sphere);
    const pv_sphere_work *work = pv_sphere_work_of(sphere, thread);
    const int64_t *place = pv_sphere_places(sphere);
    const int64_t nx = shape->n[0], ny = shape->n[1];
    for (int64_t s = 0; s < shape->slices; s++) {
        for (int64_t y = 0; y < ny; y++) {
            memcpy(work->tile_a, (const char *)sliced + (size_t)((s * ny + y) * nx) * shape->slot_bytes,
                   (size_t)nx * shape->slot_bytes);
            pv_sphere_forward_x(shape, work, y, 0);
        }
        pv_sphere_planes_to_columns(shape, work, s, 0);
    }
    pv_sphere_columns_to_spectrum(shape, work);
    const double scale = 1.0 / ((double)nx * (double)ny * (double)shape->n[2]);
    for (int64_t p = 0; p < pv_sphere_count(sphere); p++) coefficients[p] = scale * work->spectrum[place[p]];
}
