// SPDX-License-Identifier: Apache-2.0
#include "fft/sphere_pass.h"

#include <string.h>

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

// ---- Tiles: rows of `width` neighbouring lanes -----------------------------------------------------------------

// Lanes of the fastest engine: whole rows of such tiles have loops of constant length.
enum { FULL = 8 };

static inline void load_row(pv_c64 *restrict tile, const pv_line_plan *plan, int64_t k, int64_t width,
                            const pv_c64 *restrict row)
{
    pv_c64 *restrict to = tile + k * plan->in_step;
    if (plan->in_lane == 1 && width == FULL)
        memcpy(to, row, FULL * sizeof *row);
    else
        for (int64_t w = 0; w < width; w++) to[w * plan->in_lane] = row[w];
}

static inline void store_row(const pv_c64 *restrict tile, const pv_line_plan *plan, int64_t k, int64_t width,
                             pv_c64 *restrict row)
{
    const pv_c64 *restrict from = tile + k * plan->out_step;
    if (plan->out_lane == 1 && width == FULL)
        memcpy(row, from, FULL * sizeof *row);
    else
        for (int64_t w = 0; w < width; w++) row[w] = from[w * plan->out_lane];
}

// Rows lower <= k < upper of a tile that will be read.
static inline void clear_rows(pv_c64 *tile, const pv_line_plan *plan, int64_t lower, int64_t upper)
{
    if (plan->in_lane == 1)
        memset(tile + lower * plan->in_step, 0, (size_t)((upper - lower) * plan->in_step) * sizeof *tile);
    else
        for (int64_t w = 0; w < plan->lanes; w++)
            memset(tile + w * plan->in_lane + lower, 0, (size_t)(upper - lower) * sizeof *tile);
}

// ---- Along z: lanes are columns --------------------------------------------------------------------------------

static void columns_to_planes_z(const pv_sphere_shape *shape, const pv_sphere_work *work)
{
    const pv_line_plan *plan = shape->inverse[2];
    const int64_t n = shape->n[2];
    for (int64_t first = 0; first < shape->column_count; first += plan->lanes) {
        const int64_t width = smaller(plan->lanes, shape->column_count - first);
        memset(work->tile_a, 0, plan->in_bytes);
        pv_c64 *in = work->tile_a;
        for (int64_t w = 0; w < width; w++) {
            const pv_sphere_column *column = &shape->columns[first + w];
            for (int64_t p = column->first; p < column->last; p++)
                in[shape->z[p] * plan->in_step + w * plan->in_lane] = work->spectrum[p];
        }
        plan->ops->execute(plan, work->tile_a, work->tile_b, work->scratch);
        const pv_c64 *out = work->tile_b;
        for (int64_t w = 0; w < width; w++) {
            pv_c64 *restrict line = work->columns + (first + w) * n;
            for (int64_t z = 0; z < n; z++) line[z] = out[z * plan->out_step + w * plan->out_lane];
        }
    }
}

static void planes_to_columns_z(const pv_sphere_shape *shape, const pv_sphere_work *work)
{
    const pv_line_plan *plan = shape->forward[2];
    const int64_t n = shape->n[2];
    for (int64_t first = 0; first < shape->column_count; first += plan->lanes) {
        const int64_t width = smaller(plan->lanes, shape->column_count - first);
        pv_c64 *in = work->tile_a;
        for (int64_t w = 0; w < width; w++) {
            const pv_c64 *restrict line = work->columns + (first + w) * n;
            for (int64_t z = 0; z < n; z++) in[z * plan->in_step + w * plan->in_lane] = line[z];
        }
        plan->ops->execute(plan, work->tile_a, work->tile_b, work->scratch);
        const pv_c64 *out = work->tile_b;
        for (int64_t w = 0; w < width; w++) {
            const pv_sphere_column *column = &shape->columns[first + w];
            for (int64_t p = column->first; p < column->last; p++)
                work->spectrum[p] = out[shape->z[p] * plan->out_step + w * plan->out_lane];
        }
    }
}

