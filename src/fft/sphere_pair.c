// SPDX-License-Identifier: Apache-2.0
#include "fft/sphere_pair.h"

#include <stddef.h>

#include "fft/sphere_pass.h"

// Lanes of the fastest engine: loops over them have a constant length.
enum { FULL = 8 };

static int is_full(const pv_sphere_shape *shape)
{
    const pv_line_plan *back = shape->inverse[0], *forth = shape->forward[0];
    return shape->lanes == FULL && forth->in_lane == 1 && back->out_lane == 1;
}

// ---- Between the columns and the kernel --------------------------------------------------------------------------

static void run(const pv_line_plan *plan, const pv_sphere_work *work)
{
    plan->ops->execute(plan, work->tile_a, work->tile_b, work->scratch);
}

static void load_columns(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t first, int64_t width)
{
    const pv_line_plan *plan = shape->forward[2];
    const int64_t n = shape->n[2], length = shape->slices * shape->lanes;
    pv_c64 *in = work->tile_a;
    for (int64_t w = 0; w < width; w++) {
        const pv_c64 *restrict line = work->columns + (first + w) * length;
        for (int64_t z = 0; z < n; z++) in[z * plan->in_step + w * plan->in_lane] = line[z];
    }
}

static void store_columns(const pv_sphere_shape *shape, const pv_sphere_work *work, int64_t first, int64_t width)
{
    const pv_line_plan *plan = shape->inverse[2];
    const int64_t n = shape->n[2], length = shape->slices * shape->lanes;
    const pv_c64 *out = work->tile_b;
    for (int64_t w = 0; w < width; w++) {
        pv_c64 *restrict line = work->columns + (first + w) * length;
        for (int64_t z = 0; z < n; z++) line[z] = out[z * plan->out_step + w * plan->out_lane];
    }
}

// tile_b (transformed) -> tile_a (to be transformed back): what lies outside the sphere is zero.
static void multiply_columns(const pv_sphere_shape *shape, const pv_sphere_work *work, const double *kernel,
                             int64_t first, int64_t width)
{
    const pv_line_plan *forth = shape->forward[2], *back = shape->inverse[2];
    const pv_c64 *from = work->tile_b;
    pv_c64 *to = work->tile_a;
    for (int64_t w = 0; w < back->lanes; w++) {
        for (int64_t z = 0; z < shape->n[2]; z++) to[z * back->in_step + w * back->in_lane] = 0.0;
        if (w >= width) continue;
        const pv_sphere_column *column = &shape->columns[first + w];
        for (int64_t p = column->first; p < column->last; p++) {
            const int64_t z = shape->z[p];
            to[z * back->in_step + w * back->in_lane] = kernel[p] * from[z * forth->out_step + w * forth->out_lane];
        }
    }
}

// Columns -> along z to the sphere, times the kernel, and back -> columns.
static void apply_kernel(const pv_sphere_shape *shape, const pv_sphere_work *work, const double *kernel)
{
    if (shape->forward[2]->lanes != shape->inverse[2]->lanes) {
        pv_sphere_columns_to_spectrum(shape, work);
        for (int64_t p = 0; p < shape->full_count; p++) work->spectrum[p] *= kernel[p];
        pv_sphere_spectrum_to_columns(shape, work);
        return;
    }
    const int64_t lanes = shape->forward[2]->lanes;
    for (int64_t first = 0; first < shape->column_count; first += lanes) {
        const int64_t width = lanes < shape->column_count - first ? lanes : shape->column_count - first;
        load_columns(shape, work, first, width);
        run(shape->forward[2], work);
        multiply_columns(shape, work, kernel, first, width);
        run(shape->inverse[2], work);
        store_columns(shape, work, first, width);
    }
}

void pv_sphere_order(const pv_sphere *sphere, double scale, const double *values, double *ordered)
{
    const int64_t *place = pv_sphere_places(sphere);
    for (int64_t p = 0; p < pv_sphere_count(sphere); p++) ordered[place[p]] = scale * values[p];
}

