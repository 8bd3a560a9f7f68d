// SPDX-License-Identifier: Apache-2.0
#include "fft/sphere/pass.h"

#include <string.h>

static char *slot_at(const pv_sphere_shape *shape, void *slots, int64_t i)
{
    return (char *)slots + i * (int64_t)shape->slot_bytes;
}

static void run(const pv_split_line *line, const pv_sphere_work *work)
{
    pv_split_line_run(line, work->tile_a, work->tile_b, work->scratch);
}

// Planes of slice `slice` that exist.
static int64_t depth_of(const pv_sphere_shape *shape, int64_t slice)
{
    const int64_t rest = shape->n[2] - slice * shape->lanes;
    return rest < shape->lanes ? rest : shape->lanes;
}

// ---- Real values -------------------------------------------------------------------------------------------------

int64_t pv_sphere_sliced_count(const pv_sphere_shape *shape)
{
    return shape->slices * shape->n[1] * shape->n[0] * shape->lanes;
}

void pv_sphere_slice_reals(const pv_sphere_shape *shape, const double *grid, double *sliced)
{
    const int64_t nx = shape->n[0], ny = shape->n[1], nz = shape->n[2], lanes = shape->lanes;
    for (int64_t s = 0; s < shape->slices; s++)
        for (int64_t y = 0; y < ny; y++)
            for (int64_t x = 0; x < nx; x++) {
                double *to = sliced + ((s * ny + y) * nx + x) * lanes;
                const double *from = grid + (x * ny + y) * nz + s * lanes;
                for (int64_t w = 0; w < lanes; w++) to[w] = w < depth_of(shape, s) ? from[w] : 0.0;
            }
}

void pv_sphere_unslice_reals(const pv_sphere_shape *shape, const double *sliced, double *grid)
{
    const int64_t nx = shape->n[0], ny = shape->n[1], nz = shape->n[2], lanes = shape->lanes;
    for (int64_t s = 0; s < shape->slices; s++)
        for (int64_t y = 0; y < ny; y++)
            for (int64_t x = 0; x < nx; x++)
                memcpy(grid + (x * ny + y) * nz + s * lanes, sliced + ((s * ny + y) * nx + x) * lanes,
                       (size_t)depth_of(shape, s) * sizeof *grid);
}

// ---- Along z: lanes are columns ----------------------------------------------------------------------------------

// Bytes from column to column.
static ptrdiff_t column_stride(const pv_sphere_shape *shape)
{
    return (ptrdiff_t)shape->slices * (ptrdiff_t)shape->slot_bytes;
}

static const pv_sphere_column *column_at(const pv_sphere_shape *shape, int64_t group, int64_t lane)
{
    const int64_t c = group * shape->lanes + lane;
    return c < shape->column_count ? &shape->columns[c] : NULL;
}

void pv_sphere_spectrum_to_columns(const pv_sphere_shape *shape, const pv_sphere_work *work)
{
    const int64_t n = shape->n[2];
    for (int64_t group = 0; group < shape->groups; group++) {
        memset(work->tile_a, 0, (size_t)n * shape->slot_bytes);
        for (int64_t w = 0; w < shape->lanes && column_at(shape, group, w); w++) {
            const pv_sphere_column *column = column_at(shape, group, w);
            shape->ops->spectrum_load(column->first, column->last, shape->z, work->spectrum, w, work->tile_a);
        }
        run(&shape->inverse[2], work);
        shape->ops->columns_store(shape->slices, n, work->tile_b,
                                  slot_at(shape, work->columns, group * shape->lanes * shape->slices),
                                  column_stride(shape));
    }
}

void pv_sphere_columns_to_spectrum(const pv_sphere_shape *shape, const pv_sphere_work *work)
{
    for (int64_t group = 0; group < shape->groups; group++) {
        shape->ops->columns_load(shape->slices, slot_at(shape, work->columns, group * shape->lanes * shape->slices),
                                 column_stride(shape), work->tile_a);
        run(&shape->forward[2], work);
        for (int64_t w = 0; w < shape->lanes && column_at(shape, group, w); w++) {
            const pv_sphere_column *column = column_at(shape, group, w);
            shape->ops->spectrum_store(column->first, column->last, shape->z, work->tile_b, w, work->spectrum);
        }
    }
}