// ---- Along y: lanes are neighbours in z ------------------------------------------------------------------------

void pv_sphere_spectrum_to_planes(const pv_sphere_shape *shape, const pv_sphere_work *work)
{
    columns_to_planes_z(shape, work);
    const pv_line_plan *plan = shape->inverse[1];
    const int64_t ny = shape->n[1], nz = shape->n[2];
    for (int64_t i = 0; i < shape->plane_count; i++) {
        const pv_sphere_plane *plane = &shape->planes[i];
        pv_c64 *to = work->planes + i * ny * nz;
        for (int64_t z = 0; z < nz; z += plan->lanes) {
            const int64_t width = smaller(plan->lanes, nz - z);
            int64_t next = 0;
            for (int64_t c = plane->first_column; c < plane->last_column; c++) {
                const int64_t y = shape->columns[c].y;
                if (y > next) clear_rows(work->tile_a, plan, next, y);
                load_row(work->tile_a, plan, y, width, work->columns + c * nz + z);
                next = y + 1;
            }
            clear_rows(work->tile_a, plan, next, ny);
            plan->ops->execute(plan, work->tile_a, work->tile_b, work->scratch);
            for (int64_t y = 0; y < ny; y++)
                store_row(work->tile_b, plan, y, width, to + y * nz + z);
        }
    }
}

void pv_sphere_planes_to_spectrum(const pv_sphere_shape *shape, const pv_sphere_work *work)
{
    const pv_line_plan *plan = shape->forward[1];
    const int64_t ny = shape->n[1], nz = shape->n[2];
    for (int64_t i = 0; i < shape->plane_count; i++) {
        const pv_sphere_plane *plane = &shape->planes[i];
        const pv_c64 *from = work->planes + i * ny * nz;
        for (int64_t z = 0; z < nz; z += plan->lanes) {
            const int64_t width = smaller(plan->lanes, nz - z);
            for (int64_t y = 0; y < ny; y++)
                load_row(work->tile_a, plan, y, width, from + y * nz + z);
            plan->ops->execute(plan, work->tile_a, work->tile_b, work->scratch);
            for (int64_t c = plane->first_column; c < plane->last_column; c++)
                store_row(work->tile_b, plan, shape->columns[c].y, width, work->columns + c * nz + z);
        }
    }
    planes_to_columns_z(shape, work);
}

// ---- Along x: lanes are neighbours in (y, z) -----------------------------------------------------------------------

static void inverse_x(const pv_sphere_shape *shape, const pv_sphere_work *work, const pv_c64 *planes, int64_t line,
                      int64_t width)
{
    const pv_line_plan *plan = shape->inverse[0];
    const int64_t lines = shape->n[1] * shape->n[2];
    int64_t next = 0;
    for (int64_t i = 0; i < shape->plane_count; i++) {
        const int64_t x = shape->planes[i].x;
        if (x > next) clear_rows(work->tile_a, plan, next, x);
        load_row(work->tile_a, plan, x, width, planes + i * lines + line);
        next = x + 1;
    }
    clear_rows(work->tile_a, plan, next, shape->n[0]);
    plan->ops->execute(plan, work->tile_a, work->tile_b, work->scratch);
}

// From tile_a.
static void forward_x(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t line, int64_t width)
{
    const pv_line_plan *plan = shape->forward[0];
    const int64_t lines = shape->n[1] * shape->n[2];
    plan->ops->execute(plan, work->tile_a, work->tile_b, work->scratch);
    for (int64_t i = 0; i < shape->plane_count; i++)
        store_row(work->tile_b, plan, shape->planes[i].x, width, work->planes + i * lines + line);
}