// ---- Real fields -------------------------------------------------------------------------------------------------

// The part of a pair in one line of x, `lanes` deep.
typedef struct real_row {
    const double *source, *a, *b; // b = NULL: no second target
    double *source_sum, *a_sum, *b_sum;
} real_row;

static real_row row_at(const pv_pair_real *pair, int64_t at)
{
    return (real_row){pair->source + at,
                      pair->target[0] + at,
                      pair->target[1] ? pair->target[1] + at : NULL,
                      pair->source_sum ? pair->source_sum + at : NULL,
                      pair->target_sum[0] ? pair->target_sum[0] + at : NULL,
                      pair->target_sum[1] ? pair->target_sum[1] + at : NULL};
}

static void multiply_real(const pv_sphere_shape *shape, const real_row *row, pv_c64 *tile)
{
    const pv_line_plan *plan = shape->forward[0];
    const int64_t nx = shape->n[0], lanes = shape->lanes;
    const double *restrict source = row->source, *restrict a = row->a, *restrict b = row->b;
    for (int64_t x = 0; x < nx; x++) {
        if (is_full(shape) && b) {
            double *restrict to = (double *)(tile + x * plan->in_step);
            for (int w = 0; w < FULL; w++) {
                to[2 * w] = source[x * FULL + w] * a[x * FULL + w];
                to[2 * w + 1] = source[x * FULL + w] * b[x * FULL + w];
            }
        } else
            for (int64_t w = 0; w < lanes; w++) {
                const int64_t i = x * lanes + w;
                tile[x * plan->in_step + w * plan->in_lane] = source[i] * CMPLX(a[i], b ? b[i] : 0.0);
            }
    }
}

// tile times the phases of line y of a slice, or their conjugates.
static void turn(const pv_sphere_shape *shape, const double _Complex *const phase[3], int64_t slice, int64_t y,
                 int back, int64_t step, int64_t lane, pv_c64 *tile)
{
    const int64_t lanes = shape->lanes, first = slice * lanes;
    const int64_t depth = lanes < shape->n[2] - first ? lanes : shape->n[2] - first;
    for (int64_t w = 0; w < depth; w++) {
        const pv_c64 yz = phase[1][y] * phase[2][first + w];
        for (int64_t x = 0; x < shape->n[0]; x++) {
            const pv_c64 factor = phase[0][x] * yz;
            tile[x * step + w * lane] *= back ? conj(factor) : factor;
        }
    }
}

static inline void add_full(const pv_pair_real *pair, const real_row *row, int64_t at, const double *restrict v)
{
    const double *restrict source = row->source + at, *restrict a = row->a + at, *restrict b = row->b + at;
    if (row->a_sum) {
        double *restrict sum = row->a_sum + at;
        for (int w = 0; w < FULL; w++) sum[w] += pair->target_weight[0] * source[w] * v[2 * w];
    }
    if (row->b_sum) {
        double *restrict sum = row->b_sum + at;
        for (int w = 0; w < FULL; w++) sum[w] += pair->target_weight[1] * source[w] * v[2 * w + 1];
    }
    if (row->source_sum) {
        double *restrict sum = row->source_sum + at;
        for (int w = 0; w < FULL; w++)
            sum[w] += pair->source_weight[0] * a[w] * v[2 * w] + pair->source_weight[1] * b[w] * v[2 * w + 1];
    }
}