// ---- Shifted lines -----------------------------------------------------------------------------------------------

// Slot (i + shift) mod n of the tile is that of point i of the line.
static void gather(const pv_sphere_shape *shape, int64_t n, int64_t shift, const int32_t *from, const void *places,
                   ptrdiff_t stride, void *tile)
{
    shape->ops->gather(n - shift, from, places, stride, slot_at(shape, tile, shift));
    if (shift > 0) shape->ops->gather(shift, from + n - shift, places, stride, tile);
}

static void scatter(const pv_sphere_shape *shape, int64_t n, int64_t shift, const int32_t *from, void *tile,
                    void *places, ptrdiff_t stride)
{
    shape->ops->scatter(n - shift, from, slot_at(shape, tile, shift), places, stride);
    if (shift > 0) shape->ops->scatter(shift, from + n - shift, tile, places, stride);
}

// ---- Along y: lanes are the planes of a slice --------------------------------------------------------------------

void pv_sphere_columns_to_planes(const pv_sphere_shape *shape, const pv_sphere_work *work, const void *columns,
                                 int64_t slice, int64_t shift)
{
    const int64_t ny = shape->n[1];
    for (int64_t i = 0; i < shape->plane_count; i++) {
        const char *first = (const char *)columns + shape->planes[i].first_column * column_stride(shape) +
                            slice * (int64_t)shape->slot_bytes;
        gather(shape, ny, shift, shape->column_of + i * ny, first, column_stride(shape), work->tile_a);
        pv_split_line_run(&shape->inverse[1], work->tile_a, slot_at(shape, work->planes, i * ny), work->scratch);
    }
}

void pv_sphere_planes_to_columns(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t slice, int64_t shift)
{
    const int64_t ny = shape->n[1];
    for (int64_t i = 0; i < shape->plane_count; i++) {
        char *first = (char *)work->columns + shape->planes[i].first_column * column_stride(shape) +
                      slice * (int64_t)shape->slot_bytes;
        pv_split_line_run(&shape->forward[1], slot_at(shape, work->planes, i * ny), work->tile_b, work->scratch);
        scatter(shape, ny, shift, shape->column_of + i * ny, work->tile_b, first, column_stride(shape));
    }
}

// ---- Along x, for one y: lanes are the planes of a slice ---------------------------------------------------------

void pv_sphere_inverse_x(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t y, int64_t shift)
{
    const ptrdiff_t stride = (ptrdiff_t)shape->n[1] * (ptrdiff_t)shape->slot_bytes;
    gather(shape, shape->n[0], shift, shape->plane_of, slot_at(shape, work->planes, y), stride, work->tile_a);
    run(&shape->inverse[0], work);
}

void pv_sphere_forward_x(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t y, int64_t shift)
{
    const ptrdiff_t stride = (ptrdiff_t)shape->n[1] * (ptrdiff_t)shape->slot_bytes;
    run(&shape->forward[0], work);
    scatter(shape, shape->n[0], shift, shape->plane_of, work->tile_b, slot_at(shape, work->planes, y), stride);
}

void pv_sphere_slice_to_grid(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t slice, pv_c64 *grid)
{
    const int64_t ny = shape->n[1], nz = shape->n[2];
    pv_sphere_columns_to_planes(shape, work, work->columns, slice, 0);
    for (int64_t y = 0; y < ny; y++) {
        pv_sphere_inverse_x(shape, work, y, 0);
        shape->ops->grid_store(shape->n[0], depth_of(shape, slice), work->tile_b, grid + y * nz + slice * shape->lanes,
                               ny * nz);
    }
}

