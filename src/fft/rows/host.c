// SPDX-License-Identifier: Apache-2.0
// Rows on the CPU: as many as an engine takes side by side go through one thread's tiles, from memory and back once.
#include <omp.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "fft/rows/rows.h"
#include "fft/transfer/move.h"

// A thread's memory: a tile at points for every field, one of spectra, and what engines need.
typedef struct host_state {
    size_t point_bytes, mode_bytes, thread_bytes;
    int threads;
    char *memory;
} host_state;

typedef struct host_tile {
    const pv_rows *rows;
    int64_t first;
    int64_t lines; // of rows, at most the engine's lanes
    char *points[PV_ROWS_MOST_FIELDS], *modes, *scratch;
} host_tile;

static size_t aligned(size_t bytes)
{
    return (bytes + 4095) / 4096 * 4096;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static pv_status create(pv_rows *rows)
{
    const pv_line_plan *a = rows->to_points, *b = rows->to_modes;
    host_state *state = NULL;
    PV_REQUIRE(a->lanes == b->lanes && a->out_step == b->in_step && a->out_lane == b->in_lane, PV_ERR_INTERNAL,
               "engines put rows of %lld points in different places", (long long)rows->desc.n);
    PV_TRY(PV_ALLOC(1, &state));
    rows->state = state;
    state->threads = pv_device_threads(pv_comm_device(rows->desc.comm));
    state->point_bytes = aligned(larger(a->out_bytes, b->in_bytes));
    state->mode_bytes = aligned(larger(a->in_bytes, b->out_bytes));
    state->thread_bytes = PV_ROWS_MOST_FIELDS * state->point_bytes + state->mode_bytes +
                          aligned(larger(a->scratch_bytes, b->scratch_bytes));
    return pv_mem_alloc((size_t)state->threads, state->thread_bytes, (void **)&state->memory);
}

static void destroy(pv_rows *rows)
{
    host_state *state = rows->state;
    if (!state) return;
    pv_mem_free(state->memory);
    pv_mem_free(state);
}

static host_tile tile_of(const pv_rows *rows, int thread, int64_t number)
{
    const host_state *state = rows->state;
    const int64_t lanes = rows->to_points->lanes, left = rows->desc.count - number * lanes;
    host_tile tile = {.rows = rows, .first = number * lanes, .lines = left < lanes ? left : lanes};
    char *at = state->memory + (size_t)thread * state->thread_bytes;
    for (int f = 0; f < PV_ROWS_MOST_FIELDS; f++, at += state->point_bytes) tile.points[f] = at;
    tile.modes = at;
    tile.scratch = at + state->mode_bytes;
    return tile;
}

static char *row_of(const host_tile *tile, void *field)
{
    const pv_rows_desc *d = &tile->rows->desc;
    return (char *)field + (size_t)(tile->first * d->pitch) * pv_real_bytes(d->precision);
}

// Spectra from k on, and all of lines that no row fills: zero.
static void zero_rest(const host_tile *tile, size_t element)
{
    const pv_line_plan *plan = tile->rows->to_points;
    const int64_t kept = tile->rows->desc.kept, half = plan->n / 2 + 1;
    if (tile->lines < plan->lanes) memset(tile->modes, 0, plan->in_bytes);
    if (plan->in_lane == 1) {
        memset(tile->modes + (size_t)(kept * plan->in_step) * element, 0,
               (size_t)((half - kept) * plan->in_step) * element);
        return;
    }
    for (int64_t w = 0; w < plan->lanes; w++)
        memset(tile->modes + (size_t)(w * plan->in_lane + kept) * element, 0, (size_t)(half - kept) * element);
}

static void to_points_of(const host_tile *tile, void *field, char *points)
{
    const pv_rows_desc *d = &tile->rows->desc;
    const pv_line_plan *plan = tile->rows->to_points;
    const size_t element = 2 * pv_real_bytes(d->precision);
    zero_rest(tile, element);
    const pv_patch patch = {.count_k = d->kept,
                            .count_w = tile->lines,
                            .src = row_of(tile, field),
                            .src_k = 1,
                            .src_w = d->pitch / 2,
                            .dst = tile->modes,
                            .dst_k = plan->in_step,
                            .dst_w = plan->in_lane};
    pv_move_for(element, 0)(&patch);
    plan->ops->execute(plan, tile->modes, points, tile->scratch);
}

static void to_modes_of(const host_tile *tile, char *points, void *field)
{
    const pv_rows_desc *d = &tile->rows->desc;
    const pv_line_plan *plan = tile->rows->to_modes;
    plan->ops->execute(plan, points, tile->modes, tile->scratch);
    const pv_patch patch = {.count_k = d->kept,
                            .count_w = tile->lines,
                            .src = tile->modes,
                            .src_k = plan->out_step,
                            .src_w = plan->out_lane,
                            .dst = row_of(tile, field),
                            .dst_k = 1,
                            .dst_w = d->pitch / 2};
    pv_move_for(2 * pv_real_bytes(d->precision), 0)(&patch);
}

// Between rows of points in memory and a tile.
static void move_points(const host_tile *tile, void *field, char *points, int is_load)
{
    const pv_rows_desc *d = &tile->rows->desc;
    const pv_line_plan *plan = tile->rows->to_modes;
    pv_patch patch = {.count_k = d->n,
                      .count_w = tile->lines,
                      .src = row_of(tile, field),
                      .src_k = 1,
                      .src_w = d->pitch,
                      .dst = points,
                      .dst_k = plan->in_step,
                      .dst_w = plan->in_lane};
    if (!is_load)
        patch = (pv_patch){.count_k = d->n,
                           .count_w = tile->lines,
                           .src = points,
                           .src_k = plan->in_step,
                           .src_w = plan->in_lane,
                           .dst = row_of(tile, field),
                           .dst_k = 1,
                           .dst_w = d->pitch};
    pv_move_for(pv_real_bytes(d->precision), 0)(&patch);
}

// Engines hold the points of a tile in one run, or a run a line.
static void multiply_tile(const host_tile *tile, const pv_rows_product *product, int thread)
{
    const pv_line_plan *plan = tile->rows->to_points;
    const int in_one = plan->out_lane == 1;
    const size_t real = pv_real_bytes(plan->precision);
    for (int64_t w = 0; w < (in_one ? 1 : tile->lines); w++) {
        void *fields[PV_ROWS_MOST_FIELDS];
        for (int f = 0; f < PV_ROWS_MOST_FIELDS; f++) fields[f] = tile->points[f] + (size_t)(w * plan->out_lane) * real;
        product->on_host(product->context, thread, in_one ? plan->n * plan->lanes : plan->n, fields);
    }
}

// What is done with the rows of one tile.
typedef struct host_work {
    const pv_rows_product *product; // NULL: one field, to points or back
    void *const *fields;
    int is_inverse;
} host_work;

static void run_tile(const host_tile *tile, const host_work *work, int thread)
{
    const pv_rows_product *p = work->product;
    if (!p) {
        if (work->is_inverse) {
            to_points_of(tile, work->fields[0], tile->points[0]);
            move_points(tile, work->fields[0], tile->points[0], 0);
        } else {
            move_points(tile, work->fields[0], tile->points[0], 1);
            to_modes_of(tile, tile->points[0], work->fields[0]);
        }
        return;
    }
    for (int f = 0; f < p->inputs; f++) to_points_of(tile, work->fields[f], tile->points[f]);
    multiply_tile(tile, p, thread);
    for (int f = p->first_output; f < p->first_output + p->outputs; f++)
        to_modes_of(tile, tile->points[f], work->fields[f]);
}

static pv_status run(const pv_rows *rows, const host_work *work)
{
    const host_state *state = rows->state;
    const int64_t lanes = rows->to_points->lanes, tiles = (rows->desc.count + lanes - 1) / lanes;
#pragma omp parallel for schedule(static) num_threads(state->threads)
    for (int64_t t = 0; t < tiles; t++) {
        const host_tile tile = tile_of(rows, omp_get_thread_num(), t);
        run_tile(&tile, work, omp_get_thread_num());
    }
    return PV_OK;
}

static pv_status to_points(const pv_rows *rows, void *field)
{
    return run(rows, &(host_work){.fields = &field, .is_inverse = 1});
}

static pv_status to_modes(const pv_rows *rows, void *field)
{
    return run(rows, &(host_work){.fields = &field});
}

static pv_status multiply(const pv_rows *rows, const pv_rows_product *product, void *const *fields)
{
    return run(rows, &(host_work){.product = product, .fields = fields});
}

const pv_rows_ops pv_rows_host = {
    .create = create, .destroy = destroy, .to_points = to_points, .to_modes = to_modes, .multiply = multiply};