static void add_real(const pv_sphere_shape *shape, const pv_pair_real *pair, const real_row *row, const pv_c64 *tile)
{
    const pv_line_plan *plan = shape->inverse[0];
    const int64_t nx = shape->n[0], lanes = shape->lanes;
    if (is_full(shape) && row->b) {
        for (int64_t x = 0; x < nx; x++) add_full(pair, row, x * FULL, (const double *)(tile + x * plan->out_step));
        return;
    }
    for (int64_t x = 0; x < nx; x++)
        for (int64_t w = 0; w < lanes; w++) {
            const int64_t i = x * lanes + w;
            const pv_c64 v = tile[x * plan->out_step + w * plan->out_lane];
            if (row->a_sum) row->a_sum[i] += pair->target_weight[0] * row->source[i] * creal(v);
            if (row->b_sum) row->b_sum[i] += pair->target_weight[1] * row->source[i] * cimag(v);
            if (!row->source_sum) continue;
            row->source_sum[i] += pair->source_weight[0] * row->a[i] * creal(v);
            if (row->b) row->source_sum[i] += pair->source_weight[1] * row->b[i] * cimag(v);
        }
}

void pv_sphere_pair_real(const pv_sphere *sphere, int thread, const double *kernel,
                         const double _Complex *const phase[3], const pv_pair_real *pair)
{
    const pv_sphere_shape *shape = pv_sphere_shape_of(sphere);
    const pv_sphere_work *work = pv_sphere_work_of(sphere, thread);
    const pv_line_plan *back = shape->inverse[0], *forth = shape->forward[0];
    const int64_t ny = shape->n[1], line = shape->n[0] * shape->lanes;
    for (int64_t s = 0; s < shape->slices; s++) {
        for (int64_t y = 0; y < ny; y++) {
            const real_row row = row_at(pair, (s * ny + y) * line);
            multiply_real(shape, &row, work->tile_a);
            if (phase) turn(shape, phase, s, y, 0, forth->in_step, forth->in_lane, work->tile_a);
            pv_sphere_forward_x(shape, work, y);
        }
        pv_sphere_planes_to_columns(shape, work, s);
    }
    apply_kernel(shape, work, kernel);
    for (int64_t s = 0; s < shape->slices; s++) {
        pv_sphere_columns_to_planes(shape, work, work->columns, s);
        for (int64_t y = 0; y < ny; y++) {
            const real_row row = row_at(pair, (s * ny + y) * line);
            pv_sphere_inverse_x(shape, work, y);
            if (phase) turn(shape, phase, s, y, 1, back->out_step, back->out_lane, work->tile_b);
            add_real(shape, pair, &row, work->tile_b);
        }
    }
}

// ---- Complex fields ----------------------------------------------------------------------------------------------

static void multiply_complex(const pv_sphere_shape *shape, const pv_pair_complex *pair, int64_t at, pv_c64 *tile)
{
    const pv_line_plan *plan = shape->forward[0];
    const int64_t nx = shape->n[0], lanes = shape->lanes;
    const pv_c64 *restrict source = pair->source + at, *restrict target = pair->target + at;
    for (int64_t x = 0; x < nx; x++)
        for (int64_t w = 0; w < lanes; w++)
            tile[x * plan->in_step + w * plan->in_lane] = conj(source[x * lanes + w]) * target[x * lanes + w];
}

static void add_complex(const pv_sphere_shape *shape, const pv_pair_complex *pair, int64_t at, const pv_c64 *tile)
{
    const pv_line_plan *plan = shape->inverse[0];
    const int64_t nx = shape->n[0], lanes = shape->lanes;
    for (int64_t x = 0; x < nx; x++)
        for (int64_t w = 0; w < lanes; w++) {
            const int64_t i = at + x * lanes + w;
            const pv_c64 v = tile[x * plan->out_step + w * plan->out_lane];
            if (pair->target_sum) pair->target_sum[i] += pair->target_weight * pair->source[i] * v;
            if (pair->source_sum) pair->source_sum[i] += pair->source_weight * pair->target[i] * conj(v);
        }
}

