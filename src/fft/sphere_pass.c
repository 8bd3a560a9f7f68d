// SPDX-License-Identifier: Apache-2.0
#include "fft/sphere_pass.h"

#include <string.h>

// ---- Rows of a tile: element k of all lanes ----------------------------------------------------------------------

// Lanes of the fastest engine: its rows have loops of constant length.
enum { FULL = 8 };

static inline void load_row(pv_c64 *restrict tile, const pv_line_plan *plan, int64_t k, int64_t lanes,
                            const pv_c64 *restrict row)
{
    pv_c64 *restrict to = tile + k * plan->in_step;
    if (plan->in_lane == 1 && lanes == FULL)
        memcpy(to, row, FULL * sizeof *row);
    else
        for (int64_t w = 0; w < lanes; w++) to[w * plan->in_lane] = row[w];
}

static inline void store_row(const pv_c64 *restrict tile, const pv_line_plan *plan, int64_t k, int64_t lanes,
                             pv_c64 *restrict row)
{
    const pv_c64 *restrict from = tile + k * plan->out_step;
    if (plan->out_lane == 1 && lanes == FULL)
        memcpy(row, from, FULL * sizeof *row);
    else
        for (int64_t w = 0; w < lanes; w++) row[w] = from[w * plan->out_lane];
}

static inline void clear_rows(pv_c64 *tile, const pv_line_plan *plan, int64_t lower, int64_t upper)
{
    if (plan->in_lane == 1)
        memset(tile + lower * plan->in_step, 0, (size_t)((upper - lower) * plan->in_step) * sizeof *tile);
    else
        for (int64_t w = 0; w < plan->lanes; w++)
            memset(tile + w * plan->in_lane + lower, 0, (size_t)(upper - lower) * sizeof *tile);
}

