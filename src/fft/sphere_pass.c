// SPDX-License-Identifier: Apache-2.0
#include "fft/sphere_pass.h"

#include <string.h>

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

// ---- Tiles: rows of `width` neighbouring lanes -----------------------------------------------------------------

static inline void load_row(pv_c64 *restrict tile, int64_t step, int64_t lane, int64_t k, int64_t width,
                            const pv_c64 *restrict row)
{
    pv_c64 *restrict to = tile + k * step;
    if (lane == 1)
        memcpy(to, row, (size_t)width * sizeof *row);
    else
        for (int64_t w = 0; w < width; w++) to[w * lane] = row[w];
}

static inline void store_row(const pv_c64 *restrict tile, int64_t step, int64_t lane, int64_t k, int64_t width,
                             pv_c64 *restrict row)
{
    const pv_c64 *restrict from = tile + k * step;
    if (lane == 1)
        memcpy(row, from, (size_t)width * sizeof *row);
    else
        for (int64_t w = 0; w < width; w++) row[w] = from[w * lane];
}

// ---- Along z: lanes are columns --------------------------------------------------------------------------------

static void columns_to_planes_z(const pv_sphere_shape *shape, const pv_sphere_work *work)
{
    const pv_line_plan *plan = &shape->inverse[2];
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
    const pv_line_plan *plan = &shape->forward[2];
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
    const pv_line_plan *plan = &shape->inverse[1];
    const int64_t ny = shape->n[1], nz = shape->n[2];
    for (int64_t i = 0; i < shape->plane_count; i++) {
        const pv_sphere_plane *plane = &shape->planes[i];
        pv_c64 *to = work->planes + i * ny * nz;
        for (int64_t z = 0; z < nz; z += plan->lanes) {
            const int64_t width = smaller(plan->lanes, nz - z);
            memset(work->tile_a, 0, plan->in_bytes);
            for (int64_t c = plane->first_column; c < plane->last_column; c++)
                load_row(work->tile_a, plan->in_step, plan->in_lane, shape->columns[c].y, width,
                         work->columns + c * nz + z);
            plan->ops->execute(plan, work->tile_a, work->tile_b, work->scratch);
            for (int64_t y = 0; y < ny; y++)
                store_row(work->tile_b, plan->out_step, plan->out_lane, y, width, to + y * nz + z);
        }
    }
}

void pv_sphere_planes_to_spectrum(const pv_sphere_shape *shape, const pv_sphere_work *work)
{
    const pv_line_plan *plan = &shape->forward[1];
    const int64_t ny = shape->n[1], nz = shape->n[2];
    for (int64_t i = 0; i < shape->plane_count; i++) {
        const pv_sphere_plane *plane = &shape->planes[i];
        const pv_c64 *from = work->planes + i * ny * nz;
        for (int64_t z = 0; z < nz; z += plan->lanes) {
            const int64_t width = smaller(plan->lanes, nz - z);
            for (int64_t y = 0; y < ny; y++)
                load_row(work->tile_a, plan->in_step, plan->in_lane, y, width, from + y * nz + z);
            plan->ops->execute(plan, work->tile_a, work->tile_b, work->scratch);
            for (int64_t c = plane->first_column; c < plane->last_column; c++)
                store_row(work->tile_b, plan->out_step, plan->out_lane, shape->columns[c].y, width,
                          work->columns + c * nz + z);
        }
    }
    planes_to_columns_z(shape, work);
}

// ---- Along x: lanes are neighbours in z ------------------------------------------------------------------------

static void inverse_x(const pv_sphere_shape *shape, const pv_sphere_work *work, const pv_c64 *planes, int64_t y,
                      int64_t z, int64_t width)
{
    const pv_line_plan *plan = &shape->inverse[0];
    const int64_t ny = shape->n[1], nz = shape->n[2];
    memset(work->tile_a, 0, plan->in_bytes);
    for (int64_t i = 0; i < shape->plane_count; i++)
        load_row(work->tile_a, plan->in_step, plan->in_lane, shape->planes[i].x, width,
                 planes + (i * ny + y) * nz + z);
    plan->ops->execute(plan, work->tile_a, work->tile_b, work->scratch);
}