void pv_sphere_pair_complex(const pv_sphere *sphere, int thread, const double *kernel,
                            const double _Complex *const phase[3], const pv_pair_complex *pair)
{
    const pv_sphere_shape *shape = pv_sphere_shape_of(sphere);
    const pv_sphere_work *work = pv_sphere_work_of(sphere, thread);
    const pv_line_plan *back = shape->inverse[0], *forth = shape->forward[0];
    const int64_t ny = shape->n[1], line = shape->n[0] * shape->lanes;
    for (int64_t s = 0; s < shape->slices; s++) {
        for (int64_t y = 0; y < ny; y++) {
            multiply_complex(shape, pair, (s * ny + y) * line, work->tile_a);
            if (phase) turn(shape, phase, s, y, 0, forth->in_step, forth->in_lane, work->tile_a);
            pv_sphere_forward_x(shape, work, y);
        }
        pv_sphere_planes_to_columns(shape, work, s);
    }
    apply_kernel(shape, work, kernel);
    for (int64_t s = 0; s < shape->slices; s++) {
        pv_sphere_columns_to_planes(shape, work, work->columns, s);
        for (int64_t y = 0; y < ny; y++) {
            pv_sphere_inverse_x(shape, work, y);
            if (phase) turn(shape, phase, s, y, 1, back->out_step, back->out_lane, work->tile_b);
            add_complex(shape, pair, (s * ny + y) * line, work->tile_b);
        }
    }
}

void pv_sphere_to_slices(const pv_sphere *sphere, int thread, const double _Complex *coefficients,
                         double _Complex *sliced)
{
    const pv_sphere_shape *shape = pv_sphere_shape_of(sphere);
    const pv_sphere_work *work = pv_sphere_work_of(sphere, thread);
    const pv_line_plan *plan = shape->inverse[0];
    const int64_t *place = pv_sphere_places(sphere);
    const int64_t nx = shape->n[0], ny = shape->n[1], lanes = shape->lanes;
    for (int64_t p = 0; p < pv_sphere_count(sphere); p++) work->spectrum[place[p]] = coefficients[p];
    pv_sphere_spectrum_to_columns(shape, work);
    for (int64_t s = 0; s < shape->slices; s++) {
        pv_sphere_columns_to_planes(shape, work, work->columns, s);
        for (int64_t y = 0; y < ny; y++) {
            const pv_c64 *tile = work->tile_b;
            pv_sphere_inverse_x(shape, work, y);
            pv_c64 *line = sliced + (s * ny + y) * nx * lanes;
            for (int64_t x = 0; x < nx; x++)
                for (int64_t w = 0; w < lanes; w++) line[x * lanes + w] = tile[x * plan->out_step + w * plan->out_lane];
        }
    }
}

void pv_sphere_from_slices(const pv_sphere *sphere, int thread, const double _Complex *sliced,
                           double _Complex *coefficients)
{
    const pv_sphere_shape *shape = pv_sphere_shape_of(sphere);
    const pv_sphere_work *work = pv_sphere_work_of(sphere, thread);
    const pv_line_plan *plan = shape->forward[0];
    const int64_t *place = pv_sphere_places(sphere);
    const int64_t nx = shape->n[0], ny = shape->n[1], lanes = shape->lanes;
    for (int64_t s = 0; s < shape->slices; s++) {
        for (int64_t y = 0; y < ny; y++) {
            pv_c64 *tile = work->tile_a;
            const pv_c64 *line = sliced + (s * ny + y) * nx * lanes;
            for (int64_t x = 0; x < nx; x++)
                for (int64_t w = 0; w < lanes; w++) tile[x * plan->in_step + w * plan->in_lane] = line[x * lanes + w];
            pv_sphere_forward_x(shape, work, y);
        }
        pv_sphere_planes_to_columns(shape, work, s);
    }
    pv_sphere_columns_to_spectrum(shape, work);
    const double scale = 1.0 / ((double)nx * (double)ny * (double)shape->n[2]);
    for (int64_t p = 0; p < pv_sphere_count(sphere); p++) coefficients[p] = scale * work->spectrum[place[p]];
}