static void run(const pv_line_plan *plan, const pv_sphere_work *work)
{
    plan->ops->execute(plan, work->tile_a, work->tile_b, work->scratch);
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

static int64_t columns_at(const pv_sphere_shape *shape, const pv_line_plan *plan, int64_t first)
{
    return plan->lanes < shape->column_count - first ? plan->lanes : shape->column_count - first;
}

void pv_sphere_spectrum_to_columns(const pv_sphere_shape *shape, const pv_sphere_work *work)
{
    const pv_line_plan *plan = shape->inverse[2];
    const int64_t n = shape->n[2], length = shape->slices * shape->lanes;
    for (int64_t first = 0; first < shape->column_count; first += plan->lanes) {
        const int64_t width = columns_at(shape, plan, first);
        pv_c64 *in = work->tile_a;
        clear_rows(in, plan, 0, n);
        for (int64_t w = 0; w < width; w++) {
            const pv_sphere_column *column = &shape->columns[first + w];
            for (int64_t p = column->first; p < column->last; p++)
                in[shape->z[p] * plan->in_step + w * plan->in_lane] = work->spectrum[p];
        }
        run(plan, work);
        const pv_c64 *out = work->tile_b;
        for (int64_t w = 0; w < width; w++) {
            pv_c64 *restrict line = work->columns + (first + w) * length;
            for (int64_t z = 0; z < n; z++) line[z] = out[z * plan->out_step + w * plan->out_lane];
        }
    }
}

void pv_sphere_columns_to_spectrum(const pv_sphere_shape *shape, const pv_sphere_work *work)
{
    const pv_line_plan *plan = shape->forward[2];
    const int64_t n = shape->n[2], length = shape->slices * shape->lanes;
    for (int64_t first = 0; first < shape->column_count; first += plan->lanes) {
        const int64_t width = columns_at(shape, plan, first);
        pv_c64 *in = work->tile_a;
        for (int64_t w = 0; w < width; w++) {
            const pv_c64 *restrict line = work->columns + (first + w) * length;
            for (int64_t z = 0; z < n; z++) in[z * plan->in_step + w * plan->in_lane] = line[z];
        }
        run(plan, work);
        const pv_c64 *out = work->tile_b;
        for (int64_t w = 0; w < width; w++) {
            const pv_sphere_column *column = &shape->columns[first + w];
            for (int64_t p = column->first; p < column->last; p++)
                work->spectrum[p] = out[shape->z[p] * plan->out_step + w * plan->out_lane];
        }
    }
}

// ---- Along y: lanes are the planes of a slice --------------------------------------------------------------------

void pv_sphere_columns_to_planes(const pv_sphere_shape *shape, const pv_sphere_work *work, const pv_c64 *columns,
                                 int64_t slice)
{
    const pv_line_plan *plan = shape->inverse[1];
    const int64_t ny = shape->n[1], lanes = shape->lanes, length = shape->slices * lanes;
    for (int64_t i = 0; i < shape->plane_count; i++) {
        const pv_sphere_plane *plane = &shape->planes[i];
        int64_t next = 0;
        for (int64_t c = plane->first_column; c < plane->last_column; c++) {
            const int64_t y = shape->columns[c].y;
            if (y > next) clear_rows(work->tile_a, plan, next, y);
            load_row(work->tile_a, plan, y, lanes, columns + c * length + slice * lanes);
            next = y + 1;
        }
        clear_rows(work->tile_a, plan, next, ny);
        run(plan, work);
        for (int64_t y = 0; y < ny; y++) store_row(work->tile_b, plan, y, lanes, work->planes + (i * ny + y) * lanes);
    }
}

void pv_sphere_planes_to_columns(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t slice)
{
    const pv_line_plan *plan = shape->forward[1];
    const int64_t ny = shape->n[1], lanes = shape->lanes, length = shape->slices * lanes;
    for (int64_t i = 0; i < shape->plane_count; i++) {
        const pv_sphere_plane *plane = &shape->planes[i];
        for (int64_t y = 0; y < ny; y++) load_row(work->tile_a, plan, y, lanes, work->planes + (i * ny + y) * lanes);
        run(plan, work);
        for (int64_t c = plane->first_column; c < plane->last_column; c++)
            store_row(work->tile_b, plan, shape->columns[c].y, lanes, work->columns + c * length + slice * lanes);
    }
}

// ---- Along x, for one y: lanes are the planes of a slice ---------------------------------------------------------

// Into tile_b.
void pv_sphere_inverse_x(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t y)
{
    const pv_line_plan *plan = shape->inverse[0];
    int64_t next = 0;
    for (int64_t i = 0; i < shape->plane_count; i++) {
        const int64_t x = shape->planes[i].x;
        if (x > next) clear_rows(work->tile_a, plan, next, x);
        load_row(work->tile_a, plan, x, shape->lanes, work->planes + (i * shape->n[1] + y) * shape->lanes);
        next = x + 1;
    }
    clear_rows(work->tile_a, plan, next, shape->n[0]);
    run(plan, work);
}

// From tile_a.
void pv_sphere_forward_x(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t y)
{
    const pv_line_plan *plan = shape->forward[0];
    run(plan, work);
    for (int64_t i = 0; i < shape->plane_count; i++)
        store_row(work->tile_b, plan, shape->planes[i].x, shape->lanes,
                  work->planes + (i * shape->n[1] + y) * shape->lanes);
}

void pv_sphere_slice_to_grid(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t slice, pv_c64 *grid)
{
    const pv_line_plan *plan = shape->inverse[0];
    const int64_t ny = shape->n[1], nz = shape->n[2];
    pv_sphere_columns_to_planes(shape, work, work->columns, slice);
    for (int64_t y = 0; y < ny; y++) {
        pv_sphere_inverse_x(shape, work, y);
        for (int64_t x = 0; x < shape->n[0]; x++)
            store_row(work->tile_b, plan, x, depth_of(shape, slice), grid + (x * ny + y) * nz + slice * shape->lanes);
    }
}

void pv_sphere_slice_from_grid(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t slice,
                               const pv_c64 *grid)
{
    const pv_line_plan *plan = shape->forward[0];
    const int64_t ny = shape->n[1], nz = shape->n[2];
    for (int64_t y = 0; y < ny; y++) {
        for (int64_t x = 0; x < shape->n[0]; x++)
            load_row(work->tile_a, plan, x, depth_of(shape, slice), grid + (x * ny + y) * nz + slice * shape->lanes);
        pv_sphere_forward_x(shape, work, y);
    }
    pv_sphere_planes_to_columns(shape, work, slice);
}

static inline void multiply_row(const double *restrict f, const double *restrict u, double *restrict v)
{
    for (int w = 0; w < FULL; w++) {
        v[2 * w] = f[w] * u[2 * w];
        v[2 * w + 1] = f[w] * u[2 * w + 1];
    }
}

// From tile_b to tile_a.
static void multiply_tile(const pv_sphere_shape *shape, const pv_sphere_work *work, const double *factor)
{
    const pv_line_plan *back = shape->inverse[0], *forth = shape->forward[0];
    const int64_t nx = shape->n[0], lanes = shape->lanes;
    const pv_c64 *restrict u = work->tile_b;
    pv_c64 *restrict v = work->tile_a;
    if (back->out_lane == 1 && forth->in_lane == 1 && lanes == FULL)
        for (int64_t x = 0; x < nx; x++)
            multiply_row(factor + x * FULL, (const double *)(u + x * back->out_step),
                         (double *)(v + x * forth->in_step));
    else
        for (int64_t x = 0; x < nx; x++)
            for (int64_t w = 0; w < lanes; w++)
                v[x * forth->in_step + w * forth->in_lane] =
                    factor[x * lanes + w] * u[x * back->out_step + w * back->out_lane];
}

void pv_sphere_slice_multiply(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t slice,
                              const double *sliced)
{
    const int64_t ny = shape->n[1], row = shape->n[0] * shape->lanes;
    pv_sphere_columns_to_planes(shape, work, work->columns, slice);
    for (int64_t y = 0; y < ny; y++) {
        pv_sphere_inverse_x(shape, work, y);
        multiply_tile(shape, work, sliced + (slice * ny + y) * row);
        pv_sphere_forward_x(shape, work, y);
    }
    pv_sphere_planes_to_columns(shape, work, slice);
}

// ---- The phase: from what is periodic in the cell to real fields and back ------------------------------------------

static inline pv_c64 times(pv_c64 a, pv_c64 b)
{
    return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b), creal(a) * cimag(b) + cimag(a) * creal(b));
}