void pv_sphere_planes_to_grid(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t lower, int64_t upper,
                              pv_c64 *grid)
{
    const pv_line_plan *plan = shape->inverse[0];
    const int64_t lines = shape->n[1] * shape->n[2];
    for (int64_t line = lower; line < upper; line += plan->lanes) {
        const int64_t width = smaller(plan->lanes, upper - line);
        inverse_x(shape, work, work->planes, line, width);
        for (int64_t x = 0; x < shape->n[0]; x++) store_row(work->tile_b, plan, x, width, grid + x * lines + line);
    }
}

void pv_sphere_grid_to_planes(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t lower, int64_t upper,
                              const pv_c64 *grid)
{
    const pv_line_plan *plan = shape->forward[0];
    const int64_t lines = shape->n[1] * shape->n[2];
    for (int64_t line = lower; line < upper; line += plan->lanes) {
        const int64_t width = smaller(plan->lanes, upper - line);
        for (int64_t x = 0; x < shape->n[0]; x++) load_row(work->tile_a, plan, x, width, grid + x * lines + line);
        forward_x(shape, work, line, width);
    }
}

static inline void multiply_row(const double *restrict f, const double *restrict u, int64_t width, double *restrict v)
{
    for (int64_t w = 0; w < width; w++) {
        v[2 * w] = f[w] * u[2 * w];
        v[2 * w + 1] = f[w] * u[2 * w + 1];
    }
}

// From tile_b to tile_a.
static void multiply_tile(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t line, int64_t width,
                          const double *factor)
{
    const pv_line_plan *back = shape->inverse[0], *forth = shape->forward[0];
    const int64_t lines = shape->n[1] * shape->n[2];
    for (int64_t x = 0; x < shape->n[0]; x++) {
        const double *f = factor + x * lines + line;
        const pv_c64 *u = (const pv_c64 *)work->tile_b + x * back->out_step;
        pv_c64 *v = (pv_c64 *)work->tile_a + x * forth->in_step;
        if (back->out_lane == 1 && forth->in_lane == 1 && width == FULL)
            multiply_row(f, (const double *)u, FULL, (double *)v);
        else
            for (int64_t w = 0; w < width; w++) v[w * forth->in_lane] = f[w] * u[w * back->out_lane];
    }
}

void pv_sphere_planes_multiply(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t lower, int64_t upper,
                               const double *factor)
{
    const int64_t lanes = smaller(shape->inverse[0]->lanes, shape->forward[0]->lanes);
    for (int64_t line = lower; line < upper; line += lanes) {
        const int64_t width = smaller(lanes, upper - line);
        inverse_x(shape, work, work->planes, line, width);
        multiply_tile(shape, work, line, width, factor);
        forward_x(shape, work, line, width);
    }
}

static inline void add_row(const double weight[2], const double *restrict u, int64_t lane, int64_t width,
                           double *restrict sum)
{
    for (int64_t w = 0; w < width; w++) {
        const double re = u[2 * w * lane], im = u[2 * w * lane + 1];
        sum[w] += weight[0] * re * re + weight[1] * im * im;
    }
}

void pv_sphere_planes_add_squares(const pv_sphere_shape *shape, const pv_sphere_work *work, const pv_c64 *planes,
                                  int64_t lower, int64_t upper, const double weight[2], double *sums)
{
    const pv_line_plan *plan = shape->inverse[0];
    const int64_t lines = shape->n[1] * shape->n[2];
    for (int64_t line = lower; line < upper; line += plan->lanes) {
        const int64_t width = smaller(plan->lanes, upper - line);
        inverse_x(shape, work, planes, line, width);
        for (int64_t x = 0; x < shape->n[0]; x++) {
            const double *u = (const double *)((const pv_c64 *)work->tile_b + x * plan->out_step);
            if (plan->out_lane == 1 && width == FULL)
                add_row(weight, u, 1, FULL, sums + x * lines + line);
            else
                add_row(weight, u, plan->out_lane, width, sums + x * lines + line);
        }
    }
}