// From tile_a.
static void forward_x(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t y, int64_t z, int64_t width)
{
    const pv_line_plan *plan = &shape->forward[0];
    const int64_t ny = shape->n[1], nz = shape->n[2];
    plan->ops->execute(plan, work->tile_a, work->tile_b, work->scratch);
    for (int64_t i = 0; i < shape->plane_count; i++)
        store_row(work->tile_b, plan->out_step, plan->out_lane, shape->planes[i].x, width,
                  work->planes + (i * ny + y) * nz + z);
}

void pv_sphere_planes_to_grid(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t y_lower,
                              int64_t y_upper, pv_c64 *grid)
{
    const pv_line_plan *plan = &shape->inverse[0];
    const int64_t nx = shape->n[0], ny = shape->n[1], nz = shape->n[2];
    for (int64_t y = y_lower; y < y_upper; y++)
        for (int64_t z = 0; z < nz; z += plan->lanes) {
            const int64_t width = smaller(plan->lanes, nz - z);
            inverse_x(shape, work, work->planes, y, z, width);
            for (int64_t x = 0; x < nx; x++)
                store_row(work->tile_b, plan->out_step, plan->out_lane, x, width, grid + (x * ny + y) * nz + z);
        }
}

void pv_sphere_grid_to_planes(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t y_lower,
                              int64_t y_upper, const pv_c64 *grid)
{
    const pv_line_plan *plan = &shape->forward[0];
    const int64_t nx = shape->n[0], ny = shape->n[1], nz = shape->n[2];
    for (int64_t y = y_lower; y < y_upper; y++)
        for (int64_t z = 0; z < nz; z += plan->lanes) {
            const int64_t width = smaller(plan->lanes, nz - z);
            for (int64_t x = 0; x < nx; x++)
                load_row(work->tile_a, plan->in_step, plan->in_lane, x, width, grid + (x * ny + y) * nz + z);
            forward_x(shape, work, y, z, width);
        }
}

void pv_sphere_planes_multiply(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t y_lower,
                               int64_t y_upper, const double *factor)
{
    const pv_line_plan *back = &shape->inverse[0], *forth = &shape->forward[0];
    const int64_t nx = shape->n[0], ny = shape->n[1], nz = shape->n[2];
    for (int64_t y = y_lower; y < y_upper; y++)
        for (int64_t z = 0; z < nz; z += back->lanes) {
            const int64_t width = smaller(back->lanes, nz - z);
            inverse_x(shape, work, work->planes, y, z, width);
            for (int64_t x = 0; x < nx; x++) {
                const double *restrict f = factor + (x * ny + y) * nz + z;
                const pv_c64 *restrict u = (const pv_c64 *)work->tile_b + x * back->out_step;
                pv_c64 *restrict v = (pv_c64 *)work->tile_a + x * forth->in_step;
                if (back->out_lane == 1 && forth->in_lane == 1)
                    for (int64_t w = 0; w < width; w++) v[w] = f[w] * u[w];
                else
                    for (int64_t w = 0; w < width; w++) v[w * forth->in_lane] = f[w] * u[w * back->out_lane];
            }
            forward_x(shape, work, y, z, width);
        }
}

void pv_sphere_planes_add_squares(const pv_sphere_shape *shape, const pv_sphere_work *work, const pv_c64 *planes,
                                  int64_t y_lower, int64_t y_upper, const double weight[2], double *sums)
{
    const pv_line_plan *plan = &shape->inverse[0];
    const int64_t nx = shape->n[0], ny = shape->n[1], nz = shape->n[2];
    for (int64_t y = y_lower; y < y_upper; y++)
        for (int64_t z = 0; z < nz; z += plan->lanes) {
            const int64_t width = smaller(plan->lanes, nz - z);
            inverse_x(shape, work, planes, y, z, width);
            for (int64_t x = 0; x < nx; x++) {
                const double *restrict u = (const double *)((const pv_c64 *)work->tile_b + x * plan->out_step);
                double *restrict sum = sums + (x * ny + y) * nz + z;
                for (int64_t w = 0; w < width; w++) {
                    const double re = u[2 * w * plan->out_lane], im = u[2 * w * plan->out_lane + 1];
                    sum[w] += weight[0] * re * re + weight[1] * im * im;
                }
            }
        }
}