static inline void turn_row(pv_c64 x, const pv_c64 *restrict yz, pv_c64 *restrict row)
{
    for (int w = 0; w < FULL; w++) row[w] = times(times(x, yz[w]), row[w]);
}

// A tile of lines along x at y of a slice times the phase, or with `back` its conjugate.
static void turn_tile(const pv_sphere_shape *shape, int64_t slice, int64_t y, int back, int64_t step, int64_t lane,
                      pv_c64 *tile)
{
    const int64_t lanes = shape->lanes;
    const pv_c64 *z = shape->phase[2] + slice * lanes, along_y = shape->phase[1][y];
    if (lane == 1 && lanes == FULL) {
        pv_c64 yz[FULL];
        for (int w = 0; w < FULL; w++) yz[w] = back ? conj(times(along_y, z[w])) : times(along_y, z[w]);
        for (int64_t x = 0; x < shape->n[0]; x++)
            turn_row(back ? conj(shape->phase[0][x]) : shape->phase[0][x], yz, tile + x * step);
    } else {
        for (int64_t x = 0; x < shape->n[0]; x++)
            for (int64_t w = 0; w < lanes; w++) {
                const pv_c64 phase = times(times(shape->phase[0][x], along_y), z[w]);
                tile[x * step + w * lane] = times(back ? conj(phase) : phase, tile[x * step + w * lane]);
            }
    }
}

static inline void split_row(const pv_c64 *restrict u, double *restrict a, double *restrict b)
{
    for (int w = 0; w < FULL; w++) {
        a[w] = creal(u[w]);
        b[w] = cimag(u[w]);
    }
}