void pv_sphere_slice_from_grid(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t slice,
                               const pv_c64 *grid)
{
    const int64_t ny = shape->n[1], nz = shape->n[2];
    for (int64_t y = 0; y < ny; y++) {
        shape->ops->grid_load(shape->n[0], depth_of(shape, slice), grid + y * nz + slice * shape->lanes, ny * nz,
                              work->tile_a);
        pv_sphere_forward_x(shape, work, y, 0);
    }
    pv_sphere_planes_to_columns(shape, work, slice, 0);
}

void pv_sphere_slice_multiply(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t slice,
                              const double *sliced)
{
    const int64_t ny = shape->n[1], line = shape->n[0] * shape->lanes;
    pv_sphere_columns_to_planes(shape, work, work->columns, slice, 0);
    for (int64_t y = 0; y < ny; y++) {
        pv_sphere_inverse_x(shape, work, y, 0);
        shape->ops->multiply(shape->n[0], sliced + (slice * ny + y) * line, work->tile_b);
        pv_split_line_run(&shape->forward[0], work->tile_b, work->tile_a, work->scratch);
        scatter(shape, shape->n[0], 0, shape->plane_of, work->tile_a, slot_at(shape, work->planes, y),
                (ptrdiff_t)ny * (ptrdiff_t)shape->slot_bytes);
    }
    pv_sphere_planes_to_columns(shape, work, slice, 0);
}

// ---- The phase: from what is periodic in the cell to real fields and back ------------------------------------------

// A tile of lines along x at y of a slice times the phase, or with `back` its conjugate.
static void turn_tile(const pv_sphere_shape *shape, int64_t slice, int64_t y, int back, void *tile)
{
    if (!shape->phase[0]) return;
    enum { MOST_LANES = 16 };
    pv_c64 across[MOST_LANES];
    for (int64_t w = 0; w < shape->lanes; w++)
        across[w] = shape->phase[1][y] * shape->phase[2][slice * shape->lanes + w];
    shape->ops->turn(shape->n[0], back, shape->phase[0], across, tile);
}

void pv_sphere_slice_to_reals(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t slice, double *a,
                              double *b)
{
    const int64_t nx = shape->n[0], ny = shape->n[1];
    pv_sphere_columns_to_planes(shape, work, work->columns, slice, 0);
    for (int64_t y = 0; y < ny; y++) {
        const int64_t at = (slice * ny + y) * nx * shape->lanes;
        pv_sphere_inverse_x(shape, work, y, 0);
        turn_tile(shape, slice, y, 0, work->tile_b);
        shape->ops->reals_store(nx, work->tile_b, a + at, b ? b + at : NULL);
    }
}

void pv_sphere_slice_from_reals(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t slice,
                                const double *a, const double *b)
{
    const int64_t nx = shape->n[0], ny = shape->n[1];
    for (int64_t y = 0; y < ny; y++) {
        const int64_t at = (slice * ny + y) * nx * shape->lanes;
        shape->ops->reals_load(nx, a + at, b ? b + at : NULL, work->tile_a);
        turn_tile(shape, slice, y, 1, work->tile_a);
        pv_sphere_forward_x(shape, work, y, 0);
    }
    pv_sphere_planes_to_columns(shape, work, slice, 0);
}

// ---- Squares -----------------------------------------------------------------------------------------------------

void pv_sphere_slice_add_squares(const pv_sphere_shape *shape, const pv_sphere_work *work, const void *columns,
                                 int64_t slice, const double weight[2], double *sums)
{
    const int64_t nx = shape->n[0], ny = shape->n[1];
    pv_sphere_columns_to_planes(shape, work, columns, slice, 0);
    for (int64_t y = 0; y < ny; y++) {
        pv_sphere_inverse_x(shape, work, y, 0);
        // |a + i b|^2 knows no phase; a^2 and b^2 do.
        if (weight[0] != weight[1]) turn_tile(shape, slice, y, 0, work->tile_b);
        shape->ops->add_squares(nx, weight, work->tile_b, sums + (slice * ny + y) * nx * shape->lanes);
    }
}