void pv_sphere_slice_to_reals(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t slice, double *a,
                              double *b)
{
    const pv_line_plan *plan = shape->inverse[0];
    const int64_t nx = shape->n[0], ny = shape->n[1], lanes = shape->lanes, depth = depth_of(shape, slice);
    pv_sphere_columns_to_planes(shape, work, work->columns, slice);
    for (int64_t y = 0; y < ny; y++) {
        pv_sphere_inverse_x(shape, work, y);
        if (shape->phase[0]) turn_tile(shape, slice, y, 0, plan->out_step, plan->out_lane, work->tile_b);
        for (int64_t x = 0; x < nx; x++) {
            const pv_c64 *u = (const pv_c64 *)work->tile_b + x * plan->out_step;
            const int64_t at = ((slice * ny + y) * nx + x) * lanes;
            if (b && plan->out_lane == 1 && depth == FULL)
                split_row(u, a + at, b + at);
            else
                for (int64_t w = 0; w < lanes; w++) {
                    const pv_c64 value = w < depth ? u[w * plan->out_lane] : 0.0;
                    a[at + w] = creal(value);
                    if (b) b[at + w] = cimag(value);
                }
        }
    }
}

static inline void join_row(const double *restrict a, const double *restrict b, pv_c64 *restrict u)
{
    for (int w = 0; w < FULL; w++) u[w] = CMPLX(a[w], b[w]);
}

void pv_sphere_slice_from_reals(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t slice,
                                const double *a, const double *b)
{
    const pv_line_plan *plan = shape->forward[0];
    const int64_t nx = shape->n[0], ny = shape->n[1], lanes = shape->lanes;
    for (int64_t y = 0; y < ny; y++) {
        for (int64_t x = 0; x < nx; x++) {
            pv_c64 *u = (pv_c64 *)work->tile_a + x * plan->in_step;
            const int64_t at = ((slice * ny + y) * nx + x) * lanes;
            if (b && plan->in_lane == 1 && lanes == FULL)
                join_row(a + at, b + at, u);
            else
                for (int64_t w = 0; w < lanes; w++) u[w * plan->in_lane] = CMPLX(a[at + w], b ? b[at + w] : 0.0);
        }
        if (shape->phase[0]) turn_tile(shape, slice, y, 1, plan->in_step, plan->in_lane, work->tile_a);
        pv_sphere_forward_x(shape, work, y);
    }
    pv_sphere_planes_to_columns(shape, work, slice);
}

// ---- Squares -----------------------------------------------------------------------------------------------------

static inline void add_row(const double weight[2], const double *restrict u, double *restrict sum)
{
    for (int w = 0; w < FULL; w++) sum[w] += weight[0] * u[2 * w] * u[2 * w] + weight[1] * u[2 * w + 1] * u[2 * w + 1];
}

void pv_sphere_slice_add_squares(const pv_sphere_shape *shape, const pv_sphere_work *work, const pv_c64 *columns,
                                 int64_t slice, const double weight[2], double *sums)
{
    const pv_line_plan *plan = shape->inverse[0];
    const int64_t nx = shape->n[0], ny = shape->n[1], lanes = shape->lanes;
    pv_sphere_columns_to_planes(shape, work, columns, slice);
    for (int64_t y = 0; y < ny; y++) {
        pv_sphere_inverse_x(shape, work, y);
        // |a + i b|^2 knows no phase; a^2 and b^2 do.
        if (shape->phase[0] && weight[0] != weight[1])
            turn_tile(shape, slice, y, 0, plan->out_step, plan->out_lane, work->tile_b);
        double *sum = sums + (slice * ny + y) * nx * lanes;
        for (int64_t x = 0; x < nx; x++) {
            const pv_c64 *u = (const pv_c64 *)work->tile_b + x * plan->out_step;
            if (plan->out_lane == 1 && lanes == FULL)
                add_row(weight, (const double *)u, sum + x * FULL);
            else
                for (int64_t w = 0; w < lanes; w++) {
                    const double re = creal(u[w * plan->out_lane]), im = cimag(u[w * plan->out_lane]);
                    sum[x * lanes + w] += weight[0] * re * re + weight[1] * im * im;
                }
        }
    }
}
